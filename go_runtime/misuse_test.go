package mpi_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// refused wants an error of a class of MPI, found before MPI was called: it names the function of this module.
func refused(t *testing.T, what string, err error, class mpi.Class) {
	t.Helper()
	var e *mpi.Error
	if !errors.As(err, &e) || e.Class != class || !strings.HasPrefix(e.Function, "mpi.") {
		failNow(t, "%s: got %v, not an %v of this package", what, err, class)
	}
}

func TestOperationsOfMPITakeTheTypesThatTheStandardGivesThem(t *testing.T) {
	n := world.Size()
	sumOf(t, int8(n))
	sumOf(t, int16(n))
	sumOf(t, int32(n))
	sumOf(t, n)
	sumOf(t, uint8(n))
	sumOf(t, uint16(n))
	sumOf(t, uint32(n))
	sumOf(t, uint(n))
	sumOf(t, float32(n))
	sumOf(t, float64(n))
	sumOf(t, complex(float32(n), 0))
	sumOf(t, complex(float64(n), 0))
	type celsius float64
	sumOf(t, celsius(n))

	truth := []bool{world.Rank() == 0, true, false}
	got := make([]bool, 3)
	must(t, mpi.Allreduce(world, truth, got, mpi.LogicalAnd))
	want(t, "and", [3]bool(got), [3]bool{n == 1, true, false})
	must(t, mpi.Allreduce(world, truth, got, mpi.LogicalOr))
	want(t, "or", [3]bool(got), [3]bool{true, true, false})
	must(t, mpi.Allreduce(world, truth, got, mpi.LogicalXor))
	want(t, "xor", [3]bool(got), [3]bool{true, n%2 == 1, false})

	bits := []uint16{uint16(1 << world.Rank()), 0xff}
	into := make([]uint16, 2)
	must(t, mpi.Allreduce(world, bits, into, mpi.BitOr))
	want(t, "or of bits", [2]uint16(into), [2]uint16{1<<n - 1, 0xff})
	must(t, mpi.Allreduce(world, bits, into, mpi.BitXor))
	want(t, "xor of bits", [2]uint16(into), [2]uint16{1<<n - 1, uint16(0xff * (n % 2))})
	must(t, mpi.Allreduce(world, bits, into, mpi.BitAnd))
	want(t, "and of bits", into[1], 0xff)

	ranks := []float32{float32(world.Rank())}
	must(t, mpi.Allreduce(world, nil, ranks, mpi.Min, mpi.InPlace))
	want(t, "smallest", ranks[0], 0)
}

func sumOf[T mpi.Number](t *testing.T, all T) {
	t.Helper()
	got := make([]T, 1)
	must(t, mpi.Allreduce(world, []T{1}, got, mpi.Sum))
	want(t, "sum", got[0], all)
	must(t, mpi.Allreduce(world, []T{1}, got, mpi.Product))
	want(t, "product", got[0], 1)
}

// What stands behind a slice stays as it is, whatever the size of the operation's elements.
func TestOperationsStayWithinTheirSlices(t *testing.T) {
	type wide struct{ A, B, C int64 }
	op, err := mpi.NewOp(func(a, b wide) wide { return wide{a.A + b.A, a.B + b.B, a.C + b.C} }, true)
	must(t, err)
	memory := make([]wide, 5)
	for i := range memory {
		memory[i] = wide{-1, -2, -3}
	}
	must(t, mpi.Allreduce(world, []wide{{1, 2, 3}, {4, 5, 6}}, memory[1:3], op))
	n := int64(world.Size())
	want(t, "results", [2]wide(memory[1:3]), [2]wide{{n, 2 * n, 3 * n}, {4 * n, 5 * n, 6 * n}})
	want(t, "before", memory[0], wide{-1, -2, -3})
	want(t, "behind", [2]wide(memory[3:]), [2]wide{{-1, -2, -3}, {-1, -2, -3}})
	must(t, op.Free())
	refused(t, "an operation that was freed", mpi.Allreduce(world, memory[:1], memory[1:2], op), mpi.ErrOp)
	refused(t, "an operation freed again", op.Free(), mpi.ErrOp)
}

func TestOperationsThatAreNoneAreRefused(t *testing.T) {
	one, two := []int{1}, []int{2}
	var none mpi.Op[int]
	for what, call := range map[string]func() error{
		"allreduce":          func() error { return mpi.Allreduce(world, one, two, none) },
		"allreduce in place": func() error { return mpi.Allreduce(world, nil, one, none, mpi.InPlace) },
		"iallreduce":         func() error { _, err := mpi.Iallreduce(world, one, two, nil); return err },
		"reduce":             func() error { return mpi.Reduce(world, one, two, none, 0) },
		"scan":               func() error { return mpi.Scan(world, one, two, none) },
		"free":               func() error { return none.Free() },
		"free of MPI's":      func() error { return mpi.Op[int](mpi.Sum[int]).Free() },
	} {
		refused(t, what, call(), mpi.ErrOp)
	}
	want(t, "handle of none", none.Handle(), low.OpNull)
	_, err := mpi.NewOp[int](nil, true)
	refused(t, "an operation without a function", err, mpi.ErrArg)
	_, err = mpi.NewOpOnSlices[int](nil, true)
	refused(t, "an operation without a function", err, mpi.ErrArg)
	_, err = mpi.NewOp(func(a, b string) string { return a + b }, false)
	refused(t, "an operation on strings", err, mpi.ErrType)
	must(t, mpi.Allreduce(world, one, two, mpi.Sum))
	want(t, "sum after all that", two[0], world.Size())
}

