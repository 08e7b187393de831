package mpi_test

import (
	"math"

	"mpiglot.dev/mpi"
)

// odd is a number that is often wrong.
func (p *player) odd() int {
	numbers := [...]int{-1, 0, 1, 2, 3, -2, math.MinInt, math.MaxInt, math.MaxInt32, math.MinInt32, -1000, 7}
	return numbers[p.alone.IntN(len(numbers))]
}

// nothing is calls with objects that are nil, were never made, or were freed.
func nothing(p *player) {
	var none *mpi.Comm
	if p.alone.IntN(2) == 0 {
		none = &mpi.Comm{}
	}
	switch p.alone.IntN(18) {
	case 0:
		p.once("Send of nothing", wrong, func() error { return mpi.Send(none, []int{1}, 0, 0) })
	case 1:
		p.once("Bcast of nothing", wrong, func() error { return mpi.Bcast(none, []int{1}, 0) })
	case 2:
		p.once("Dup of nothing", wrong, func() error { _, err := none.Dup(); return err })
	case 3:
		p.once("Free of nothing", wrong, none.Free)
	case 4:
		p.once("Free of the world", wrong, world.Free)
	case 5:
		p.once("Barrier of nothing", wrong, none.Barrier)
	case 6:
		p.once("Wait of nothing", wrong, func() error { _, err := new(mpi.Request).Wait(); return err })
	case 7:
		p.once("Cancel of nil", wrong, (*mpi.Request)(nil).Cancel)
	case 8:
		p.once("WaitAll of nil", wrong, func() error { _, err := mpi.WaitAll(nil, &mpi.Request{}); return err })
	case 9:
		p.once("WaitAll of no requests", right, func() error { _, err := mpi.WaitAll(); return err })
	case 10:
		p.once("Start of nil", wrong, (*mpi.Persistent)(nil).Start)
	case 11:
		p.once("Start of nothing", wrong, new(mpi.Partitioned).Start)
	case 12:
		p.once("Ready of nil", wrong, func() error { return (*mpi.Partitioned)(nil).Ready(0) })
	case 13:
		p.once("Size of nothing", wrong, func() error { _, err := new(mpi.Group).Size(); return err })
	case 14:
		p.once("Close of nothing", wrong, new(mpi.File).Close)
	case 15:
		p.once("FileRead of nil", wrong, func() error { _, err := mpi.FileRead(nil, []int{1}); return err })
	case 16:
		p.once("Mrecv of nothing", wrong, func() error { _, err := mpi.Mrecv(&mpi.Message{}, []int{1}); return err })
	case 17:
		p.once("Count of nil", wrong, func() error { _, err := mpi.Count[int](nil); return err })
	}
}

// groups are made, combined and freed.
func groups(p *player) {
	var g *mpi.Group
	p.once("Comm.Group", right, func() (err error) { g, err = p.c.Group(); return err })
	free := func(made *mpi.Group) {
		if made != nil {
			p.once("Group.Free", right, made.Free)
			p.once("Group.Free again", wrong, made.Free)
		}
	}
	var made *mpi.Group
	get := func(name string, how verdict, call func() (*mpi.Group, error)) {
		p.once(name, how, func() (err error) { made, err = call(); return err })
	}
	rank := p.alone.IntN(p.c.Size())
	switch p.alone.IntN(8) {
	case 0:
		get("Incl", right, func() (*mpi.Group, error) { return g.Incl(rank) })
	case 1:
		get("Incl of odd ranks", wrong, func() (*mpi.Group, error) { return g.Incl(rank, p.c.Size(), p.odd()) })
	case 2:
		get("Excl", either, func() (*mpi.Group, error) { return g.Excl(p.odd()) })
	case 3:
		get("Union", right, func() (*mpi.Group, error) { return g.Union(g) })
	case 4:
		get("Intersection with nothing", wrong, func() (*mpi.Group, error) { return g.Intersection(nil) })
	case 5:
		get("Difference", right, func() (*mpi.Group, error) { return g.Difference(g) })
	case 6:
		get("RangeIncl", either, func() (*mpi.Group, error) {
			return g.RangeIncl(mpi.Range{First: p.odd(), Last: p.odd(), Step: p.odd()})
		})
	case 7:
		p.once("TranslateRanks", either, func() error { _, err := g.TranslateRanks([]int{p.odd()}, g); return err })
	}
	free(made)
	free(g)
}

// hints are set, read, copied and freed.
func hints(p *player) {
	var info *mpi.Info
	p.once("NewInfo", right, func() (err error) { info, err = mpi.NewInfo(map[string]string{"a": "1"}); return err })
	key := [...]string{"a", "b", "", "a key that has blanks", "ä"}[p.alone.IntN(5)]
	p.once("Info.Set", either, func() error { return info.Set(key, "value") })
	p.once("Info.Get", either, func() error { _, _, err := info.Get(key); return err })
	p.once("Info.Delete", either, func() error { return info.Delete(key) })
	p.once("Info.All", right, func() error { _, err := info.All(); return err })
	p.once("Info.Free", right, info.Free)
	p.once("Info.Free again", wrong, info.Free)
	p.once("Info.Set when freed", wrong, func() error { return info.Set("a", "1") })
}

