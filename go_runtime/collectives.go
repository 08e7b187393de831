package mpi

import "mpiglot.dev/mpi/low"

// Bcast sends data of the process with rank root to all others, whose data must be as long.
func Bcast[T any](c *Comm, data []T, root int, options ...Choice) error {
	a, err := copying(c, "mpi.Bcast", data, options)
	if err != nil {
		return err
	}
	return a.told(low.Bcast(a.recv, len(data), a.element, root, c.handle))
}

// Ibcast begins a [Bcast].
func Ibcast[T any](c *Comm, data []T, root int, options ...Choice) (*Request, error) {
	a, err := copying(c, "mpi.Ibcast", data, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, nil, data)
	return a.begun(started(low.Ibcast(a.recv, len(data), a.element, root, c.handle)))
}

// BcastInit prepares a [Bcast] that can be started again and again. It is part of MPI 4.0.
func BcastInit[T any](c *Comm, data []T, root int, options ...Choice) (*Persistent, error) {
	a, err := copying(c, "mpi.BcastInit", data, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.BcastInit(a.recv, len(data), a.element, root, c.handle, a.info))
}

// Gather collects the slices of all processes, which must be of one length, at root, in the order of
// ranks; recv may be nil elsewhere.
func Gather[T any](c *Comm, send, recv []T, root int, options ...Choice) error {
	a, err := gathering(c, "mpi.Gather", send, recv, c.Rank() == root, options)
	if err != nil {
		return err
	}
	return a.told(low.Gather(a.send, a.n, a.element, a.recv, a.m, a.element, root, c.handle))
}

// Igather begins a [Gather].
func Igather[T any](c *Comm, send, recv []T, root int, options ...Choice) (*Request, error) {
	a, err := gathering(c, "mpi.Igather", send, recv, c.Rank() == root, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Igather(a.send, a.n, a.element, a.recv, a.m, a.element, root, c.handle)))
}

// GatherInit prepares a [Gather] that can be started again and again. It is part of MPI 4.0.
func GatherInit[T any](c *Comm, send, recv []T, root int, options ...Choice) (*Persistent, error) {
	a, err := gathering(c, "mpi.GatherInit", send, recv, c.Rank() == root, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.GatherInit(a.send, a.n, a.element, a.recv, a.m, a.element, root, c.handle, a.info))
}

// Allgather is [Gather] where everybody gets everything.
func Allgather[T any](c *Comm, send, recv []T, options ...Choice) error {
	a, err := gathering(c, "mpi.Allgather", send, recv, true, options)
	if err != nil {
		return err
	}
	return a.told(low.Allgather(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle))
}

// Iallgather begins an [Allgather].
func Iallgather[T any](c *Comm, send, recv []T, options ...Choice) (*Request, error) {
	a, err := gathering(c, "mpi.Iallgather", send, recv, true, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Iallgather(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle)))
}

// AllgatherInit prepares an [Allgather] that can be started again and again. It is part of MPI 4.0.
func AllgatherInit[T any](c *Comm, send, recv []T, options ...Choice) (*Persistent, error) {
	a, err := gathering(c, "mpi.AllgatherInit", send, recv, true, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.AllgatherInit(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle, a.info))
}

// Scatter gives each process its part of send of root, len(recv) elements; send may be nil elsewhere.
// At root send must have as many elements as the parts together.
func Scatter[T any](c *Comm, send, recv []T, root int, options ...Choice) error {
	a, err := scattering(c, "mpi.Scatter", send, recv, root, options)
	if err != nil {
		return err
	}
	return a.told(low.Scatter(a.send, a.n, a.element, a.recv, a.m, a.element, root, c.handle))
}

// Iscatter begins a [Scatter].
func Iscatter[T any](c *Comm, send, recv []T, root int, options ...Choice) (*Request, error) {
	a, err := scattering(c, "mpi.Iscatter", send, recv, root, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Iscatter(a.send, a.n, a.element, a.recv, a.m, a.element, root, c.handle)))
}

// ScatterInit prepares a [Scatter] that can be started again and again. It is part of MPI 4.0.
func ScatterInit[T any](c *Comm, send, recv []T, root int, options ...Choice) (*Persistent, error) {
	a, err := scattering(c, "mpi.ScatterInit", send, recv, root, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.ScatterInit(a.send, a.n, a.element, a.recv, a.m, a.element, root, c.handle, a.info))
}

// Alltoall gives each process its part of send and collects the parts of all for this one in recv. The
// parts are of one length, so that the length of send is a multiple of the size of the communicator.
func Alltoall[T any](c *Comm, send, recv []T, options ...Choice) error {
	a, err := exchanging(c, "mpi.Alltoall", send, recv, options)
	if err != nil {
		return err
	}
	return a.told(low.Alltoall(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle))
}

// Ialltoall begins an [Alltoall].
func Ialltoall[T any](c *Comm, send, recv []T, options ...Choice) (*Request, error) {
	a, err := exchanging(c, "mpi.Ialltoall", send, recv, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Ialltoall(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle)))
}

// AlltoallInit prepares an [Alltoall] that can be started again and again. It is part of MPI 4.0.
func AlltoallInit[T any](c *Comm, send, recv []T, options ...Choice) (*Persistent, error) {
	a, err := exchanging(c, "mpi.AlltoallInit", send, recv, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.AlltoallInit(a.send, a.n, a.element, a.recv, a.m, a.element, c.handle, a.info))
}
