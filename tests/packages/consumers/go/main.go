// What somebody writes who has the package.
package main

import (
	"fmt"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func main() {
	mpi.Main(func(world *mpi.Comm) error {
		sum := make([]int, 1)
		if err := mpi.Allreduce(world, []int{world.Rank() + 1}, sum, mpi.Sum); err != nil {
			return err
		}
		size, err := low.CommSize(world.Handle())
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Printf("the sum over %d ranks is %d\n", size, sum[0])
		}
		return nil
	})
}
