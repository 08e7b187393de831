package mpi_test

import (
	"slices"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestProcessesStandInAGrid(t *testing.T) {
	n := world.Size()
	dims := []int{0, 1}
	must(t, mpi.Dims(n, dims))
	want(t, "dims", [2]int(dims), [2]int{n, 1})
	grid, err := world.Cart(dims, []bool{true, false}, false)
	must(t, err)
	kind, err := grid.Topology()
	must(t, err)
	want(t, "topology", kind, mpi.CartTopology)
	got, periodic, coords, err := grid.CartDims()
	must(t, err)
	want(t, "dims", [2]int(got), [2]int(dims))
	want(t, "periodic", [2]bool(periodic), [2]bool{true, false})
	want(t, "place", [2]int(coords), [2]int{grid.Rank(), 0})
	rank, err := grid.CartRank(grid.Rank()+n, 0)
	must(t, err)
	want(t, "rank around the ring", rank, grid.Rank())
	coords, err = grid.CartCoords(n - 1)
	must(t, err)
	want(t, "place of the last", coords[0], n-1)
	source, dest, err := grid.CartShift(1, 1)
	must(t, err)
	want(t, "at the ends", [2]int{source, dest}, [2]int{mpi.ProcNull, mpi.ProcNull})
	next, previous := neighbours()
	source, dest, err = grid.CartShift(0, 1)
	must(t, err)
	want(t, "in the ring", [2]int{source, dest}, [2]int{previous, next})
	sources, _, err := grid.Neighbors()
	must(t, err)
	want(t, "neighbours", [4]int(sources), [4]int{previous, next, mpi.ProcNull, mpi.ProcNull})
	row, err := grid.CartSub(false, true)
	must(t, err)
	want(t, "size of a row", row.Size(), 1)
	must(t, row.Free())
	must(t, grid.Free())

	small, err := world.Cart([]int{1}, nil, false)
	must(t, err)
	want(t, "those that are left over get none", small != nil, world.Rank() == 0)
	if small != nil {
		must(t, small.Free())
	}
	_, _, err = world.Neighbors()
	refused(t, "no topology", err, low.ErrTopology)
	_, err = world.CartCoords(0)
	refused(t, "no grid", err, low.ErrTopology)
	_, err = world.Cart([]int{1, 1}, []bool{true}, false)
	refused(t, "one flag for two dimensions", err, mpi.ErrBuffer)
}

// ring is the graph in which all send to the next one, and whoever is even also to itself.
func ring(t *testing.T) *mpi.Comm {
	t.Helper()
	next, previous := neighbours()
	sources, destinations := []int{previous}, []int{next}
	if world.Rank()%2 == 0 {
		sources, destinations = append(sources, world.Rank()), append(destinations, world.Rank())
	}
	graph, err := world.DistGraphAdjacent(sources, destinations, nil, false)
	must(t, err)
	in, out, err := graph.Neighbors()
	must(t, err)
	want(t, "sources", slices.Equal(in, sources), true)
	want(t, "destinations", slices.Equal(out, destinations), true)
	return graph
}

func TestGraphsAreNamedByAnyProcess(t *testing.T) {
	n := world.Size()
	edges := map[int][]int{}
	if world.Rank() == 0 {
		for i := range n {
			edges[i] = []int{(i + 1) % n}
		}
	}
	graph, err := world.DistGraph(edges, nil, false)
	must(t, err)
	next, previous := neighbours()
	in, out, err := graph.Neighbors()
	must(t, err)
	want(t, "neighbours", [2]int{in[0], out[0]}, [2]int{previous, next})
	must(t, graph.Free())
}

func TestNeighboursExchangeInAllWays(t *testing.T) {
	graph := ring(t)
	rank := graph.Rank()
	in, out, err := graph.Neighbors()
	must(t, err)
	var equal, parts, to, from, recvs, sends []int
	for _, r := range in {
		equal = append(equal, sequence(r, 2)...)
		parts, recvs = append(parts, sequence(r, r+1)...), append(recvs, r+1)
		from = append(from, 100*r+rank)
	}
	for _, r := range out {
		to, sends = append(to, 100*rank+r), append(sends, 1)
	}
	send, got := sequence(rank, 2), make([]int, len(equal))
	allWays(t, "allgather", way{
		func() error { return mpi.NeighborAllgather(graph, send, got) },
		func() (*mpi.Request, error) { return mpi.IneighborAllgather(graph, send, got) },
		func() (*mpi.Persistent, error) { return mpi.NeighborAllgatherInit(graph, send, got) },
	}, got, equal)
	part, list := sequence(rank, rank+1), make([]int, len(parts))
	allWays(t, "allgatherv", way{
		func() error { return mpi.NeighborAllgatherv(graph, part, list, recvs) },
		func() (*mpi.Request, error) { return mpi.IneighborAllgatherv(graph, part, list, recvs) },
		func() (*mpi.Persistent, error) { return mpi.NeighborAllgathervInit(graph, part, list, recvs) },
	}, list, parts)
	if len(in) != len(out) {
		failNow(t, "a ring has as many sources as destinations")
	}
	short := make([]int, len(in))
	allWays(t, "alltoall", way{
		func() error { return mpi.NeighborAlltoall(graph, to, short) },
		func() (*mpi.Request, error) { return mpi.IneighborAlltoall(graph, to, short) },
		func() (*mpi.Persistent, error) { return mpi.NeighborAlltoallInit(graph, to, short) },
	}, short, from)
	allWays(t, "alltoallv", way{
		func() error { return mpi.NeighborAlltoallv(graph, to, sends, short, sends) },
		func() (*mpi.Request, error) { return mpi.IneighborAlltoallv(graph, to, sends, short, sends) },
		func() (*mpi.Persistent, error) { return mpi.NeighborAlltoallvInit(graph, to, sends, short, sends) },
	}, short, from)
	refused(t, "too little room", mpi.NeighborAllgather(graph, send, got[:1]), mpi.ErrBuffer)
	refused(t, "too few counts", mpi.NeighborAllgatherv(graph, part, list, nil), mpi.ErrBuffer)
	refused(t, "in place", mpi.NeighborAllgather(graph, nil, got, mpi.InPlace), mpi.ErrBuffer)
	refused(t, "no topology", mpi.NeighborAllgather(world, send, got), low.ErrTopology)
	must(t, graph.Free())
}
