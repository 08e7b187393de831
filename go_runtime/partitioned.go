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
	parts    int
	handed   []bool // as many as were looked at
}

// toNobody stands for the handle of a message to or from [ProcNull], which some libraries crash on.
const toNobody = low.Request(math.MaxUint64)

// ofNobody is the status of a receive that got no message, of [ProcNull] or, where there was no receive, of [AnySource].
func ofNobody(source int) (s Status) {
	s.s.SetSource(source)
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
	if partitions < 1 || partitions > math.MaxInt32 || len(data)%partitions != 0 {
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
	return &Partitioned{preparedWith(handle, &partition{receives: receives, parts: partitions})}, nil
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
	handle, err := p.hand("mpi.Partitioned.Ready", len(partitions), func(n int) int { return partitions[n] })
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
	if _, _, err := p.started(function, false, first, last); err != nil {
		return err
	}
	handle, err := p.hand(function, last-first+1, func(n int) int { return first + n })
	if err != nil || handle == toNobody {
		return err
	}
	return low.PreadyRange(first, last, handle)
}

// hand notes n partitions as handed over, all or none.
func (p *Partitioned) hand(function string, n int, partition func(int) int) (low.Request, error) {
	handle, parts, err := p.started(function, false)
	if err != nil {
		return handle, err
	}
	p.state.Lock()
	defer p.state.Unlock()
	for k := range n {
		i := partition(k)
		err := parts.look(function, i)
		if err == nil && parts.handed[i] {
			err = &Error{Class: ErrArg, Function: function, Message: fmt.Sprintf("partition %d was handed over before", i)}
		}
		if err != nil {
			for before := range k {
				parts.handed[partition(before)] = false
			}
			return handle, err
		}
		parts.handed[i] = true
	}
	return handle, nil
}

// look refuses a partition that is not there, and makes room for it.
func (p *partition) look(function string, i int) error {
	if i < 0 || i >= p.parts {
		return &Error{Class: ErrArg, Function: function, Message: fmt.Sprintf("there is no partition %d: the message has %d", i, p.parts)}
	}
	if i >= len(p.handed) {
		p.handed = append(p.handed, make([]bool, i+1-len(p.handed))...)
	}
	return nil
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
	wrong := func(message string) (low.Request, *partition, error) {
		return low.RequestNull, nil, &Error{Class: ErrRequest, Function: function, Message: message}
	}
	switch {
	case p.parts.receives != receives && receives:
		return wrong("the message is sent, not received")
	case p.parts.receives != receives:
		return wrong("the message is received, not sent")
	case !p.active:
		return wrong("the message was not started")
	}
	for _, i := range partitions {
		if err := p.parts.look(function, i); err != nil {
			return low.RequestNull, nil, err
		}
	}
	return handle, p.parts, nil
}
