package mpi_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestCallsForTwoGroupsRefuseOne(t *testing.T) {
	for what, call := range map[string]func(c *mpi.Comm) error{
		"merge":        func(c *mpi.Comm) error { _, err := c.Merge(false); return err },
		"remote size":  func(c *mpi.Comm) error { _, err := c.RemoteSize(); return err },
		"remote group": func(c *mpi.Comm) error { _, err := c.RemoteGroup(); return err },
	} {
		refused(t, what+" of the world", call(world), mpi.ErrComm)
		refused(t, what+" of one process", call(mpi.Self()), mpi.ErrComm)
	}
}

func TestCallsForOneGroupRefuseTwo(t *testing.T) {
	if world.Size() < 2 {
		t.Skip("one process cannot be two groups")
	}
	mine, err := world.Split(min(world.Rank(), 1), 0)
	must(t, err)
	leader := 0
	if world.Rank() == 0 {
		leader = 1
	}
	both, err := mine.Intercomm(0, world, leader, 3)
	must(t, err)
	group, err := mine.Group()
	must(t, err)
	for what, call := range map[string]func() error{
		"grid":               func() error { _, err := both.Cart([]int{1}, nil, false); return err },
		"graph":              func() error { _, err := both.DistGraphAdjacent(nil, nil, nil, false); return err },
		"graph by edges":     func() error { _, err := both.DistGraph(nil, nil, false); return err },
		"another group":      func() error { _, err := both.CreateGroup(group, 1); return err },
		"join":               func() error { _, err := both.Intercomm(0, world, 0, 1); return err },
		"join through it":    func() error { _, err := mpi.Self().Intercomm(0, both, 0, 1); return err },
		"join through nil":   func() error { _, err := mpi.Self().Intercomm(0, nil, 0, 1); return err },
		"processes":          func() error { _, err := both.Spawn("none", nil, 1, nil, 0); return err },
		"broadcast":          func() error { return mpi.Bcast(both, []int{1}, 0) },
		"prepared reduction": func() error { _, err := mpi.AllreduceInit(both, []int{1}, []int{1}, mpi.Sum); return err },
	} {
		refused(t, what, call(), mpi.ErrComm)
	}
	_, err = mine.Intercomm(world.Size(), world, leader, 3)
	refused(t, "a leader that is not there", err, mpi.ErrRank)
	must(t, group.Free())
	must(t, both.Free())
	must(t, mine.Free())
}

// Some libraries crash on it. Grids that are not closed have such neighbours.
func TestPartitionedMessagesToNobodyAreComplete(t *testing.T) {
	data := []int{1, 2, 3, 4}
	send, err := mpi.PsendInit(world, data, 4, mpi.ProcNull, 0)
	must(t, err)
	receive, err := mpi.PrecvInit(world, data, 2, mpi.ProcNull, 0)
	must(t, err)
	for range 2 {
		must(t, mpi.StartAll(send.Persistent, receive.Persistent))
		must(t, send.Ready(1, 0))
		must(t, send.ReadyRange(2, 3))
		arrived, err := receive.Arrived(1)
		must(t, err)
		want(t, "arrived", arrived, true)
		s, err := receive.Wait()
		must(t, err)
		want(t, "source", s.Source(), mpi.ProcNull)
		_, done, err := send.Test()
		must(t, err)
		want(t, "complete", done, true)
	}
	want(t, "elements", [4]int(data), [4]int{1, 2, 3, 4})
	must(t, send.Free())
	must(t, receive.Free())
	refused(t, "free again", send.Free(), mpi.ErrRequest)
	_, err = mpi.PrecvInit(world, data, 2, mpi.AnySource, 0)
	refused(t, "from anybody", err, mpi.ErrRank)
	_, err = mpi.PsendInit(world, data, 2, mpi.AnySource, 0)
	refused(t, "to anybody", err, mpi.ErrRank)
}

