package mpi

import (
	"fmt"
	"math"

	"mpiglot.dev/mpi/low"
)

// A Partitioned is a persistent message whose parts are handed over one by one, by any goroutines. It is part of
// MPI 4.0.
type Partitioned struct{ *Persistent }

// partition is how a message is divided, and what of it was handed over since it was started.
type partition struct {
	receives bool
	handed   []bool
}

// toNobody stands for the handle of a message to or from [ProcNull], which some libraries crash on.
const toNobody = low.Request(math.MaxUint64)

// nobodys is the status of a receive from [ProcNull].
func nobodys() (s Status) {
	s.s.SetSource(ProcNull)
	s.s.SetTag(AnyTag)
	return s
}

// begin forgets what was handed over before.
func (p *partition) begin() {
	if p != nil {
		clear(p.handed)
	}
}

// PsendInit prepares a message of so many partitions of one length, into which data is divided.
func PsendInit[T any](c *Comm, data []T, partitions, dest, tag int) (*Partitioned, error) {
	return partitioned(low.PsendInit, c, "mpi.PsendInit", data, partitions, dest, tag, false)
}

// PrecvInit prepares the receive of a message of [PsendInit]. The sender may have divided it otherwise.
func PrecvInit[T any](c *Comm, data []T, partitions, source, tag int) (*Partitioned, error) {
	return partitioned(low.PrecvInit, c, "mpi.PrecvInit", data, partitions, source, tag, true)
}

func partitioned[T any](call func(low.Buffer, int, int, low.Datatype, int, int, low.Comm, low.Info) (low.Request, error),
	c *Comm, function string, data []T, partitions, peer, tag int, receives bool) (*Partitioned, error) {
	element, err := message[T](c, function)
	if err != nil {
		return nil, err
	}
	if partitions < 1 || len(data)%partitions != 0 {
		return nil, &Error{Class: ErrCount, Function: function, Message: "data cannot be divided into so many partitions"}
	}
	if peer == AnySource || tag == AnyTag {
		return nil, &Error{Class: ErrRank, Function: function, Message: "a partitioned message has one peer and one tag, not AnySource or AnyTag"}
	}
	handle := toNobody
	if peer != ProcNull {
		handle, err = call(low.Slice(data), partitions, len(data)/partitions, element, peer, tag, c.handle, low.InfoNull)
	}
	if err != nil {
		return nil, err
	}
	return &Partitioned{preparedWith(handle, &partition{receives, make([]bool, partitions)})}, nil
}

// operation is the message without its partitions; nil of nil.
func (p *Partitioned) operation() *Persistent {
	if p == nil {
		return nil
	}
	return p.Persistent
}

// Handle is [Persistent.Handle].
func (p *Partitioned) Handle() low.Request { return p.operation().Handle() }

// Start is [Persistent.Start].
func (p *Partitioned) Start() error { return p.operation().Start() }

// Wait is [Persistent.Wait].
func (p *Partitioned) Wait() (Status, error) { return p.operation().Wait() }

// Test is [Persistent.Test].
func (p *Partitioned) Test() (s Status, done bool, err error) { return p.operation().Test() }

// Free is [Persistent.Free].
func (p *Partitioned) Free() error { return p.operation().Free() }

// Ready hands partitions over that are ready to be sent, each once after each start.
func (p *Partitioned) Ready(partitions ...int) error {
	handle, err := p.hand("mpi.Partitioned.Ready", partitions)
	switch {
	case err != nil || handle == toNobody || len(partitions) == 0:
		return err
	case len(partitions) == 1:
		return low.Pready(partitions[0], handle)
	}
	return low.PreadyList(partitions, handle)
}

// ReadyRange hands the partitions from first to last over, last included.
func (p *Partitioned) ReadyRange(first, last int) error {
	const function = "mpi.Partitioned.ReadyRange"
	if first > last {
		return &Error{Class: ErrArg, Function: function, Message: fmt.Sprintf("partition %d does not come before %d", first, last)}
	}
	handle, _, err := p.started(function, false, first, last)
	if err != nil {
		return err
	}
	partitions := make([]int, 0, last-first+1)
	for i := first; i <= last; i++ {
		partitions = append(partitions, i)
	}
	if handle, err = p.hand(function, partitions); err != nil || handle == toNobody {
		return err
	}
	return low.PreadyRange(first, last, handle)
}

// hand notes partitions as handed over, all or none.
func (p *Partitioned) hand(function string, partitions []int) (low.Request, error) {
	handle, parts, err := p.started(function, false, partitions...)
	if err != nil {
		return handle, err
	}
	p.state.Lock()
	defer p.state.Unlock()
	for n, i := range partitions {
		if parts.handed[i] {
			for _, before := range partitions[:n] {
				parts.handed[before] = false
			}
			return handle, &Error{Class: ErrArg, Function: function, Message: fmt.Sprintf("partition %d was handed over before", i)}
		}
		parts.handed[i] = true
	}
	return handle, nil
}

// Arrived tells whether a partition has been received.
func (p *Partitioned) Arrived(partition int) (bool, error) {
	handle, _, err := p.started("mpi.Partitioned.Arrived", true, partition)
	if err != nil || handle == toNobody {
		return err == nil, err
	}
	return low.Parrived(handle, partition)
}

// started is the handle and the partitions of a message of this direction that was started and has these partitions, for
// a call of the function.
func (p *Partitioned) started(function string, receives bool, partitions ...int) (low.Request, *partition, error) {
	handle, err := p.operation().usable(function)
	if err != nil {
		return handle, nil, err
	}
	p.state.Lock()
	defer p.state.Unlock()
	wrong := func(class Class, format string, arguments ...any) (low.Request, *partition, error) {
		return low.RequestNull, nil, &Error{Class: class, Function: function, Message: fmt.Sprintf(format, arguments...)}
	}
	switch {
	case p.parts.receives != receives && receives:
		return wrong(ErrRequest, "the message is sent, not received")
	case p.parts.receives != receives:
		return wrong(ErrRequest, "the message is received, not sent")
	case !p.active:
		return wrong(ErrRequest, "the message was not started")
	}
	for _, i := range partitions {
		if i < 0 || i >= len(p.parts.handed) {
			return wrong(ErrArg, "there is no partition %d: the message has %d", i, len(p.parts.handed))
		}
	}
	return handle, p.parts, nil
}
