package low

// #include "profiles.h"
import "C"

import (
	"math"
	"reflect"
	"sync"
	"unsafe"
)

// A Buffer is memory that MPI reads or writes: a Go slice, any address, or one of the constants that
// MPI accepts instead of an address. The zero Buffer is the null address.
type Buffer struct {
	p unsafe.Pointer
	n int // how many bytes, unbounded if nobody knows; negative: which constant
}

const unbounded = math.MaxInt

// Constants that stand for a buffer.
var (
	// Bottom is MPI_BOTTOM: displacements in the datatype are addresses.
	Bottom = Buffer{n: -C.MPG_BOTTOM}
	// InPlace is MPI_IN_PLACE: the other buffer holds the input too.
	InPlace = Buffer{n: -C.MPG_IN_PLACE}
	// BufferAutomatic is MPI_BUFFER_AUTOMATIC: MPI manages the buffer of buffered sends.
	BufferAutomatic = Buffer{n: -C.MPG_BUFFER_AUTOMATIC}
)

// Slice is the memory of the elements of s. It panics if they are of a type with Go pointers. A call that uses more of
// it than there is, in elements of a predefined datatype or in bytes, is an [ErrLength].
func Slice[T any](s []T) Buffer {
	var element T
	withoutPointers[T]()
	return Buffer{p: unsafe.Pointer(unsafe.SliceData(s)), n: len(s) * int(unsafe.Sizeof(element))}
}

// Value is the memory of the variable that v points to. It panics if that is of a type with Go
// pointers. Its room is looked at as that of a slice.
func Value[T any](v *T) Buffer {
	withoutPointers[T]()
	return Buffer{p: unsafe.Pointer(v), n: int(unsafe.Sizeof(*v))}
}

// withoutPointers panics if MPI would send addresses of Go's memory, or write where Go expects some. The runtime notes
// with each type how far its pointers reach, which is one comparison; asking reflect makes three calls and more.
func withoutPointers[T any]() {
	if typesAreLegible && pointerBytes(any((*T)(nil))) == 0 {
		return
	}
	lookedThrough(reflect.TypeFor[T]())
}

// How a type begins, and how that of a pointer does (internal/abi.Type and PtrType).
type (
	typeHead struct {
		size, pointerBytes uintptr
		_                  [4]uint64
	}
	pointerTypeHead struct {
		_       typeHead
		element *typeHead
	}
)

// pointerBytes is how many bytes of what p points to, a nil pointer, can hold pointers.
func pointerBytes(p any) uintptr {
	return (*(**pointerTypeHead)(unsafe.Pointer(&p))).element.pointerBytes
}

// typesAreLegible tells whether this release of Go notes types as it is expected here.
var typesAreLegible = func() bool {
	type mixed struct {
		_ [3]int32
		_ *int
		_ int
	}
	// What the places of size and element hold is looked at first, since it is followed.
	for _, c := range []struct {
		p    any
		size uintptr
		want uintptr
	}{{(*uint8)(nil), 1, 0}, {(*[5]complex128)(nil), 80, 0}, {(**int)(nil), 8, 8}, {(*mixed)(nil), 32, 24}, {(*[2]string)(nil), 32, 24}} {
		t := reflect.TypeOf(c.p).Elem()
		element := reflect.ValueOf(&t).Elem().Elem()
		if element.Kind() != reflect.Pointer || (*(**pointerTypeHead)(unsafe.Pointer(&c.p))).element != (*typeHead)(element.UnsafePointer()) {
			return false
		}
		if h := (*typeHead)(element.UnsafePointer()); h.size != c.size || h.pointerBytes != c.want {
			return false
		}
	}
	return true
}()

// seen are the composite types that were looked at: whether they hold pointers.
var seen sync.Map

func lookedThrough(t reflect.Type) {
	holds, known := seen.Load(t)
	if !known {
		holds = holdsPointers(t)
		seen.Store(t, holds)
	}
	if holds.(bool) {
		panic("mpiglot: a buffer for MPI must not hold Go pointers, but values of type " + t.String() + " do")
	}
}

func holdsPointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return t.Len() > 0 && holdsPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return k > reflect.Complex128
	}
}

// At is the memory at p, which may be Go's or C's, and must not hold Go pointers. Nobody knows how much
// it is.
func At(p unsafe.Pointer) Buffer { return Buffer{p: p, n: unbounded} }

// Address is memory outside Go, such as [AllocMem] returns it. Nobody knows how much it is.
func Address(address uintptr) Buffer { return At(pointer(address)) }

// learnExtents asks past preloaded tools, which shall see the program's calls only.
func learnExtents() {
	null := (*uint64)(&DatatypeNull)
	for i := range handleConstants {
		if c := &handleConstants[i]; c.null == null && *c.variable != *null {
			datatype := C.uint64_t(*c.variable)
			C.mpg_learn_extent(datatype, C.mpg_size_of(datatype))
		}
	}
}

// Memory is the n elements of type T at an address outside Go, such as [AllocMem] returns it.
func Memory[T any](address uintptr, n int) []T {
	return unsafe.Slice((*T)(pointer(address)), n)
}

// AddressOf is the address of p as MPI_Get_address tells it, for displacements from [Bottom].
func AddressOf(p unsafe.Pointer) int { return int(uintptr(p)) }

func pointer(address uintptr) unsafe.Pointer { return C.mpg_pointer(C.uintptr_t(address)) }

// first is the address of the first element of s, nil if there is none.
func first[T any](s []T) unsafe.Pointer {
	if len(s) == 0 && s != nil {
		return unsafe.Pointer(&nothing)
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}

// nothing is where empty arrays are: MPI must not take them for absent ones.
var nothing [8 * C.MPG_STATUS_WORDS]byte
