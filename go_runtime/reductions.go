package mpi

import "mpiglot.dev/mpi/low"

// ReduceLocal combines the elements of in with those of inout, which gets the result, in this process alone.
func ReduceLocal[T any](in, inout []T, op Op[T]) error {
	const function = "mpi.ReduceLocal"
	handle, err := op.on(function)
	if err != nil {
		return err
	}
	element, err := typeOf[T](function)
	if err != nil {
		return err
	}
	if err := sameLength(function, "inout", len(inout), len(in)); err != nil {
		return err
	}
	if err := apart(function, in, inout); err != nil {
		return err
	}
	return low.ReduceLocal(low.Slice(in), low.Slice(inout), len(in), element, handle)
}

// counted tells counts that are nil, which are too few, from parts of one length.
func counted(counts []int) []int {
	if counts == nil {
		return []int{}
	}
	return counts
}

// Reduce is [Allreduce] where only root gets the result; recv may be nil elsewhere.
func Reduce[T any](c *Comm, send, recv []T, op Op[T], root int, options ...Choice) error {
	a, err := reduction(c, "mpi.Reduce", send, recv, c.Rank() == root, op, options)
	if err != nil {
		return err
	}
	return a.told(low.Reduce(a.send, a.recv, a.n, a.element, a.op, root, c.handle))
}

// Ireduce begins a [Reduce].
func Ireduce[T any](c *Comm, send, recv []T, op Op[T], root int, options ...Choice) (*Request, error) {
	a, err := reduction(c, "mpi.Ireduce", send, recv, c.Rank() == root, op, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Ireduce(a.send, a.recv, a.n, a.element, a.op, root, c.handle)))
}

// ReduceInit prepares a [Reduce] that can be started again and again. It is part of MPI 4.0.
func ReduceInit[T any](c *Comm, send, recv []T, op Op[T], root int, options ...Choice) (*Persistent, error) {
	a, err := reduction(c, "mpi.ReduceInit", send, recv, c.Rank() == root, op, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.ReduceInit(a.send, a.recv, a.n, a.element, a.op, root, c.handle, a.info))
}

// Allreduce combines the elements of send over all processes; everybody gets the result in recv, which
// must have room for it.
func Allreduce[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) error {
	a, err := reduction(c, "mpi.Allreduce", send, recv, true, op, options)
	if err != nil {
		return err
	}
	return a.told(low.Allreduce(a.send, a.recv, a.n, a.element, a.op, c.handle))
}

// Iallreduce begins an [Allreduce].
func Iallreduce[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Request, error) {
	a, err := reduction(c, "mpi.Iallreduce", send, recv, true, op, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Iallreduce(a.send, a.recv, a.n, a.element, a.op, c.handle)))
}

// AllreduceInit prepares an [Allreduce] that can be started again and again. It is part of MPI 4.0.
func AllreduceInit[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Persistent, error) {
	a, err := reduction(c, "mpi.AllreduceInit", send, recv, true, op, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.AllreduceInit(a.send, a.recv, a.n, a.element, a.op, c.handle, a.info))
}

// Scan combines the elements of send of this process and those before it.
func Scan[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) error {
	a, err := reduction(c, "mpi.Scan", send, recv, true, op, options)
	if err != nil {
		return err
	}
	return a.told(low.Scan(a.send, a.recv, a.n, a.element, a.op, c.handle))
}

// Iscan begins a [Scan].
func Iscan[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Request, error) {
	a, err := reduction(c, "mpi.Iscan", send, recv, true, op, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Iscan(a.send, a.recv, a.n, a.element, a.op, c.handle)))
}

// ScanInit prepares a [Scan] that can be started again and again. It is part of MPI 4.0.
func ScanInit[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Persistent, error) {
	a, err := reduction(c, "mpi.ScanInit", send, recv, true, op, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.ScanInit(a.send, a.recv, a.n, a.element, a.op, c.handle, a.info))
}

// Exscan combines the elements of send of the processes before this one; recv of rank 0 stays as it is.
func Exscan[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) error {
	a, err := reduction(c, "mpi.Exscan", send, recv, true, op, options)
	if err != nil {
		return err
	}
	return a.told(low.Exscan(a.send, a.recv, a.n, a.element, a.op, c.handle))
}

// Iexscan begins an [Exscan].
func Iexscan[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Request, error) {
	a, err := reduction(c, "mpi.Iexscan", send, recv, true, op, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.Iexscan(a.send, a.recv, a.n, a.element, a.op, c.handle)))
}

// ExscanInit prepares an [Exscan] that can be started again and again. It is part of MPI 4.0.
func ExscanInit[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Persistent, error) {
	a, err := reduction(c, "mpi.ExscanInit", send, recv, true, op, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.ExscanInit(a.send, a.recv, a.n, a.element, a.op, c.handle, a.info))
}

// ReduceScatter combines the elements of send over all processes and gives each process its part of the result, of
// which counts tells the lengths.
func ReduceScatter[T any](c *Comm, send, recv []T, counts []int, op Op[T], options ...Choice) error {
	a, err := sharing(c, "mpi.ReduceScatter", send, recv, counted(counts), op, options)
	if err != nil {
		return err
	}
	return a.told(low.ReduceScatter(a.send, a.recv, a.recvs, a.element, a.op, c.handle))
}

// IreduceScatter begins a [ReduceScatter].
func IreduceScatter[T any](c *Comm, send, recv []T, counts []int, op Op[T], options ...Choice) (*Request, error) {
	a, err := sharing(c, "mpi.IreduceScatter", send, recv, counted(counts), op, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.IreduceScatter(a.send, a.recv, a.recvs, a.element, a.op, c.handle)))
}

// ReduceScatterInit prepares a [ReduceScatter] that can be started again and again. It is part of MPI 4.0.
func ReduceScatterInit[T any](c *Comm, send, recv []T, counts []int, op Op[T], options ...Choice) (*Persistent, error) {
	a, err := sharing(c, "mpi.ReduceScatterInit", send, recv, counted(counts), op, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.ReduceScatterInit(a.send, a.recv, a.recvs, a.element, a.op, c.handle, a.info))
}

// ReduceScatterBlock is [ReduceScatter] with parts of one length.
func ReduceScatterBlock[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) error {
	a, err := sharing(c, "mpi.ReduceScatterBlock", send, recv, nil, op, options)
	if err != nil {
		return err
	}
	return a.told(low.ReduceScatterBlock(a.send, a.recv, a.m, a.element, a.op, c.handle))
}

// IreduceScatterBlock begins a [ReduceScatterBlock].
func IreduceScatterBlock[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Request, error) {
	a, err := sharing(c, "mpi.IreduceScatterBlock", send, recv, nil, op, options)
	if err != nil {
		return nil, err
	}
	keepAway(&a, send, recv)
	return a.begun(started(low.IreduceScatterBlock(a.send, a.recv, a.m, a.element, a.op, c.handle)))
}

// ReduceScatterBlockInit prepares a [ReduceScatterBlock] that can be started again and again. It is part of MPI 4.0.
func ReduceScatterBlockInit[T any](c *Comm, send, recv []T, op Op[T], options ...Choice) (*Persistent, error) {
	a, err := sharing(c, "mpi.ReduceScatterBlockInit", send, recv, nil, op, options)
	if err != nil {
		return nil, err
	}
	return a.prepared(low.ReduceScatterBlockInit(a.send, a.recv, a.m, a.element, a.op, c.handle, a.info))
}
