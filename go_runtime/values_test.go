package mpi_test

import (
	"slices"
	"testing"

	"mpiglot.dev/mpi"
)

func TestSingleValuesAreResults(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	root := n - 1
	v, err := mpi.BcastValue(world, rank, root)
	must(t, err)
	want(t, "bcast", v, root)
	v, err = mpi.AllreduceValue(world, rank, mpi.Sum)
	must(t, err)
	want(t, "allreduce", v, n*(n-1)/2)
	v, err = mpi.ReduceValue(world, rank+1, mpi.Max, root)
	must(t, err)
	if rank == root {
		want(t, "reduce", v, n)
	} else {
		want(t, "reduce elsewhere", v, 0)
	}
	v, err = mpi.ScanValue(world, 2, mpi.Sum)
	must(t, err)
	want(t, "scan", v, 2*(rank+1))
	v, err = mpi.ExscanValue(world, 2, mpi.Sum)
	must(t, err)
	want(t, "exscan", v, 2*rank)
	all, err := mpi.AllgatherValue(world, rank*rank)
	must(t, err)
	want(t, "allgather", all[root], root*root)
	all, err = mpi.GatherValue(world, rank*rank, root)
	must(t, err)
	if rank == root {
		want(t, "gather", all[root], root*root)
	}
	v, err = mpi.ScatterValue(world, all, root)
	must(t, err)
	want(t, "scatter", v, rank*rank)
}

func TestSlicesOfAnyLengthsAreResults(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	send := sequence(rank, 2*rank) // rank 0 has none
	whole := func(what string, parts [][]int) {
		t.Helper()
		want(t, what, len(parts), n)
		for i, part := range parts {
			want(t, what, slices.Equal(part, sequence(i, 2*i)), true)
			want(t, what+" can grow without harm", cap(part), len(part))
		}
	}
	parts, err := mpi.AllgatherSlices(world, send)
	must(t, err)
	whole("allgather", parts)
	parts, err = mpi.GatherSlices(world, send, 0)
	must(t, err)
	if rank == 0 {
		whole("gather", parts)
	} else {
		want(t, "gather elsewhere", parts == nil, true)
	}
	got, err := mpi.ScatterSlices(world, parts, 0)
	must(t, err)
	want(t, "scatter", slices.Equal(got, send), true)

	parts = make([][]int, n)
	for i := range parts {
		parts[i] = sequence(rank, i) // rank 0 gets nothing
	}
	parts, err = mpi.AlltoallSlices(world, parts)
	must(t, err)
	for i, part := range parts {
		want(t, "alltoall", slices.Equal(part, sequence(i, rank)), true)
	}
	_, err = mpi.ScatterSlices(world, make([][]int, n+1), 0)
	refused(t, "one part too many, on all ranks", err, mpi.ErrBuffer)
	_, err = mpi.AlltoallSlices(world, make([][]int, n+1))
	refused(t, "one part too many", err, mpi.ErrBuffer)
	for what, call := range map[string]func() error{
		"gather":    func() error { _, err := mpi.GatherSlices(nil, send, 0); return err },
		"allgather": func() error { _, err := mpi.AllgatherSlices((*mpi.Comm)(nil), send); return err },
		"scatter":   func() error { _, err := mpi.ScatterSlices(nil, parts, 0); return err },
		"alltoall":  func() error { _, err := mpi.AlltoallSlices(nil, parts); return err },
		"value":     func() error { _, err := mpi.ExscanValue(nil, 1, mpi.Sum); return err },
	} {
		refused(t, what, call(), mpi.ErrComm)
	}
}

func TestTheLargestValueIsLocated(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	mine := mpi.Located[float64]{Value: float64(rank % 3), Index: rank}
	for range 2 {
		top, err := mpi.AllreduceValue(world, mine, mpi.MaxLoc)
		must(t, err)
		want(t, "largest", top, mpi.Located[float64]{Value: float64(min(n-1, 2)), Index: min(n-1, 2)})
		bottom, err := mpi.AllreduceValue(world, mine, mpi.MinLoc)
		must(t, err)
		want(t, "smallest", bottom, mpi.Located[float64]{})
	}
	small, err := mpi.AllreduceValue(world, mpi.Located[int8]{Value: int8(-rank), Index: rank}, mpi.MinLoc)
	must(t, err)
	want(t, "smallest", small, mpi.Located[int8]{Value: int8(1 - n), Index: n - 1})
	refused(t, "free of MPI's", mpi.Op[mpi.Located[int8]](mpi.MinLoc[int8]).Free(), mpi.ErrOp)
}

func TestHintsAreKept(t *testing.T) {
	info, err := mpi.NewInfo(map[string]string{"cb_nodes": "2", "mine": "ü"})
	must(t, err)
	must(t, info.Set("more", "3"))
	must(t, info.Delete("cb_nodes"))
	value, found, err := info.Get("mine")
	must(t, err)
	want(t, "value", value, "ü")
	want(t, "found", found, true)
	twin, err := info.Dup()
	must(t, err)
	must(t, info.Free())
	hints, err := twin.All()
	must(t, err)
	want(t, "hints", len(hints), 2)
	want(t, "a hint", hints["more"], "3")
	must(t, world.SetHints(twin))
	must(t, twin.Free())
	of, err := world.Hints()
	must(t, err)
	must(t, of.Free())
	refused(t, "no hints for a communicator", world.SetHints(nil), mpi.ErrArg)
	for _, none := range []*mpi.Info{nil, {}, info} {
		refused(t, "set", none.Set("a", "b"), mpi.ErrArg)
		refused(t, "free", none.Free(), mpi.ErrArg)
		_, _, err = none.Get("a")
		refused(t, "get", err, mpi.ErrArg)
	}
}
