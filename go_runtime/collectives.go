package mpi

import (
	"fmt"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// Bcast sends data of the process with rank root to all others, whose data must be as long.
func Bcast[T any](c *Comm, data []T, root int) error {
	element, err := collective[T](c, "mpi.Bcast")
	if err != nil {
		return err
	}
	return low.Bcast(low.Slice(data), len(data), element, root, c.handle)
}

// Allreduce combines the elements of send over all processes; everybody gets the result in recv, which
// must have room for it.
func Allreduce[T any](c *Comm, send, recv []T, op Op[T]) error {
	element, handle, err := reduction(c, "mpi.Allreduce", send, recv, true, op)
	if err != nil {
		return err
	}
	return low.Allreduce(low.Slice(send), low.Slice(recv), len(send), element, handle, c.handle)
}

// AllreduceInPlace is [Allreduce] where the result replaces the input.
func AllreduceInPlace[T any](c *Comm, data []T, op Op[T]) error {
	element, handle, err := reduction(c, "mpi.AllreduceInPlace", nil, data, true, op)
	if err != nil {
		return err
	}
	return low.Allreduce(low.InPlace, low.Slice(data), len(data), element, handle, c.handle)
}

// Iallreduce begins an [Allreduce].
func Iallreduce[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	element, handle, err := reduction(c, "mpi.Iallreduce", send, recv, true, op)
	if err != nil {
		return nil, err
	}
	r, err := low.Iallreduce(low.Slice(send), low.Slice(recv), len(send), element, handle, c.handle)
	return started(r, err)
}

// Reduce is [Allreduce] where only root gets the result; recv may be nil elsewhere.
func Reduce[T any](c *Comm, send, recv []T, op Op[T], root int) error {
	element, handle, err := reduction(c, "mpi.Reduce", send, recv, c.Rank() == root, op)
	if err != nil {
		return err
	}
	return low.Reduce(low.Slice(send), low.Slice(recv), len(send), element, handle, root, c.handle)
}

// Scan combines the elements of send of this process and those before it.
func Scan[T any](c *Comm, send, recv []T, op Op[T]) error {
	element, handle, err := reduction(c, "mpi.Scan", send, recv, true, op)
	if err != nil {
		return err
	}
	return low.Scan(low.Slice(send), low.Slice(recv), len(send), element, handle, c.handle)
}

// Gather collects the slices of all processes, which must be of one length, at root, in the order of
// ranks; recv may be nil elsewhere.
func Gather[T any](c *Comm, send, recv []T, root int) error {
	const function = "mpi.Gather"
	element, err := collective[T](c, function)
	if err != nil {
		return err
	}
	if c.rank == root {
		if err := gathers(c, function, send, recv); err != nil {
			return err
		}
	}
	return low.Gather(low.Slice(send), len(send), element, low.Slice(recv), len(send), element, root, c.handle)
}

// Allgather is [Gather] where everybody gets everything.
func Allgather[T any](c *Comm, send, recv []T) error {
	const function = "mpi.Allgather"
	element, err := collective[T](c, function)
	if err != nil {
		return err
	}
	if err := gathers(c, function, send, recv); err != nil {
		return err
	}
	return low.Allgather(low.Slice(send), len(send), element, low.Slice(recv), len(send), element, c.handle)
}

// Scatter gives each process its part of send of root, len(recv) elements; send may be nil elsewhere.
// At root send must have as many elements as the parts together.
func Scatter[T any](c *Comm, send, recv []T, root int) error {
	const function = "mpi.Scatter"
	element, err := collective[T](c, function)
	if err != nil {
		return err
	}
	if c.rank == root {
		if err := sameLength(function, "send", len(send), len(recv)*c.size); err != nil {
			return err
		}
		if err := apart(function, send, recv); err != nil {
			return err
		}
	}
	return low.Scatter(low.Slice(send), len(recv), element, low.Slice(recv), len(recv), element, root, c.handle)
}

// Alltoall gives each process its part of send and collects the parts of all for this one in recv. The
// parts are of one length, so that the length of send is a multiple of the size of the communicator.
func Alltoall[T any](c *Comm, send, recv []T) error {
	const function = "mpi.Alltoall"
	element, err := collective[T](c, function)
	if err != nil {
		return err
	}
	n := len(send) / c.size
	if len(send) != n*c.size {
		return &Error{Class: ErrBuffer, Function: function,
			Message: fmt.Sprintf("send has %d elements, which cannot be divided among %d processes", len(send), c.size)}
	}
	if len(recv) < len(send) {
		return wrongLength(function, "recv", len(recv), len(send))
	}
	if err := apart(function, send, recv); err != nil {
		return err
	}
	return low.Alltoall(low.Slice(send), n, element, low.Slice(recv), n, element, c.handle)
}

// Gatherv is [Gather] for slices of different lengths: root says how many elements come from each
// process and gets them one after the other. counts and recv may be nil elsewhere.
func Gatherv[T any](c *Comm, send, recv []T, counts []int, root int) error {
	const function = "mpi.Gatherv"
	element, err := collective[T](c, function)
	if err != nil {
		return err
	}
	var displacements []int
	if c.rank == root {
		if displacements, err = oneAfterTheOther(c, function, counts, len(recv)); err != nil {
			return err
		}
		if err := sameLength(function, "send", len(send), counts[root]); err != nil {
			return err
		}
		if err := apart(function, send, recv); err != nil {
			return err
		}
	}
	return low.Gatherv(low.Slice(send), len(send), element, low.Slice(recv), counts, displacements, element, root, c.handle)
}

// collective is what every collective operation asks first; the datatype is that of the elements.
func collective[T any](c *Comm, function string) (low.Datatype, error) {
	if err := c.usable(function); err != nil {
		return low.DatatypeNull, err
	}
	if c.inter {
		return low.DatatypeNull, &Error{Class: ErrComm, Function: function,
			Message: "this is an intercommunicator, whose collective operations are in mpiglot.dev/mpi/low"}
	}
	return typeOf[T](function)
}

// reduction is the same for reductions. Only where the result is wanted recv is looked at.
func reduction[T any](c *Comm, function string, send, recv []T, wanted bool, op Op[T]) (low.Datatype, low.Op, error) {
	element, err := collective[T](c, function)
	if err != nil {
		return element, low.OpNull, err
	}
	handle, err := op.on(function)
	if err != nil || !wanted {
		return element, handle, err
	}
	if len(recv) < len(send) {
		return element, handle, wrongLength(function, "recv", len(recv), len(send))
	}
	return element, handle, apart(function, send, recv)
}

// gathers asks whether recv has room for as many elements of each process as send has.
func gathers[T any](c *Comm, function string, send, recv []T) error {
	if len(recv)/c.size < len(send) {
		return wrongLength(function, "recv", len(recv), len(send)*c.size)
	}
	return apart(function, send, recv)
}

// oneAfterTheOther is where the elements of each process begin, of which there is room for so many.
func oneAfterTheOther(c *Comm, function string, counts []int, room int) ([]int, error) {
	if err := sameLength(function, "counts", len(counts), c.size); err != nil {
		return nil, err
	}
	displacements := make([]int, c.size)
	total := 0
	for rank, n := range counts {
		displacements[rank] = total
		if n < 0 {
			return nil, &Error{Class: ErrCount, Function: function, Message: fmt.Sprintf("%d elements cannot come from rank %d", n, rank)}
		}
		if n > room-total {
			return nil, &Error{Class: ErrBuffer, Function: function,
				Message: fmt.Sprintf("recv has %d elements, %d are needed up to those of rank %d alone", room, uint(total)+uint(n), rank)}
		}
		total += n
	}
	return displacements, nil
}

// apart refuses slices that share elements: MPI must not read where it writes.
func apart[T any](function string, send, recv []T) error {
	if len(send) == 0 || len(recv) == 0 {
		return nil
	}
	size := unsafe.Sizeof(send[0])
	a, b := uintptr(unsafe.Pointer(&send[0])), uintptr(unsafe.Pointer(&recv[0]))
	if a < b+size*uintptr(len(recv)) && b < a+size*uintptr(len(send)) {
		return &Error{Class: ErrBuffer, Function: function, Message: "send and recv share elements"}
	}
	return nil
}
