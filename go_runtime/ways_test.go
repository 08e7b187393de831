package mpi_test

import (
	"errors"
	"slices"
	"testing"

	"mpiglot.dev/mpi"
)

// A way is one collective operation, done at once, begun, and prepared. All put their results into the same slice.
type way struct {
	call    func() error
	begin   func() (*mpi.Request, error)
	prepare func() (*mpi.Persistent, error)
}

// allWays does an operation in its three ways, the prepared one twice where that works, and looks at what each leaves in got.
func allWays(t *testing.T, what string, w way, got, expected []int) {
	t.Helper()
	before := slices.Clone(got)
	look := func() {
		t.Helper()
		if !slices.Equal(got, expected) {
			failNow(t, "%s gave %v, not %v", what, got, expected)
		}
		copy(got, before)
	}
	must(t, w.call())
	look()
	r, err := w.begin()
	must(t, err)
	_, err = r.Wait()
	must(t, err)
	look()
	p, err := w.prepare()
	if errors.Is(err, mpi.ErrUnavailable) {
		return
	}
	must(t, err)
	for range prepared() {
		must(t, p.Start())
		_, err = p.Wait()
		must(t, err)
		look()
	}
	must(t, p.Free())
}

// prepared is how often a persistent collective operation is started. Where MPI itself loses data of one, all are only
// set up and freed: what a lost message leaves behind comes into the next operation.
func prepared() int {
	if defects["persistent-gather"] {
		return 0
	}
	return 2
}

// sequence is n numbers of a rank.
func sequence(rank, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = 100*rank + i
	}
	return s
}

// ofAll is the sequences of all ranks, whose lengths length tells.
func ofAll(length func(rank int) int) (all, counts []int) {
	for rank := range world.Size() {
		all = append(all, sequence(rank, length(rank))...)
		counts = append(counts, length(rank))
	}
	return all, counts
}

func two(int) int           { return 2 }
func growing(rank int) int  { return rank + 1 }
func mine[T any](all []T) T { return all[world.Rank()] }

func TestOneProcessGivesToAllInAllWays(t *testing.T) {
	root := world.Size() - 1
	data := sequence(world.Rank(), 3)
	allWays(t, "bcast", way{
		func() error { return mpi.Bcast(world, data, root) },
		func() (*mpi.Request, error) { return mpi.Ibcast(world, data, root) },
		func() (*mpi.Persistent, error) { return mpi.BcastInit(world, data, root) },
	}, data, sequence(root, 3))

	all, _ := ofAll(two)
	got := []int{-1, -1}
	allWays(t, "scatter", way{
		func() error { return mpi.Scatter(world, all, got, root) },
		func() (*mpi.Request, error) { return mpi.Iscatter(world, all, got, root) },
		func() (*mpi.Persistent, error) { return mpi.ScatterInit(world, all, got, root) },
	}, got, sequence(world.Rank(), 2))

	all, counts := ofAll(growing)
	part := make([]int, mine(counts))
	allWays(t, "scatterv", way{
		func() error { return mpi.Scatterv(world, all, counts, part, root) },
		func() (*mpi.Request, error) { return mpi.Iscatterv(world, all, counts, part, root) },
		func() (*mpi.Persistent, error) { return mpi.ScattervInit(world, all, counts, part, root) },
	}, part, sequence(world.Rank(), len(part)))
}

func TestOneProcessCollectsFromAllInAllWays(t *testing.T) {
	root := world.Size() - 1
	send := sequence(world.Rank(), 2)
	all, _ := ofAll(two)
	got := make([]int, len(all))
	expected := make([]int, len(all))
	if world.Rank() == root {
		expected = all
	}
	allWays(t, "gather", way{
		func() error { return mpi.Gather(world, send, got, root) },
		func() (*mpi.Request, error) { return mpi.Igather(world, send, got, root) },
		func() (*mpi.Persistent, error) { return mpi.GatherInit(world, send, got, root) },
	}, got, expected)

	all, counts := ofAll(growing)
	part := sequence(world.Rank(), mine(counts))
	got, expected = make([]int, len(all)), make([]int, len(all))
	if world.Rank() == root {
		expected = all
	}
	allWays(t, "gatherv", way{
		func() error { return mpi.Gatherv(world, part, got, counts, root) },
		func() (*mpi.Request, error) { return mpi.Igatherv(world, part, got, counts, root) },
		func() (*mpi.Persistent, error) { return mpi.GathervInit(world, part, got, counts, root) },
	}, got, expected)
}

