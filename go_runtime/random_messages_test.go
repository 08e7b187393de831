package mpi_test

import (
	"errors"

	"mpiglot.dev/mpi"
)

// length is how many elements a message has: a few, now and then many.
func (p *player) length() int {
	if p.together.IntN(200) == 0 {
		return 20_000 + p.together.IntN(30_000)
	}
	return p.together.IntN(20)
}

// until calls again and again what asks for a message, as one call.
func (p *player) until(name string, ask func() (bool, error)) {
	p.call(name, right, func() (err error) {
		for found := false; !found && err == nil; {
			found, err = ask()
		}
		return err
	})
}

// probes receive messages that were looked at before. Each process receives in its own way.
func probes(p *player) {
	next, previous := neighbours()
	n, tag := p.length(), 500+p.together.IntN(50)
	send := sending[int32](p, n)
	p.begin("Isend to a probe", right, func() (*mpi.Request, error) { return mpi.Isend(p.c, send, next, tag) })
	recv := receiving[int32](p, n+p.alone.IntN(3))
	var m *mpi.Message
	switch p.alone.IntN(6) {
	case 0:
		p.call("Probe", right, func() error {
			s, err := p.c.Probe(previous, tag)
			came, _ := mpi.Count[int32](&s)
			want(p.t, "elements of a probe", came, n)
			return err
		})
		p.once("Recv after Probe", right, func() error { _, err := mpi.Recv(p.c, recv, previous, tag); return err })
	case 1:
		p.until("Iprobe", func() (bool, error) { _, found, err := p.c.Iprobe(previous, tag); return found, err })
		p.begin("Irecv after Iprobe", right, func() (*mpi.Request, error) { return mpi.Irecv(p.c, recv, previous, tag) })
	case 2:
		p.call("Mprobe", right, func() (err error) { m, err = p.c.Mprobe(previous, tag); return err })
		p.once("Mrecv", right, func() error { _, err := mpi.Mrecv(m, recv); return err })
		p.once("Mrecv again", wrong, func() error { _, err := mpi.Mrecv(m, []int32{1}); return err })
	case 3:
		p.until("Improbe", func() (found bool, err error) { m, err = p.c.Improbe(previous, tag); return m != nil, err })
		p.begin("Imrecv", right, func() (*mpi.Request, error) { return mpi.Imrecv(m, recv) })
		p.once("Imrecv again", wrong, func() error { _, err := mpi.Imrecv(m, []int32{1}); return err })
	case 4:
		p.call("Mprobe", right, func() (err error) { m, err = p.c.Mprobe(previous, tag); return err })
		p.once("MrecvSlice", right, func() error {
			data, err := mpi.MrecvSlice[int32](m)
			want(p.t, "elements of a slice", len(data), n)
			return err
		})
		p.once("MrecvSlice again", wrong, func() error { _, err := mpi.MrecvSlice[byte](m); return err })
	case 5: // as elements of which it is perhaps no whole number
		how := verdictOf(n%4 != 0)
		p.once("RecvSlice of other elements", how, func() error {
			_, _, err := mpi.RecvSlice[[16]byte](p.c, previous, tag)
			var fragment *mpi.FragmentError
			want(p.t, "a fragment", errors.As(err, &fragment), n%4 != 0)
			if fragment != nil {
				want(p.t, "bytes of a fragment", len(fragment.Data), 4*n)
				return errors.Unwrap(err)
			}
			return err
		})
	}
}

// truncated is messages that are longer than the slices they are received in. To oneself, some libraries give no error,
// or write beside the slice, in plain C.
func truncated(p *player) {
	if p.c.Size() == 1 {
		return
	}
	next, previous := neighbours()
	n := 2 + p.length()
	if defects["truncation-writes-beside"] {
		n = 2 + p.together.IntN(20)
	}
	tag := 600 + p.together.IntN(50)
	send, recv := sending[int64](p, n), receiving[int64](p, 1+p.together.IntN(n-1))
	switch p.together.IntN(4) {
	case 0:
		p.once("Sendrecv of too much", wrong, func() error { _, err := mpi.Sendrecv(p.c, send, next, tag, recv, previous, tag); return err })
	case 1:
		p.begin("Isend of too much", right, func() (*mpi.Request, error) { return mpi.Isend(p.c, send, next, tag) })
		p.once("Recv of too much", wrong, func() error { _, err := mpi.Recv(p.c, recv, previous, tag); return err })
	case 2:
		var in, out *mpi.Request
		p.call("Irecv of too much", right, func() (err error) { in, err = mpi.Irecv(p.c, recv, previous, tag); return err })
		p.call("Isend of too much", right, func() (err error) { out, err = mpi.Isend(p.c, send, next, tag); return err })
		p.call("Wait for too much", wrong, func() error { _, err := in.Wait(); return err })
		p.call("Wait for too much again", wrong, func() error { _, err := in.Wait(); return err })
		p.once("Wait for what sends too much", right, func() error { _, err := out.Wait(); return err })
	case 3:
		p.begin("Isend of too much", right, func() (*mpi.Request, error) { return mpi.Isend(p.c, send, next, tag) })
		p.once("Mrecv of too much", wrong, func() error {
			m, err := p.c.Mprobe(previous, tag)
			must(p.t, err)
			_, err = mpi.Mrecv(m, recv)
			return err
		})
	}
}

