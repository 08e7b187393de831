package mpi

import "mpiglot.dev/mpi/low"

// A Partitioned is a persistent message whose parts are handed over one by one, by any goroutines. It is part of
// MPI 4.0.
type Partitioned struct{ *Persistent }

// PsendInit prepares a message of so many partitions of one length, into which data is divided.
func PsendInit[T any](c *Comm, data []T, partitions, dest, tag int) (*Partitioned, error) {
	return partitioned(low.PsendInit, c, "mpi.PsendInit", data, partitions, dest, tag)
}

// PrecvInit prepares the receive of a message of [PsendInit]. The sender may have divided it otherwise.
func PrecvInit[T any](c *Comm, data []T, partitions, source, tag int) (*Partitioned, error) {
	return partitioned(low.PrecvInit, c, "mpi.PrecvInit", data, partitions, source, tag)
}

func partitioned[T any](call func(low.Buffer, int, int, low.Datatype, int, int, low.Comm, low.Info) (low.Request, error),
	c *Comm, function string, data []T, partitions, peer, tag int) (*Partitioned, error) {
	element, err := message[T](c, function)
	if err != nil {
		return nil, err
	}
	if partitions < 1 || len(data)%partitions != 0 {
		return nil, &Error{Class: ErrCount, Function: function, Message: "data cannot be divided into so many partitions"}
	}
	p, err := prepared(call(low.Slice(data), partitions, len(data)/partitions, element, peer, tag, c.handle, low.InfoNull))
	if err != nil {
		return nil, err
	}
	return &Partitioned{p}, nil
}

// Ready hands partitions over that are ready to be sent.
func (p *Partitioned) Ready(partitions ...int) error {
	handle, err := p.begun("mpi.Partitioned.Ready")
	if err != nil {
		return err
	}
	if len(partitions) == 1 {
		return low.Pready(partitions[0], handle)
	}
	return low.PreadyList(partitions, handle)
}

// ReadyRange hands the partitions from first to last over, last included.
func (p *Partitioned) ReadyRange(first, last int) error {
	handle, err := p.begun("mpi.Partitioned.ReadyRange")
	if err != nil {
		return err
	}
	return low.PreadyRange(first, last, handle)
}

// Arrived tells whether a partition has been received.
func (p *Partitioned) Arrived(partition int) (bool, error) {
	handle, err := p.begun("mpi.Partitioned.Arrived")
	if err != nil {
		return false, err
	}
	return low.Parrived(handle, partition)
}

// begun is the handle of a message that was started, for a call of the function.
func (p *Partitioned) begun(function string) (low.Request, error) {
	if p == nil {
		return low.RequestNull, (*Persistent)(nil).lock(function)
	}
	if err := p.lock(function); err != nil {
		return low.RequestNull, err
	}
	defer p.asking.Unlock()
	if !p.active {
		return low.RequestNull, &Error{Class: ErrRequest, Function: function, Message: "the message was not started"}
	}
	return p.handle, nil
}