func TestAllGetFromAllInAllWays(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	send := sequence(rank, 2)
	all, _ := ofAll(two)
	got := make([]int, len(all))
	allWays(t, "allgather", way{
		func() error { return mpi.Allgather(world, send, got) },
		func() (*mpi.Request, error) { return mpi.Iallgather(world, send, got) },
		func() (*mpi.Persistent, error) { return mpi.AllgatherInit(world, send, got) },
	}, got, all)
	parts, counts := ofAll(growing)
	part := sequence(rank, mine(counts))
	got = make([]int, len(parts))
	allWays(t, "allgatherv", way{
		func() error { return mpi.Allgatherv(world, part, got, counts) },
		func() (*mpi.Request, error) { return mpi.Iallgatherv(world, part, got, counts) },
		func() (*mpi.Persistent, error) { return mpi.AllgathervInit(world, part, got, counts) },
	}, got, parts)

	send, expected := make([]int, n), make([]int, n)
	for i := range n {
		send[i], expected[i] = 100*rank+i, 100*i+rank
	}
	got = make([]int, n)
	allWays(t, "alltoall", way{
		func() error { return mpi.Alltoall(world, send, got) },
		func() (*mpi.Request, error) { return mpi.Ialltoall(world, send, got) },
		func() (*mpi.Persistent, error) { return mpi.AlltoallInit(world, send, got) },
	}, got, expected)

	var sent, awaited, sends, recvs []int // rank i sends j+1 numbers to rank j
	for i := range n {
		sent, sends = append(sent, sequence(rank, i+1)...), append(sends, i+1)
		awaited, recvs = append(awaited, sequence(i, rank+1)...), append(recvs, rank+1)
	}
	got = make([]int, len(awaited))
	allWays(t, "alltoallv", way{
		func() error { return mpi.Alltoallv(world, sent, sends, got, recvs) },
		func() (*mpi.Request, error) { return mpi.Ialltoallv(world, sent, sends, got, recvs) },
		func() (*mpi.Persistent, error) { return mpi.AlltoallvInit(world, sent, sends, got, recvs) },
	}, got, awaited)
}

func TestReductionsInAllWays(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	send, got := []int{rank, 1}, []int{-1, -1}
	all := []int{n * (n - 1) / 2, n}
	atRoot := []int{-1, -1}
	if rank == 0 {
		atRoot = all
	}
	allWays(t, "reduce", way{
		func() error { return mpi.Reduce(world, send, got, mpi.Sum, 0) },
		func() (*mpi.Request, error) { return mpi.Ireduce(world, send, got, mpi.Sum, 0) },
		func() (*mpi.Persistent, error) { return mpi.ReduceInit(world, send, got, mpi.Sum, 0) },
	}, got, atRoot)
	allWays(t, "allreduce", way{
		func() error { return mpi.Allreduce(world, send, got, mpi.Sum) },
		func() (*mpi.Request, error) { return mpi.Iallreduce(world, send, got, mpi.Sum) },
		func() (*mpi.Persistent, error) { return mpi.AllreduceInit(world, send, got, mpi.Sum) },
	}, got, all)
	allWays(t, "scan", way{
		func() error { return mpi.Scan(world, send, got, mpi.Sum) },
		func() (*mpi.Request, error) { return mpi.Iscan(world, send, got, mpi.Sum) },
		func() (*mpi.Persistent, error) { return mpi.ScanInit(world, send, got, mpi.Sum) },
	}, got, []int{rank * (rank + 1) / 2, rank + 1})
	if rank > 0 {
		atRoot = []int{rank * (rank - 1) / 2, rank}
	} else {
		atRoot = []int{-1, -1}
	}
	allWays(t, "exscan", way{
		func() error { return mpi.Exscan(world, send, got, mpi.Sum) },
		func() (*mpi.Request, error) { return mpi.Iexscan(world, send, got, mpi.Sum) },
		func() (*mpi.Persistent, error) { return mpi.ExscanInit(world, send, got, mpi.Sum) },
	}, got, atRoot)

	blocks := sequence(rank, 2*n)
	expected := []int{100*n*(n-1)/2 + n*2*rank, 100*n*(n-1)/2 + n*(2*rank+1)}
	allWays(t, "reduce-scatter of blocks", way{
		func() error { return mpi.ReduceScatterBlock(world, blocks, got, mpi.Sum) },
		func() (*mpi.Request, error) { return mpi.IreduceScatterBlock(world, blocks, got, mpi.Sum) },
		func() (*mpi.Persistent, error) { return mpi.ReduceScatterBlockInit(world, blocks, got, mpi.Sum) },
	}, got, expected)
	ones, counts := ofAll(growing)
	for i := range ones {
		ones[i] = i
	}
	part, expected := make([]int, mine(counts)), make([]int, mine(counts))
	for i := range expected {
		expected[i] = n * (rank*(rank+1)/2 + i)
	}
	allWays(t, "reduce-scatter", way{
		func() error { return mpi.ReduceScatter(world, ones, part, counts, mpi.Sum) },
		func() (*mpi.Request, error) { return mpi.IreduceScatter(world, ones, part, counts, mpi.Sum) },
		func() (*mpi.Persistent, error) { return mpi.ReduceScatterInit(world, ones, part, counts, mpi.Sum) },
	}, part, expected)
	must(t, mpi.ReduceLocal([]int{1, 2}, got, mpi.Sum))
	want(t, "reduced here", [2]int(got), [2]int{0, 1})
}

