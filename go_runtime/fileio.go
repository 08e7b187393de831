package mpi

import (
	"fmt"
	"reflect"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// These functions read and write the elements of slices, which must be the elements of the view. A file whose view was
// not set has bytes: elements of any type can be read and written one after the other, but offsets are for bytes alone.
// The result is how many elements were read or written: at the end of the file there are fewer than asked for, which is
// no error here. A process with a mistake, such as a negative offset, gets an error, and reads and writes nothing; where
// all processes call together it takes part all the same, so that the others do not wait; functions that only begin wait
// for the others then.

// An access is a function that reads or writes.
type access struct {
	name     string
	reads    bool
	together bool // all processes of the file call it
	shared   bool // by the position that all processes share; together they come by rank
	isAt     bool // it has an offset
	offset   int
}

func reads(name string) access          { return access{name: name, reads: true} }
func writes(name string) access         { return access{name: name} }
func (a access) byAll() access          { a.together = true; return a }
func (a access) bySharing() access      { a.shared = true; return a }
func (a access) from(offset int) access { a.isAt, a.offset = true, offset; return a }

type (
	blocking   = func(low.File, low.Buffer, int, low.Datatype, *low.Status) error
	blockingAt = func(low.File, int, low.Buffer, int, low.Datatype, *low.Status) error
	beginner   = func(low.File, low.Buffer, int, low.Datatype) (low.Request, error)
	beginnerAt = func(low.File, int, low.Buffer, int, low.Datatype) (low.Request, error)
)

// transfer reads or writes by one of MPI's blocking functions.
func transfer[T any](call blocking, f *File, function access, data []T) (int, error) {
	a, err := accessing(f, function, data)
	if err != nil {
		return 0, err
	}
	from, err := placeOf(f, function, &a)
	if err != nil {
		return 0, err
	}
	var s Status
	err = call(f.handle, a.send, a.n, a.element, &s.s)
	from.moved()
	if function.together && !function.reads && isOpenMPI() {
		awaitWritten(f.handle)
	}
	if err := a.told(err); err != nil {
		return 0, err
	}
	if err := from.end(function.name, &s.s); err != nil {
		return 0, err
	}
	return Count[T](&s)
}

// transferAt does the same at an offset.
func transferAt[T any](call blockingAt, f *File, function access, offset int, data []T) (int, error) {
	return transfer(blockingFrom(call, offset), f, function.from(offset), data)
}

func blockingFrom(call blockingAt, offset int) blocking {
	return func(h low.File, b low.Buffer, n int, d low.Datatype, s *low.Status) error {
		return call(h, max(offset, 0), b, n, d, s)
	}
}

// A begun access is on its way, or was done at once.
type begunAccess struct {
	handle low.Request
	status Status
	from   *place
}

// transferring begins to read or write by one of MPI's functions, or does it by one that blocks, of this process alone.
func transferring[T any](begin beginner, call blocking, f *File, function access, data []T) (b begunAccess, err error) {
	b.handle = low.RequestNull
	atOnce := isDoneAtOnce(function.reads)
	if atOnce {
		function.together = false
	}
	a, err := accessing(f, function, data)
	if err != nil {
		return b, err
	}
	if atOnce {
		return b, call(f.handle, a.send, a.n, a.element, &b.status.s)
	}
	if b.from, err = placeOf(f, function, &a); err != nil {
		return b, err
	}
	b.handle, err = begin(f.handle, a.send, a.n, a.element)
	b.from.moved()
	if a.mistake == nil {
		return b, err
	}
	if r, err := started(b.handle, err); err == nil {
		_, _ = r.Wait() // ROMIO goes on with nothing that nobody waits for
	}
	return b, a.mistake
}

// transferringAt does the same at an offset.
func transferringAt[T any](begin beginnerAt, call blockingAt, f *File, function access, offset int, data []T) (begunAccess, error) {
	beginAt := func(h low.File, b low.Buffer, n int, d low.Datatype) (low.Request, error) {
		return begin(h, max(offset, 0), b, n, d)
	}
	return transferring(beginAt, blockingFrom(call, offset), f, function.from(offset), data)
}

// accessed makes the request of an access that a function of this package has begun.
func accessed(b begunAccess, err error) (*Request, error) {
	r, err := started(b.handle, err)
	if err != nil {
		return nil, err
	}
	if r.from, r.ofFile = b.from, !isOpenMPI(); r.complete {
		r.status, r.untold = b.status, true
	}
	if tellPlaces {
		r.place = callerOf(3)
	}
	return r, nil
}

// accessing is the arguments of a call that reads or writes. With a mistake of this process it takes part with nothing in
// what all processes call together; it is an error at once where nobody waits, or where there is no file.
func accessing[T any](f *File, function access, data []T) (a arguments, err error) {
	if err := f.usable(function.name); err != nil {
		return a, err
	}
	if function.isAt {
		a.mistake = placed[T](f, function.name, function.offset)
	}
	a.element, err = viewed[T](f, function.name)
	a.wrong(err)
	switch {
	case a.mistake == nil:
		a.send, a.n = low.Slice(data), len(data)
	case function.together:
		a.element = low.Byte
	default:
		return a, a.mistake
	}
	return a, nil
}

// viewed is the datatype of elements that are those of the view, or lie in a file of bytes.
func viewed[T any](f *File, function string) (low.Datatype, error) {
	element, err := typeOf[T](function)
	if err == nil && f.element != 0 && f.element != element {
		return low.DatatypeNull, otherElements[T](function, "the view of the file has other elements")
	}
	return element, err
}

// placed refuses offsets that the view does not have, and elements at offsets that count bytes: they would be written
// over each other.
func placed[T any](f *File, function string, offset int) error {
	if err := f.reaches(function, offset); err != nil {
		return err
	}
	var one T
	if f.element == 0 && unsafe.Sizeof(one) != 1 {
		return otherElements[T](function, "offsets of this file count bytes")
	}
	return nil
}

func otherElements[T any](function, why string) error {
	t := reflect.TypeFor[T]()
	return &Error{Class: ErrArg, Function: function,
		Message: fmt.Sprintf("%s, not %s: call mpi.FileSetView[%s] before", why, t, t)}
}

// FileRead reads from the position of this process, which moves.
func FileRead[T any](f *File, data []T) (int, error) {
	return transfer(low.FileRead, f, reads("mpi.FileRead"), data)
}

// FileIread begins a [FileRead]. [Count] of its status tells how many elements there were.
func FileIread[T any](f *File, data []T) (*Request, error) {
	return accessed(transferring(low.FileIread, low.FileRead, f, reads("mpi.FileIread"), data))
}

// FileReadAll is [FileRead] that all processes of the file call together.
func FileReadAll[T any](f *File, data []T) (int, error) {
	return transfer(low.FileReadAll, f, reads("mpi.FileReadAll").byAll(), data)
}

// FileIreadAll begins a [FileReadAll]. [Count] of its status tells how many elements there were.
func FileIreadAll[T any](f *File, data []T) (*Request, error) {
	return accessed(transferring(low.FileIreadAll, low.FileRead, f, reads("mpi.FileIreadAll").byAll(), data))
}

// FileReadShared reads from the position that all processes share, which moves.
func FileReadShared[T any](f *File, data []T) (int, error) {
	return transfer(low.FileReadShared, f, reads("mpi.FileReadShared").bySharing(), data)
}

// FileIreadShared begins a [FileReadShared]. [Count] of its status tells how many elements there were.
func FileIreadShared[T any](f *File, data []T) (*Request, error) {
	return accessed(transferring(low.FileIreadShared, low.FileReadShared, f, reads("mpi.FileIreadShared").bySharing(), data))
}

// FileReadOrdered is [FileReadShared] that all processes call together: they come one after the other, by rank.
func FileReadOrdered[T any](f *File, data []T) (int, error) {
	return transfer(low.FileReadOrdered, f, reads("mpi.FileReadOrdered").bySharing().byAll(), data)
}

// FileReadAt reads from an offset, which counts elements of the view.
func FileReadAt[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileReadAt, f, reads("mpi.FileReadAt"), offset, data)
}

