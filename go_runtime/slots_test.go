package mpi_test

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"testing"
	"unsafe"
	"weak"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// There are 4096 slots for the functions of operations, and as many for those of error handlers.
const moreThanSlots = 5000

// rounds is how often something is made and freed: MPIGLOT_TEST_ROUNDS asks for more.
func rounds(t *testing.T) int {
	told := os.Getenv("MPIGLOT_TEST_ROUNDS")
	if told == "" {
		return moreThanSlots
	}
	n, err := strconv.Atoi(told)
	must(t, err)
	return n
}

// onTwoRanks leaves the test out on other numbers of ranks, which add nothing to what is local.
func onTwoRanks(t *testing.T) {
	t.Helper()
	if world.Size() != 2 {
		t.Skip("tested on two ranks")
	}
}

// collected fails if one of the last functions is still there that captured one of these.
func collected(t *testing.T, captured []weak.Pointer[[64]int]) {
	t.Helper()
	runtime.GC()
	runtime.GC()
	left := 0
	for _, w := range captured {
		if w.Value() != nil {
			left++
		}
	}
	want(t, "functions that are still there", left, 0)
}

// sayHeap tells how much memory is in use, now and then where many rounds were asked for.
func sayHeap(t *testing.T, round int) {
	if round%100_000 == 0 && os.Getenv("MPIGLOT_TEST_ROUNDS") != "" && world.Rank() == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		t.Logf("round %d: %d KiB of heap", round, m.HeapAlloc>>10)
	}
}

func summing(data *[64]int) low.UserFunction {
	return func(in, inout unsafe.Pointer, n int, _ low.Datatype) {
		a, b := unsafe.Slice((*int)(in), n), unsafe.Slice((*int)(inout), n)
		for i := range a {
			b[i] += a[i]
		}
		data[0]++
	}
}

func TestSlotsOfOperationsAreTakenAgain(t *testing.T) {
	onTwoRanks(t)
	captured := make([]weak.Pointer[[64]int], 100)
	for i := range rounds(t) {
		data := new([64]int)
		captured[i%len(captured)] = weak.Make(data)
		op, err := low.OpCreate(summing(data), true)
		must(t, err)
		comm := low.CommSelf
		if i%500 == 0 {
			comm = low.CommWorld
		}
		reduceInAllWays(t, op, comm)
		want(t, "function was called", data[0] > 0, true)
		must(t, low.OpFree(&op))
		sayHeap(t, i)
	}
	collected(t, captured)
}

func reduceInAllWays(t *testing.T, op low.Op, comm low.Comm) {
	size, err := low.CommSize(comm)
	must(t, err)
	send, receive := low.Slice([]int{2}), []int{0}
	must(t, low.Allreduce(send, low.Slice(receive), 1, low.Int64T, op, comm))
	want(t, "sum", receive[0], 2*size)

	receive[0] = 0
	request, err := low.Iallreduce(send, low.Slice(receive), 1, low.Int64T, op, comm)
	must(t, err)
	must(t, low.Wait(&request, nil))
	want(t, "sum of the nonblocking one", receive[0], 2*size)

	request, err = low.AllreduceInit(send, low.Slice(receive), 1, low.Int64T, op, comm, low.InfoNull)
	if !errors.Is(err, low.ErrUnavailable) {
		must(t, err)
		for range 2 {
			receive[0] = 0
			must(t, low.Start(&request))
			must(t, low.Wait(&request, nil))
			want(t, "sum of the persistent one", receive[0], 2*size)
		}
		must(t, low.RequestFree(&request))
	}
	must(t, low.ReduceLocal(send, low.Slice(receive), 1, low.Int64T, op))
	want(t, "local sum", receive[0], 2*size+2)
}

// The same of the layer above, which keeps functions as well.
func TestFunctionsOfOperationsAreCollected(t *testing.T) {
	onTwoRanks(t)
	captured := make([]weak.Pointer[[64]int], 100)
	for i := range rounds(t) {
		data := new([64]int)
		captured[i%len(captured)] = weak.Make(data)
		op, err := mpi.NewOp(func(a, b int) int { return max(a, b) + data[0] }, true)
		must(t, err)
		must(t, op.Free())
		sayHeap(t, i)
	}
	collected(t, captured)
}

func takeAllSlotsOfOperations(t *testing.T) {
	for i := range moreThanSlots {
		op, err := low.OpCreate(func(_, inout unsafe.Pointer, _ int, _ low.Datatype) { *(*int)(inout) = -i }, true)
		must(t, err)
		must(t, low.OpFree(&op))
	}
}

