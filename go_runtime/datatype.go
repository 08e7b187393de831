package mpi

import (
	"fmt"
	"reflect"
	"sync"

	"mpiglot.dev/mpi/low"
)

// typeOf is the MPI datatype of one element of type T.
func typeOf[T any]() (low.Datatype, error) {
	t := reflect.TypeFor[T]()
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return low.Int64T, nil
	case reflect.Float64:
		return low.Double, nil
	case reflect.Float32:
		return low.Float, nil
	case reflect.Int32:
		return low.Int32T, nil
	case reflect.Uint8:
		return low.Uint8T, nil
	case reflect.Int8:
		return low.Int8T, nil
	case reflect.Int16:
		return low.Int16T, nil
	case reflect.Uint16:
		return low.Uint16T, nil
	case reflect.Uint32:
		return low.Uint32T, nil
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return low.Uint64T, nil
	case reflect.Bool:
		return low.CBool, nil
	case reflect.Complex64:
		return low.CFloatComplex, nil
	case reflect.Complex128:
		return low.CDoubleComplex, nil
	}
	return bytesOf(t)
}

// types holds the datatypes that were made for arrays and structs: so many bytes each.
var types struct {
	sync.Mutex
	made map[reflect.Type]low.Datatype
}

func bytesOf(t reflect.Type) (low.Datatype, error) {
	types.Lock()
	defer types.Unlock()
	if d, ok := types.made[t]; ok {
		return d, nil
	}
	if hasPointers(t) {
		return low.DatatypeNull, &Error{Class: ErrType,
			Message: fmt.Sprintf("a %s holds pointers, which mean nothing to another process", t)}
	}
	d, err := low.TypeContiguous(int(t.Size()), low.Byte)
	if err != nil {
		return d, err
	}
	if err := low.TypeCommit(&d); err != nil {
		return d, err
	}
	if types.made == nil {
		types.made = map[reflect.Type]low.Datatype{}
	}
	types.made[t] = d
	return d, nil
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Pointer, reflect.UnsafePointer, reflect.String, reflect.Slice, reflect.Map,
		reflect.Chan, reflect.Func, reflect.Interface:
		return true
	}
	return false
}

func freeTypes() {
	types.Lock()
	defer types.Unlock()
	for t, d := range types.made {
		_ = low.TypeFree(&d)
		delete(types.made, t)
	}
}

// A Layout picks some of the elements of a slice: the columns of a matrix, every second number.
type Layout[T any] struct {
	handle low.Datatype
	reach  int // elements from the first to the last one that is picked, plus one
	picked int
}

// Every picks count blocks of length elements each; from the start of one block to the start of the
// next it is stride elements. Every(rows, 1, columns) is a column of a matrix that is stored by rows.
func Every[T any](count, length, stride int) (*Layout[T], error) {
	element, err := typeOf[T]()
	if err != nil {
		return nil, err
	}
	if count < 0 || length < 0 || stride < length {
		return nil, &Error{Class: ErrArg, Function: "mpi.Every",
			Message: fmt.Sprintf("%d blocks of %d elements cannot be %d elements apart", count, length, stride)}
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
	return &Layout[T]{handle, reach, count * length}, nil
}

// Len is how many elements the layout picks.
func (l *Layout[T]) Len() int { return l.picked }

// Handle is the datatype as [mpiglot.dev/mpi/low] knows it.
func (l *Layout[T]) Handle() low.Datatype { return l.handle }

// Free gives the layout back; operations that use it already are not disturbed.
func (l *Layout[T]) Free() error { return low.TypeFree(&l.handle) }

func (l *Layout[T]) buffer(function string, data []T) (low.Buffer, error) {
	if len(data) < l.reach {
		return low.Buffer{}, wrongLength(function, "data", len(data), l.reach)
	}
	return low.Slice(data), nil
}
