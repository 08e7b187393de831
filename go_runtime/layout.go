package mpi

import (
	"fmt"
	"math"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// A Layout picks some of the elements of a slice: the columns of a matrix, every second number.
type Layout[T any] struct{ *picks }

// picks is what copies of a [Layout] share.
type picks struct {
	handle low.Datatype
	reach  int // elements from the first to the last one that is picked, plus one
	picked int
}

// Every picks count blocks of length elements each; from the start of one block to the start of the
// next it is stride elements. Every(rows, 1, columns) is a column of a matrix that is stored by rows.
func Every[T any](count, length, stride int) (*Layout[T], error) {
	const function = "mpi.Every"
	element, err := typeOf[T](function)
	if err != nil {
		return nil, err
	}
	if count < 0 || length < 0 || stride < length {
		return nil, &Error{Class: ErrArg, Function: function,
			Message: fmt.Sprintf("%d blocks of %d elements cannot be %d elements apart", count, length, stride)}
	}
	var one T
	if room := math.MaxInt / max(1, int(unsafe.Sizeof(one))); count > 0 && stride > room/count {
		return nil, &Error{Class: ErrArg, Function: function,
			Message: fmt.Sprintf("%d blocks that are %d elements apart do not fit into memory", count, stride)}
	}
	handle, err := low.TypeVector(count, length, stride, element)
	if err != nil {
		return nil, err
	}
	if err := low.TypeCommit(&handle); err != nil {
		return nil, err
	}
	reach := 0
	if count > 0 && length > 0 {
		reach = (count-1)*stride + length
	}
	return &Layout[T]{&picks{handle, reach, count * length}}, nil
}

// Len is how many elements the layout picks.
func (l *Layout[T]) Len() int {
	if l == nil || l.picks == nil {
		return 0
	}
	return l.picked
}

// Handle is the datatype as [mpiglot.dev/mpi/low] knows it; [low.DatatypeNull] of nil.
func (l *Layout[T]) Handle() low.Datatype {
	if l == nil || l.picks == nil || l.handle == 0 {
		return low.DatatypeNull
	}
	return l.handle
}

// Free gives the layout back; operations that use it already are not disturbed.
func (l *Layout[T]) Free() error {
	if err := l.usable("mpi.Layout.Free"); err != nil {
		return err
	}
	return low.TypeFree(&l.handle)
}

func (l *Layout[T]) usable(function string) error {
	if l.Handle() == low.DatatypeNull {
		return &Error{Class: ErrType, Function: function, Message: "there is no layout: it is nil, was never made, or was freed"}
	}
	return nil
}

// buffer is the memory of data for a call of the function.
func (l *Layout[T]) buffer(c *Comm, function string, data []T) (low.Buffer, error) {
	if err := c.usable(function); err != nil {
		return low.Buffer{}, err
	}
	if err := l.usable(function); err != nil {
		return low.Buffer{}, err
	}
	if len(data) < l.reach {
		return low.Buffer{}, wrongLength(function, "data", len(data), l.reach)
	}
	return low.Slice(data), nil
}