func TestPartitionsAreHandedOverOnce(t *testing.T) {
	send, err := mpi.PsendInit(world, []int{1, 2, 3, 4}, 4, mpi.ProcNull, 0)
	must(t, err)
	receive, err := mpi.PrecvInit(world, make([]int, 4), 4, mpi.ProcNull, 0)
	must(t, err)
	for range 2 { // started again, all partitions can be handed over again
		must(t, mpi.StartAll(send.Persistent, receive.Persistent))
		must(t, send.Ready(0))
		refused(t, "twice", send.Ready(0), mpi.ErrArg)
		refused(t, "twice in a list", send.Ready(1, 2, 1), mpi.ErrArg)
		refused(t, "twice in a range", send.ReadyRange(0, 3), mpi.ErrArg)
		refused(t, "one that is not there", send.Ready(4), mpi.ErrArg)
		refused(t, "one below all", send.Ready(-1), mpi.ErrArg)
		refused(t, "a range that ends outside", send.ReadyRange(1, 4), mpi.ErrArg)
		refused(t, "a range backwards", send.ReadyRange(3, 1), mpi.ErrArg)
		refused(t, "of what is received", receive.Ready(0), mpi.ErrRequest)
		_, err = send.Arrived(0)
		refused(t, "arrival of what is sent", err, mpi.ErrRequest)
		_, err = receive.Arrived(4)
		refused(t, "arrival of what is not there", err, mpi.ErrArg)
		must(t, send.Ready())
		must(t, send.Ready(1, 2))
		must(t, send.ReadyRange(3, 3))
		_, err = send.Wait()
		must(t, err)
		_, err = receive.Wait()
		must(t, err)
		refused(t, "after the end", send.Ready(0), mpi.ErrRequest)
	}
	must(t, send.Free())
	must(t, receive.Free())
}

func TestOffsetsBeforeTheBeginningAreRefused(t *testing.T) {
	f, err := mpi.OpenFile(mpi.Self(), scratch(t), mpi.ReadWrite|mpi.Create|mpi.DeleteOnClose, nil)
	must(t, err)
	data := make([]byte, 4)
	for what, call := range map[string]func(at int) error{
		"FileReadAt":      func(at int) error { _, err := mpi.FileReadAt(f, at, data); return err },
		"FileIreadAt":     func(at int) error { _, err := mpi.FileIreadAt(f, at, data); return err },
		"FileReadAtAll":   func(at int) error { _, err := mpi.FileReadAtAll(f, at, data); return err },
		"FileIreadAtAll":  func(at int) error { _, err := mpi.FileIreadAtAll(f, at, data); return err },
		"FileWriteAt":     func(at int) error { _, err := mpi.FileWriteAt(f, at, data); return err },
		"FileIwriteAt":    func(at int) error { _, err := mpi.FileIwriteAt(f, at, data); return err },
		"FileWriteAtAll":  func(at int) error { _, err := mpi.FileWriteAtAll(f, at, data); return err },
		"FileIwriteAtAll": func(at int) error { _, err := mpi.FileIwriteAtAll(f, at, data); return err },
		"ReadAt":          func(at int) error { _, err := f.ReadAt(data, int64(at)); return err },
		"WriteAt":         func(at int) error { _, err := f.WriteAt(data, int64(at)); return err },
		"Seek":            func(at int) error { _, err := f.Seek(int64(at), 0); return err },
		"SeekShared":      func(at int) error { return f.SeekShared(int64(at), 0) },
		"SetSize":         f.SetSize,
		"Preallocate":     f.Preallocate,
		"ByteOffset":      func(at int) error { _, err := f.ByteOffset(at); return err },
		"FileSetView":     func(at int) error { return mpi.FileSetView[int](f, at, nil, nil) },
	} {
		for _, at := range []int{-1, -2, -1 << 40} {
			refused(t, fmt.Sprint(what, " ", at), call(at), mpi.ErrArg)
		}
	}
	must(t, f.Close())
}

