package mpi

import (
	"reflect"
	"sync"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// An Op is an operation of a reduction on elements of type T: one of MPI's, such as [Sum], or one that the
// program makes with [NewOp]. An operation on elements of another type does not compile.
type Op[T any] func(elements[T]) *operation

// elements keeps operations on different types apart.
type elements[T any] struct{}

type operation struct {
	handle *low.Op
	ofMPI  bool
}

// Integer is the constraint of elements that [BitAnd] and the like take.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Real is the constraint of elements that have an order: those of [Max] and [Min].
type Real interface {
	Integer | ~float32 | ~float64
}

// Number is the constraint of elements that can be added and multiplied.
type Number interface {
	Real | ~complex64 | ~complex128
}

// Logical is the constraint of elements that are true or false; an integer is true if it is not 0.
type Logical interface{ Integer | ~bool }

var (
	sum        = operation{&low.Sum, true}
	product    = operation{&low.Prod, true}
	largest    = operation{&low.Max, true}
	smallest   = operation{&low.Min, true}
	logicalAnd = operation{&low.Land, true}
	logicalOr  = operation{&low.Lor, true}
	logicalXor = operation{&low.Lxor, true}
	bitAnd     = operation{&low.Band, true}
	bitOr      = operation{&low.Bor, true}
	bitXor     = operation{&low.Bxor, true}
)

// Sum is MPI_SUM. It is passed by its name, as all operations of MPI are: Allreduce(c, send, recv, mpi.Sum).
func Sum[T Number](elements[T]) *operation { return &sum }

// Product is MPI_PROD.
func Product[T Number](elements[T]) *operation { return &product }

// Max is MPI_MAX.
func Max[T Real](elements[T]) *operation { return &largest }

// Min is MPI_MIN.
func Min[T Real](elements[T]) *operation { return &smallest }

// LogicalAnd is MPI_LAND.
func LogicalAnd[T Logical](elements[T]) *operation { return &logicalAnd }

// LogicalOr is MPI_LOR.
func LogicalOr[T Logical](elements[T]) *operation { return &logicalOr }

// LogicalXor is MPI_LXOR.
func LogicalXor[T Logical](elements[T]) *operation { return &logicalXor }

// BitAnd is MPI_BAND.
func BitAnd[T Integer](elements[T]) *operation { return &bitAnd }

// BitOr is MPI_BOR.
func BitOr[T Integer](elements[T]) *operation { return &bitOr }

// BitXor is MPI_BXOR.
func BitXor[T Integer](elements[T]) *operation { return &bitXor }

// NewOp makes an operation of a function, which must be associative. If commutative is true, MPI may
// also exchange its arguments.
func NewOp[T any](combine func(a, b T) T, commutative bool) (Op[T], error) {
	if combine == nil {
		return nil, &Error{Class: ErrArg, Function: "mpi.NewOp", Message: "the function is nil"}
	}
	return newOp[T]("mpi.NewOp", identity(combine), func(in, inout []T) {
		for i, a := range in {
			inout[i] = combine(a, inout[i])
		}
	}, commutative)
}

// NewOpOnSlices is [NewOp] for a function that combines many elements at once: it must set each
// element of inout to the combination of the element of in and itself.
func NewOpOnSlices[T any](combine func(in, inout []T), commutative bool) (Op[T], error) {
	if combine == nil {
		return nil, &Error{Class: ErrArg, Function: "mpi.NewOpOnSlices", Message: "the function is nil"}
	}
	return newOp("mpi.NewOpOnSlices", identity(combine), combine, commutative)
}

// A combination is a function that operations were made of. MPI may call it after they were freed, so it stays.
type combination struct {
	function unsafe.Pointer // what identity returns
	element  reflect.Type
}

// combinations are the functions that MPI has got for those of the program: an operation that is made of the same
// function again uses no further callback.
var combinations = struct {
	sync.Mutex
	known map[combination]low.UserFunction
}{known: map[combination]low.UserFunction{}}

// identity is the same for two function values if they are one closure or one function without captures. No other
// function has it as long as this one is reachable.
func identity[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

func newOp[T any](function string, given unsafe.Pointer, combine func(in, inout []T), commutative bool) (Op[T], error) {
	if _, err := typeOf[T](function); err != nil {
		return nil, err
	}
	handle, err := create(combination{given, reflect.TypeFor[T]()}, func(in, inout unsafe.Pointer, n int, _ low.Datatype) {
		combine(unsafe.Slice((*T)(in), n), unsafe.Slice((*T)(inout), n))
	}, commutative)
	if err != nil {
		return nil, err
	}
	made := &operation{handle: &handle}
	return func(elements[T]) *operation { return made }, nil
}

// create makes an operation of the function that stands for this combination, which is the given one at first.
func create(of combination, function low.UserFunction, commutative bool) (low.Op, error) {
	combinations.Lock()
	defer combinations.Unlock()
	if known, ok := combinations.known[of]; ok {
		function = known
	}
	handle, err := low.OpCreate(function, commutative)
	if err == nil {
		combinations.known[of] = function
	}
	return handle, err
}

// Free gives an operation back that [NewOp] made; operations that use it already are not disturbed.
func (o Op[T]) Free() error {
	if _, err := o.on("mpi.Op.Free"); err != nil {
		return err
	}
	made := o(elements[T]{})
	if made.ofMPI {
		return &Error{Class: ErrOp, Function: "mpi.Op.Free", Message: "an operation of MPI's own cannot be freed"}
	}
	return low.OpFree(made.handle)
}

// Handle is the operation as [mpiglot.dev/mpi/low] knows it; [low.OpNull] if there is none.
func (o Op[T]) Handle() low.Op {
	if o == nil {
		return low.OpNull
	}
	return *o(elements[T]{}).handle
}

// on is the operation for a call of the function.
func (o Op[T]) on(function string) (low.Op, error) {
	handle := o.Handle()
	if handle == low.OpNull {
		return handle, &Error{Class: ErrOp, Function: function, Message: "there is no operation: it is nil, or was freed"}
	}
	return handle, nil
}
