package mpi

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// These functions read and write the elements of slices, which must be the elements of the view. A file whose view was
// not set has bytes: elements of any type can be read and written one after the other, but offsets are for bytes alone.
// The result is how many elements were read or written: at the end of the file there are fewer than asked for, which is
// no error here. A process with a mistake, such as a negative offset, gets an error, and reads and writes nothing; where
// all processes call together it takes part all the same, so that the others do not wait; functions that only begin wait
// for the others then.

// An access is a function that reads or writes, and whether all processes of the file call it together.
type access struct {
	name     string
	together bool
	seen     bool // a blocking write that all call: it is in the file when it returns
}

func alone(name string) access    { return access{name: name} }
func together(name string) access { return access{name: name, together: true} }
func writing(name string) access  { return access{name: name, together: true, seen: true} }

// transfer reads or writes by one of MPI's blocking functions.
func transfer[T any](call func(low.File, low.Buffer, int, low.Datatype, *low.Status) error,
	f *File, function access, data []T) (int, error) {
	return transferUnless(nil, call, f, function, data)
}

// transferAt does the same at an offset.
func transferAt[T any](call func(low.File, int, low.Buffer, int, low.Datatype, *low.Status) error,
	f *File, function access, offset int, data []T) (int, error) {
	mistake := placed[T](f, function.name, offset)
	return transferUnless(mistake, func(h low.File, b low.Buffer, n int, d low.Datatype, s *low.Status) error {
		return call(h, max(offset, 0), b, n, d, s)
	}, f, function, data)
}

func transferUnless[T any](mistake error, call func(low.File, low.Buffer, int, low.Datatype, *low.Status) error,
	f *File, function access, data []T) (int, error) {
	a, err := accessing(f, function, data, mistake)
	if err != nil {
		return 0, err
	}
	var s Status
	err = call(f.handle, a.send, a.n, a.element, &s.s)
	if function.seen && returnsEarly() {
		awaitWritten(f.handle)
	}
	if err := a.told(err); err != nil {
		return 0, err
	}
	return Count[T](&s)
}

// returnsEarly tells whether a collective write returns while another process still writes its data:
// collective-write-returns-early.
var returnsEarly = sync.OnceValue(func() bool {
	text, err := low.GetLibraryVersion()
	return err == nil && strings.HasPrefix(text, "Open MPI v")
})

// awaitWritten returns when what this process wrote is in the file, which another one may write: all processes call it,
// whatever became of the write. What is written to other files cannot be read through them.
func awaitWritten(f low.File) {
	if mode, err := low.FileGetAmode(f); err == nil && mode&(low.ModeWronly|low.ModeSequential) == 0 {
		_ = low.FileReadAtAll(f, 0, low.Slice[byte](nil), 0, low.Byte, nil)
	}
}

// transferring begins to read or write.
func transferring[T any](call func(low.File, low.Buffer, int, low.Datatype) (low.Request, error),
	f *File, function access, data []T) (low.Request, error) {
	return transferringUnless(nil, call, f, function, data)
}

// transferringAt does the same at an offset.
func transferringAt[T any](call func(low.File, int, low.Buffer, int, low.Datatype) (low.Request, error),
	f *File, function access, offset int, data []T) (low.Request, error) {
	mistake := placed[T](f, function.name, offset)
	return transferringUnless(mistake, func(h low.File, b low.Buffer, n int, d low.Datatype) (low.Request, error) {
		return call(h, max(offset, 0), b, n, d)
	}, f, function, data)
}

func transferringUnless[T any](mistake error, call func(low.File, low.Buffer, int, low.Datatype) (low.Request, error),
	f *File, function access, data []T) (low.Request, error) {
	a, err := accessing(f, function, data, mistake)
	if err != nil {
		return low.RequestNull, err
	}
	handle, err := call(f.handle, a.send, a.n, a.element)
	if a.mistake == nil {
		return handle, err
	}
	if r, err := started(handle, err); err == nil {
		_, _ = r.Wait() // ROMIO goes on with nothing that nobody waits for
	}
	return low.RequestNull, a.mistake
}

// accessing is the arguments of a call that reads or writes. With a mistake of this process it takes part with nothing in
// what all processes call together; it is an error at once where nobody waits, or where there is no file.
func accessing[T any](f *File, function access, data []T, mistake error) (a arguments, err error) {
	if err := f.usable(function.name); err != nil {
		return a, err
	}
	a.mistake = mistake
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
	if err := f.usable(function); err != nil {
		return err
	}
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
	return transfer(low.FileRead, f, alone("mpi.FileRead"), data)
}

// FileIread begins a [FileRead]. [Count] of its status tells how many elements there were.
func FileIread[T any](f *File, data []T) (*Request, error) {
	return started(transferring(low.FileIread, f, alone("mpi.FileIread"), data))
}

