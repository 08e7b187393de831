package mpi_test

import (
	"errors"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// Files are run in the order of their names, and this one must be the last: what is tested here leaves
// some libraries in a bad state, in C as well.

func TestTruncationStillReceives(t *testing.T) {
	if world.Size() == 1 {
		t.Skip("after a truncated message to itself a process hangs with Intel MPI 2021.14.2, in C too")
	}
	next, previous := neighbours()
	r, err := mpi.Isend(world, []int{1, 2, 3, 4}, next, 6)
	must(t, err)
	short := make([]int, 2)
	_, err = mpi.Recv(world, short, previous, 6)
	want(t, "truncation", errors.Is(err, mpi.ErrTruncate), true)
	_, err = r.Wait()
	must(t, err)
}

// The others of a list are complete, and every operation that failed can be asked for its error.
func TestErrorsOfSeveralRequestsAreTheirOwn(t *testing.T) {
	if world.Size() == 1 {
		t.Skip("after a truncated message to itself a process hangs with Intel MPI 2021.14.2, in C too")
	}
	if defects["failed-request-in-waitall"] {
		t.Skip("known defect: failed-request-in-waitall")
	}
	next, previous := neighbours()
	long, short := make([]int, 2), make([]int, 1)
	good, err := mpi.Irecv(world, long, previous, 1)
	must(t, err)
	bad, err := mpi.Irecv(world, short, previous, 2)
	must(t, err)
	must(t, mpi.Send(world, []int{1, 2}, next, 1))
	must(t, mpi.Send(world, []int{3, 4}, next, 2))
	_, err = mpi.WaitAll(good, bad, bad)
	want(t, "truncation is told", errors.Is(err, mpi.ErrTruncate), true)
	_, err = good.Wait()
	must(t, err)
	want(t, "elements", [2]int(long), [2]int{1, 2})
	_, err = bad.Wait()
	want(t, "truncation is told again", errors.Is(err, mpi.ErrTruncate), true)
}

// Once a delete function has returned an error, MPICH 4.0.2 hands out the wrong code for every 64th
// later error.
func TestCallbacksCanReturnErrors(t *testing.T) {
	keyval, err := low.CommCreateKeyval(nil, func(low.Comm, int, uintptr) error { return low.ErrIO })
	must(t, err)
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	must(t, low.CommSetErrhandler(comm, low.ErrorsReturn))
	must(t, low.CommSetAttr(comm, keyval, 5))
	if err := low.CommDeleteAttr(comm, keyval); err == nil {
		failNow(t, "the error of the delete function got lost")
	}
}

func TestPanicsOfAttributeFunctionsAreCarriedToo(t *testing.T) {
	keyval, err := low.CommCreateKeyval(nil, func(low.Comm, int, uintptr) error { panic("no") })
	must(t, err)
	comm, err := low.CommDup(low.CommSelf)
	must(t, err)
	must(t, low.CommSetAttr(comm, keyval, 1))
	var caught any
	func() {
		defer func() { caught = recover() }()
		_ = low.CommFreeKeyval(&keyval)
		_ = low.CommDeleteAttr(comm, keyval)
		_ = low.CommFree(&comm)
	}()
	_, ok := caught.(*low.CallbackPanic)
	want(t, "it panicked", ok, true)
}