// partitions go round the ring of all processes.
func partitions(p *player) {
	next, previous := neighbours()
	if next == previous && p.c.Size() == 1 {
		next, previous = mpi.ProcNull, mpi.ProcNull
	}
	each, count, tag, starts := p.together.IntN(5), 1+p.together.IntN(5), 700+p.together.IntN(50), 1+p.together.IntN(2)
	send, recv := sending[int32](p, each*count), receiving[int32](p, each*count)
	var out, in *mpi.Partitioned
	p.call("PsendInit", right, func() (err error) { out, err = mpi.PsendInit(p.c, send, count, next, tag); return err })
	p.call("PrecvInit", right, func() (err error) { in, err = mpi.PrecvInit(p.c, recv, count, previous, tag); return err })
	if out != nil && in != nil { // the library has them
		for range starts {
			p.call("Ready before Start", wrong, func() error { return out.Ready(0) })
			p.call("Partitioned.Start", right, in.Start)
			p.call("Partitioned.Start", right, out.Start)
			p.call("Start again", wrong, out.Start)
			p.hand(out, count)
			p.call("Ready again", wrong, func() error { return out.Ready(p.alone.IntN(count)) })
			p.call("Ready of no partition", wrong, func() error { return out.Ready([...]int{-1, count, p.odd() | 1<<20}[p.alone.IntN(3)]) })
			p.call("Ready of a receive", wrong, func() error { return in.Ready(0) })
			p.call("Arrived of a send", wrong, func() error { _, err := out.Arrived(0); return err })
			p.call("Arrived of no partition", wrong, func() error { _, err := in.Arrived(count); return err })
			if p.alone.IntN(2) == 0 {
				p.until("Arrived", func() (bool, error) { return in.Arrived(p.alone.IntN(count)) })
			}
			p.call("Partitioned.Wait", right, func() error { _, err := in.Wait(); return err })
			p.call("Partitioned.Wait", right, func() error { _, err := out.Wait(); return err })
		}
		p.call("Partitioned.Free", right, out.Free)
		p.call("Partitioned.Free", right, in.Free)
		p.call("Partitioned.Free again", wrong, in.Free)
	}
	p.once("PsendInit of odd partitions", wrong, func() error { _, err := mpi.PsendInit(p.c, make([]int32, 5), -p.alone.IntN(9), 0, 0); return err })
}

// hand hands all partitions over, in one of many ways.
func (p *player) hand(out *mpi.Partitioned, count int) {
	switch p.alone.IntN(3) {
	case 0:
		p.call("ReadyRange", right, func() error { return out.ReadyRange(0, count-1) })
	case 1:
		p.call("Ready of all", right, func() error { return out.Ready(p.alone.Perm(count)...) })
	case 2:
		for _, i := range p.alone.Perm(count) {
			p.call("Ready", right, func() error { return out.Ready(i) })
		}
	}
}

// dropping begins and prepares operations that the program forgets.
func dropping(p *player) {
	if p.together.IntN(4) != 0 || mpi.Threads() < mpi.ThreadMultiple { // they are completed in the background
		return
	}
	next, previous := neighbours()
	n, tag := p.together.IntN(9), 800+p.together.IntN(50)
	recv, send := receiving[int32](p, n), sending[int32](p, n)
	p.call("Irecv that is dropped", right, func() error { _, err := mpi.Irecv(p.c, recv, previous, tag); return err })
	if p.together.IntN(3) == 0 {
		p.call("SendInit that is dropped", right, func() error {
			operation, err := mpi.SendInit(p.c, send, next, tag)
			must(p.t, err)
			return operation.Start()
		})
	} else {
		p.call("Isend that is dropped", right, func() error { _, err := mpi.Isend(p.c, send, next, tag); return err })
	}
	p.lost = append(p.lost, p.used...)
	p.used = p.used[:0]
}