// grids are divided; those that are none are refused.
func grids(p *player) {
	dims := make([]int, p.alone.IntN(4))
	for i := range dims {
		if p.alone.IntN(3) == 0 {
			dims[i] = p.odd()
		}
	}
	p.once("Dims", either, func() error { return mpi.Dims(p.odd(), dims) })
	p.once("Cart of odd lengths", wrong, func() error { _, err := mpi.Self().Cart([]int{1, 2 + p.alone.IntN(3)}, nil, false); return err })
	p.once("CartRank of no grid", wrong, func() error { _, err := p.c.CartRank(p.odd()); return err })
	p.once("CartShift of no grid", wrong, func() error { _, _, err := p.c.CartShift(p.odd(), p.odd()); return err })
	p.once("Neighbors of no grid", wrong, func() error { _, _, err := p.c.Neighbors(); return err })
	p.once("Merge of one group", wrong, func() error { _, err := p.c.Merge(true); return err })
}

// layouts pick elements, also of slices that are too short for them.
func layouts(p *player) {
	var l *mpi.Layout[int32]
	count, length, stride := p.alone.IntN(4), p.alone.IntN(3), p.alone.IntN(5)
	how := right
	if stride < length {
		how = wrong
	}
	p.once("Every", how, func() (err error) { l, err = mpi.Every[int32](count, length, stride); return err })
	p.once("Every of odd numbers", either, func() error {
		made, err := mpi.Every[int64](p.odd(), p.odd(), p.odd())
		if err == nil {
			err = made.Free()
		}
		return err
	})
	if how == wrong {
		return
	}
	n := p.alone.IntN(20)
	reach := 0
	if count > 0 && length > 0 {
		reach = (count-1)*stride + length
	}
	if n < reach {
		how = wrong
	}
	send, recv := sending[int32](p, n), receiving[int32](p, 20)
	var r *mpi.Request
	if p.call("IsendLayout", how, func() (err error) { r, err = mpi.IsendLayout(mpi.Self(), l, send, 0, 9); return err }) == nil {
		p.call("Recv of a layout", right, func() error { _, err := mpi.Recv(mpi.Self(), recv, 0, 9); return err })
		p.call("Wait for a layout", right, func() error { _, err := r.Wait(); return err })
	}
	p.once("Layout.Free", right, l.Free)
	p.once("Layout.Free again", wrong, l.Free)
}

// local is calls that no other process takes part in.
func local(p *player) {
	switch p.alone.IntN(4) {
	case 0:
		n := p.alone.IntN(9)
		in, inout := sending[float64](p, n), receiving[float64](p, n)
		p.once("ReduceLocal", right, func() error { return mpi.ReduceLocal(in, inout, mpi.Max) })
	case 1:
		n := p.alone.IntN(9)
		in, inout := sending[int8](p, n+1), receiving[int8](p, n)
		p.once("ReduceLocal of two lengths", wrong, func() error { return mpi.ReduceLocal(in, inout, mpi.Max) })
	case 2:
		var key *mpi.Key[string]
		p.once("NewKey", right, func() (err error) { key, err = mpi.NewKey[string](nil); return err })
		p.once("Key.Get", right, func() error { _, _, err := key.Get(p.c); return err })
		p.once("Key.Set", right, func() error { return key.Set(mpi.Self(), "value") })
		p.once("Key.Delete", right, func() error { return key.Delete(mpi.Self()) })
		p.once("Key.Free", right, key.Free)
		p.once("Key.Set when freed", wrong, func() error { return key.Set(p.c, "value") })
	case 3:
		size := 1 + p.alone.IntN(500)
		p.once("AttachBuffer", right, func() error { return mpi.AttachBuffer(mpi.BsendOverhead + size) })
		p.once("AttachBuffer again", wrong, func() error { return mpi.AttachBuffer(size) })
		p.once("DetachBuffer", right, mpi.DetachBuffer)
		p.once("DetachBuffer again", wrong, mpi.DetachBuffer)
		p.once("AttachBuffer of odd size", wrong, func() error { return mpi.AttachBuffer(-p.alone.IntN(9)) })
	}
}

// communicators are made of others, used and freed.
func communicators(p *player) {
	if p.together.IntN(4) != 0 { // they cost more than others
		return
	}
	var made *mpi.Comm
	switch p.together.IntN(3) {
	case 0:
		p.once("Dup", right, func() (err error) { made, err = p.c.Dup(); return err })
	case 1:
		color := p.together.IntN(2)
		p.once("Split", right, func() (err error) { made, err = p.c.Split(color, p.c.Rank()); return err })
	case 2:
		color := [...]int{mpi.Undefined, 1}[p.together.IntN(2)]
		p.once("Split of some", right, func() (err error) { made, err = p.c.Split(color, -p.c.Rank()); return err })
	}
	if made == nil {
		return
	}
	send, recv := sending[int](p, 2), receiving[int](p, 2)
	p.once("Allreduce of some", right, func() error { return mpi.Allreduce(made, send, recv, mpi.Sum) })
	same := *made
	p.once("Comm.Free", right, made.Free)
	p.once("Comm.Free again", wrong, made.Free)
	p.once("Barrier of a copy of what was freed", wrong, same.Barrier)
	p.once("Isend when freed", wrong, func() error { _, err := mpi.Isend(made, []int{1}, 0, 0); return err })
}
