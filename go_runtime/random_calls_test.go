package mpi_test

import "mpiglot.dev/mpi"

// allKinds are the calls of [TestRandomCalls].
var allKinds = []kind{
	{"collectives", 3, collectives[int64]},
	{"floats", 2, collectives[float32]},
	{"bytes", 1, collectives[uint8]},
	{"messages", 3, messages[int64]},
	{"triples", 2, messages[[3]byte]},
	{"myself", 3, myself},
	{"nothing", 2, nothing},
	{"groups", 2, groups},
	{"hints", 1, hints},
	{"grids", 1, grids},
	{"layouts", 1, layouts},
	{"local", 2, local},
	{"communicators", 1, communicators},
	{"parts", 3, parts[int32]},
	{"neighbourhood", 1, neighbourhood},
	{"probes", 1, probes},
	{"truncated", 1, truncated},
	{"partitions", 1, partitions},
	{"dropped", 1, dropping},
	{"files", 1, files},
}

// collectives makes one collective operation: right, with a mistake of all processes, or with one of a single process,
// for which the others do not wait.
func collectives[T mpi.Real](p *player) {
	size, root, n := p.c.Size(), p.together.IntN(p.c.Size()), p.together.IntN(6)
	bad, mistaken := p.mistake()
	how := verdictOf(bad)
	long := func(right, wrong int) int {
		if bad {
			return max(0, wrong)
		}
		return right
	}
	atRoot := how
	if p.c.Rank() != root {
		atRoot = right
	}
	n++ // so that one too few is less
	way, starts := p.together.IntN(3), p.starts()
	run := p.oneOf(way, starts, mistaken)
	switch p.together.IntN(9) {
	case 0:
		p.bcast(way, n, root)
	case 1:
		send, recv := sending[T](p, n), receiving[T](p, long(n*size, n*size-1))
		run("Gather", atRoot, func() error { return mpi.Gather(p.c, send, recv, root) },
			func() (*mpi.Request, error) { return mpi.Igather(p.c, send, recv, root) },
			func() (*mpi.Persistent, error) { return mpi.GatherInit(p.c, send, recv, root) })
	case 2:
		send, recv := sending[T](p, n), receiving[T](p, long(n*size, n*size-1))
		run("Allgather", how, func() error { return mpi.Allgather(p.c, send, recv) },
			func() (*mpi.Request, error) { return mpi.Iallgather(p.c, send, recv) },
			func() (*mpi.Persistent, error) { return mpi.AllgatherInit(p.c, send, recv) })
	case 3:
		send, recv := sending[T](p, long(n*size, n*size+1)), receiving[T](p, n)
		run("Scatter", atRoot, func() error { return mpi.Scatter(p.c, send, recv, root) },
			func() (*mpi.Request, error) { return mpi.Iscatter(p.c, send, recv, root) },
			func() (*mpi.Persistent, error) { return mpi.ScatterInit(p.c, send, recv, root) })
	case 4:
		send, recv := sending[T](p, n*size), receiving[T](p, long(n*size, n*size-1))
		run("Alltoall", how, func() error { return mpi.Alltoall(p.c, send, recv) },
			func() (*mpi.Request, error) { return mpi.Ialltoall(p.c, send, recv) },
			func() (*mpi.Persistent, error) { return mpi.AlltoallInit(p.c, send, recv) })
	case 5:
		send, recv := sending[T](p, n), receiving[T](p, long(n, n-1))
		run("Reduce", atRoot, func() error { return mpi.Reduce(p.c, send, recv, mpi.Sum, root) },
			func() (*mpi.Request, error) { return mpi.Ireduce(p.c, send, recv, mpi.Sum, root) },
			func() (*mpi.Persistent, error) { return mpi.ReduceInit(p.c, send, recv, mpi.Sum, root) })
	case 6:
		send, recv := sending[T](p, n), receiving[T](p, long(n, n-1))
		run("Allreduce", how, func() error { return mpi.Allreduce(p.c, send, recv, mpi.Max) },
			func() (*mpi.Request, error) { return mpi.Iallreduce(p.c, send, recv, mpi.Max) },
			func() (*mpi.Persistent, error) { return mpi.AllreduceInit(p.c, send, recv, mpi.Max) })
	case 7:
		send, recv := sending[T](p, n), receiving[T](p, long(n, n-1))
		run("Scan", how, func() error { return mpi.Scan(p.c, send, recv, mpi.Min) },
			func() (*mpi.Request, error) { return mpi.Iscan(p.c, send, recv, mpi.Min) },
			func() (*mpi.Persistent, error) { return mpi.ScanInit(p.c, send, recv, mpi.Min) })
	case 8:
		counts := make([]int, size)
		for i := range counts {
			counts[i] = n + i
		}
		all, mine := n*size+size*(size-1)/2, n+p.c.Rank()
		send, recv := sending[T](p, long(mine, mine-1)), receiving[T](p, all)
		run("Allgatherv", how, func() error { return mpi.Allgatherv(p.c, send, recv, counts) },
			func() (*mpi.Request, error) { return mpi.Iallgatherv(p.c, send, recv, counts) },
			func() (*mpi.Persistent, error) { return mpi.AllgathervInit(p.c, send, recv, counts) })
	}
}

