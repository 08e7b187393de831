package mpi

import (
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// An Op is an operation of a reduction, one of MPI's or one that the program defines with [NewOp].
type Op struct{ handle *low.Op }

// MPI's own operations.
var (
	Sum        = Op{&low.Sum}
	Product    = Op{&low.Prod}
	Max        = Op{&low.Max}
	Min        = Op{&low.Min}
	LogicalAnd = Op{&low.Land}
	LogicalOr  = Op{&low.Lor}
	LogicalXor = Op{&low.Lxor}
	BitAnd     = Op{&low.Band}
	BitOr      = Op{&low.Bor}
	BitXor     = Op{&low.Bxor}
)

// NewOp makes an operation of a function, which must be associative; commutative says whether its
// arguments may change places as well. It works on slices whose elements are of type T.
func NewOp[T any](combine func(a, b T) T, commutative bool) (Op, error) {
	return NewOpOnSlices(func(in, inout []T) {
		for i, a := range in {
			inout[i] = combine(a, inout[i])
		}
	}, commutative)
}

// NewOpOnSlices is [NewOp] for a function that combines many elements at once: it must set each
// element of inout to the combination of the element of in and itself.
func NewOpOnSlices[T any](combine func(in, inout []T), commutative bool) (Op, error) {
	handle, err := low.OpCreate(func(in, inout unsafe.Pointer, n int, _ low.Datatype) {
		combine(unsafe.Slice((*T)(in), n), unsafe.Slice((*T)(inout), n))
	}, commutative)
	if err != nil {
		return Op{}, err
	}
	return Op{&handle}, nil
}

// Free gives an operation back that [NewOp] made; operations that use it already are not disturbed.
func (o Op) Free() error { return low.OpFree(o.handle) }

// Handle is the operation as [mpiglot.dev/mpi/low] knows it.
func (o Op) Handle() low.Op { return *o.handle }
