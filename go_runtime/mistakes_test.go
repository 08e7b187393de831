package mpi_test

import (
	"maps"
	"slices"
	"testing"

	"mpiglot.dev/mpi"
)

// waited is the error of an operation that was begun and waited for.
func waited(r *mpi.Request, err error) error {
	if err == nil {
		_, err = r.Wait()
	}
	return err
}

// room is a slice of so many elements, or of others where there is a mistake.
func room(mistaken bool, n, wrong int) []int {
	if mistaken {
		n = wrong
	}
	return make([]int, n)
}

// mistakes are operations that the last process calls with a slice of a wrong length, if it is told to.
func mistakes(c *mpi.Comm, wrong bool) map[string]func() error {
	n, two := c.Size(), []int{1, 2}
	last := n - 1
	counts := make([]int, n)
	for i := range counts {
		counts[i] = 2
	}
	shared := make([]int, 2*n+2)
	overlapping := func() []int {
		if wrong {
			return shared[1 : 1+2*n]
		}
		return make([]int, 2*n)
	}
	return map[string]func() error{
		"Bcast":   func() error { return mpi.Bcast(c, two, last) },
		"Scatter": func() error { return mpi.Scatter(c, room(wrong, 2*n, 2*n+1), make([]int, 2), last) },
		"Iscatter": func() error {
			return waited(mpi.Iscatter(c, room(wrong, 2*n, 2*n+1), make([]int, 2), last))
		},
		"Scatter of too little":   func() error { return mpi.Scatter(c, room(wrong, 2*n, 2*n-1), make([]int, 2), last) },
		"Gather":                  func() error { return mpi.Gather(c, two, room(wrong, 2*n, 2*n-1), last) },
		"Igather":                 func() error { return waited(mpi.Igather(c, two, room(wrong, 2*n, 2*n-1), last)) },
		"Allgather":               func() error { return mpi.Allgather(c, two, room(wrong, 2*n, 2*n-1)) },
		"Iallgather":              func() error { return waited(mpi.Iallgather(c, two, room(wrong, 2*n, 2*n-1))) },
		"Allgather that overlaps": func() error { return mpi.Allgather(c, shared[:2], overlapping()) },
		"Alltoall":                func() error { return mpi.Alltoall(c, make([]int, 2*n), room(wrong, 2*n, 2*n-1)) },
		"Ialltoall":               func() error { return waited(mpi.Ialltoall(c, make([]int, 2*n), room(wrong, 2*n, 2*n-1))) },
		"Reduce":                  func() error { return mpi.Reduce(c, two, room(wrong, 2, 1), mpi.Sum, last) },
		"Ireduce":                 func() error { return waited(mpi.Ireduce(c, two, room(wrong, 2, 1), mpi.Sum, last)) },
		"Allreduce":               func() error { return mpi.Allreduce(c, two, room(wrong, 2, 1), mpi.Sum) },
		"Iallreduce":              func() error { return waited(mpi.Iallreduce(c, two, room(wrong, 2, 1), mpi.Sum)) },
		"Scan":                    func() error { return mpi.Scan(c, two, room(wrong, 2, 1), mpi.Sum) },
		"Iscan":                   func() error { return waited(mpi.Iscan(c, two, room(wrong, 2, 1), mpi.Sum)) },
		"Exscan":                  func() error { return mpi.Exscan(c, two, room(wrong, 2, 1), mpi.Sum) },
		"Iexscan":                 func() error { return waited(mpi.Iexscan(c, two, room(wrong, 2, 1), mpi.Sum)) },
		"ReduceScatterBlock": func() error {
			return mpi.ReduceScatterBlock(c, make([]int, 2*n), room(wrong, 2, 1), mpi.Sum)
		},
		"IreduceScatterBlock": func() error {
			return waited(mpi.IreduceScatterBlock(c, make([]int, 2*n), room(wrong, 2, 1), mpi.Sum))
		},
		"ReduceScatter": func() error {
			return mpi.ReduceScatter(c, make([]int, 2*n), room(wrong, 2, 1), counts, mpi.Sum)
		},
		"IreduceScatter": func() error {
			return waited(mpi.IreduceScatter(c, make([]int, 2*n), room(wrong, 2, 1), counts, mpi.Sum))
		},
		"Gatherv":     func() error { return mpi.Gatherv(c, room(wrong, 2, 1), make([]int, 2*n), counts, last) },
		"Igatherv":    func() error { return waited(mpi.Igatherv(c, room(wrong, 2, 1), make([]int, 2*n), counts, last)) },
		"Allgatherv":  func() error { return mpi.Allgatherv(c, room(wrong, 2, 1), make([]int, 2*n), counts) },
		"Iallgatherv": func() error { return waited(mpi.Iallgatherv(c, room(wrong, 2, 1), make([]int, 2*n), counts)) },
		"Scatterv":    func() error { return mpi.Scatterv(c, make([]int, 2*n), counts, room(wrong, 2, 1), last) },
		"Iscatterv":   func() error { return waited(mpi.Iscatterv(c, make([]int, 2*n), counts, room(wrong, 2, 1), last)) },
		"Alltoallv":   func() error { return mpi.Alltoallv(c, shared[:2*n], counts, overlapping(), counts) },
		"Ialltoallv": func() error {
			return waited(mpi.Ialltoallv(c, shared[:2*n], counts, overlapping(), counts))
		},
	}
}

func TestAMistakeOfOneProcessLeavesNobodyWaiting(t *testing.T) {
	n := world.Size()
	wrong := world.Rank() == n-1
	calls := mistakes(world, wrong)
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		err := calls[name]()
		if wrong && name != "Bcast" {
			refused(t, name, err, mpi.ErrBuffer)
		} else {
			must(t, err)
		}
		sum, err := mpi.AllreduceValue(world, 1, mpi.Sum)
		must(t, err)
		want(t, "processes after "+name, sum, n)
	}
}
