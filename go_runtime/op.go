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
	of     combination // of the program's: what it was made of
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
	sum        = operation{handle: &low.Sum, ofMPI: true}
	product    = operation{handle: &low.Prod, ofMPI: true}
	largest    = operation{handle: &low.Max, ofMPI: true}
	smallest   = operation{handle: &low.Min, ofMPI: true}
	logicalAnd = operation{handle: &low.Land, ofMPI: true}
	logicalOr  = operation{handle: &low.Lor, ofMPI: true}
	logicalXor = operation{handle: &low.Lxor, ofMPI: true}
	bitAnd     = operation{handle: &low.Band, ofMPI: true}
	bitOr      = operation{handle: &low.Bor, ofMPI: true}
	bitXor     = operation{handle: &low.Bxor, ofMPI: true}
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

// A combination is a function that operations were made of.
type combination struct {
	function unsafe.Pointer // what identity returns
	element  reflect.Type
}

// combinations are the functions that MPI has got for those of the program, as long as there are operations that were
// made of them: an operation that is made of the same function again uses no further callback.
var combinations = struct {
	sync.Mutex
	known map[combination]*combined
}{known: map[combination]*combined{}}

type combined struct {
	function   low.UserFunction
	operations int
}

// identity is the same for two function values if they are one closure or one function without captures. No other
// function has it as long as this one is reachable.
func identity[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

func newOp[T any](function string, given unsafe.Pointer, combine func(in, inout []T), commutative bool) (Op[T], error) {
	if _, err := typeOf[T](function); err != nil {
		return nil, err
	}
	of := combination{given, reflect.TypeFor[T]()}
	handle, err := create(of, func(in, inout unsafe.Pointer, n int, _ low.Datatype) {
		combine(unsafe.Slice((*T)(in), n), unsafe.Slice((*T)(inout), n))
	}, commutative)
	if err != nil {
		return nil, err
	}
	made := &operation{handle: &handle, of: of}
	return func(elements[T]) *operation { return made }, nil
}

// create makes an operation of the function that stands for this combination, which is the given one at first.
func create(of combination, function low.UserFunction, commutative bool) (low.Op, error) {
	combinations.Lock()
	defer combinations.Unlock()
	known := combinations.known[of]
	if known == nil {
		known = &combined{function: function}
	}
	handle, err := low.OpCreate(known.function, commutative)
	if err == nil {
		known.operations++
		combinations.known[of] = known
	}
	return handle, err
}

// giveBack frees the operation, and forgets its function if no other is made of it.
func (o *operation) giveBack() error {
	combinations.Lock()
	defer combinations.Unlock()
	err := low.OpFree(o.handle)
	if known := combinations.known[o.of]; err == nil && known != nil {
		if known.operations--; known.operations == 0 {
			delete(combinations.known, o.of)
		}
	}
	return err
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
	return made.giveBack()
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
