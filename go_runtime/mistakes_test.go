package mpi_test

import (
	"errors"
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
		stillTogether(t, name)
	}
}

// stillTogether makes operations that need all processes, of the kinds that libraries number.
func stillTogether(t *testing.T, after string) {
	t.Helper()
	sum := make([]int, 1)
	r, err := mpi.Iallreduce(world, []int{1}, sum, mpi.Sum)
	must(t, waited(r, err))
	want(t, "processes after "+after, sum[0], world.Size())
	all, err := mpi.AllreduceValue(world, 1, mpi.Sum)
	must(t, err)
	want(t, "processes after "+after, all, world.Size())
}

// unmade is the error of an operation that is to be prepared; one that was prepared is freed.
func unmade(p *mpi.Persistent, err error) error {
	if err == nil {
		err = p.Free()
	}
	return err
}

// Where the counts are right and a slice is too short for them.
func TestPartsThatFindNoRoomLeaveNobodyWaiting(t *testing.T) {
	n := world.Size()
	wrong := world.Rank() == n-1
	counts := make([]int, n)
	for i := range counts {
		counts[i] = 2
	}
	all := func() []int { return room(wrong, 2*n, 2*n-1) }
	mine := []int{1, 2}
	inOrder(t, wrong, map[string]func() error{
		"Gatherv":             func() error { return mpi.Gatherv(world, mine, all(), counts, n-1) },
		"Igatherv":            func() error { return waited(mpi.Igatherv(world, mine, all(), counts, n-1)) },
		"Allgatherv":          func() error { return mpi.Allgatherv(world, mine, all(), counts) },
		"Iallgatherv":         func() error { return waited(mpi.Iallgatherv(world, mine, all(), counts)) },
		"Scatterv":            func() error { return mpi.Scatterv(world, all(), counts, make([]int, 2), n-1) },
		"Iscatterv":           func() error { return waited(mpi.Iscatterv(world, all(), counts, make([]int, 2), n-1)) },
		"Alltoallv to":        func() error { return mpi.Alltoallv(world, make([]int, 2*n), counts, all(), counts) },
		"Alltoallv of":        func() error { return mpi.Alltoallv(world, all(), counts, make([]int, 2*n), counts) },
		"Ialltoallv of":       func() error { return waited(mpi.Ialltoallv(world, all(), counts, make([]int, 2*n), counts)) },
		"ReduceScatter":       func() error { return mpi.ReduceScatter(world, all(), make([]int, 2), counts, mpi.Sum) },
		"IreduceScatter":      func() error { return waited(mpi.IreduceScatter(world, all(), make([]int, 2), counts, mpi.Sum)) },
		"ReduceScatter alone": func() error { return mpi.ReduceScatter(world, nil, all(), counts, mpi.Sum, mpi.InPlace) },
	})
}

// inOrder calls the operations of a table in the order of their names.
func inOrder(t *testing.T, wrong bool, calls map[string]func() error) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		err := calls[name]()
		switch {
		case errors.Is(err, mpi.ErrUnavailable):
		case wrong:
			refused(t, name, err, mpi.ErrBuffer)
		default:
			must(t, err)
		}
		stillTogether(t, name)
	}
}

func TestAMistakeInWhatIsPreparedLeavesNobodyWaiting(t *testing.T) {
	n := world.Size()
	wrong := world.Rank() == n-1
	two, last := []int{1, 2}, n-1
	counts := make([]int, n)
	for i := range counts {
		counts[i] = 2
	}
	all, one := room(wrong, 2*n, 2*n-1), room(wrong, 2, 1)
	inOrder(t, wrong, map[string]func() error{
		"GatherInit":     func() error { return unmade(mpi.GatherInit(world, two, all, last)) },
		"AllgatherInit":  func() error { return unmade(mpi.AllgatherInit(world, two, all)) },
		"ScatterInit":    func() error { return unmade(mpi.ScatterInit(world, all, make([]int, 2), last)) },
		"AlltoallInit":   func() error { return unmade(mpi.AlltoallInit(world, make([]int, 2*n), all)) },
		"ReduceInit":     func() error { return unmade(mpi.ReduceInit(world, two, one, mpi.Sum, last)) },
		"AllreduceInit":  func() error { return unmade(mpi.AllreduceInit(world, two, one, mpi.Sum)) },
		"ScanInit":       func() error { return unmade(mpi.ScanInit(world, two, one, mpi.Sum)) },
		"ExscanInit":     func() error { return unmade(mpi.ExscanInit(world, two, one, mpi.Sum)) },
		"GathervInit":    func() error { return unmade(mpi.GathervInit(world, one, make([]int, 2*n), counts, last)) },
		"AllgathervInit": func() error { return unmade(mpi.AllgathervInit(world, two, all, counts)) },
		"ScattervInit":   func() error { return unmade(mpi.ScattervInit(world, all, counts, make([]int, 2), last)) },
		"AlltoallvInit":  func() error { return unmade(mpi.AlltoallvInit(world, all, counts, make([]int, 2*n), counts)) },
		"ReduceScatterInit": func() error {
			return unmade(mpi.ReduceScatterInit(world, all, make([]int, 2), counts, mpi.Sum))
		},
		"ReduceScatterBlockInit": func() error {
			return unmade(mpi.ReduceScatterBlockInit(world, make([]int, 2*n), one, mpi.Sum))
		},
	})
}

