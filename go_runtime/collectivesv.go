package mpi

import "mpiglot.dev/mpi/low"

// Gatherv is [Gather] for slices of different lengths: root says how many elements come from each
// process and gets them one after the other. counts and recv may be nil elsewhere.
func Gatherv[T any](c *Comm, send, recv []T, counts []int, root int, options ...Choice) error {
	a, err := gatheringParts(c, "mpi.Gatherv", send, recv, counts, c.Rank() == root, options)
	if err != nil {
		return err
	}
	return a.told(low.Gatherv(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, root, c.handle))
}

// Igatherv begins a [Gatherv].
func Igatherv[T any](c *Comm, send, recv []T, counts []int, root int, options ...Choice) (*Request, error) {
	a, err := gatheringParts(c, "mpi.Igatherv", send, recv, counts, c.Rank() == root, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Igatherv(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, root, c.handle)))
}

// GathervInit prepares a [Gatherv] that can be started again and again. It is part of MPI 4.0.
func GathervInit[T any](c *Comm, send, recv []T, counts []int, root int, options ...Choice) (*Persistent, error) {
	a, err := gatheringParts(c, "mpi.GathervInit", send, recv, counts, c.Rank() == root, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.GathervInit(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, root, c.handle, a.info))
}

// Allgatherv is [Gatherv] where everybody gets everything.
func Allgatherv[T any](c *Comm, send, recv []T, counts []int, options ...Choice) error {
	a, err := gatheringParts(c, "mpi.Allgatherv", send, recv, counts, true, options)
	if err != nil {
		return err
	}
	return a.told(low.Allgatherv(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle))
}

// Iallgatherv begins an [Allgatherv].
func Iallgatherv[T any](c *Comm, send, recv []T, counts []int, options ...Choice) (*Request, error) {
	a, err := gatheringParts(c, "mpi.Iallgatherv", send, recv, counts, true, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Iallgatherv(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle)))
}

// AllgathervInit prepares an [Allgatherv] that can be started again and again. It is part of MPI 4.0.
func AllgathervInit[T any](c *Comm, send, recv []T, counts []int, options ...Choice) (*Persistent, error) {
	a, err := gatheringParts(c, "mpi.AllgathervInit", send, recv, counts, true, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.AllgathervInit(a.send, a.n, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle, a.info))
}

// Scatterv is [Scatter] for parts of different lengths, which stand one after the other in send of root. counts and
// send may be nil elsewhere.
func Scatterv[T any](c *Comm, send []T, counts []int, recv []T, root int, options ...Choice) error {
	a, err := scatteringParts(c, "mpi.Scatterv", send, counts, recv, root, options)
	if err != nil {
		return err
	}
	return a.told(low.Scatterv(a.send, a.sends, a.sendsAt, a.element, a.recv, a.m, a.element, root, c.handle))
}

// Iscatterv begins a [Scatterv].
func Iscatterv[T any](c *Comm, send []T, counts []int, recv []T, root int, options ...Choice) (*Request, error) {
	a, err := scatteringParts(c, "mpi.Iscatterv", send, counts, recv, root, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Iscatterv(a.send, a.sends, a.sendsAt, a.element, a.recv, a.m, a.element, root, c.handle)))
}

// ScattervInit prepares a [Scatterv] that can be started again and again. It is part of MPI 4.0.
func ScattervInit[T any](c *Comm, send []T, counts []int, recv []T, root int, options ...Choice) (*Persistent, error) {
	a, err := scatteringParts(c, "mpi.ScattervInit", send, counts, recv, root, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.ScattervInit(a.send, a.sends, a.sendsAt, a.element, a.recv, a.m, a.element, root, c.handle, a.info))
}

// Alltoallv is [Alltoall] for parts of different lengths, which stand one after the other.
func Alltoallv[T any](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int, options ...Choice) error {
	a, err := exchangingParts(c, "mpi.Alltoallv", send, sendCounts, recv, recvCounts, options)
	if err != nil {
		return err
	}
	return a.told(low.Alltoallv(a.send, a.sends, a.sendsAt, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle))
}

// Ialltoallv begins an [Alltoallv].
func Ialltoallv[T any](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int, options ...Choice) (*Request, error) {
	a, err := exchangingParts(c, "mpi.Ialltoallv", send, sendCounts, recv, recvCounts, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Ialltoallv(a.send, a.sends, a.sendsAt, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle)))
}

// AlltoallvInit prepares an [Alltoallv] that can be started again and again. It is part of MPI 4.0.
func AlltoallvInit[T any](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int, options ...Choice) (*Persistent, error) {
	a, err := exchangingParts(c, "mpi.AlltoallvInit", send, sendCounts, recv, recvCounts, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.AlltoallvInit(a.send, a.sends, a.sendsAt, a.element, a.recv, a.recvs, a.recvsAt, a.element, c.handle, a.info))
}
