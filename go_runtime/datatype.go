package mpi

import (
	"fmt"
	"reflect"
	"sync"

	"mpiglot.dev/mpi/low"
)

// typeOf is the MPI datatype of one element of type T, for a call of the function.
func typeOf[T any](function string) (low.Datatype, error) {
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
	return bytesOf(t, function)
}

// types holds the datatypes that were made for arrays and structs: so many bytes each.
var types struct {
	sync.Mutex
	made map[reflect.Type]low.Datatype
}

func bytesOf(t reflect.Type, function string) (low.Datatype, error) {
	types.Lock()
	defer types.Unlock()
	if d, ok := types.made[t]; ok {
		return d, nil
	}
	if hasPointers(t) {
		return low.DatatypeNull, &Error{Class: ErrType, Function: function,
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
