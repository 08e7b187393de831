package low

// #include "mpiglot.h"
import "C"

import (
	"sync/atomic"
	"unsafe"
)

// Status says what a receive or another operation did. It is the library's own structure, so that it
// can go back into calls such as [GetCount]; its fields are read by the methods. Where a function
// takes a *Status, nil means that it is not wanted.
type Status struct{ words [4]uint64 }

// C and Go agree on how large a Status is: this does not compile if they do not.
var _ [unsafe.Sizeof(Status{})]byte = [8 * C.MPG_STATUS_WORDS]byte{}

// copy takes what a call has left in its thread's place, which is free after it. That must not be seen before the copy
// is made.
func (s *Status) copy(place *C.mpg_place) {
	*s = *(*Status)(unsafe.Pointer(&place.written))
	if storesStayInOrder {
		place.taken = 0
	} else {
		atomic.StoreInt32((*int32)(unsafe.Pointer(&place.taken)), 0)
	}
}

func (s *Status) field(offset uintptr) *int32 {
	return (*int32)(unsafe.Add(unsafe.Pointer(s), offset))
}

// Source is the rank of the sender ([AnySource] and [ProcNull] included).
func (s *Status) Source() int { return sourceValues.out(int64(*s.field(inUse.source))) }

// Tag is the tag of the message.
func (s *Status) Tag() int { return tagValues.out(int64(*s.field(inUse.tag))) }

// Err is the error of this operation; it has a meaning only where a call that completes several
// operations returned [ErrInStatus].
func (s *Status) Err() error {
	code := *s.field(inUse.err)
	if code == 0 {
		return nil
	}
	return newError("", int64(code))
}

// SetSource changes the rank of the sender; the Set methods are for generalized requests.
func (s *Status) SetSource(rank int) { *s.field(inUse.source) = int32(sourceValues.in(rank)) }

// SetTag changes the tag.
func (s *Status) SetTag(tag int) { *s.field(inUse.tag) = int32(tagValues.in(tag)) }

// SetErr changes the error; nil is success.
func (s *Status) SetErr(err error) { *s.field(inUse.err) = int32(codeOf(err)) }
