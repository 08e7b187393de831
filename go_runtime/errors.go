package mpi

import (
	"fmt"

	"mpiglot.dev/mpi/low"
)

// Error is what MPI functions return when they fail: class, code, text and function.
type Error = low.Error

// Class is an error class; errors.Is(err, mpi.ErrTruncate) finds it in an error.
type Class = low.Class

// The error classes that programs ask for most; [mpiglot.dev/mpi/low] has all of them.
const (
	ErrBuffer   = low.ErrBuffer
	ErrCount    = low.ErrCount
	ErrType     = low.ErrType
	ErrTag      = low.ErrTag
	ErrComm     = low.ErrComm
	ErrRank     = low.ErrRank
	ErrRequest  = low.ErrRequest
	ErrRoot     = low.ErrRoot
	ErrGroup    = low.ErrGroup
	ErrOp       = low.ErrOp
	ErrArg      = low.ErrArg
	ErrTruncate = low.ErrTruncate
	ErrOther    = low.ErrOther
	ErrIntern   = low.ErrIntern
	ErrInStatus = low.ErrInStatus
	ErrPending  = low.ErrPending
)

// Errors that are no error classes of MPI.
var (
	// ErrUnavailable is the error of an operation that the library in use does not have.
	ErrUnavailable = low.ErrUnavailable
	// ErrNotRunning is the error of a call before Init or after Finalize.
	ErrNotRunning = low.ErrNotRunning
)

// wrongLength is the error of a slice whose length does not do for what is asked.
func wrongLength(function, slice string, has, wanted int) error {
	return &Error{Class: ErrBuffer, Function: function,
		Message: fmt.Sprintf("%s has %d elements, %d are needed", slice, has, wanted)}
}

// sameLength refuses a slice that is not exactly as long as it has to be.
func sameLength(function, slice string, has, wanted int) error {
	if has == wanted {
		return nil
	}
	return wrongLength(function, slice, has, wanted)
}