// FileIreadAt begins a [FileReadAt]. [Count] of its status tells how many elements there were.
func FileIreadAt[T any](f *File, offset int, data []T) (*Request, error) {
	return accessed(transferringAt(low.FileIreadAt, low.FileReadAt, f, reads("mpi.FileIreadAt"), offset, data))
}

// FileReadAtAll is [FileReadAt] that all processes of the file call together.
func FileReadAtAll[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileReadAtAll, f, reads("mpi.FileReadAtAll").byAll(), offset, data)
}

// FileIreadAtAll begins a [FileReadAtAll]. [Count] of its status tells how many elements there were.
func FileIreadAtAll[T any](f *File, offset int, data []T) (*Request, error) {
	return accessed(transferringAt(low.FileIreadAtAll, low.FileReadAt, f, reads("mpi.FileIreadAtAll").byAll(), offset, data))
}

// FileWrite writes to the position of this process, which moves.
func FileWrite[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWrite, f, writes("mpi.FileWrite"), data)
}

// FileIwrite begins a [FileWrite]. [Count] of its status tells how many elements there were.
func FileIwrite[T any](f *File, data []T) (*Request, error) {
	return accessed(transferring(low.FileIwrite, low.FileWrite, f, writes("mpi.FileIwrite"), data))
}