// scratch is the name of a file of this process alone.
func scratch(t *testing.T) string {
	folder := os.Getenv("MPIGLOT_SCRATCH")
	if folder == "" {
		folder = t.TempDir()
	}
	return filepath.Join(folder, fmt.Sprintf("%s-%d", t.Name(), os.Getpid()))
}

func TestGridsThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct {
		processes int
		dims      []int
	}{{0, []int{0, 0}}, {-1, []int{0}}, {1 << 40, []int{0}}, {4, []int{-1, 0}}, {4, []int{3, 0}}, {4, []int{2, 1}},
		{4, nil}, {4, []int{1 << 31, 1 << 31, 1 << 2}}, {6, []int{4, 0}}} {
		before := fmt.Sprint(c.dims)
		refused(t, fmt.Sprint(c), mpi.Dims(c.processes, c.dims), low.ErrDims)
		want(t, "dims", fmt.Sprint(c.dims), before)
	}
	dims := []int{0, 3, 0}
	must(t, mpi.Dims(12, dims))
	want(t, "dims", [3]int(dims), [3]int{2, 3, 2})
	must(t, mpi.Dims(1, nil))

	for _, dims := range [][]int{{0}, {-1}, {1, -1, -1}, {world.Size() + 1}, {1 << 31, 1 << 31}} {
		_, err := world.Cart(dims, nil, false)
		refused(t, fmt.Sprint("grid ", dims), err, low.ErrDims)
	}
	grid, err := mpi.Self().Cart([]int{1}, nil, false)
	must(t, err)
	for _, d := range []int{-1, 1, 1 << 40} {
		_, _, err = grid.CartShift(d, 1)
		refused(t, "shift", err, low.ErrDims)
	}
	for _, rank := range []int{-1, 1, mpi.ProcNull} {
		_, err = grid.CartCoords(rank)
		refused(t, "coords", err, mpi.ErrRank)
	}
	must(t, grid.Free())
	_, err = mpi.Self().DistGraphAdjacent([]int{1}, nil, nil, false)
	refused(t, "an edge from nowhere", err, mpi.ErrRank)
	_, err = mpi.Self().DistGraph(map[int][]int{0: {-4}}, nil, false)
	refused(t, "an edge to nowhere", err, mpi.ErrRank)
}

// A copy of the struct is the same object, not one that still has the handle of what was freed.
func TestCopiesOfWhatWasFreedAreRefused(t *testing.T) {
	comm, err := mpi.Self().Dup()
	must(t, err)
	commCopy := *comm
	must(t, comm.Free())
	refused(t, "communicator", commCopy.Barrier(), mpi.ErrComm)
	refused(t, "communicator", mpi.Send(&commCopy, []int{1}, 0, 0), mpi.ErrComm)

	group, err := mpi.Self().Group()
	must(t, err)
	groupCopy := *group
	must(t, group.Free())
	_, err = groupCopy.Size()
	refused(t, "group", err, mpi.ErrGroup)

	info, err := mpi.NewInfo(map[string]string{"a": "b"})
	must(t, err)
	infoCopy := *info
	must(t, info.Free())
	refused(t, "hints", infoCopy.Set("a", "c"), mpi.ErrArg)

	layout, err := mpi.Every[int](2, 1, 2)
	must(t, err)
	layoutCopy := *layout
	must(t, layout.Free())
	refused(t, "layout", mpi.SendLayout(mpi.Self(), &layoutCopy, make([]int, 3), 0, 0), mpi.ErrType)

	file, err := mpi.OpenFile(mpi.Self(), scratch(t), mpi.ReadWrite|mpi.Create|mpi.DeleteOnClose, nil)
	must(t, err)
	fileCopy := *file
	must(t, file.Close())
	_, err = fileCopy.Size()
	refused(t, "file", err, low.ErrFile)

	key, err := mpi.NewKey[string](nil)
	must(t, err)
	keyCopy := *key
	must(t, key.Free())
	refused(t, "key", keyCopy.Set(mpi.Self(), "value"), mpi.ErrArg)

	operation, err := mpi.SendInit(mpi.Self(), []int{1}, mpi.ProcNull, 0)
	must(t, err)
	operationCopy := *operation
	must(t, operation.Free())
	refused(t, "operation", operationCopy.Start(), mpi.ErrRequest)

	request, err := mpi.Isend(mpi.Self(), []int{1}, 0, 5)
	must(t, err)
	message, err := mpi.Self().Mprobe(0, 5)
	must(t, err)
	messageCopy := *message
	_, err = mpi.Mrecv(message, make([]int, 1))
	must(t, err)
	_, err = mpi.Mrecv(&messageCopy, make([]int, 1))
	refused(t, "message", err, mpi.ErrRequest)
	_, err = request.Wait()
	must(t, err)
}

