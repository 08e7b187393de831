package mpi

import "mpiglot.dev/mpi/low"

// Bcast sends data of the process with rank root to all others, whose data must be as long.
func Bcast[T any](c *Comm, data []T, root int) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	return low.Bcast(low.Slice(data), len(data), element, root, c.handle)
}

// Allreduce combines the elements of send over all processes; everybody gets the result in recv.
func Allreduce[T any](c *Comm, send, recv []T, op Op) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	if len(recv) < len(send) {
		return wrongLength("mpi.Allreduce", "recv", len(recv), len(send))
	}
	return low.Allreduce(low.Slice(send), low.Slice(recv), len(send), element, *op.handle, c.handle)
}

// AllreduceInPlace is [Allreduce] where the result replaces the input.
func AllreduceInPlace[T any](c *Comm, data []T, op Op) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	return low.Allreduce(low.InPlace, low.Slice(data), len(data), element, *op.handle, c.handle)
}

// Iallreduce begins an [Allreduce].
func Iallreduce[T any](c *Comm, send, recv []T, op Op) (*Request, error) {
	element, err := typeOf[T]()
	if err != nil {
		return nil, err
	}
	if len(recv) < len(send) {
		return nil, wrongLength("mpi.Iallreduce", "recv", len(recv), len(send))
	}
	r, err := low.Iallreduce(low.Slice(send), low.Slice(recv), len(send), element, *op.handle, c.handle)
	return started(r, err)
}

// Reduce is [Allreduce] where only root gets the result; recv may be nil elsewhere.
func Reduce[T any](c *Comm, send, recv []T, op Op, root int) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	if c.rank == root && len(recv) < len(send) {
		return wrongLength("mpi.Reduce", "recv", len(recv), len(send))
	}
	return low.Reduce(low.Slice(send), low.Slice(recv), len(send), element, *op.handle, root, c.handle)
}

// Scan combines the elements of send of this process and those before it.
func Scan[T any](c *Comm, send, recv []T, op Op) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	if len(recv) < len(send) {
		return wrongLength("mpi.Scan", "recv", len(recv), len(send))
	}
	return low.Scan(low.Slice(send), low.Slice(recv), len(send), element, *op.handle, c.handle)
}

// Gather collects the slices of all processes, which must be of one length, at root, in the order of
// ranks; recv may be nil elsewhere.
func Gather[T any](c *Comm, send, recv []T, root int) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	if c.rank == root && len(recv) < len(send)*c.size {
		return wrongLength("mpi.Gather", "recv", len(recv), len(send)*c.size)
	}
	return low.Gather(low.Slice(send), len(send), element, low.Slice(recv), len(send), element, root, c.handle)
}

// Allgather is [Gather] where everybody gets everything.
func Allgather[T any](c *Comm, send, recv []T) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	if len(recv) < len(send)*c.size {
		return wrongLength("mpi.Allgather", "recv", len(recv), len(send)*c.size)
	}
	return low.Allgather(low.Slice(send), len(send), element, low.Slice(recv), len(send), element, c.handle)
}

// Scatter gives each process its part of send of root, len(recv) elements; send may be nil elsewhere.
func Scatter[T any](c *Comm, send, recv []T, root int) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	if c.rank == root && len(send) < len(recv)*c.size {
		return wrongLength("mpi.Scatter", "send", len(send), len(recv)*c.size)
	}
	return low.Scatter(low.Slice(send), len(recv), element, low.Slice(recv), len(recv), element, root, c.handle)
}

// Alltoall gives each process its part of send and collects the parts of all for this one in recv.
func Alltoall[T any](c *Comm, send, recv []T) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	n := len(send) / c.size
	if len(send) != n*c.size {
		return wrongLength("mpi.Alltoall", "send", len(send), (n+1)*c.size)
	}
	if len(recv) < len(send) {
		return wrongLength("mpi.Alltoall", "recv", len(recv), len(send))
	}
	return low.Alltoall(low.Slice(send), n, element, low.Slice(recv), n, element, c.handle)
}

// Gatherv is [Gather] for slices of different lengths: root says how many elements come from each
// process and gets them one after the other. counts and recv may be nil elsewhere.
func Gatherv[T any](c *Comm, send, recv []T, counts []int, root int) error {
	element, err := typeOf[T]()
	if err != nil {
		return err
	}
	var displacements []int
	if c.rank == root {
		if len(counts) != c.size {
			return wrongLength("mpi.Gatherv", "counts", len(counts), c.size)
		}
		total := 0
		displacements = make([]int, c.size)
		for i, n := range counts {
			displacements[i] = total
			total += n
		}
		if len(recv) < total {
			return wrongLength("mpi.Gatherv", "recv", len(recv), total)
		}
	}
	return low.Gatherv(low.Slice(send), len(send), element, low.Slice(recv), counts, displacements, element, root, c.handle)
}