// FileWriteAll is [FileWrite] that all processes of the file call together.
func FileWriteAll[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWriteAll, f, writes("mpi.FileWriteAll").byAll(), data)
}

// FileIwriteAll begins a [FileWriteAll]. [Count] of its status tells how many elements there were.
func FileIwriteAll[T any](f *File, data []T) (*Request, error) {
	return accessed(transferring(low.FileIwriteAll, low.FileWrite, f, writes("mpi.FileIwriteAll").byAll(), data))
}

// FileWriteShared writes to the position that all processes share, which moves.
func FileWriteShared[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWriteShared, f, writes("mpi.FileWriteShared").bySharing(), data)
}

// FileIwriteShared begins a [FileWriteShared]. [Count] of its status tells how many elements there were.
func FileIwriteShared[T any](f *File, data []T) (*Request, error) {
	return accessed(transferring(low.FileIwriteShared, low.FileWriteShared, f, writes("mpi.FileIwriteShared").bySharing(), data))
}

// FileWriteOrdered is [FileWriteShared] that all processes call together: they come one after the other, by rank.
func FileWriteOrdered[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWriteOrdered, f, writes("mpi.FileWriteOrdered").bySharing().byAll(), data)
}

// FileWriteAt writes to an offset, which counts elements of the view.
func FileWriteAt[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileWriteAt, f, writes("mpi.FileWriteAt"), offset, data)
}

// FileIwriteAt begins a [FileWriteAt]. [Count] of its status tells how many elements there were.
func FileIwriteAt[T any](f *File, offset int, data []T) (*Request, error) {
	return accessed(transferringAt(low.FileIwriteAt, low.FileWriteAt, f, writes("mpi.FileIwriteAt"), offset, data))
}

// FileWriteAtAll is [FileWriteAt] that all processes of the file call together.
func FileWriteAtAll[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileWriteAtAll, f, writes("mpi.FileWriteAtAll").byAll(), offset, data)
}

// FileIwriteAtAll begins a [FileWriteAtAll]. [Count] of its status tells how many elements there were.
func FileIwriteAtAll[T any](f *File, offset int, data []T) (*Request, error) {
	return accessed(transferringAt(low.FileIwriteAtAll, low.FileWriteAt, f, writes("mpi.FileIwriteAtAll").byAll(), offset, data))
}
