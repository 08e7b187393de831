package mpi

import (
	"fmt"
	"slices"
	"sync"

	"mpiglot.dev/mpi/low"
)

// sendBy sends by one of MPI's blocking send functions.
func sendBy[T any](send func(low.Buffer, int, low.Datatype, int, int, low.Comm) error,
	c *Comm, function string, data []T, dest, tag int) error {
	element, err := message[T](c, function)
	if err != nil {
		return err
	}
	return send(low.Slice(data), len(data), element, dest, tag, c.handle)
}

// begin begins or prepares a message by one of MPI's functions that give a request.
func begin[T any](call func(low.Buffer, int, low.Datatype, int, int, low.Comm) (low.Request, error),
	c *Comm, function string, data []T, peer, tag int) (low.Request, error) {
	element, err := message[T](c, function)
	if err != nil {
		return low.RequestNull, err
	}
	return call(low.Slice(data), len(data), element, peer, tag, c.handle)
}

// Bsend is [Send] in the buffered mode: it copies data into the buffer of [AttachBuffer] and returns at once.
func Bsend[T any](c *Comm, data []T, dest, tag int) error {
	return sendBy(low.Bsend, c, "mpi.Bsend", data, dest, tag)
}

// Ssend is [Send] in the synchronous mode: it returns when the receive has begun.
func Ssend[T any](c *Comm, data []T, dest, tag int) error {
	return sendBy(low.Ssend, c, "mpi.Ssend", data, dest, tag)
}

// Rsend is [Send] in the ready mode: the program knows that the receive has been posted.
func Rsend[T any](c *Comm, data []T, dest, tag int) error {
	return sendBy(low.Rsend, c, "mpi.Rsend", data, dest, tag)
}

// Ibsend begins a [Bsend].
func Ibsend[T any](c *Comm, data []T, dest, tag int) (*Request, error) {
	return started(begin(low.Ibsend, c, "mpi.Ibsend", data, dest, tag))
}

// Issend begins an [Ssend].
func Issend[T any](c *Comm, data []T, dest, tag int) (*Request, error) {
	return started(begin(low.Issend, c, "mpi.Issend", data, dest, tag))
}

// Irsend begins an [Rsend].
func Irsend[T any](c *Comm, data []T, dest, tag int) (*Request, error) {
	return started(begin(low.Irsend, c, "mpi.Irsend", data, dest, tag))
}

// SendInit prepares a [Send] that can be started again and again.
func SendInit[T any](c *Comm, data []T, dest, tag int) (*Persistent, error) {
	return peer(dest).prepared(begin(low.SendInit, c, "mpi.SendInit", data, dest, tag))
}

// BsendInit prepares a [Bsend].
func BsendInit[T any](c *Comm, data []T, dest, tag int) (*Persistent, error) {
	prepare := func() (low.Request, error) { return begin(low.BsendInit, c, "mpi.BsendInit", data, dest, tag) }
	operation, err := peer(dest).prepared(prepare())
	if err == nil && !operation.nobody && buffersOnce() {
		operation.again = prepare
	}
	return operation, err
}

// buffersOnce tells whether a [BsendInit] that is started again sends other bytes: persistent-bsend-sends-others.
var buffersOnce = sync.OnceValue(func() bool {
	text, err := low.GetLibraryVersion()
	return err == nil && isOpenMPIBefore(text, 5, 0, 11)
})

// isOpenMPIBefore tells whether a version text is that of an earlier release of Open MPI.
func isOpenMPIBefore(text string, release ...int) bool {
	found := make([]int, 3)
	_, err := fmt.Sscanf(text, "Open MPI v%d.%d.%d", &found[0], &found[1], &found[2])
	return err == nil && slices.Compare(found, release) < 0
}

// SsendInit prepares an [Ssend].
func SsendInit[T any](c *Comm, data []T, dest, tag int) (*Persistent, error) {
	return peer(dest).prepared(begin(low.SsendInit, c, "mpi.SsendInit", data, dest, tag))
}

// RsendInit prepares an [Rsend].
func RsendInit[T any](c *Comm, data []T, dest, tag int) (*Persistent, error) {
	return peer(dest).prepared(begin(low.RsendInit, c, "mpi.RsendInit", data, dest, tag))
}

// RecvInit prepares a [Recv] that can be started again and again.
func RecvInit[T any](c *Comm, data []T, source, tag int) (*Persistent, error) {
	return peer(source).prepared(begin(low.RecvInit, c, "mpi.RecvInit", data, source, tag))
}

// SendrecvReplace is [Sendrecv] with one slice: the message that is received replaces the one that is sent.
func SendrecvReplace[T any](c *Comm, data []T, dest, sendTag, source, recvTag int) (Status, error) {
	var s Status
	element, err := message[T](c, "mpi.SendrecvReplace")
	if err != nil {
		return s, err
	}
	err = low.SendrecvReplace(low.Slice(data), len(data), element, dest, sendTag, source, recvTag, c.handle, &s.s)
	return s, err
}

// Isendrecv begins a [Sendrecv]. It is part of MPI 4.0.
func Isendrecv[T any](c *Comm, send []T, dest, sendTag int, recv []T, source, recvTag int) (*Request, error) {
	element, err := message[T](c, "mpi.Isendrecv")
	if err != nil {
		return nil, err
	}
	if dest == ProcNull && source == ProcNull {
		return started(withoutPartners(recv, element, recvTag, c))
	}
	return started(low.Isendrecv(low.Slice(send), len(send), element, dest, sendTag,
		low.Slice(recv), len(recv), element, source, recvTag, c.handle))
}

// withoutPartners begins an exchange with nobody on both sides, on which MPICH 4.0.2 ends or hangs (isendrecv-with-nobody).
func withoutPartners[T any](data []T, element low.Datatype, tag int, c *Comm) (low.Request, error) {
	return low.Irecv(low.Slice(data), len(data), element, ProcNull, tag, c.handle)
}

// IsendrecvReplace begins a [SendrecvReplace]. It is part of MPI 4.0.
func IsendrecvReplace[T any](c *Comm, data []T, dest, sendTag, source, recvTag int) (*Request, error) {
	element, err := message[T](c, "mpi.IsendrecvReplace")
	if err != nil {
		return nil, err
	}
	if dest == ProcNull && source == ProcNull {
		return started(withoutPartners(data, element, recvTag, c))
	}
	return started(low.IsendrecvReplace(low.Slice(data), len(data), element, dest, sendTag, source, recvTag, c.handle))
}