func TestMethodsOfWhatIsNilDoNotPanic(t *testing.T) {
	objects := []any{(*mpi.Comm)(nil), (*mpi.Request)(nil), (*mpi.Persistent)(nil), (*mpi.Partitioned)(nil), (*mpi.File)(nil),
		(*mpi.Info)(nil), (*mpi.Group)(nil), (*mpi.Layout[int])(nil), (*mpi.Key[int])(nil), (*mpi.Message)(nil), (*mpi.Status)(nil),
		(*mpi.FragmentError)(nil), mpi.Op[int](nil)}
	for _, o := range objects {
		v := reflect.ValueOf(o)
		methodsReturn(t, v)
		if v.Kind() == reflect.Pointer {
			methodsReturn(t, reflect.New(v.Type().Elem()))
		}
	}
	want(t, "source of no status", (*mpi.Status)(nil).Source(), mpi.Undefined)
	want(t, "tag of no status", (*mpi.Status)(nil).Tag(), mpi.Undefined)
	want(t, "no status", (*mpi.Status)(nil).Low(), nil)
	refused(t, "no message", (*mpi.Partitioned)(nil).Start(), mpi.ErrRequest)
}

// methodsReturn calls each method with the zero values of its parameters.
func methodsReturn(t *testing.T, v reflect.Value) {
	for i := range v.NumMethod() {
		name := v.Type().String() + "." + v.Type().Method(i).Name
		if name == "*mpi.Comm.Abort" || strings.HasSuffix(name, "IsAsked") { // which ends the job; which only tests have
			continue
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					failNow(t, "%s panics: %v", name, p)
				}
			}()
			m := v.Method(i)
			var arguments []reflect.Value
			for k := range m.Type().NumIn() {
				if !m.Type().IsVariadic() || k < m.Type().NumIn()-1 {
					arguments = append(arguments, reflect.Zero(m.Type().In(k)))
				}
			}
			m.Call(arguments)
		}()
	}
}

func TestDroppedOperationsThatWerePreparedAreFreedAndReported(t *testing.T) {
	untilNothingIsHeld(t)
	for tag := range 64 {
		p, err := mpi.RecvInit(mpi.Self(), make([]int64, 64), 0, tag)
		must(t, err)
		if tag%2 == 0 {
			must(t, p.Start())
		}
	}
	for tag := 0; tag < 64; tag += 2 {
		must(t, mpi.Send(mpi.Self(), make([]int64, 64), 0, tag))
	}
	untilNothingIsHeld(t)
	want(t, "reports", said("a persistent operation") > 0, true)
}

func untilNothingIsHeld(t *testing.T) {
	for patience := 2000; low.Pending() > 0; patience-- {
		if patience == 0 {
			failNow(t, "%d operations are still held", low.Pending())
		}
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
		if mpi.Threads() < mpi.ThreadMultiple { // the next operation completes them
			must(t, waited(mpi.Isend(world, []int{1}, mpi.ProcNull, 0)))
		}
	}
}

