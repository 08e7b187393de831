package mpi

import "mpiglot.dev/mpi/low"

// Status says what a receive got.
type Status struct{ s low.Status }

// Source is the rank of the sender.
func (s *Status) Source() int { return s.s.Source() }

// Tag is the tag of the message.
func (s *Status) Tag() int { return s.s.Tag() }

// Low is the status as [mpiglot.dev/mpi/low] knows it.
func (s *Status) Low() *low.Status { return &s.s }

// Count tells how many elements of type T a message had; [Undefined] if it was no whole number of them.
func Count[T any](s *Status) (int, error) {
	element, err := typeOf[T]()
	if err != nil {
		return 0, err
	}
	return low.GetCount(&s.s, element)
}

// A Request is an operation that is on its way. Its slices stay in place and alive until [Request.Wait]
// or [Request.Test] has told that it is complete; until then they must not be touched.
type Request struct{ handle low.Request }

// Handle is the request as [mpiglot.dev/mpi/low] knows it.
func (r *Request) Handle() low.Request { return r.handle }

// Wait waits until the operation is complete.
func (r *Request) Wait() (Status, error) {
	var s Status
	err := low.Wait(&r.handle, &s.s)
	return s, err
}

// Test asks whether the operation is complete; the status means something only if it is.
func (r *Request) Test() (s Status, done bool, err error) {
	done, err = low.Test(&r.handle, &s.s)
	return s, done, err
}

// Cancel asks for the operation not to happen; wait for it all the same.
func (r *Request) Cancel() error { return low.Cancel(&r.handle) }

// WaitAll waits until all operations are complete. If one of them failed, errors.Is(err, ErrInStatus)
// is true of the error, or it is that of the operation.
func WaitAll(requests ...*Request) ([]Status, error) {
	handles := make([]low.Request, len(requests))
	for i, r := range requests {
		handles[i] = r.handle
	}
	statuses := make([]low.Status, len(requests))
	err := low.Waitall(handles, statuses)
	out := make([]Status, len(requests))
	for i, r := range requests {
		r.handle = handles[i]
		out[i].s = statuses[i]
	}
	return out, err
}

// WaitAny waits until one of the operations is complete and tells which; -1 if none was pending.
func WaitAny(requests ...*Request) (int, Status, error) {
	handles := make([]low.Request, len(requests))
	for i, r := range requests {
		handles[i] = r.handle
	}
	var s Status
	i, err := low.Waitany(handles, &s.s)
	for j, r := range requests {
		r.handle = handles[j]
	}
	if i == low.Undefined {
		i = -1
	}
	return i, s, err
}
