package mpi_test

import (
	"testing"

	"mpiglot.dev/mpi/low"
)

// Files are run in the order of their names, and this one must be the last: once a delete function has
// returned an error, MPICH 4.0.2 hands out the wrong code for every 64th later error, in C as well.
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
