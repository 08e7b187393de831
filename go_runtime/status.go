package mpi

import "mpiglot.dev/mpi/low"

// Status says what a receive got.
type Status struct {
	s         low.Status
	cancelled bool // known already, since s says nothing of a message then
}

// Source is the rank of the sender; [Undefined] of nil.
func (s *Status) Source() int {
	if s == nil {
		return Undefined
	}
	return s.s.Source()
}

// Tag is the tag of the message; [Undefined] of nil.
func (s *Status) Tag() int {
	if s == nil {
		return Undefined
	}
	return s.s.Tag()
}

// Cancelled tells whether [Request.Cancel] has kept the operation from happening. Then there was no message: the source
// is [ProcNull], and [Count] is 0. It can be asked until [Finalize].
func (s *Status) Cancelled() bool {
	if s == nil || s.cancelled {
		return s != nil
	}
	cancelled, err := low.TestCancelled(&s.s)
	return err == nil && cancelled
}

// settle makes the status of an operation that was cancelled say nothing of a message: libraries leave in it what was
// there.
func (s *Status) settle() {
	if !s.Cancelled() {
		return
	}
	*s = Status{cancelled: true}
	s.s.SetSource(ProcNull)
	s.s.SetTag(AnyTag)
	_ = low.StatusSetCancelled(&s.s, true) // for who asks low
}

// Low is the status as [mpiglot.dev/mpi/low] knows it; nil of nil.
func (s *Status) Low() *low.Status {
	if s == nil {
		return nil
	}
	return &s.s
}

// Count tells how many elements of type T a message had; [Undefined] if it was no whole number of them.
func Count[T any](s *Status) (int, error) {
	const function = "mpi.Count"
	if s == nil {
		return 0, &Error{Class: ErrArg, Function: function, Message: "the status is nil"}
	}
	element, err := typeOf[T](function)
	if err != nil {
		return 0, err
	}
	return low.GetCount(&s.s, element)
}
