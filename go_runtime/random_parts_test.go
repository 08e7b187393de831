package mpi_test

import "mpiglot.dev/mpi"

// parts makes one collective operation with parts of different lengths, or one that divides a result: right, or with a
// mistake of one process, for which the others do not wait.
func parts[T mpi.Real](p *player) {
	size, rank, root, n := p.c.Size(), p.c.Rank(), p.together.IntN(p.c.Size()), 1+p.together.IntN(6)
	bad, mistaken := p.mistake()
	how := verdictOf(bad)
	less := 0
	if bad {
		less = 1
	}
	atRoot, lessAtRoot := how, less
	if rank != root {
		atRoot, lessAtRoot = right, 0
	}
	counts, all := make([]int, size), 0
	for i := range counts {
		counts[i] = n + p.together.IntN(3)
		all += counts[i]
	}
	mine := counts[rank]
	run := p.oneOf(p.together.IntN(3), p.starts(), mistaken)
	switch p.together.IntN(7) {
	case 0:
		send, recv := sending[T](p, mine), receiving[T](p, all-lessAtRoot)
		run("Gatherv", atRoot, func() error { return mpi.Gatherv(p.c, send, recv, counts, root) },
			func() (*mpi.Request, error) { return mpi.Igatherv(p.c, send, recv, counts, root) },
			func() (*mpi.Persistent, error) { return mpi.GathervInit(p.c, send, recv, counts, root) })
	case 1:
		send, recv := sending[T](p, all-lessAtRoot), receiving[T](p, mine)
		run("Scatterv", atRoot, func() error { return mpi.Scatterv(p.c, send, counts, recv, root) },
			func() (*mpi.Request, error) { return mpi.Iscatterv(p.c, send, counts, recv, root) },
			func() (*mpi.Persistent, error) { return mpi.ScattervInit(p.c, send, counts, recv, root) })
	case 2:
		same := make([]int, size) // to and from each process of this one
		for i := range same {
			same[i] = (i + rank) % 3 * n
		}
		sum := total(same)
		send, recv := sending[T](p, sum), receiving[T](p, sum)
		if bad && sum > 0 {
			recv = recv[:sum-1]
		} else {
			how = right
		}
		run("Alltoallv", how, func() error { return mpi.Alltoallv(p.c, send, same, recv, same) },
			func() (*mpi.Request, error) { return mpi.Ialltoallv(p.c, send, same, recv, same) },
			func() (*mpi.Persistent, error) { return mpi.AlltoallvInit(p.c, send, same, recv, same) })
	case 3:
		send, recv := sending[T](p, all), receiving[T](p, mine-less)
		run("ReduceScatter", how, func() error { return mpi.ReduceScatter(p.c, send, recv, counts, mpi.Sum) },
			func() (*mpi.Request, error) { return mpi.IreduceScatter(p.c, send, recv, counts, mpi.Sum) },
			func() (*mpi.Persistent, error) { return mpi.ReduceScatterInit(p.c, send, recv, counts, mpi.Sum) })
	case 4:
		send, recv := sending[T](p, n*size), receiving[T](p, n-less)
		run("ReduceScatterBlock", how, func() error { return mpi.ReduceScatterBlock(p.c, send, recv, mpi.Max) },
			func() (*mpi.Request, error) { return mpi.IreduceScatterBlock(p.c, send, recv, mpi.Max) },
			func() (*mpi.Persistent, error) { return mpi.ReduceScatterBlockInit(p.c, send, recv, mpi.Max) })
	case 5:
		send, recv := sending[T](p, n), receiving[T](p, n-less)
		run("Exscan", how, func() error { return mpi.Exscan(p.c, send, recv, mpi.Sum) },
			func() (*mpi.Request, error) { return mpi.Iexscan(p.c, send, recv, mpi.Sum) },
			func() (*mpi.Persistent, error) { return mpi.ExscanInit(p.c, send, recv, mpi.Sum) })
	case 6: // counts that are none are refused in all processes
		send, recv := sending[T](p, mine), receiving[T](p, all)
		counts[p.together.IntN(size)] = -1 - p.together.IntN(9)
		p.once("Allgatherv of odd counts", wrong, func() error { return mpi.Allgatherv(p.c, send, recv, counts) })
		p.once("Alltoallv of few counts", wrong, func() error { return mpi.Alltoallv(p.c, send, counts[1:], recv, counts) })
	}
}

func total(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// neighbourhood makes one operation in a ring whose even processes are their own neighbours, too.
func neighbourhood(p *player) {
	if p.graph == nil {
		p.graph = ring(p.t)
	}
	g, n, others := p.graph, 1+p.together.IntN(5), 1+(p.c.Rank()+1)%2
	bad, mistaken := p.mistake()
	how, room := verdictOf(bad), n*others
	if bad {
		room--
	}
	starts := p.starts()
	counts := []int{n, n}[:others]
	run := p.oneOf(p.together.IntN(3), starts, mistaken)
	switch p.together.IntN(4) {
	case 0:
		send, recv := sending[int16](p, n), receiving[int16](p, room)
		run("NeighborAllgather", how, func() error { return mpi.NeighborAllgather(g, send, recv) },
			func() (*mpi.Request, error) { return mpi.IneighborAllgather(g, send, recv) },
			func() (*mpi.Persistent, error) { return mpi.NeighborAllgatherInit(g, send, recv) })
	case 1:
		send, recv := sending[int16](p, n*others), receiving[int16](p, room)
		run("NeighborAlltoall", how, func() error { return mpi.NeighborAlltoall(g, send, recv) },
			func() (*mpi.Request, error) { return mpi.IneighborAlltoall(g, send, recv) },
			func() (*mpi.Persistent, error) { return mpi.NeighborAlltoallInit(g, send, recv) })
	case 2:
		send, recv := sending[int16](p, n), receiving[int16](p, room)
		run("NeighborAllgatherv", how, func() error { return mpi.NeighborAllgatherv(g, send, recv, counts) },
			func() (*mpi.Request, error) { return mpi.IneighborAllgatherv(g, send, recv, counts) },
			func() (*mpi.Persistent, error) { return mpi.NeighborAllgathervInit(g, send, recv, counts) })
	case 3:
		send, recv := sending[int16](p, n*others), receiving[int16](p, room)
		run("NeighborAlltoallv", how, func() error { return mpi.NeighborAlltoallv(g, send, counts, recv, counts) },
			func() (*mpi.Request, error) { return mpi.IneighborAlltoallv(g, send, counts, recv, counts) },
			func() (*mpi.Persistent, error) { return mpi.NeighborAlltoallvInit(g, send, counts, recv, counts) })
	}
}
