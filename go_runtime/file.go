package mpi

import (
	"fmt"
	"io"
	"math"

	"mpiglot.dev/mpi/low"
)

// A File is opened by all processes of a communicator. As an [io.ReaderAt] and [io.WriterAt] it has bytes; the
// functions that begin with File read and write the elements of slices.
type File struct{ *file }

// file is what copies of a [File] share.
type file struct {
	handle   low.File
	element  low.Datatype // of the view; 0 for bytes
	picks    bool         // whether the view may have gaps
	farthest int          // offset of the view: libraries count bytes, and for larger ones they would begin anew
	comm     low.Comm     // a duplicate of that which opened it: its processes agree on what they do together
}

// farthestByte is where no file ends, so that libraries can add to it what they like.
const farthestByte = math.MaxInt / 4

var (
	_ io.ReaderAt = (*File)(nil)
	_ io.WriterAt = (*File)(nil)
	_ io.Seeker   = (*File)(nil)
	_ io.Closer   = (*File)(nil)
)

// An OpenMode says what [OpenFile] opens a file for; several are joined by |.
type OpenMode = low.AccessMode

// Modes of [OpenFile]. One of the first three is needed.
const (
	ReadOnly      OpenMode = low.ModeRdonly
	WriteOnly     OpenMode = low.ModeWronly
	ReadWrite     OpenMode = low.ModeRdwr
	Create        OpenMode = low.ModeCreate        // it is made if there is none
	Exclusive     OpenMode = low.ModeExcl          // with Create: there must be none
	Append        OpenMode = low.ModeAppend        // positions begin at the end
	DeleteOnClose OpenMode = low.ModeDeleteOnClose // it is temporary
	UniqueOpen    OpenMode = low.ModeUniqueOpen    // nobody else opens it
)

// OpenFile opens a file for all processes of a communicator. Collective: if one of them refuses its arguments, all
// return an error and no file is open. The same holds for SetSize, Preallocate, SeekShared and SetHints.
func OpenFile(c *Comm, name string, mode OpenMode, hints *Info) (*File, error) {
	const function = "mpi.OpenFile"
	if err := c.usable(function); err != nil {
		return nil, err
	}
	if err := agreed(c.handle, function, opens(function, name, mode)); err != nil {
		return nil, err
	}
	handle, err := low.FileOpen(c.handle, name, mode, hints.Handle())
	if err != nil {
		return nil, err
	}
	own, err := low.CommDup(c.handle)
	if err != nil {
		_ = low.FileClose(&handle)
		return nil, err
	}
	return &File{&file{handle: handle, farthest: farthestByte, comm: own}}, nil
}

// agreed is the error of this process, or one that says that another process has one: nobody begins what not all begin.
// Collective.
func agreed(c low.Comm, function string, refusal error) error {
	refusals := []int32{0}
	if refusal != nil {
		refusals[0] = 1
	}
	err := low.Allreduce(low.InPlace, low.Slice(refusals), 1, low.Int32T, low.Sum, c)
	switch {
	case refusal != nil:
		return refusal
	case err != nil:
		return err
	case refusals[0] != 0:
		message := fmt.Sprintf("%d other process(es) refused what was given to them", refusals[0])
		return &Error{Class: low.ErrNotSame, Function: function, Message: message}
	}
	return nil
}

// opens refuses what this process alone can see to be wrong.
func opens(function, name string, mode OpenMode) error {
	if err := named(function, name); err != nil {
		return err
	}
	refuse := func(message string) error { return &Error{Class: low.ErrAmode, Function: function, Message: message} }
	switch access := mode & (ReadOnly | WriteOnly | ReadWrite); {
	case access != ReadOnly && access != WriteOnly && access != ReadWrite:
		return refuse("the mode needs one of ReadOnly, WriteOnly and ReadWrite")
	case access == ReadOnly && mode&(Create|Exclusive) != 0:
		return refuse("the mode has Create or Exclusive, which ReadOnly excludes")
	case access == ReadWrite && mode&low.ModeSequential != 0:
		return refuse("the mode is sequential, which ReadWrite excludes")
	}
	return nil
}

// DeleteFile deletes a file that nobody has open.
func DeleteFile(name string) error {
	if !running.Load() {
		return ErrNotRunning
	}
	if err := named("mpi.DeleteFile", name); err != nil {
		return err
	}
	return low.FileDelete(name, low.InfoNull)
}

// named refuses a file without a name: some libraries take the working directory for it.
func named(function, name string) error {
	if name == "" {
		return &Error{Class: low.ErrBadFile, Function: function, Message: "the name of the file is empty"}
	}
	return nil
}

// Handle is the file as [mpiglot.dev/mpi/low] knows it; [low.FileNull] of nil.
func (f *File) Handle() low.File {
	if f == nil || f.file == nil {
		return low.FileNull
	}
	return f.handle
}

