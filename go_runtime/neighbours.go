package mpi

import "mpiglot.dev/mpi/low"

// NeighborAllgather sends send to each neighbour and collects theirs, which must be as long, in recv, in the order of
// [Comm.Neighbors].
func NeighborAllgather[T any](c *Comm, send, recv []T, options ...Choice) error {
	a, err := neighbouring(c, "mpi.NeighborAllgather", send, recv, false, options)
	if err != nil {
		return err
	}
	return a.told(low.NeighborAllgather(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle))
}

// IneighborAllgather begins a [NeighborAllgather].
func IneighborAllgather[T any](c *Comm, send, recv []T, options ...Choice) (*Request, error) {
	a, err := neighbouring(c, "mpi.IneighborAllgather", send, recv, false, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.IneighborAllgather(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle)))
}

// NeighborAllgatherInit prepares a [NeighborAllgather] that can be started again and again. It is part of MPI 4.0.
func NeighborAllgatherInit[T any](c *Comm, send, recv []T, options ...Choice) (*Persistent, error) {
	a, err := neighbouring(c, "mpi.NeighborAllgatherInit", send, recv, false, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.NeighborAllgatherInit(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle, a.info))
}

// NeighborAlltoall gives each neighbour its part of send and collects theirs for this process in recv. The parts are of
// one length.
func NeighborAlltoall[T any](c *Comm, send, recv []T, options ...Choice) error {
	a, err := neighbouring(c, "mpi.NeighborAlltoall", send, recv, true, options)
	if err != nil {
		return err
	}
	return a.told(low.NeighborAlltoall(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle))
}

// IneighborAlltoall begins a [NeighborAlltoall].
func IneighborAlltoall[T any](c *Comm, send, recv []T, options ...Choice) (*Request, error) {
	a, err := neighbouring(c, "mpi.IneighborAlltoall", send, recv, true, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.IneighborAlltoall(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle)))
}

// NeighborAlltoallInit prepares a [NeighborAlltoall] that can be started again and again. It is part of MPI 4.0.
func NeighborAlltoallInit[T any](c *Comm, send, recv []T, options ...Choice) (*Persistent, error) {
	a, err := neighbouring(c, "mpi.NeighborAlltoallInit", send, recv, true, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.NeighborAlltoallInit(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle, a.info))
}

// NeighborAllgatherv is [NeighborAllgather] for slices of different lengths, which counts tells.
func NeighborAllgatherv[T any](c *Comm, send, recv []T, counts []int, options ...Choice) error {
	a, err := neighbouringParts(c, "mpi.NeighborAllgatherv", send, nil, recv, counts, false, options)
	if err != nil {
		return err
	}
	return a.told(low.NeighborAllgatherv(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle))
}

// IneighborAllgatherv begins a [NeighborAllgatherv].
func IneighborAllgatherv[T any](c *Comm, send, recv []T, counts []int, options ...Choice) (*Request, error) {
	a, err := neighbouringParts(c, "mpi.IneighborAllgatherv", send, nil, recv, counts, false, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.IneighborAllgatherv(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle)))
}

// NeighborAllgathervInit prepares a [NeighborAllgatherv] that can be started again and again. It is part of MPI 4.0.
func NeighborAllgathervInit[T any](c *Comm, send, recv []T, counts []int, options ...Choice) (*Persistent, error) {
	a, err := neighbouringParts(c, "mpi.NeighborAllgathervInit", send, nil, recv, counts, false, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.NeighborAllgathervInit(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle, a.info))
}

// NeighborAlltoallv is [NeighborAlltoall] for parts of different lengths, which stand one after the other.
func NeighborAlltoallv[T any](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int, options ...Choice) error {
	a, err := neighbouringParts(c, "mpi.NeighborAlltoallv", send, sendCounts, recv, recvCounts, true, options)
	if err != nil {
		return err
	}
	return a.told(low.NeighborAlltoallv(a.send, a.sends, a.sendsAt, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle))
}

// IneighborAlltoallv begins a [NeighborAlltoallv].
func IneighborAlltoallv[T any](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int, options ...Choice) (*Request, error) {
	a, err := neighbouringParts(c, "mpi.IneighborAlltoallv", send, sendCounts, recv, recvCounts, true, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.IneighborAlltoallv(a.send, a.sends, a.sendsAt, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle)))
}

// NeighborAlltoallvInit prepares a [NeighborAlltoallv] that can be started again and again. It is part of MPI 4.0.
func NeighborAlltoallvInit[T any](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int, options ...Choice) (*Persistent, error) {
	a, err := neighbouringParts(c, "mpi.NeighborAlltoallvInit", send, sendCounts, recv, recvCounts, true, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.NeighborAlltoallvInit(a.send, a.sends, a.sendsAt, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle, a.info))
}

// among is the arguments of an operation among neighbours, of which there are so many to receive from and to send to.
func among[T any](c *Comm, function string, send, recv []T, options []Choice) (a arguments, in, out int, err error) {
	if a, err = between(c, function, send, recv, options); err != nil {
		return a, 0, 0, err
	}
	if a.inPlace {
		a.wrong(&Error{Class: ErrBuffer, Function: function, Message: "neighbourhood operations cannot be done with mpi.InPlace"})
	}
	sources, destinations, err := c.Neighbors()
	if err != nil {
		return a, 0, 0, err
	}
	if err := apart(function, send, recv); err != nil {
		a.recv = instead[T](&a, err, len(recv))
	}
	return a, len(sources), len(destinations), nil
}

// neighbouring is the arguments of an operation with parts of one length; divide says that send has one for each.
func neighbouring[T any](c *Comm, function string, send, recv []T, divide bool, options []Choice) (arguments, error) {
	a, in, out, err := among(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.n, a.m = len(send), len(send)
	switch {
	case divide && out > 0:
		if a.n, err = divided(function, "send", len(send), out); err != nil { // what the others send tells the room
			a.n = len(recv) / max(in, 1)
			a.send = instead[T](&a, err, a.n*out)
		}
		a.m = a.n
	case divide:
		a.m, err = divided(function, "recv", len(recv), in)
		a.wrong(err)
		a.n = 0
	}
	if in > 0 && len(recv)/in < a.m {
		a.recv = instead[T](&a, wrongLength(function, "recv", len(recv), a.m*in), a.m*in)
	}
	return a, nil
}

// neighbouringParts is the arguments of an operation with parts of different lengths.
func neighbouringParts[T any](c *Comm, function string, send []T, sendCounts []int, recv []T, recvCounts []int,
	divide bool, options []Choice) (arguments, error) {
	a, in, out, err := among(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.n, a.sends, a.recvs = len(send), sendCounts, recvCounts
	if a.recvsAt, err = parts[T](&a, function, "recv", recvCounts, in, len(recv), &a.recv); err != nil || !divide {
		return a, err
	}
	a.sendsAt, err = parts[T](&a, function, "send", sendCounts, out, len(send), &a.send)
	return a, err
}