func TestAnOperationThatIsFreedUnderAPendingReductionKeepsItsSlot(t *testing.T) {
	rank, size := world.Rank(), world.Size()
	const tag = 77
	receive := make([]int, 2)
	if rank > 0 { // the others come late
		must(t, low.Recv(low.Slice(receive), 1, low.Int64T, 0, tag, low.CommWorld, nil))
	}
	op, err := low.OpCreate(summing(new([64]int)), true)
	must(t, err)
	request, err := low.Iallreduce(low.Slice([]int{rank + 1}), low.Slice(receive[1:]), 1, low.Int64T, op, low.CommWorld)
	must(t, err)
	must(t, low.OpFree(&op))
	if rank == 0 {
		takeAllSlotsOfOperations(t)
		for to := 1; to < size; to++ {
			must(t, low.Send(low.Slice([]int{0}), 1, low.Int64T, to, tag, low.CommWorld))
		}
	}
	must(t, low.Wait(&request, nil))
	want(t, "sum", receive[1], size*(size+1)/2)
}

// A slot is not free before all operations that one function was made to are.
func TestAFunctionKeepsItsSlotForItsOtherOperation(t *testing.T) {
	onTwoRanks(t)
	function := summing(new([64]int))
	op, err := low.OpCreate(function, true)
	must(t, err)
	other, err := low.OpCreate(function, false)
	must(t, err)
	must(t, low.OpFree(&op))
	takeAllSlotsOfOperations(t)
	receive := []int{3}
	must(t, low.ReduceLocal(low.Slice([]int{2}), low.Slice(receive), 1, low.Int64T, other))
	want(t, "sum", receive[0], 5)
	must(t, low.OpFree(&other))
}

func takeAllSlotsOfErrorHandlers(t *testing.T) {
	for range moreThanSlots {
		wrong := new(int)
		handler, err := low.CommCreateErrhandler(func(low.Comm, int) { *wrong++; failNow(t, "the wrong function is called") })
		must(t, err)
		must(t, low.ErrhandlerFree(&handler))
	}
}

// counting makes an error handler that counts, and captures what it counts in.
func counting(t *testing.T) (*[64]int, low.Errhandler) {
	data := new([64]int)
	handler, err := low.CommCreateErrhandler(func(low.Comm, int) { data[0]++ })
	must(t, err)
	return data, handler
}

// causeErrorOn sends to nobody: MPICH takes the error for handled from 4.3 on.
func causeErrorOn(t *testing.T, comm low.Comm) {
	err := low.Send(low.Slice([]int{1}), 1, low.Int64T, 9999, 1, comm)
	if err != nil && !errors.Is(err, low.ErrRank) {
		failNow(t, "got the error %v", err)
	}
}

func TestSlotsOfErrorHandlersAreTakenAgain(t *testing.T) {
	onTwoRanks(t)
	captured := make([]weak.Pointer[[64]int], 100)
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	for i := range rounds(t) {
		data, handler := counting(t)
		captured[i%len(captured)] = weak.Make(data)
		must(t, low.CommSetErrhandler(comm, handler))
		must(t, low.ErrhandlerFree(&handler))
		told, err := low.CommGetErrhandler(comm)
		must(t, err)
		copied := low.CommNull
		if i%10 == 0 {
			copied, err = low.CommDup(comm)
			must(t, err)
		}
		must(t, low.CommSetErrhandler(comm, low.ErrorsReturn))
		if copied != low.CommNull {
			causeErrorOn(t, copied)
			want(t, "errors of the duplicate", data[0], 1)
			receive := []int{0}
			request, err := low.Irecv(low.Slice(receive), 1, low.Int64T, 0, 1, copied)
			must(t, err)
			must(t, low.Send(low.Slice([]int{i}), 1, low.Int64T, 0, 1, copied))
			must(t, low.CommFree(&copied))
			must(t, low.Wait(&request, nil))
			want(t, "message", receive[0], i)
		}
		must(t, low.ErrhandlerFree(&told))
		sayHeap(t, i)
	}
	must(t, low.CommFree(&comm))
	collected(t, captured)
}

func TestWindowsAndFilesKeepTheSlotsOfTheirErrorHandlers(t *testing.T) {
	onTwoRanks(t) // Open MPI 4.1 makes no window of one process, in C too
	win, err := low.WinCreate(low.Slice(make([]int, 1)), 8, 8, low.InfoNull, low.CommWorld)
	must(t, err)
	captured := make([]weak.Pointer[[64]int], 100)
	for i := range moreThanSlots {
		data := new([64]int)
		captured[i%len(captured)] = weak.Make(data)
		ofWindow, err := low.WinCreateErrhandler(func(low.Win, int) { data[0]++ })
		must(t, err)
		must(t, low.WinSetErrhandler(win, ofWindow))
		must(t, low.ErrhandlerFree(&ofWindow))
		ofFiles, err := low.FileCreateErrhandler(func(low.File, int) { data[1]++ })
		must(t, err)
		must(t, low.FileSetErrhandler(low.FileNull, ofFiles))
		must(t, low.ErrhandlerFree(&ofFiles))
		if i%1000 == 0 {
			must(t, low.WinCallErrhandler(win, int(low.ErrOther)))
			want(t, "errors of the window", data[0], 1)
			_, err = low.FileOpen(low.CommSelf, "/nowhere/at/all", low.ModeRdonly, low.InfoNull)
			want(t, "errors of files", data[1], 1)
			_ = err // some library takes it for handled
		}
	}
	must(t, low.FileSetErrhandler(low.FileNull, low.ErrorsReturn))
	must(t, low.WinFree(&win))
	collected(t, captured)
}