func (f *File) usable(function string) error {
	if f.Handle() == low.FileNull {
		return &Error{Class: low.ErrFile, Function: function, Message: "there is no file: it is nil, was never opened, or was closed"}
	}
	return nil
}

// Close closes the file. Collective.
func (f *File) Close() error {
	if err := f.usable("mpi.File.Close"); err != nil {
		return err
	}
	err := low.FileClose(&f.handle)
	if f.handle == low.FileNull {
		if freed := low.CommFree(&f.comm); err == nil {
			err = freed
		}
	}
	return err
}

// inBytes refuses what counts bytes where the view counts something else.
func (f *File) inBytes(function string, offset int64) error {
	if err := f.usable(function); err != nil {
		return err
	}
	if f.element != 0 {
		return &Error{Class: ErrArg, Function: function, Message: "the view of the file does not consist of bytes"}
	}
	return f.reaches(function, int(offset))
}

// reaches refuses offsets before the beginning, and those whose place libraries cannot count in bytes.
func (f *File) reaches(function string, offset int) error {
	return upTo(function, "offset", offset, f.farthest)
}

// upTo refuses numbers below zero and above most.
func upTo(function, what string, n, most int) error {
	if n > most {
		return &Error{Class: ErrArg, Function: function, Message: fmt.Sprintf("the %s is %d, and %d is the largest", what, n, most)}
	}
	return notNegative(function, what, n)
}

// notNegative refuses numbers below zero.
func notNegative(function, what string, n int) error {
	if n < 0 {
		return &Error{Class: ErrArg, Function: function, Message: fmt.Sprintf("the %s is %d, which is below zero", what, n)}
	}
	return nil
}

// ReadAt reads bytes from an offset, as [io.ReaderAt] wants it: fewer than asked for come with [io.EOF].
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	if err := f.inBytes("mpi.File.ReadAt", offset); err != nil {
		return 0, err
	}
	n, err := FileReadAt(f, int(offset), p)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// WriteAt writes bytes to an offset, as [io.WriterAt] wants it.