// mistake draws whether this process makes a mistake in the next operation, and whether one does.
func (p *player) mistake() (bad, any bool) {
	if p.together.IntN(5) != 0 {
		return false, false
	}
	return p.together.IntN(p.c.Size()) == p.c.Rank(), true
}

func verdictOf(bad bool) verdict {
	if bad {
		return wrong
	}
	return right
}

// oneOf is how a collective operation is called: at once, begun, or prepared and started so many times. One with a mistake
// of one process is not prepared.
func (p *player) oneOf(way, starts int, mistaken bool) func(string, verdict, func() error, func() (*mpi.Request, error), func() (*mpi.Persistent, error)) {
	return func(name string, how verdict, blocking func() error, begun func() (*mpi.Request, error), prepared func() (*mpi.Persistent, error)) {
		switch {
		case way == 1:
			p.begin("I"+name, how, begun)
		case way == 2 && !mistaken:
			p.prepare(name+"Init", starts, how, prepared)
		default:
			p.once(name, how, blocking)
		}
	}
}

// starts is how often all processes start an operation that they prepare together.
func (p *player) starts() int {
	if n := p.together.IntN(3); !defects["persistent-gather"] {
		return n
	}
	return 0
}

// bcast is right, or has hints or a place where there is none, or a root that is not there, in all processes.
func (p *player) bcast(way, n, root int) {
	how := right
	var choices []mpi.Choice
	switch p.together.IntN(8) {
	case 0:
		choices, how = []mpi.Choice{mpi.InPlace, nil}, wrong
	case 1:
		root, how = p.c.Size()+p.together.IntN(3), wrong
	case 2:
		root, how = -5-p.together.IntN(100), wrong
	}
	if defects["ibcast-takes-any-root"] && way == 1 && how == wrong {
		way = 0
	}
	data := receiving[int16](p, n)
	switch way {
	case 0:
		p.once("Bcast", how, func() error { return mpi.Bcast(p.c, data, root, choices...) })
	case 1:
		p.begin("Ibcast", how, func() (*mpi.Request, error) { return mpi.Ibcast(p.c, data, root, choices...) })
	case 2:
		p.prepare("BcastInit", p.starts(), how, func() (*mpi.Persistent, error) { return mpi.BcastInit(p.c, data, root, choices...) })
	}
}

