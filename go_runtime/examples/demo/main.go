// Command demo shows what MPI looks like in Go, and checks every result: a ring, a reduction with an
// operation of its own, a column of a matrix, and two mistakes that come back as errors.
//
//	mpiexec -n 4 demo
package main

import (
	"errors"
	"fmt"
	"slices"

	"mpiglot.dev/mpi"
)

func main() {
	mpi.Main(func(world *mpi.Comm) error {
		for _, part := range []func(*mpi.Comm) error{ring, reduction, column, wrongRank, truncation} {
			if err := part(world); err != nil {
				return err
			}
		}
		if world.Rank() == 0 {
			_, version := mpi.Library()
			fmt.Printf("demo go: ok on %d ranks with %s\n", world.Size(), version)
		}
		return nil
	})
}

// ring passes a list around, to which every rank adds its own number.
func ring(world *mpi.Comm) error {
	const tag = 1
	rank, size := world.Rank(), world.Size()
	next, previous := (rank+1)%size, (rank+size-1)%size

	// The receive is posted before anything is sent, so that it also works with a single rank.
	list := make([]int, size)
	incoming, err := mpi.Irecv(world, list, previous, tag)
	if err != nil {
		return err
	}
	if rank == 0 {
		if err := mpi.Send(world, []int{0}, next, tag); err != nil {
			return err
		}
	}
	status, err := incoming.Wait()
	if err != nil {
		return err
	}
	n, err := mpi.Count[int](&status)
	if err != nil {
		return err
	}
	list = list[:n]
	if rank != 0 {
		return mpi.Send(world, append(list, rank), next, tag)
	}

	expected := make([]int, size)
	for i := range expected {
		expected[i] = i
	}
	if !slices.Equal(list, expected) || status.Source() != previous || status.Tag() != tag {
		return fmt.Errorf("ring: got %v from rank %d with tag %d", list, status.Source(), status.Tag())
	}
	return nil
}

// An extreme is a value and where it was found: an operation on it is no operation of MPI's.
type extreme struct {
	Value float64
	Rank  int32
}

// reduction finds the largest value and its place, with an operation written in Go.
func reduction(world *mpi.Comm) error {
	largest, err := mpi.NewOp(func(a, b extreme) extreme {
		if a.Value > b.Value || a.Value == b.Value && a.Rank < b.Rank {
			return a
		}
		return b
	}, true)
	if err != nil {
		return err
	}
	defer largest.Free()

	middle := world.Size() / 2
	distance := float64(world.Rank() - middle)
	mine := []extreme{{Value: -distance * distance, Rank: int32(world.Rank())}}
	result := make([]extreme, 1)
	if err := mpi.Allreduce(world, mine, result, largest); err != nil {
		return err
	}
	if want := (extreme{0, int32(middle)}); result[0] != want {
		return fmt.Errorf("reduction: got %v, not %v", result[0], want)
	}
	return nil
}

// column sends the second column of a matrix to the next rank, which gets it as a list.
func column(world *mpi.Comm) error {
	const rows, columns, tag = 5, 4, 2
	rank, size := world.Rank(), world.Size()
	next, previous := (rank+1)%size, (rank+size-1)%size

	matrix := make([]float64, rows*columns)
	for i := range matrix {
		matrix[i] = float64(100*rank + i)
	}
	second, err := mpi.Every[float64](rows, 1, columns)
	if err != nil {
		return err
	}
	defer second.Free()

	list := make([]float64, rows)
	incoming, err := mpi.Irecv(world, list, previous, tag)
	if err != nil {
		return err
	}
	if err := mpi.SendLayout(world, second, matrix[1:], next, tag); err != nil {
		return err
	}
	if _, err := incoming.Wait(); err != nil {
		return err
	}
	for row, value := range list {
		if want := float64(100*previous + row*columns + 1); value != want {
			return fmt.Errorf("column: row %d is %v, not %v", row, value, want)
		}
	}
	return nil
}

// wrongRank sends to a rank that does not exist.
func wrongRank(world *mpi.Comm) error {
	err := mpi.Send(world, []int{1}, 9999, 3)
	var e *mpi.Error
	if !errors.Is(err, mpi.ErrRank) || !errors.As(err, &e) || e.Message == "" || e.Function != "MPI_Send" {
		return fmt.Errorf("wrong rank: got the error %v", err)
	}
	return nil
}

// truncation receives a message into a slice that is too short for it.
func truncation(world *mpi.Comm) error {
	const tag = 4
	self := world.Rank()
	outgoing, err := mpi.Isend(world, []int{1, 2, 3}, self, tag)
	if err != nil {
		return err
	}
	_, err = mpi.Recv(world, make([]int, 1), self, tag)
	var e *mpi.Error
	if !errors.Is(err, mpi.ErrTruncate) || !errors.As(err, &e) || e.Message == "" || e.Function != "MPI_Recv" {
		return fmt.Errorf("truncation: got the error %v", err)
	}
	_, err = outgoing.Wait()
	return err
}