func (f *File) WriteAt(p []byte, offset int64) (int, error) {
	if err := f.inBytes("mpi.File.WriteAt", offset); err != nil {
		return 0, err
	}
	n, err := FileWriteAt(f, int(offset), p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

// whences is what MPI has for the constants of the package io.
var whences = [...]low.Seek{io.SeekStart: low.SeekSet, io.SeekCurrent: low.SeekCur, io.SeekEnd: low.SeekEnd}

// Seek moves the position of this process, as [io.Seeker] wants it. Offsets count elements of the view.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	const function = "mpi.File.Seek"
	if err := f.usable(function); err != nil {
		return 0, err
	}
	if whence == io.SeekCurrent { // where this leads is known, and is looked at as any other offset
		at, err := low.FileGetPosition(f.handle)
		if err != nil {
			return 0, err
		}
		if offset <= int64(f.farthest) {
			offset, whence = offset+int64(at), io.SeekStart
		}
	}
	if err := f.seeks(function, offset, whence); err != nil {
		return 0, err
	}
	if err := low.FileSeek(f.handle, int(offset), whences[whence]); err != nil {
		return 0, err
	}
	at, err := low.FileGetPosition(f.handle)
	return int64(at), err
}

// SeekShared moves the position that all processes share. Collective.
func (f *File) SeekShared(offset int64, whence int) error {
	const function = "mpi.File.SeekShared"
	if err := f.usable(function); err != nil {
		return err
	}
	if err := agreed(f.comm, function, f.seeks(function, offset, whence)); err != nil {
		return err
	}
	return low.FileSeekShared(f.handle, int(offset), whences[whence])
}

// SharedPosition is the position that all processes share. Others may move it meanwhile.
func (f *File) SharedPosition() (int, error) {
	if err := f.usable("mpi.File.SharedPosition"); err != nil {
		return 0, err
	}
	return low.FileGetPositionShared(f.handle)
}

// seeks refuses positions that there cannot be.
func (f *File) seeks(function string, offset int64, whence int) error {
	if whence < 0 || whence >= len(whences) {
		return &Error{Class: ErrArg, Function: function, Message: fmt.Sprintf("whence is %d", whence)}
	}
	if whence != io.SeekStart && offset < 0 {
		offset = -(offset + 1) // as far back, and there is no number for the smallest otherwise
	}
	return f.reaches(function, int(offset))
}

// Size is how many bytes the file has.
func (f *File) Size() (int, error) {
	if err := f.usable("mpi.File.Size"); err != nil {
		return 0, err
	}
	return low.FileGetSize(f.handle)
}

// SetSize cuts the file off, or makes it longer. Collective.
func (f *File) SetSize(bytes int) error {
	return f.resize("mpi.File.SetSize", bytes, low.FileSetSize)
}

// Preallocate makes sure that there is room for so many bytes. Collective.
func (f *File) Preallocate(bytes int) error {
	return f.resize("mpi.File.Preallocate", bytes, low.FilePreallocate)
}

func (f *File) resize(function string, bytes int, change func(low.File, int) error) error {
	if err := f.usable(function); err != nil {
		return err
	}
	if err := agreed(f.comm, function, upTo(function, "size", bytes, farthestByte)); err != nil {
		return err
	}
	return change(f.handle, bytes)
}

// Sync brings what was written to the storage. Collective.
func (f *File) Sync() error {
	if err := f.usable("mpi.File.Sync"); err != nil {
		return err
	}
	return low.FileSync(f.handle)
}

// SetAtomic says whether other processes see what was written at once and as a whole. Collective.
func (f *File) SetAtomic(atomic bool) error {
	if err := f.usable("mpi.File.SetAtomic"); err != nil {
		return err
	}
	return low.FileSetAtomicity(f.handle, atomic)
}

// Atomic tells what [File.SetAtomic] has set.
func (f *File) Atomic() (bool, error) {
	if err := f.usable("mpi.File.Atomic"); err != nil {
		return false, err
	}
	return low.FileGetAtomicity(f.handle)
}

// Mode is how the file was opened.
func (f *File) Mode() (OpenMode, error) {
	if err := f.usable("mpi.File.Mode"); err != nil {
		return 0, err
	}
	return low.FileGetAmode(f.handle)
}

// Group is the group of the processes that have opened the file.
func (f *File) Group() (*Group, error) {
	if err := f.usable("mpi.File.Group"); err != nil {
		return nil, err
	}
	return grouped(low.FileGetGroup(f.handle))
}

// Hints are those of the file that the library uses.
func (f *File) Hints() (*Info, error) {
	if err := f.usable("mpi.File.Hints"); err != nil {
		return nil, err
	}
	return informed(low.FileGetInfo(f.handle))
}

// SetHints gives the file hints. Collective.
func (f *File) SetHints(hints *Info) error {
	const function = "mpi.File.SetHints"
	if err := f.usable(function); err != nil {
		return err
	}
	if err := agreed(f.comm, function, hints.usable(function)); err != nil {
		return err
	}
	return low.FileSetInfo(f.handle, hints.handle)
}

// ByteOffset is how many bytes of the file stand before an offset of the view.
func (f *File) ByteOffset(offset int) (int, error) {
	if err := f.usable("mpi.File.ByteOffset"); err != nil {
		return 0, err
	}
	if err := f.reaches("mpi.File.ByteOffset", offset); err != nil {
		return 0, err
	}
	return low.FileGetByteOffset(f.handle, offset)
}

// FileSetView lets this process see elements of type T from so many bytes on: all, or those that layout picks if it is
// not nil. Positions begin anew. Collective; a process with a mistake takes part, and keeps its view.
func FileSetView[T any](f *File, displacement int, layout *Layout[T], hints *Info) error {
	const function = "mpi.FileSetView"
	if err := f.usable(function); err != nil {
		return err
	}
	element, picks, err := picked(function, displacement, layout)
	if err != nil {
		f.keepView()
		return err
	}
	if err := low.FileSetView(f.handle, displacement, element, picks, "native", hints.Handle()); err != nil {
		return err
	}
	one, err := low.TypeSize(element)
	if err != nil {
		return err
	}
	f.picks = layout != nil
	f.element, f.farthest = element, farthestOffset(displacement, one, picks)
	if one == 1 {
		f.element = 0
	}
	return nil
}

// farthestOffset is the largest offset of a view whose elements have so many bytes.
func farthestOffset(displacement, element int, picks low.Datatype) int {
	room := farthestByte - displacement
	size, err := low.TypeSize(picks)
	_, extent, err2 := low.TypeGetExtent(picks)
	if err != nil || err2 != nil || size < element || extent < size {
		return room / element
	}
	return room / extent * (size / element)
}

// keepView takes part in a change of views with the view that there is, and the position in it.
func (f *File) keepView() {
	from, element, picks, representation, err := low.FileGetView(f.handle)
	if err != nil {
		return
	}
	at, err := low.FileGetPosition(f.handle)
	_ = low.FileSetView(f.handle, from, element, picks, representation, low.InfoNull)
	if err == nil {
		_ = low.FileSeek(f.handle, at, low.SeekSet)
	}
	for _, d := range []low.Datatype{element, picks} {
		if _, _, _, made, err := low.TypeGetEnvelope(d); err == nil && made != low.CombinerNamed {
			_ = low.TypeFree(&d)
		}
	}
}

// picked is the datatype of the elements of a view, and the one that picks some of them.
func picked[T any](function string, displacement int, layout *Layout[T]) (element, picks low.Datatype, err error) {
	if element, err = typeOf[T](function); err != nil {
		return element, picks, err
	}
	if err := upTo(function, "displacement", displacement, farthestByte); err != nil {
		return element, picks, err
	}
	if layout == nil {
		return element, element, nil
	}
	if err := layout.usable(function); err != nil {
		return element, picks, err
	}
	return element, layout.handle, nil
}