func TestObjectsKeepTheSlotsOfErrorHandlersThatAreFreed(t *testing.T) {
	onTwoRanks(t)
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	data, handler := counting(t)
	must(t, low.CommSetErrhandler(comm, handler))
	must(t, low.ErrhandlerFree(&handler))
	takeAllSlotsOfErrorHandlers(t)
	causeErrorOn(t, comm)
	want(t, "errors", data[0], 1)

	// Nor is it free when another one has it.
	copied, err := low.CommDup(comm)
	must(t, err)
	told, err := low.CommGetErrhandler(copied)
	must(t, err)
	must(t, low.CommFree(&comm))
	takeAllSlotsOfErrorHandlers(t)
	causeErrorOn(t, copied)
	want(t, "errors of the duplicate", data[0], 2)
	must(t, low.CommFree(&copied))
	takeAllSlotsOfErrorHandlers(t)
	must(t, low.CommSetErrhandler(low.CommSelf, told)) // the handle that MPI told of
	must(t, low.ErrhandlerFree(&told))
	takeAllSlotsOfErrorHandlers(t)
	causeErrorOn(t, low.CommSelf)
	want(t, "errors of another one", data[0], 3)
	must(t, low.CommSetErrhandler(low.CommSelf, low.ErrorsReturn))
}

// A request calls the error handler of its communicator even if nobody has that any more.
func TestRequestsKeepTheSlotsOfErrorHandlers(t *testing.T) {
	onTwoRanks(t)
	if defects["error-after-free-crashes"] {
		t.Skip("error-after-free-crashes")
	}
	for _, late := range []bool{false, true} {
		comm, err := low.CommDup(low.CommSelf)
		must(t, err)
		data, handler := counting(t)
		if !late {
			must(t, low.CommSetErrhandler(comm, handler))
		}
		request, err := low.Irecv(low.Slice([]int{0}), 1, low.Int64T, 0, 1, comm)
		must(t, err)
		if late {
			must(t, low.CommSetErrhandler(comm, handler))
		}
		must(t, low.Send(low.Slice([]int{1, 2}), 2, low.Int64T, 0, 1, comm))
		must(t, low.ErrhandlerFree(&handler))
		must(t, low.CommFree(&comm))
		takeAllSlotsOfErrorHandlers(t)
		err = low.Wait(&request, nil)
		if err != nil && !errors.Is(err, low.ErrTruncate) {
			failNow(t, "got the error %v", err)
		}
		want(t, "at most one error", data[0] <= 1, true) // some libraries do not call it where the communicator is gone
	}
}

// The functions of keys have no slots, but stay in memory as long as there are attributes.
func TestFunctionsOfKeysAreCollectedWithTheLastAttribute(t *testing.T) {
	onTwoRanks(t)
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	captured := make([]weak.Pointer[[64]int], 100)
	for i := range rounds(t) {
		data := new([64]int)
		captured[i%len(captured)] = weak.Make(data)
		keyval, err := low.CommCreateKeyval(copying(data, i%2 == 0), deleting(data, i%3 != 0))
		must(t, err)
		deletions := setAndDelete(t, comm, &keyval, i)
		if i%3 == 0 {
			deletions = 0
		}
		want(t, "deletions", data[0], deletions)
		sayHeap(t, i)
	}
	must(t, low.CommFree(&comm))
	collected(t, captured)
}

func copying(data *[64]int, copies bool) low.CommCopyAttrFunction {
	return func(_ low.Comm, _ int, value uintptr) (uintptr, bool, error) { data[1]++; return value, copies, nil }
}

func deleting(data *[64]int, there bool) low.CommDeleteAttrFunction {
	if !there {
		return nil
	}
	return func(low.Comm, int, uintptr) error { data[0]++; return nil }
}

// setAndDelete returns how many attributes were deleted. Every tenth time they live longer than their key.
func setAndDelete(t *testing.T, comm low.Comm, keyval *int, i int) int {
	for value := range uintptr(2) { // the second one takes the place of the first
		must(t, low.CommSetAttr(comm, *keyval, value))
	}
	if i%10 > 1 {
		must(t, low.CommDeleteAttr(comm, *keyval))
		must(t, low.CommFreeKeyval(keyval))
		return 2
	}
	copied, err := low.CommDup(comm)
	must(t, err)
	must(t, low.CommDeleteAttr(comm, *keyval))
	must(t, low.CommFreeKeyval(keyval))
	if i%2 == 1 {
		must(t, low.CommFree(&copied))
		return 2
	}
	again, err := low.CommDup(copied)
	must(t, err)
	must(t, low.CommFree(&copied))
	must(t, low.CommFree(&again))
	return 4
}
