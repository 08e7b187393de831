package mpi_test

import (
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestOperationsOfTheProgramReduce(t *testing.T) {
	rank, size := world.Rank(), world.Size()
	gcd, err := mpi.NewOp(func(a, b int) int {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}, true)
	must(t, err)
	got := []int{0, 0}
	must(t, mpi.Allreduce(world, []int{6 * (rank + 1), 35}, got, gcd))
	want(t, "greatest common divisor", [2]int(got), [2]int{6, 35})
	must(t, gcd.Free())

	// Not commutative: matrices, whose order must be that of the ranks.
	type matrix [2][2]int
	product, err := mpi.NewOp(func(a, b matrix) matrix {
		var c matrix
		for i := range 2 {
			for j := range 2 {
				c[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j]
			}
		}
		return c
	}, false)
	must(t, err)
	of := func(r int) matrix { return matrix{{1, r}, {r + 1, 1}} }
	expected := of(0)
	for r := 1; r < size; r++ {
		a, b := expected, of(r)
		for i := range 2 {
			for j := range 2 {
				expected[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j]
			}
		}
	}
	result := make([]matrix, 1)
	must(t, mpi.Allreduce(world, []matrix{of(rank)}, result, product))
	want(t, "product", result[0], expected)
	must(t, product.Free())
}

// MPI calls an operation that was freed while a reduction uses it: it must be the right one.
func TestOperationsFreedWhileInUseRunTheRightCode(t *testing.T) {
	const n = 1000
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var requests []*mpi.Request
	results := make([][]int, n)
	for i := range n {
		op, err := mpi.NewOp(func(a, b int) int { return max(a, b) }, true)
		must(t, err)
		results[i] = []int{0}
		if i%100 == 0 { // an operation that gives itself away
			op, err = mpi.NewOp(func(a, b int) int { return 1000*i + min(a%1000, b%1000) }, true)
			must(t, err)
		}
		r, err := mpi.Iallreduce(world, []int{world.Rank() + 5}, results[i], op)
		must(t, err)
		must(t, op.Free())
		requests = append(requests, r)
		disturbAt(i)
	}
	_, err := mpi.WaitAll(requests...)
	must(t, err)
	for i, r := range results {
		expected := world.Size() + 4
		if i%100 == 0 {
			expected = 1000*i + 5
		}
		if world.Size() == 1 { // nothing to combine
			expected = 5
		}
		want(t, "result", r[0], expected)
	}
}

// There are 4096 slots for captures (32 on some processors), and one function needs one.
func TestAFunctionCanBeAnOperationAnyNumberOfTimes(t *testing.T) {
	const n = 10_000
	factor := world.Size()
	combine := func(a, b int) int { return max(a, b) + 0*factor }
	onSlices := func(in, inout []float64) {
		for i, a := range in {
			inout[i] = max(a, inout[i])
		}
	}
	for range n {
		one, err := mpi.NewOp(combine, true)
		must(t, err)
		other, err := mpi.NewOpOnSlices(onSlices, true)
		must(t, err)
		must(t, one.Free())
		must(t, other.Free())
	}
	op, err := mpi.NewOp(combine, true)
	must(t, err)
	got := []int{0}
	must(t, mpi.Allreduce(world, []int{world.Rank()}, got, op))
	want(t, "largest rank", got[0], world.Size()-1)
	must(t, op.Free())
}

func TestClosuresOfOneFunctionStayApart(t *testing.T) {
	times := func(factor int) func(a, b int) int {
		return func(a, b int) int { return factor * max(a/factor, b/factor) }
	}
	for _, factor := range []int{3, 5, 7} {
		op, err := mpi.NewOp(times(factor), true)
		must(t, err)
		got := []int{0}
		must(t, mpi.Allreduce(world, []int{105}, got, op))
		want(t, "result", got[0], 105)
		must(t, mpi.Allreduce(world, []int{factor + 1}, got, op))
		expected := factor
		if world.Size() == 1 { // nothing to combine
			expected = factor + 1
		}
		want(t, "result", got[0], expected)
		must(t, op.Free())
	}
}

func TestAnErrorHandlerCanBeMadeAnyNumberOfTimes(t *testing.T) {
	seen := 0
	handle := func(comm low.Comm, code int) { seen++ }
	for range 10_000 {
		handler, err := low.CommCreateErrhandler(handle)
		must(t, err)
		must(t, low.ErrhandlerFree(&handler))
	}
	want(t, "errors", seen, 0)
}

func TestRunningOutOfSlotsIsAnErrorUntilOneIsFree(t *testing.T) {
	var ops []low.Op
	make := func() error {
		i := len(ops)
		op, err := low.OpCreate(func(a, b unsafe.Pointer, n int, d low.Datatype) { _ = i }, true)
		if err == nil {
			ops = append(ops, op)
		}
		return err
	}
	for range moreThanSlots {
		if err := make(); err != nil {
			want(t, "it says why", errors.Is(err, low.ErrTooManyCallbacks), true)
			break
		}
	}
	want(t, "there is an end of slots", len(ops) < moreThanSlots, true)
	must(t, low.OpFree(&ops[0]))
	must(t, make())
	want(t, "it was the only one", errors.Is(make(), low.ErrTooManyCallbacks), true)
	for i := range ops[1:] {
		must(t, low.OpFree(&ops[i+1]))
	}
}

func TestAttributesAreCopiedAndDeletedByTheProgramsFunctions(t *testing.T) {
	const n = 2000
	deleted := make([]int, n)
	var keyvals []int
	for i := range n {
		keyval, err := low.CommCreateKeyval(
			func(comm low.Comm, keyval int, value uintptr) (uintptr, bool, error) {
				return value + uintptr(i), i%2 == 0, nil
			},
			func(comm low.Comm, keyval int, value uintptr) error {
				deleted[i]++
				return nil
			})
		must(t, err)
		keyvals = append(keyvals, keyval)
	}
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	for i, keyval := range keyvals {
		must(t, low.CommSetAttr(comm, keyval, uintptr(7*i)))
		disturbAt(i)
	}
	copied, err := low.CommDup(comm)
	must(t, err)
	for i := range keyvals { // freed, but still in use: the functions are called later
		value, ok, err := low.CommGetAttr(copied, keyvals[i])
		must(t, err)
		want(t, "attribute was copied", ok, i%2 == 0)
		if ok {
			want(t, "attribute", value, uintptr(7*i+i))
		}
		must(t, low.CommFreeKeyval(&keyvals[i]))
		want(t, "freed keyval", keyvals[i], low.KeyvalInvalid)
	}
	must(t, low.CommFree(&copied))
	must(t, low.CommFree(&comm))
	for i, d := range deleted {
		want(t, "deletions", d, 2-i%2)
	}
}

func TestNilStandsForTheNullFunctions(t *testing.T) {
	keyval, err := low.CommCreateKeyval(nil, nil)
	must(t, err)
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	must(t, low.CommSetAttr(comm, keyval, 5))
	copied, err := low.CommDup(comm)
	must(t, err)
	_, ok, err := low.CommGetAttr(copied, keyval)
	must(t, err)
	want(t, "attribute was copied", ok, false)
	must(t, low.CommFree(&copied))
	must(t, low.CommFree(&comm))
	must(t, low.CommFreeKeyval(&keyval))
}

func TestErrorHandlersOfTheProgramAreCalled(t *testing.T) {
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	const n = 1000
	calls := 0
	for i := range n {
		handler, err := low.CommCreateErrhandler(func(c low.Comm, code int) {
			class, err := low.ErrorClass(code)
			must(t, err)
			want(t, "class", class, int(low.ErrRank))
			want(t, "communicator", c, comm)
			calls += i
		})
		must(t, err)
		must(t, low.CommSetErrhandler(comm, handler))
		must(t, low.ErrhandlerFree(&handler)) // still set, therefore still called
		disturbAt(i)
		err = low.Send(low.Slice([]int{1}), 1, low.Int64T, 9999, 1, comm)
		if err != nil && !errors.Is(err, low.ErrRank) { // MPICH from 4.3 on takes it for handled
			failNow(t, "got the error %v", err)
		}
	}
	want(t, "sum of the numbers of the handlers that were called", calls, n*(n-1)/2)
	must(t, low.CommSetErrhandler(comm, low.ErrorsReturn))
	must(t, low.CommFree(&comm))
}

// disturbAt collects, now and then, what nothing holds any more, and puts other things in its place.
func disturbAt(i int) {
	if i%500 == 499 {
		disturb()
	}
}

func TestGeneralizedRequestsThatAreForgottenRunTheRightCode(t *testing.T) {
	const n = 2000
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	freed := make([]int, n)
	requests := make([]low.Request, n)
	for i := range requests {
		r, err := low.GrequestStart(
			func(status *low.Status) error {
				must(t, low.StatusSetElements(status, low.Int64T, i))
				return low.StatusSetCancelled(status, false)
			},
			func() error { freed[i]++; return nil },
			func(complete bool) error { return nil })
		must(t, err)
		requests[i] = r
		disturbAt(i)
	}
	for i := range requests {
		must(t, low.GrequestComplete(requests[i]))
		if i%4 == 0 { // nobody waits for it
			must(t, low.RequestFree(&requests[i]))
			want(t, "frees", freed[i], 1)
		}
		disturbAt(i)
	}
	for i := range requests {
		var status low.Status
		must(t, low.Wait(&requests[i], &status))
		if i%4 != 0 {
			elements, err := low.GetElements(&status, low.Int64T)
			must(t, err)
			want(t, "elements", elements, i)
		}
		want(t, "frees", freed[i], 1)
	}
}

// Programs make millions of them: what MPI does not call any more must not stay.
func TestFunctionsOfGeneralizedRequestsThatAreOverAreCollected(t *testing.T) {
	for _, free := range []bool{true, false} {
		functionsAreCollected(t, free)
	}
}

func functionsAreCollected(t *testing.T, free bool) {
	used := make([]weak.Pointer[[64]int], 100)
	for i := range used {
		data := new([64]int)
		used[i] = weak.Make(data)
		var freed low.GrequestFreeFunction
		if free {
			freed = func() error { data[2]++; return nil }
		}
		r, err := low.GrequestStart(
			func(status *low.Status) error {
				data[1]++
				must(t, low.StatusSetElements(status, low.Int64T, 0))
				return low.StatusSetCancelled(status, false)
			},
			freed,
			func(complete bool) error { data[3]++; return nil })
		must(t, err)
		must(t, low.GrequestComplete(r))
		must(t, low.Wait(&r, nil))
		want(t, "queries", data[1], 1)
		want(t, "frees", data[2] == 1, free)
	}
	runtime.GC()
	for i, w := range used {
		if w.Value() != nil {
			t.Fatalf("the functions of request %d are still there", i)
		}
	}
}

func TestGeneralizedRequestsAreCompletedByTheProgram(t *testing.T) {
	queried, freed := 0, 0
	request, err := low.GrequestStart(
		func(status *low.Status) error {
			queried++
			must(t, low.StatusSetElements(status, low.Int64T, 3))
			must(t, low.StatusSetCancelled(status, false))
			status.SetSource(low.AnySource)
			status.SetTag(low.AnyTag)
			return nil
		},
		func() error { freed++; return nil },
		func(complete bool) error { return nil })
	must(t, err)
	done, err := low.Test(&request, nil)
	must(t, err)
	want(t, "completion before it is told", done, false)
	must(t, low.GrequestComplete(request))
	var status low.Status
	must(t, low.Wait(&request, &status))
	n, err := low.GetElements(&status, low.Int64T)
	must(t, err)
	want(t, "elements", n, 3)
	want(t, "source", status.Source(), low.AnySource)
	want(t, "tag", status.Tag(), low.AnyTag)
	want(t, "queries", queried, 1)
	want(t, "frees", freed, 1)
}

// Keyvals are numbers that the library makes up: whatever they are, they are not the named ones.
func TestKeyvalsOfTheProgramAreNoNamedOnes(t *testing.T) {
	for range 600 {
		keyval, err := low.CommCreateKeyval(nil, nil)
		must(t, err)
		switch keyval {
		case low.TagUB, low.IO, low.Host, low.WtimeIsGlobal, low.Appnum, low.Lastusedcode, low.UniverseSize, low.KeyvalInvalid:
			failNow(t, "the keyval %d is that of an attribute of MPI", keyval)
		}
		must(t, low.CommSetAttr(low.CommSelf, keyval, 9))
		value, ok, err := low.CommGetAttr(low.CommSelf, keyval)
		must(t, err)
		want(t, "attribute is there", ok, true)
		want(t, "attribute", value, 9)
		must(t, low.CommDeleteAttr(low.CommSelf, keyval))
		must(t, low.CommFreeKeyval(&keyval))
	}
}

func TestPredefinedCopyFunctionsCopy(t *testing.T) {
	keyval, err := low.CommCreateKeyval(low.CommDupFn, nil)
	must(t, err)
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	must(t, low.CommSetAttr(comm, keyval, 77))
	copied, err := low.CommDup(comm)
	must(t, err)
	value, ok, err := low.CommGetAttr(copied, keyval)
	must(t, err)
	want(t, "attribute was copied", ok, true)
	want(t, "attribute", value, 77)
	must(t, low.CommFree(&copied))
	must(t, low.CommFree(&comm))
	must(t, low.CommFreeKeyval(&keyval))
}

func TestPanicsOfCallbacksGoOnInTheCallThatReturnsNext(t *testing.T) {
	op, err := low.OpCreate(func(_, _ unsafe.Pointer, _ int, _ low.Datatype) { panic(io.ErrUnexpectedEOF) }, true)
	must(t, err)
	data := []int32{1}
	var caught any
	func() {
		defer func() { caught = recover() }()
		_ = low.ReduceLocal(low.Slice([]int32{1}), low.Slice(data), 1, low.Int32T, op)
	}()
	p, ok := caught.(*low.CallbackPanic)
	want(t, "it panicked", ok, true)
	want(t, "callback", p.Callback, "MPI_User_function")
	want(t, "its value is found", errors.Is(p, io.ErrUnexpectedEOF), true)
	want(t, "its place is told", strings.Contains(p.Stack, "callback_test.go"), true)
	must(t, low.OpFree(&op)) // and is not told again
}