// The error is that of the caller alone: the others wait for nobody.
func TestChoicesThatMeanNothingAreRefused(t *testing.T) {
	n := world.Size()
	one, all, other := []int{1}, make([]int, n), make([]int, n)
	counts := make([]int, n)
	for i := range counts {
		counts[i] = 1
	}
	grid, err := world.Cart([]int{n}, []bool{true}, false)
	must(t, err)
	sides, parts := make([]int, 2), make([]int, 2)
	ones := []int{1, 1}
	hint := mpi.WithInfo(nil)
	calls := map[string]func() error{
		"Bcast":              func() error { return mpi.Bcast(world, one, 0, hint) },
		"Gather":             func() error { return mpi.Gather(world, one, all, 0, hint) },
		"Allgather":          func() error { return mpi.Allgather(world, one, all, hint) },
		"Scatter":            func() error { return mpi.Scatter(world, all, one, 0, hint) },
		"Alltoall":           func() error { return mpi.Alltoall(world, all, other, hint) },
		"Gatherv":            func() error { return mpi.Gatherv(world, one, all, counts, 0, hint) },
		"Allgatherv":         func() error { return mpi.Allgatherv(world, one, all, counts, hint) },
		"Scatterv":           func() error { return mpi.Scatterv(world, all, counts, one, 0, hint) },
		"Alltoallv":          func() error { return mpi.Alltoallv(world, all, counts, other, counts, hint) },
		"Reduce":             func() error { return mpi.Reduce(world, all, other, mpi.Sum, 0, hint) },
		"Allreduce":          func() error { return mpi.Allreduce(world, all, other, mpi.Sum, hint) },
		"Scan":               func() error { return mpi.Scan(world, all, other, mpi.Sum, hint) },
		"Exscan":             func() error { return mpi.Exscan(world, all, other, mpi.Sum, hint) },
		"ReduceScatter":      func() error { return mpi.ReduceScatter(world, all, one, counts, mpi.Sum, hint) },
		"ReduceScatterBlock": func() error { return mpi.ReduceScatterBlock(world, all, one, mpi.Sum, hint) },
		"Iallreduce":         func() error { return waited(mpi.Iallreduce(world, all, other, mpi.Sum, hint)) },
		"Ibcast":             func() error { return waited(mpi.Ibcast(world, one, 0, hint)) },
		"neighbours":         func() error { return mpi.NeighborAllgather(grid, one, sides, hint) },
		"neighbours begun":   func() error { return waited(mpi.IneighborAlltoall(grid, parts, sides, hint)) },
		"neighbours' parts":  func() error { return mpi.NeighborAlltoallv(grid, parts, ones, sides, ones, hint) },
		"Bcast in place":     func() error { return mpi.Bcast(world, one, 0, mpi.InPlace) },
		"Ibcast in place":    func() error { return waited(mpi.Ibcast(world, one, 0, mpi.InPlace)) },
		"BcastInit in place": func() error { _, err := mpi.BcastInit(world, one, 0, mpi.InPlace); return err },
	}
	for _, what := range slices.Sorted(maps.Keys(calls)) { // all ranks in one order
		var e *mpi.Error
		err := calls[what]()
		if !errors.As(err, &e) || e.Class != mpi.ErrArg {
			failNow(t, "%s: got %v", what, err)
		}
	}
	untilNothingIsHeld(t) // what only took part is completed in the background
	must(t, grid.Free())
}

