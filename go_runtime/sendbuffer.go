package mpi

import (
	"sync"

	"mpiglot.dev/mpi/low"
)

// BsendOverhead is the number of bytes that each pending buffered message needs beside its elements.
const BsendOverhead = low.BsendOverhead

// attached is the memory for buffered messages of the process; 0 if there is none.
var attached struct {
	sync.Mutex
	at uintptr
}

// AttachBuffer gives MPI memory of so many bytes for the messages of [Bsend]. There is one such buffer at a time.
func AttachBuffer(size int) error {
	const function = "mpi.AttachBuffer"
	if !running.Load() {
		return ErrNotRunning
	}
	if size <= 0 {
		return &Error{Class: ErrArg, Function: function, Message: "the size must be positive"}
	}
	attached.Lock()
	defer attached.Unlock()
	if attached.at != 0 {
		return &Error{Class: ErrBuffer, Function: function, Message: "there is a buffer already: detach it first"}
	}
	at, err := low.AllocMem(size, low.InfoNull)
	if err != nil {
		return err
	}
	if err := low.BufferAttach(low.Address(at), size); err != nil {
		_ = low.FreeMem(low.Address(at))
		return err
	}
	attached.at = at
	return nil
}

// DetachBuffer waits until the messages in the buffer have been sent, and gives its memory back.
func DetachBuffer() error {
	if !running.Load() {
		return ErrNotRunning
	}
	attached.Lock()
	defer attached.Unlock()
	if attached.at == 0 {
		return &Error{Class: ErrBuffer, Function: "mpi.DetachBuffer", Message: "there is no buffer"}
	}
	if _, _, err := low.BufferDetach(); err != nil {
		return err
	}
	err := low.FreeMem(low.Address(attached.at))
	attached.at = 0
	return err
}

// FlushBuffer waits until the messages in the buffer have been sent. It is part of MPI 4.1.
func FlushBuffer() error { return low.BufferFlush() }

// IflushBuffer begins a [FlushBuffer]. It is part of MPI 4.1.
func IflushBuffer() (*Request, error) { return started(low.BufferIflush()) }