func TestBarriersInAllWays(t *testing.T) {
	r, err := world.Ibarrier()
	must(t, err)
	_, err = r.Wait()
	must(t, err)
	p, err := world.BarrierInit()
	if errors.Is(err, mpi.ErrUnavailable) {
		return
	}
	must(t, err)
	must(t, p.Start())
	_, err = p.Wait()
	must(t, err)
	must(t, p.Free())
}

func TestResultsInPlaceOfTheInput(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	data := []int{rank, 1}
	must(t, mpi.Reduce(world, nil, data, mpi.Sum, 0, mpi.InPlace))
	if rank == 0 {
		want(t, "reduce", [2]int(data), [2]int{n * (n - 1) / 2, n})
	} else {
		want(t, "input of the others", [2]int(data), [2]int{rank, 1})
	}
	data = []int{1}
	must(t, mpi.Exscan(world, nil, data, mpi.Sum, mpi.InPlace))
	want(t, "exscan", data[0], max(rank, 1))

	all, counts := ofAll(growing)
	got := make([]int, len(all))
	at := rank * (rank + 1) / 2
	copy(got[at:], sequence(rank, mine(counts)))
	must(t, mpi.Allgatherv(world, nil, got, counts, mpi.InPlace))
	want(t, "allgatherv", slices.Equal(got, all), true)
	pairs, _ := ofAll(two)
	got = make([]int, len(pairs))
	copy(got[2*rank:], sequence(rank, 2))
	must(t, mpi.Allgather(world, nil, got, mpi.InPlace))
	want(t, "allgather", slices.Equal(got, pairs), true)

	got = sequence(rank, n)
	must(t, mpi.Alltoall(world, nil, got, mpi.InPlace))
	for i := range n {
		want(t, "alltoall", got[i], 100*i+rank)
	}
	one := []int{-1}
	if rank == 0 {
		must(t, mpi.Scatter(world, sequence(5, n), nil, 0, mpi.InPlace))
	} else {
		must(t, mpi.Scatter(world, nil, one, 0))
		want(t, "scatter", one[0], 500+rank)
	}
	got = sequence(rank, n)
	if rank == 0 {
		must(t, mpi.Gather(world, nil, got, 0, mpi.InPlace))
		want(t, "gather", got[n-1], 100*(n-1))
	} else {
		must(t, mpi.Gather(world, got[:1], nil, 0))
	}
	got = sequence(0, n)
	must(t, mpi.ReduceScatterBlock(world, nil, got, mpi.Sum, mpi.InPlace))
	want(t, "reduce-scatter of blocks", got[0], n*rank)

	refused(t, "both slices", mpi.Allreduce(world, one, []int{1}, mpi.Sum, mpi.InPlace), mpi.ErrBuffer)
	refused(t, "both slices", mpi.Allgather(mpi.Self(), one, []int{1}, mpi.InPlace), mpi.ErrBuffer)
	refused(t, "both slices", mpi.Scatter(mpi.Self(), one, []int{1}, 0, mpi.InPlace), mpi.ErrBuffer)
}

func TestLengthsOfPartsMustFit(t *testing.T) {
	self := mpi.Self()
	three, one := make([]int, 3), make([]int, 1)
	refused(t, "scatterv has too little", mpi.Scatterv(self, one, []int{2}, three[:2], 0), mpi.ErrBuffer)
	refused(t, "scatterv has too little room", mpi.Scatterv(self, three, []int{2}, one, 0), mpi.ErrBuffer)
	refused(t, "allgatherv has too little room", mpi.Allgatherv(self, three, one, []int{3}), mpi.ErrBuffer)
	refused(t, "alltoallv has too little", mpi.Alltoallv(self, one, []int{2}, three, []int{2}), mpi.ErrBuffer)
	refused(t, "alltoallv has too little room", mpi.Alltoallv(self, three, []int{2}, one, []int{2}), mpi.ErrBuffer)
	refused(t, "alltoallv has no counts", mpi.Alltoallv(self, three, nil, one, []int{1}), mpi.ErrBuffer)
	refused(t, "reduce-scatter has no counts", mpi.ReduceScatter(self, three, one, nil, mpi.Sum), mpi.ErrBuffer)
	refused(t, "reduce-scatter has too little", mpi.ReduceScatter(self, one, three, []int{2}, mpi.Sum), mpi.ErrBuffer)
	refused(t, "reduce-scatter has too little room", mpi.ReduceScatter(self, three, one, []int{2}, mpi.Sum), mpi.ErrBuffer)
	refused(t, "a negative part", mpi.Scatterv(self, three, []int{-1}, one, 0), mpi.ErrCount)
	refused(t, "other lengths", mpi.ReduceLocal(three, one, mpi.Sum), mpi.ErrBuffer)
	if world.Size() > 1 {
		refused(t, "blocks", mpi.ReduceScatterBlock(world, make([]int, world.Size()+1), three, mpi.Sum), mpi.ErrBuffer)
	}
}