// Open MPI 4.1 reads beside its tables when ranks of a group are translated into the same group.
func TestRanksThatAGroupDoesNotHaveAreRefused(t *testing.T) {
	group, err := world.Group()
	must(t, err)
	for _, rank := range []int{-1, world.Size(), 1 << 28, mpi.AnySource} {
		_, err = group.TranslateRanks([]int{0, rank}, group)
		refused(t, "translate", err, mpi.ErrRank)
		_, err = group.Incl(rank)
		refused(t, "include", err, mpi.ErrRank)
		_, err = group.Excl(rank)
		refused(t, "exclude", err, mpi.ErrRank)
	}
	ranks, err := group.TranslateRanks([]int{mpi.ProcNull, 0}, group)
	must(t, err)
	want(t, "translated", [2]int(ranks), [2]int{mpi.ProcNull, 0})
	must(t, group.Free())
}

// MPICH 4.0.2 waits for ever for the rest of what a process sends to itself.
func TestPartsOfAProcessForItselfAreOfOneLength(t *testing.T) {
	n := world.Size()
	send, recv, sends, recvs := make([]int8, n+2), make([]int8, n), make([]int, n), make([]int, n)
	for i := range n {
		send[i], sends[i], recvs[i] = int8(world.Rank()), 1, 1
	}
	recvs[world.Rank()] = 0
	refused(t, "more sent", mpi.Alltoallv(world, send, sends, recv, recvs), mpi.ErrCount)
	sends[world.Rank()], recvs[world.Rank()] = 0, 1
	refused(t, "more received", waited(mpi.Ialltoallv(world, send, sends, recv, recvs)), mpi.ErrCount)
	untilNothingIsHeld(t)
}

// Their numbers need not fit a C int.
func TestRangesOfOtherRanksAreRefused(t *testing.T) {
	n := world.Size()
	all, err := world.Group()
	must(t, err)
	for what, c := range map[string]struct {
		of    mpi.Range
		class mpi.Class
	}{
		"no step":             {mpi.Range{First: 0, Last: n - 1, Step: 0}, mpi.ErrArg},
		"the other direction": {mpi.Range{First: 0, Last: n, Step: -1}, mpi.ErrArg},
		"backwards":           {mpi.Range{First: n, Last: 0, Step: 1}, mpi.ErrArg},
		"a first below all":   {mpi.Range{First: -1, Last: n - 1, Step: 1}, mpi.ErrRank},
		"a last behind all":   {mpi.Range{First: 0, Last: n, Step: 1}, mpi.ErrRank},
		"far too many":        {mpi.Range{First: 0, Last: math.MaxInt, Step: 1}, mpi.ErrRank},
		"far below":           {mpi.Range{First: n - 1, Last: math.MinInt, Step: -1}, mpi.ErrRank},
	} {
		_, err := all.RangeIncl(c.of)
		refused(t, "inclusion of "+what, err, c.class)
		_, err = all.RangeExcl(c.of)
		refused(t, "exclusion of "+what, err, c.class)
	}
	for _, r := range []mpi.Range{
		{First: 0, Last: math.MaxInt - 1, Step: math.MaxInt}, {First: 0, Last: n - 1, Step: n},
		{First: n - 1, Last: math.MinInt + n, Step: math.MinInt}, {First: 0, Last: 0, Step: -1},
	} {
		some, err := all.RangeIncl(r)
		must(t, err)
		size, err := some.Size()
		must(t, err)
		want(t, "processes", size, 1)
		must(t, some.Free())
	}
	must(t, all.Free())
}

// Open MPI tries to remove the working directory.
func TestFilesWithoutANameAreRefused(t *testing.T) {
	refused(t, "deletion", mpi.DeleteFile(""), low.ErrBadFile)
	_, err := mpi.OpenFile(world, "", mpi.ReadOnly, nil)
	refused(t, "opening", err, low.ErrBadFile)
}

// MPICH divides by zero: the defect dims-of-large-numbers.
func TestNumbersThatNoJobHasAreNotDivided(t *testing.T) {
	for _, n := range []int{math.MaxInt32, 46340*46340 + 1, math.MaxInt} {
		refused(t, "so many processes", mpi.Dims(n, make([]int, 3)), low.ErrDims)
	}
	must(t, mpi.Dims(46340*46340, make([]int, 3)))
}
