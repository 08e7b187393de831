package mpi_test

import (
	"fmt"

	"mpiglot.dev/mpi"
)

// A ring in which each process gets what its neighbours have.
func ExampleNeighborAllgather() {
	ring, err := mpi.Self().Cart([]int{1}, []bool{true}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ring.Free()
	around := make([]int, 2)
	if err := mpi.NeighborAllgather(ring, []int{7}, around); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(around)
	// Output: [7 7]
}

// The processes in the opposite order.
func ExampleGroup() {
	world := mpi.World()
	group, err := world.Group()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer group.Free()
	backwards, err := group.RangeIncl(mpi.Range{First: world.Size() - 1, Last: 0, Step: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer backwards.Free()
	rank, err := backwards.Rank()
	fmt.Println(rank == world.Size()-1-world.Rank(), err)
	// Output: true <nil>
}

// A cache that travels with its communicator.
func ExampleKey() {
	cache, err := mpi.NewKey[map[string]int](nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer cache.Free()
	if err := cache.Set(mpi.Self(), map[string]int{"answer": 42}); err != nil {
		fmt.Println(err)
		return
	}
	values, found, err := cache.Get(mpi.Self())
	fmt.Println(values["answer"], found, err)
	if err := cache.Delete(mpi.Self()); err != nil {
		fmt.Println(err)
	}
	// Output: 42 true <nil>
}