func TestFunctionsThatMustBeThereAreAskedForInTheLowerPackageToo(t *testing.T) {
	_, op := low.OpCreate(nil, true)
	_, comm := low.CommCreateErrhandler(nil)
	_, win := low.WinCreateErrhandler(nil)
	_, file := low.FileCreateErrhandler(nil)
	_, request := low.GrequestStart(nil, nil, nil)
	for what, err := range map[string]error{"operation": op, "comm": comm, "window": win, "file": file, "request": request} {
		want(t, what+" without a function is refused", errors.Is(err, low.ErrRange), true)
	}
}

func TestCommunicatorsThatAreNoneAreRefused(t *testing.T) {
	freed, err := world.Dup()
	must(t, err)
	must(t, freed.Free())
	one, two := []int{1}, []int{2}
	every, err := mpi.Every[int](1, 1, 1)
	must(t, err)
	for _, c := range []*mpi.Comm{nil, {}, freed} {
		for what, call := range map[string]func() error{
			"bcast":      func() error { return mpi.Bcast(c, one, 0) },
			"allreduce":  func() error { return mpi.Allreduce(c, one, two, mpi.Sum) },
			"in place":   func() error { return mpi.Allreduce(c, nil, one, mpi.Sum, mpi.InPlace) },
			"iallreduce": func() error { _, err := mpi.Iallreduce(c, one, two, mpi.Sum); return err },
			"reduce":     func() error { return mpi.Reduce(c, one, two, mpi.Sum, 0) },
			"scan":       func() error { return mpi.Scan(c, one, two, mpi.Sum) },
			"gather":     func() error { return mpi.Gather(c, one, two, 0) },
			"allgather":  func() error { return mpi.Allgather(c, one, two) },
			"scatter":    func() error { return mpi.Scatter(c, one, two, 0) },
			"alltoall":   func() error { return mpi.Alltoall(c, one, two) },
			"gatherv":    func() error { return mpi.Gatherv(c, one, two, one, 0) },
			"send":       func() error { return mpi.Send(c, one, 0, 1) },
			"recv":       func() error { _, err := mpi.Recv(c, one, 0, 1); return err },
			"isend":      func() error { _, err := mpi.Isend(c, one, 0, 1); return err },
			"irecv":      func() error { _, err := mpi.Irecv(c, one, 0, 1); return err },
			"sendrecv":   func() error { _, err := mpi.Sendrecv(c, one, 0, 1, two, 0, 1); return err },
			"layout":     func() error { return mpi.SendLayout(c, every, one, 0, 1) },
			"receiving":  func() error { _, err := mpi.RecvLayout(c, every, one, 0, 1); return err },
			"beginning":  func() error { _, err := mpi.IsendLayout(c, every, one, 0, 1); return err },
			"expecting":  func() error { _, err := mpi.IrecvLayout(c, every, one, 0, 1); return err },
			"probe":      func() error { _, err := c.Probe(0, 1); return err },
			"dup":        func() error { _, err := c.Dup(); return err },
			"split":      func() error { _, err := c.Split(0, 0); return err },
			"free":       func() error { return c.Free() },
			"barrier":    func() error { return c.Barrier() },
			"wrap":       func() error { _, err := mpi.Wrap(c.Handle()); return err },
		} {
			refused(t, what, call(), mpi.ErrComm)
		}
	}
	var none *mpi.Comm
	want(t, "rank in none", none.Rank(), mpi.Undefined)
	want(t, "size of none", none.Size(), 0)
	refused(t, "the world freed", mpi.World().Free(), mpi.ErrComm)
	must(t, every.Free())
}

func TestLayoutsThatAreNoneAreRefused(t *testing.T) {
	freed, err := mpi.Every[int](2, 1, 2)
	must(t, err)
	must(t, freed.Free())
	data := make([]int, 8)
	for _, l := range []*mpi.Layout[int]{nil, {}, freed} {
		refused(t, "send", mpi.SendLayout(world, l, data, 0, 1), mpi.ErrType)
		_, err := mpi.IrecvLayout(world, l, data, 0, 1)
		refused(t, "receive", err, mpi.ErrType)
		refused(t, "free", l.Free(), mpi.ErrType)
	}
	for _, c := range [][3]int{{-1, 1, 1}, {1, -1, 1}, {2, 3, 2}, {1 << 62, 1, 4}, {math.MaxInt, 1, math.MaxInt}} {
		_, err = mpi.Every[int](c[0], c[1], c[2])
		refused(t, "a layout of no memory", err, mpi.ErrArg)
	}
	_, err = mpi.Count[int](nil)
	refused(t, "count of no status", err, mpi.ErrArg)
}

