package mpi

import (
	"errors"

	"mpiglot.dev/mpi/low"
)

// A Message has been found by [Comm.Mprobe] or [Comm.Improbe] and belongs to its finder: no other receive takes it.
// It must be received once, by [Mrecv], [Imrecv] or [MrecvSlice].
type Message struct{ *found }

// found is what copies of a [Message] share.
type found struct {
	handle low.Message
	status Status
}

// Mprobe waits for a message and takes it out of what other receives and probes see. With goroutines it is the
// right one: between [Comm.Probe] and [Recv] another goroutine may receive the message.
func (c *Comm) Mprobe(source, tag int) (*Message, error) {
	if err := c.usable("mpi.Comm.Mprobe"); err != nil {
		return nil, err
	}
	m := &Message{&found{}}
	var err error
	if m.handle, err = low.Mprobe(source, tag, c.handle, &m.status.s); err != nil {
		return nil, err
	}
	return m, nil
}

// Improbe is [Comm.Mprobe] that does not wait; it gives nil if there is no message.
func (c *Comm) Improbe(source, tag int) (*Message, error) {
	if err := c.usable("mpi.Comm.Improbe"); err != nil {
		return nil, err
	}
	m := &Message{&found{}}
	handle, found, err := low.Improbe(source, tag, c.handle, &m.status.s)
	if err != nil || !found {
		return nil, err
	}
	m.handle = handle
	return m, nil
}

// Iprobe is [Comm.Probe] that does not wait; the status means something only if a message was found.
func (c *Comm) Iprobe(source, tag int) (s Status, found bool, err error) {
	if err := c.usable("mpi.Comm.Iprobe"); err != nil {
		return s, false, err
	}
	found, err = low.Iprobe(source, tag, c.handle, &s.s)
	return s, found, err
}

// Status says who has sent the message, with which tag, and to [Count] how long it is.
func (m *Message) Status() Status {
	if m == nil || m.found == nil {
		return Status{}
	}
	return m.status
}

func (m *Message) usable(function string) error {
	if m == nil || m.found == nil || m.handle == 0 || m.handle == low.MessageNull {
		return &Error{Class: ErrRequest, Function: function,
			Message: "there is no message: it is nil, was never found, or was received"}
	}
	return nil
}

// matched is what every receive of a message that was found asks first.
func matched[T any](m *Message, function string) (low.Datatype, error) {
	if err := m.usable(function); err != nil {
		return low.DatatypeNull, err
	}
	return typeOf[T](function)
}

// Mrecv receives a message that was found, as [Recv] does.
func Mrecv[T any](m *Message, data []T) (Status, error) {
	var s Status
	element, err := matched[T](m, "mpi.Mrecv")
	if err != nil {
		return s, err
	}
	err = low.Mrecv(low.Slice(data), len(data), element, &m.handle, &s.s)
	return s, err
}

// Imrecv begins an [Mrecv].
func Imrecv[T any](m *Message, data []T) (*Request, error) {
	element, err := matched[T](m, "mpi.Imrecv")
	if err != nil {
		return nil, err
	}
	return started(low.Imrecv(low.Slice(data), len(data), element, &m.handle))
}

// MrecvSlice receives a message that was found into a new slice of its length. A message that is no whole number of
// elements is an error ([ErrTruncate]) and can still be received as something else.
func MrecvSlice[T any](m *Message) ([]T, error) {
	const function = "mpi.MrecvSlice"
	if err := m.usable(function); err != nil {
		return nil, err
	}
	n, err := Count[T](&m.status)
	if err != nil {
		return nil, err
	}
	if n == Undefined {
		return nil, &Error{Class: ErrTruncate, Function: function, Message: "the message is no whole number of elements"}
	}
	data := make([]T, n)
	_, err = Mrecv(m, data)
	return data, err
}

// A FragmentError is the error of a message that is no whole number of the elements that were asked for. It was received:
// Data is its bytes. [errors.Is] finds [ErrTruncate] in it.
type FragmentError struct {
	Data []byte
	err  error
}

func (e *FragmentError) Error() string {
	if err := e.Unwrap(); err != nil {
		return err.Error()
	}
	return "the message is no whole number of elements"
}

// Unwrap is the error as MPI would tell it.
func (e *FragmentError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// RecvSlice receives a message of any length into a new slice. If it is no whole number of elements, the error is a
// [FragmentError], which has its bytes.
func RecvSlice[T any](c *Comm, source, tag int) ([]T, Status, error) {
	const function = "mpi.RecvSlice"
	if _, err := message[T](c, function); err != nil {
		return nil, Status{}, err
	}
	m, err := c.Mprobe(source, tag)
	if err != nil {
		return nil, Status{}, err
	}
	data, err := MrecvSlice[T](m)
	if err != nil && m.usable(function) == nil {
		err = m.fragment(err)
	}
	return data, m.status, err
}

// fragment receives the bytes of a message that nobody else can receive, so that its sender goes on.
func (m *Message) fragment(err error) error {
	data, failed := MrecvSlice[byte](m)
	if failed != nil {
		return errors.Join(err, failed)
	}
	return &FragmentError{Data: data, err: err}
}
