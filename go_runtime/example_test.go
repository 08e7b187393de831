package mpi_test

import (
	"errors"
	"fmt"

	"mpiglot.dev/mpi"
)

// The largest of one number per process, for everybody.
func ExampleAllreduce() {
	world := mpi.World()
	mine := []float64{float64(world.Rank())}
	largest := make([]float64, 1)
	if err := mpi.Allreduce(world, mine, largest, mpi.Max); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(largest[0] == float64(world.Size()-1))
	// Output: true
}

// A reduction with an operation that MPI does not have.
func ExampleNewOp() {
	longest, err := mpi.NewOp(func(a, b [8]byte) [8]byte {
		if a[7] > b[7] {
			return a
		}
		return b
	}, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer longest.Free()
	names := [][8]byte{{'a', 7: byte(mpi.World().Rank() + 1)}}
	result := make([][8]byte, 1)
	if err := mpi.Allreduce(mpi.World(), names, result, longest); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(int(result[0][7]) == mpi.World().Size())
	// Output: true
}

// A column of a matrix that is stored by rows.
func ExampleEvery() {
	const rows, columns = 3, 4
	column, err := mpi.Every[int](rows, 1, columns)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer column.Free()
	matrix := make([]int, rows*columns)
	for i := range matrix {
		matrix[i] = i
	}
	self, list := mpi.Self(), make([]int, rows)
	request, err := mpi.Irecv(self, list, 0, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := mpi.SendLayout(self, column, matrix[1:], 0, 1); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := request.Wait(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list)
	// Output: [1 5 9]
}

// A message whose length the receiver does not know.
func ExampleRecvSlice() {
	self := mpi.Self()
	sent, err := mpi.Isend(self, []float64{1, 2, 3}, 0, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, status, err := mpi.RecvSlice[float64](self, mpi.AnySource, mpi.AnyTag)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := sent.Wait(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(data, status.Source(), status.Tag())
	// Output: [1 2 3] 0 1
}

// One number per process, added.
func ExampleAllreduceValue() {
	sum, err := mpi.AllreduceValue(mpi.World(), 1, mpi.Sum)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sum == mpi.World().Size())
	// Output: true
}

// Slices whose lengths only their senders know.
func ExampleAllgatherSlices() {
	parts, err := mpi.AllgatherSlices(mpi.Self(), []string8{{'a'}, {'b'}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(parts), len(parts[0]), string(parts[0][1][:1]))
	// Output: 1 2 b
}

type string8 [8]byte

// A broadcast that is prepared once and done three times.
func ExampleBcastInit() {
	data := make([]int, 1)
	broadcast, err := mpi.BcastInit(mpi.Self(), data, 0)
	if errors.Is(err, mpi.ErrUnavailable) { // before MPI 4.0
		fmt.Println("3 times")
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for data[0] < 3 {
		data[0]++
		if err := broadcast.Start(); err != nil {
			fmt.Println(err)
			return
		}
		if _, err := broadcast.Wait(); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(data[0], "times")
	if err := broadcast.Free(); err != nil {
		fmt.Println(err)
	}
	// Output: 3 times
}