func TestAMistakeAmongNeighboursLeavesNobodyWaiting(t *testing.T) {
	n := world.Size()
	wrong := world.Rank() == n-1
	next, previous := neighbours()
	ring, err := world.DistGraphAdjacent([]int{previous, next}, []int{next, previous}, nil, false)
	must(t, err)
	two, four, counts := []int{1, 2}, make([]int, 4), []int{2, 2}
	short, shared := room(wrong, 4, 3), make([]int, 6)
	over := make([]int, 4)
	if wrong {
		over = shared[1:5]
	}
	inOrder(t, wrong, map[string]func() error{
		"NeighborAllgather":  func() error { return mpi.NeighborAllgather(ring, two, short) },
		"IneighborAllgather": func() error { return waited(mpi.IneighborAllgather(ring, two, short)) },
		"NeighborAllgatherInit": func() error {
			return unmade(mpi.NeighborAllgatherInit(ring, two, short))
		},
		"NeighborAllgather that overlaps": func() error { return mpi.NeighborAllgather(ring, shared[:2], over) },
		"NeighborAlltoall to":             func() error { return mpi.NeighborAlltoall(ring, four, short) },
		"NeighborAlltoall of":             func() error { return mpi.NeighborAlltoall(ring, short, make([]int, 4)) },
		"IneighborAlltoall":               func() error { return waited(mpi.IneighborAlltoall(ring, short, make([]int, 4))) },
		"NeighborAlltoallInit":            func() error { return unmade(mpi.NeighborAlltoallInit(ring, short, make([]int, 4))) },
		"NeighborAllgatherv":              func() error { return mpi.NeighborAllgatherv(ring, two, short, counts) },
		"IneighborAllgatherv":             func() error { return waited(mpi.IneighborAllgatherv(ring, two, short, counts)) },
		"NeighborAllgathervInit":          func() error { return unmade(mpi.NeighborAllgathervInit(ring, two, short, counts)) },
		"NeighborAlltoallv to":            func() error { return mpi.NeighborAlltoallv(ring, four, counts, short, counts) },
		"NeighborAlltoallv of":            func() error { return mpi.NeighborAlltoallv(ring, short, counts, four, counts) },
		"IneighborAlltoallv": func() error {
			return waited(mpi.IneighborAlltoallv(ring, shared[:4], counts, over, counts))
		},
		"NeighborAlltoallvInit": func() error { return unmade(mpi.NeighborAlltoallvInit(ring, short, counts, four, counts)) },
	})
	must(t, ring.Free())
}

// The program has an error and does not wait: its slices are its own again.
func TestWhatWasRefusedWritesNothingLater(t *testing.T) {
	n := world.Size()
	wrong := world.Rank() == n-1
	send := []int{7, 7, 7, 7, 7}[:2]
	recv, other := make([]int, 2), make([]int, 2*n)
	refusal := waited(mpi.Iscatter(world, room(wrong, 2*n, 2*n+1), recv, n-1))
	again := waited(mpi.Iallgather(world, send, other, func() mpi.Choice {
		if wrong {
			return mpi.WithInfo(nil)
		}
		return nil
	}()))
	if wrong {
		refused(t, "scatter", refusal, mpi.ErrBuffer)
		refused(t, "hints", again, mpi.ErrArg)
		for i := range recv {
			recv[i] = 1000
		}
		for i := range other {
			other[i] = 1000
		}
	} else {
		must(t, refusal)
		must(t, again)
	}
	for range 20 {
		stillTogether(t, "what was refused")
	}
	if wrong {
		want(t, "elements of the scatter", [2]int(recv), [2]int{1000, 1000})
		want(t, "the first element of the gathering", other[0], 1000)
	}
}