// FileReadAll is [FileRead] that all processes of the file call together.
func FileReadAll[T any](f *File, data []T) (int, error) {
	return transfer(low.FileReadAll, f, together("mpi.FileReadAll"), data)
}

// FileIreadAll begins a [FileReadAll]. [Count] of its status tells how many elements there were.
func FileIreadAll[T any](f *File, data []T) (*Request, error) {
	return started(transferring(low.FileIreadAll, f, together("mpi.FileIreadAll"), data))
}

// FileReadShared reads from the position that all processes share, which moves.
func FileReadShared[T any](f *File, data []T) (int, error) {
	return transfer(low.FileReadShared, f, alone("mpi.FileReadShared"), data)
}

// FileIreadShared begins a [FileReadShared]. [Count] of its status tells how many elements there were.
func FileIreadShared[T any](f *File, data []T) (*Request, error) {
	return started(transferring(low.FileIreadShared, f, alone("mpi.FileIreadShared"), data))
}

// FileReadOrdered is [FileReadShared] that all processes call together: they come one after the other, by rank.
func FileReadOrdered[T any](f *File, data []T) (int, error) {
	return transfer(low.FileReadOrdered, f, together("mpi.FileReadOrdered"), data)
}

// FileReadAt reads from an offset, which counts elements of the view.
func FileReadAt[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileReadAt, f, alone("mpi.FileReadAt"), offset, data)
}

// FileIreadAt begins a [FileReadAt]. [Count] of its status tells how many elements there were.
func FileIreadAt[T any](f *File, offset int, data []T) (*Request, error) {
	return started(transferringAt(low.FileIreadAt, f, alone("mpi.FileIreadAt"), offset, data))
}

// FileReadAtAll is [FileReadAt] that all processes of the file call together.
func FileReadAtAll[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileReadAtAll, f, together("mpi.FileReadAtAll"), offset, data)
}

// FileIreadAtAll begins a [FileReadAtAll]. [Count] of its status tells how many elements there were.
func FileIreadAtAll[T any](f *File, offset int, data []T) (*Request, error) {
	return started(transferringAt(low.FileIreadAtAll, f, together("mpi.FileIreadAtAll"), offset, data))
}

// FileWrite writes to the position of this process, which moves.
func FileWrite[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWrite, f, alone("mpi.FileWrite"), data)
}

// FileIwrite begins a [FileWrite]. [Count] of its status tells how many elements there were.
func FileIwrite[T any](f *File, data []T) (*Request, error) {
	return started(transferring(low.FileIwrite, f, alone("mpi.FileIwrite"), data))
}

// FileWriteAll is [FileWrite] that all processes of the file call together.
func FileWriteAll[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWriteAll, f, writing("mpi.FileWriteAll"), data)
}

// FileIwriteAll begins a [FileWriteAll]. [Count] of its status tells how many elements there were.
func FileIwriteAll[T any](f *File, data []T) (*Request, error) {
	return started(transferring(low.FileIwriteAll, f, together("mpi.FileIwriteAll"), data))
}

// FileWriteShared writes to the position that all processes share, which moves.
func FileWriteShared[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWriteShared, f, alone("mpi.FileWriteShared"), data)
}

// FileIwriteShared begins a [FileWriteShared]. [Count] of its status tells how many elements there were.
func FileIwriteShared[T any](f *File, data []T) (*Request, error) {
	return started(transferring(low.FileIwriteShared, f, alone("mpi.FileIwriteShared"), data))
}

// FileWriteOrdered is [FileWriteShared] that all processes call together: they come one after the other, by rank.
func FileWriteOrdered[T any](f *File, data []T) (int, error) {
	return transfer(low.FileWriteOrdered, f, writing("mpi.FileWriteOrdered"), data)
}

// FileWriteAt writes to an offset, which counts elements of the view.
func FileWriteAt[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileWriteAt, f, alone("mpi.FileWriteAt"), offset, data)
}

// FileIwriteAt begins a [FileWriteAt]. [Count] of its status tells how many elements there were.
func FileIwriteAt[T any](f *File, offset int, data []T) (*Request, error) {
	return started(transferringAt(low.FileIwriteAt, f, alone("mpi.FileIwriteAt"), offset, data))
}

// FileWriteAtAll is [FileWriteAt] that all processes of the file call together.
func FileWriteAtAll[T any](f *File, offset int, data []T) (int, error) {
	return transferAt(low.FileWriteAtAll, f, writing("mpi.FileWriteAtAll"), offset, data)
}

// FileIwriteAtAll begins a [FileWriteAtAll]. [Count] of its status tells how many elements there were.
func FileIwriteAtAll[T any](f *File, offset int, data []T) (*Request, error) {
	return started(transferringAt(low.FileIwriteAtAll, f, together("mpi.FileIwriteAtAll"), offset, data))
}