// messages go round the ring of all processes.
func messages[T any](p *player) {
	next, previous := neighbours()
	n, room, tag := p.together.IntN(8), 8+p.together.IntN(4), p.together.IntN(100)
	switch p.together.IntN(6) {
	case 0:
		send, recv := sending[T](p, n), receiving[T](p, room)
		p.once("Sendrecv", right, func() error { _, err := mpi.Sendrecv(p.c, send, next, tag, recv, previous, tag); return err })
	case 1:
		recv := receiving[T](p, room)
		p.begin("Irecv", right, func() (*mpi.Request, error) { return mpi.Irecv(p.c, recv, previous, tag) })
		send := sending[T](p, n)
		p.begin("Isend", right, func() (*mpi.Request, error) { return mpi.Isend(p.c, send, next, tag) })
	case 2:
		data := receiving[T](p, n)
		p.once("SendrecvReplace", right, func() error { _, err := mpi.SendrecvReplace(p.c, data, next, tag, previous, tag); return err })
	case 3:
		recv := receiving[T](p, room)
		p.begin("Irecv of anybody", right, func() (*mpi.Request, error) { return mpi.Irecv(p.c, recv, mpi.AnySource, 200+tag) })
		send := sending[T](p, n)
		p.begin("Issend", right, func() (*mpi.Request, error) { return mpi.Issend(p.c, send, next, 200+tag) })
	case 4:
		send := sending[T](p, n)
		p.begin("Isend", right, func() (*mpi.Request, error) { return mpi.Isend(p.c, send, next, 400) })
		p.once("RecvSlice", right, func() error { _, _, err := mpi.RecvSlice[T](p.c, previous, 400); return err })
	case 5:
		p.astray()
	}
}

// astray is messages to and from ranks and with tags that are not there, or to nobody.
func (p *player) astray() {
	rank, tag, how := mpi.ProcNull, 3, right
	switch p.alone.IntN(3) {
	case 0:
		rank, how = p.c.Size()+p.alone.IntN(5), wrong
	case 1:
		rank, how = -1-p.alone.IntN(4000), wrong // AnySource and ProcNull have other values
		if rank == mpi.AnySource || rank == mpi.ProcNull {
			rank = -100
		}
	}
	if p.alone.IntN(5) == 0 {
		tag, how = -2000-p.alone.IntN(50), either // to nobody any tag may do
	}
	send, recv := sending[int32](p, p.alone.IntN(5)), receiving[int32](p, p.alone.IntN(5))
	switch p.alone.IntN(6) {
	case 0:
		p.once("Send astray", how, func() error { return mpi.Send(p.c, send, rank, tag) })
	case 1:
		p.once("Recv astray", how, func() error { _, err := mpi.Recv(p.c, recv, rank, tag); return err })
	case 2:
		p.begin("Isend astray", how, func() (*mpi.Request, error) { return mpi.Isend(p.c, send, rank, tag) })
	case 3:
		p.begin("Irecv astray", how, func() (*mpi.Request, error) { return mpi.Irecv(p.c, recv, rank, tag) })
	case 4:
		p.prepare("SendInit astray", p.alone.IntN(3), how, func() (*mpi.Persistent, error) { return mpi.SendInit(p.c, send, rank, tag) })
	case 5:
		p.once("Iprobe astray", how, func() error { _, _, err := p.c.Iprobe(rank, tag); return err })
	}
}

// myself is messages of a process to itself, and receives that are cancelled.
func myself(p *player) {
	self, tag := mpi.Self(), p.alone.IntN(50)
	switch p.alone.IntN(3) {
	case 0:
		send, recv := sending[uint16](p, p.alone.IntN(20)), receiving[uint16](p, 20)
		p.once("Sendrecv with oneself", right, func() error { _, err := mpi.Sendrecv(self, send, 0, tag, recv, 0, tag); return err })
	case 1:
		recv := receiving[uint16](p, p.alone.IntN(9))
		r := p.begin("Irecv of oneself", right, func() (*mpi.Request, error) { return mpi.Irecv(self, recv, 0, 1000) })
		p.once("Cancel", right, r.Cancel)
		p.once("Wait for what was cancelled", right, func() error {
			s, err := r.Wait()
			want(p.t, "cancelled", s.Cancelled(), true)
			return err
		})
	case 2:
		send := sending[uint16](p, 1+p.alone.IntN(9))
		recv := receiving[uint16](p, 9)
		r, err := mpi.Irecv(self, recv, 0, tag)
		must(p.t, err)
		p.once("Send to oneself", right, func() error { return mpi.Send(self, send, 0, tag) })
		p.once("Wait", right, func() error { _, err := r.Wait(); return err })
		p.once("Wait again", right, func() error { _, err := r.Wait(); return err })
		p.once("Cancel what is complete", right, r.Cancel)
	}
}