// All processes are refused, before any of them communicates.
func TestLengthsThatDoNotFitAreRefused(t *testing.T) {
	self, n := mpi.Self(), world.Size()
	three, some := make([]int, 3), []int{1, 2}
	refused(t, "a part of a scatter is left over", mpi.Scatter(self, three, make([]int, 2), 0), mpi.ErrBuffer)
	refused(t, "a scatter has too little", mpi.Scatter(self, some, make([]int, 3), 0), mpi.ErrBuffer)
	refused(t, "gather", mpi.Gather(self, three, some, 0), mpi.ErrBuffer)
	refused(t, "allgather", mpi.Allgather(world, some, make([]int, 2*n-1)), mpi.ErrBuffer)
	refused(t, "alltoall has too little room", mpi.Alltoall(world, make([]int, n), make([]int, n-1)), mpi.ErrBuffer)
	if n > 1 {
		refused(t, "alltoall cannot divide", mpi.Alltoall(world, make([]int, n+1), make([]int, 2*n)), mpi.ErrBuffer)
	}
	refused(t, "gatherv has too few counts", mpi.Gatherv(self, some, three, nil, 0), mpi.ErrBuffer)
	refused(t, "gatherv has too little room", mpi.Gatherv(self, some, make([]int, 1), []int{2}, 0), mpi.ErrBuffer)
	refused(t, "gatherv with another count of its own", mpi.Gatherv(self, some, three, []int{1}, 0), mpi.ErrBuffer)
	refused(t, "gatherv with a negative count", mpi.Gatherv(self, some, three, []int{-2}, 0), mpi.ErrCount)
	if n == 2 && world.Rank() == 0 {
		for _, counts := range [][]int{{math.MaxInt, math.MaxInt}, {3, math.MaxInt}} {
			refused(t, "gatherv of more than there is memory", mpi.Gatherv(world, three, three, counts, 0), mpi.ErrBuffer)
		}
		refused(t, "gatherv with counts that cancel each other", mpi.Gatherv(world, make([]int, 9), three, []int{9, -6}, 0), mpi.ErrBuffer)
	}
	long := []int{0, 0, 7}
	must(t, mpi.Gather(self, some, long, 0))
	want(t, "what is longer keeps its rest", [3]int(long), [3]int{1, 2, 7})
}

// Whatever a library makes of it: MPICH refuses it, Open MPI computes something.
func TestSlicesThatShareElementsAreRefused(t *testing.T) {
	n := world.Size()
	data := make([]int, 4*n)
	refused(t, "allreduce", mpi.Allreduce(world, data, data, mpi.Sum), mpi.ErrBuffer)
	refused(t, "reduce", mpi.Reduce(mpi.Self(), data[:2], data[1:], mpi.Sum, 0), mpi.ErrBuffer)
	refused(t, "scan", mpi.Scan(world, data[1:3], data[:2], mpi.Max), mpi.ErrBuffer)
	refused(t, "allgather", mpi.Allgather(world, data[:1], data), mpi.ErrBuffer)
	refused(t, "alltoall", mpi.Alltoall(world, data, data), mpi.ErrBuffer)
	must(t, mpi.Allreduce(world, data[:2], data[2:4], mpi.Sum)) // side by side
}

// Blocks of the other group would be written behind what is looked at.
func TestCollectivesOfTwoGroupsAreRefused(t *testing.T) {
	if world.Size() < 2 {
		t.Skip("one process cannot be two groups")
	}
	leader := 0
	if world.Rank() == 0 {
		leader = 1
	}
	mine, err := world.Split(min(world.Rank(), 1), 0)
	must(t, err)
	handle, err := low.IntercommCreate(mine.Handle(), 0, world.Handle(), leader, 3)
	must(t, err)
	both, err := mpi.Wrap(handle)
	must(t, err)
	refused(t, "allgather", mpi.Allgather(both, []int{1}, []int{0}), mpi.ErrComm)
	refused(t, "allreduce", mpi.Allreduce(both, []int{1}, []int{0}, mpi.Sum), mpi.ErrComm)
	got := []int{0}
	if world.Rank() < 2 {
		_, err = mpi.Sendrecv(both, []int{world.Rank() + 5}, 0, 4, got, 0, 4)
		must(t, err)
		want(t, "from the other group", got[0], 6-world.Rank())
	}
	must(t, both.Free())
	must(t, mine.Free())
}
