package mpi

import "mpiglot.dev/mpi/low"

// What may stand for a rank or a tag.
const (
	AnySource = low.AnySource // a receive takes a message from anybody
	AnyTag    = low.AnyTag    // a receive takes a message with any tag
	ProcNull  = low.ProcNull  // nobody: the message is dropped, the receive is empty
)

// Send sends the elements of data to a process. It returns when data may be used again.
func Send[T any](c *Comm, data []T, dest, tag int) error {
	element, err := message[T](c, "mpi.Send")
	if err != nil {
		return err
	}
	return low.Send(low.Slice(data), len(data), element, dest, tag, c.handle)
}

// Recv receives at most len(data) elements; a longer message is an error ([ErrTruncate]). How many came
// tells [Count] of the status.
func Recv[T any](c *Comm, data []T, source, tag int) (Status, error) {
	var s Status
	element, err := message[T](c, "mpi.Recv")
	if err != nil {
		return s, err
	}
	err = low.Recv(low.Slice(data), len(data), element, source, tag, c.handle, &s.s)
	return s, err
}

// Sendrecv sends and receives at once, which cannot deadlock as the two calls can.
func Sendrecv[T any](c *Comm, send []T, dest, sendTag int, recv []T, source, recvTag int) (Status, error) {
	var s Status
	element, err := message[T](c, "mpi.Sendrecv")
	if err != nil {
		return s, err
	}
	err = low.Sendrecv(low.Slice(send), len(send), element, dest, sendTag,
		low.Slice(recv), len(recv), element, source, recvTag, c.handle, &s.s)
	return s, err
}

// Isend begins a [Send]; data must not be changed until the request is complete.
func Isend[T any](c *Comm, data []T, dest, tag int) (*Request, error) {
	element, err := message[T](c, "mpi.Isend")
	if err != nil {
		return nil, err
	}
	r, err := low.Isend(low.Slice(data), len(data), element, dest, tag, c.handle)
	return started(r, err)
}

// Irecv begins a [Recv]; data must not be used until the request is complete.
func Irecv[T any](c *Comm, data []T, source, tag int) (*Request, error) {
	element, err := message[T](c, "mpi.Irecv")
	if err != nil {
		return nil, err
	}
	r, err := low.Irecv(low.Slice(data), len(data), element, source, tag, c.handle)
	return started(r, err)
}

// message is what every operation of two processes asks first; the datatype is that of the elements.
func message[T any](c *Comm, function string) (low.Datatype, error) {
	if err := c.usable(function); err != nil {
		return low.DatatypeNull, err
	}
	return typeOf[T](function)
}

// Probe waits for a message and tells about it without receiving it.
func (c *Comm) Probe(source, tag int) (Status, error) {
	var s Status
	if err := c.usable("mpi.Comm.Probe"); err != nil {
		return s, err
	}
	err := low.Probe(source, tag, c.handle, &s.s)
	return s, err
}

// SendLayout sends the elements of data that the layout picks.
func SendLayout[T any](c *Comm, layout *Layout[T], data []T, dest, tag int) error {
	buffer, err := layout.buffer(c, "mpi.SendLayout", data)
	if err != nil {
		return err
	}
	return low.Send(buffer, 1, layout.handle, dest, tag, c.handle)
}

// RecvLayout receives into the elements of data that the layout picks.
func RecvLayout[T any](c *Comm, layout *Layout[T], data []T, source, tag int) (Status, error) {
	var s Status
	buffer, err := layout.buffer(c, "mpi.RecvLayout", data)
	if err != nil {
		return s, err
	}
	err = low.Recv(buffer, 1, layout.handle, source, tag, c.handle, &s.s)
	return s, err
}

// IsendLayout begins a [SendLayout].
func IsendLayout[T any](c *Comm, layout *Layout[T], data []T, dest, tag int) (*Request, error) {
	buffer, err := layout.buffer(c, "mpi.IsendLayout", data)
	if err != nil {
		return nil, err
	}
	r, err := low.Isend(buffer, 1, layout.handle, dest, tag, c.handle)
	return started(r, err)
}

// IrecvLayout begins a [RecvLayout].
func IrecvLayout[T any](c *Comm, layout *Layout[T], data []T, source, tag int) (*Request, error) {
	buffer, err := layout.buffer(c, "mpi.IrecvLayout", data)
	if err != nil {
		return nil, err
	}
	r, err := low.Irecv(buffer, 1, layout.handle, source, tag, c.handle)
	return started(r, err)
}
