package mpi_test

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// open opens a new file that all processes share, and tells its name.
func open(t *testing.T) (*mpi.File, string) {
	t.Helper()
	var name [256]byte
	if world.Rank() == 0 {
		copy(name[:], filepath.Join(t.TempDir(), "file"))
	}
	name, err := mpi.BcastValue(world, name, 0)
	must(t, err)
	path := string(name[:slices.Index(name[:], 0)])
	f, err := mpi.OpenFile(world, path, mpi.ReadWrite|mpi.Create, nil)
	must(t, err)
	return f, path
}

// closed closes it, before the folder of rank 0 is removed.
func closed(t *testing.T, f *mpi.File) {
	t.Helper()
	must(t, f.Close())
	must(t, world.Barrier())
}

// moved wants an operation that read or wrote two elements.
func moved(t *testing.T, n int, err error) {
	t.Helper()
	must(t, err)
	want(t, "elements", n, 2)
}

func begun(t *testing.T, r *mpi.Request, err error) {
	t.Helper()
	must(t, err)
	s, err := r.Wait()
	must(t, err)
	n, err := mpi.Count[int32](&s)
	moved(t, n, err)
}

func TestElementsAreWrittenAndRead(t *testing.T) {
	f, _ := open(t)
	must(t, mpi.FileSetView[int32](f, 0, nil, nil))
	rank, n := world.Rank(), world.Size()
	mine, got := []int32{int32(rank), 7}, make([]int32, 2)
	at := 2 * rank
	same := func() {
		t.Helper()
		want(t, "elements read", [2]int32(got), [2]int32(mine))
		clear(got)
	}
	for round := range 4 {
		mine[1]++
		var k int
		var err error
		switch round {
		case 0:
			k, err = mpi.FileWriteAt(f, at, mine)
			moved(t, k, err)
			must(t, f.Sync())
			k, err = mpi.FileReadAt(f, at, got)
			moved(t, k, err)
		case 1:
			k, err = mpi.FileWriteAtAll(f, at, mine)
			moved(t, k, err)
			k, err = mpi.FileReadAtAll(f, at, got)
			moved(t, k, err)
		case 2:
			r, err := mpi.FileIwriteAt(f, at, mine)
			begun(t, r, err)
			r, err = mpi.FileIreadAt(f, at, got)
			begun(t, r, err)
		case 3:
			r, err := mpi.FileIwriteAtAll(f, at, mine)
			begun(t, r, err)
			r, err = mpi.FileIreadAtAll(f, at, got)
			begun(t, r, err)
		}
		same()
	}
	seek := func() {
		t.Helper()
		to, err := f.Seek(int64(at), io.SeekStart)
		must(t, err)
		want(t, "position", int(to), at)
	}
	mine[1]++
	seek()
	k, err := mpi.FileWrite(f, mine)
	moved(t, k, err)
	seek()
	k, err = mpi.FileRead(f, got)
	moved(t, k, err)
	same()
	mine[1]++
	seek()
	k, err = mpi.FileWriteAll(f, mine)
	moved(t, k, err)
	seek()
	k, err = mpi.FileReadAll(f, got)
	moved(t, k, err)
	same()
	mine[1]++
	seek()
	r, err := mpi.FileIwrite(f, mine)
	begun(t, r, err)
	seek()
	r, err = mpi.FileIread(f, got)
	begun(t, r, err)
	same()
	mine[1]++
	seek()
	r, err = mpi.FileIwriteAll(f, mine)
	begun(t, r, err)
	seek()
	r, err = mpi.FileIreadAll(f, got)
	begun(t, r, err)
	same()
	size, err := f.Size()
	must(t, err)
	want(t, "bytes", size, 8*n)
	bytes, err := f.ByteOffset(3)
	must(t, err)
	want(t, "bytes before the third element", bytes, 12)
	_, err = f.ReadAt(make([]byte, 1), 0)
	refused(t, "bytes of a view of numbers", err, mpi.ErrArg)
	closed(t, f)
}

// Processes read alone, and at once, what they wrote with all others: collective-write-returns-early.
func TestWhatAllHaveWrittenIsThere(t *testing.T) {
	f, path := open(t)
	must(t, mpi.FileSetView[int32](f, 0, nil, nil))
	for round := range 90 {
		sent := make([]int32, 1+40*(round/3%4))
		for i := range sent {
			sent[i] = int32(1000*world.Rank() + round)
		}
		got := make([]int32, len(sent))
		at := len(sent) * world.Rank()
		_, err := f.Seek(int64(at), io.SeekStart)
		must(t, err)
		must(t, f.SeekShared(0, io.SeekStart))
		must(t, world.Barrier())
		switch round % 3 {
		case 0:
			_, err = mpi.FileWriteAtAll(f, at, sent)
		case 1:
			_, err = mpi.FileWriteAll(f, sent)
		case 2:
			_, err = mpi.FileWriteOrdered(f, sent)
		}
		must(t, err)
		if round/12%2 == 0 {
			_, err = mpi.FileReadAt(f, at, got)
			must(t, err)
		} else {
			r, err := mpi.FileIreadAt(f, at, got)
			must(t, err)
			_, err = r.Wait()
			must(t, err)
		}
		want(t, "the first that is read", got[0], sent[0])
		want(t, "all are the same", slices.Equal(got, sent), true)
		must(t, world.Barrier())
	}
	must(t, f.Close())
	f, err := mpi.OpenFile(world, path, mpi.WriteOnly, nil)
	must(t, err)
	_, err = mpi.FileWriteAtAll(f, world.Rank(), []byte{1})
	must(t, err)
	closed(t, f)
}

// transfers are all functions that read or write the elements of a slice, by how they find the place.
func transfers[T any](f *mpi.File, data []T) (at, onward map[string]func() error) {
	now := func(call func(*mpi.File, []T) (int, error)) func() error {
		return func() error { _, err := call(f, data); return err }
	}
	later := func(call func(*mpi.File, []T) (*mpi.Request, error)) func() error {
		return func() error { _, err := call(f, data); return err }
	}
	nowAt := func(call func(*mpi.File, int, []T) (int, error)) func() error {
		return func() error { _, err := call(f, 0, data); return err }
	}
	laterAt := func(call func(*mpi.File, int, []T) (*mpi.Request, error)) func() error {
		return func() error { _, err := call(f, 0, data); return err }
	}
	at = map[string]func() error{
		"FileReadAt": nowAt(mpi.FileReadAt[T]), "FileIreadAt": laterAt(mpi.FileIreadAt[T]),
		"FileReadAtAll": nowAt(mpi.FileReadAtAll[T]), "FileIreadAtAll": laterAt(mpi.FileIreadAtAll[T]),
		"FileWriteAt": nowAt(mpi.FileWriteAt[T]), "FileIwriteAt": laterAt(mpi.FileIwriteAt[T]),
		"FileWriteAtAll": nowAt(mpi.FileWriteAtAll[T]), "FileIwriteAtAll": laterAt(mpi.FileIwriteAtAll[T]),
	}
	onward = map[string]func() error{
		"FileRead": now(mpi.FileRead[T]), "FileIread": later(mpi.FileIread[T]),
		"FileReadAll": now(mpi.FileReadAll[T]), "FileIreadAll": later(mpi.FileIreadAll[T]),
		"FileReadShared": now(mpi.FileReadShared[T]), "FileIreadShared": later(mpi.FileIreadShared[T]),
		"FileReadOrdered": now(mpi.FileReadOrdered[T]),
		"FileWrite":       now(mpi.FileWrite[T]), "FileIwrite": later(mpi.FileIwrite[T]),
		"FileWriteAll": now(mpi.FileWriteAll[T]), "FileIwriteAll": later(mpi.FileIwriteAll[T]),
		"FileWriteShared": now(mpi.FileWriteShared[T]), "FileIwriteShared": later(mpi.FileIwriteShared[T]),
		"FileWriteOrdered": now(mpi.FileWriteOrdered[T]),
	}
	return at, onward
}

// elementsRefused wants an error of the function itself, which says what to do.
func elementsRefused(t *testing.T, function string, err error) {
	t.Helper()
	refused(t, function, err, mpi.ErrArg)
	want(t, function+" tells its name and what helps", strings.HasPrefix(err.Error(), "mpi."+function+":") &&
		strings.Contains(err.Error(), "mpi.FileSetView[int32]"), true)
}

// nothingIsWritten wants an empty file, of which all have asked when it returns.
func nothingIsWritten(t *testing.T, f *mpi.File) {
	t.Helper()
	must(t, world.Barrier())
	size, err := f.Size()
	must(t, err)
	want(t, "bytes that were written", size, 0)
	must(t, world.Barrier())
}

// allRefused wants every call to be refused, in one order in all processes.
func allRefused(t *testing.T, calls map[string]func() error) {
	t.Helper()
	for _, function := range slices.Sorted(maps.Keys(calls)) {
		elementsRefused(t, function, calls[function]())
	}
}

func TestElementsAtOffsetsThatCountBytesAreRefused(t *testing.T) {
	f, _ := open(t)
	at, _ := transfers(f, []int32{1, 2})
	allRefused(t, at)
	must(t, mpi.FileSetView[int8](f, 0, nil, nil))
	allRefused(t, at)
	nothingIsWritten(t, f)
	type letter int8
	n, err := mpi.FileWriteAt(f, 2*world.Rank(), []letter{'a', 'b'})
	moved(t, n, err)
	closed(t, f)
}

func TestElementsThatTheViewDoesNotHaveAreRefused(t *testing.T) {
	f, _ := open(t)
	must(t, mpi.FileSetView[float64](f, 0, nil, nil))
	at, onward := transfers(f, []int32{1, 2})
	allRefused(t, at)
	allRefused(t, onward)
	nothingIsWritten(t, f)
	type celsius float64
	n, err := mpi.FileWriteAtAll(f, 2*world.Rank(), []celsius{1, 2})
	moved(t, n, err)
	must(t, mpi.FileSetView[int32](f, 0, nil, nil))
	closed(t, f)
}

func TestElementsOfAnyTypeFollowEachOtherInAFileOfBytes(t *testing.T) {
	f, path := open(t)
	for i := range 2 {
		k, err := mpi.FileWriteOrdered(f, []int32{int32(world.Rank()), int32(i)})
		moved(t, k, err)
	}
	closed(t, f)
	if world.Rank() == 0 {
		data, err := os.ReadFile(path)
		must(t, err)
		want(t, "bytes", len(data), 16*world.Size())
		for i := range 2 * world.Size() {
			want(t, "elements", [2]byte{data[8*i], data[8*i+4]}, [2]byte{byte(i % world.Size()), byte(i / world.Size())})
		}
	}
	must(t, world.Barrier())
}

func TestViewsPickElements(t *testing.T) {
	f, path := open(t)
	rank, n := world.Rank(), world.Size()
	every, err := mpi.Every[int32](2, 1, n)
	must(t, err)
	must(t, mpi.FileSetView(f, 4*rank, every, nil))
	k, err := mpi.FileWriteAll(f, []int32{int32(rank), int32(100 + rank)})
	moved(t, k, err)
	must(t, every.Free())
	closed(t, f)
	if rank == 0 {
		data, err := os.ReadFile(path)
		must(t, err)
		want(t, "bytes", len(data), 8*n)
		for i := range n {
			want(t, "first row", data[4*i], byte(i))
			want(t, "second row", data[4*(n+i)], byte(100+i))
		}
	}
	must(t, world.Barrier())
}

func TestFilesAreReadersAndWritersOfBytes(t *testing.T) {
	f, path := open(t)
	rank, n := world.Rank(), world.Size()
	k, err := io.WriterAt(f).WriteAt([]byte{byte(rank), 'x'}, int64(2*rank))
	moved(t, k, err)
	must(t, f.Sync())
	must(t, world.Barrier())
	whole, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<20))
	must(t, err)
	want(t, "bytes", len(whole), 2*n)
	want(t, "a byte of the last", whole[2*n-2], byte(n-1))
	k, err = f.ReadAt(make([]byte, 2), 0)
	moved(t, k, err)
	k, err = f.ReadAt(make([]byte, 3), int64(2*n-1))
	want(t, "end of the file", k == 1 && err == io.EOF, true)
	_, err = f.ReadAt(whole, -1)
	refused(t, "a negative offset", err, mpi.ErrArg)
	_, err = f.Seek(0, 7)
	refused(t, "from nowhere", err, mpi.ErrArg)
	must(t, world.Barrier()) // all have read
	must(t, f.SetSize(5))
	size, err := f.Size()
	must(t, err)
	want(t, "bytes", size, 5)
	must(t, world.Barrier())
	if !defects["open-after-preallocate"] {
		must(t, f.Preallocate(9))
		size, err = f.Size()
		must(t, err)
		want(t, "there is room", size, 9)
	}
	if err := f.SetAtomic(true); !errors.Is(err, mpi.ErrOther) { // which Open MPI 4.1 says, as it has none
		must(t, err)
		atomic, err := f.Atomic()
		must(t, err)
		want(t, "atomic", atomic, true)
	}
	mode, err := f.Mode()
	must(t, err)
	want(t, "mode", mode, mpi.ReadWrite|mpi.Create)
	group, err := f.Group()
	must(t, err)
	members, err := group.Size()
	must(t, err)
	want(t, "processes", members, n)
	must(t, group.Free())
	hints, err := f.Hints()
	must(t, err)
	must(t, f.SetHints(hints))
	must(t, hints.Free())
	refused(t, "no hints", f.SetHints(nil), mpi.ErrArg)
	closed(t, f)
	if rank == 0 {
		must(t, mpi.DeleteFile(path))
		_, err := os.Stat(path)
		want(t, "it is gone", errors.Is(err, os.ErrNotExist), true)
	}
	_, err = mpi.OpenFile(mpi.Self(), filepath.Join(path, "none"), mpi.ReadOnly, nil)
	want(t, "a file that is not there is an error", err != nil, true)
	for _, none := range []*mpi.File{nil, {}, f} {
		refused(t, "close", none.Close(), low.ErrFile)
		_, err = none.ReadAt(nil, 0)
		refused(t, "read", err, low.ErrFile)
		_, err = mpi.FileIread(none, []int{1})
		refused(t, "begin to read", err, low.ErrFile)
		refused(t, "view", mpi.FileSetView[int](none, 0, nil, nil), low.ErrFile)
	}
}

func TestProcessesShareAPosition(t *testing.T) {
	f, path := open(t)
	rank, n := world.Rank(), world.Size()
	k, err := mpi.FileWriteOrdered(f, []byte{byte(rank), 'o'})
	moved(t, k, err)
	got := make([]byte, 2)
	must(t, world.Barrier())
	must(t, f.SeekShared(0, io.SeekStart))
	to, err := f.SharedPosition()
	must(t, err)
	want(t, "shared position", to, 0)
	must(t, world.Barrier())
	k, err = mpi.FileReadOrdered(f, got)
	moved(t, k, err)
	want(t, "in the order of ranks", got[0], byte(rank))
	k, err = mpi.FileWriteShared(f, []byte{'s', 's'})
	moved(t, k, err)
	r, err := mpi.FileIwriteShared(f, []byte{'i', 'i'})
	must(t, err)
	_, err = r.Wait()
	must(t, err)
	must(t, world.Barrier())
	must(t, f.SeekShared(int64(2*n), io.SeekStart))
	k, err = mpi.FileReadShared(f, got)
	moved(t, k, err)
	r, err = mpi.FileIreadShared(f, got)
	must(t, err)
	_, err = r.Wait()
	must(t, err)
	closed(t, f)
	if rank == 0 {
		data, err := os.ReadFile(path)
		must(t, err)
		slices.Sort(data[2*n:])
		want(t, "bytes", string(data[2*n:]), strings.Repeat("i", 2*n)+strings.Repeat("s", 2*n))
	}
	must(t, world.Barrier())
}

func TestFilesGoFromOnePackageToTheOther(t *testing.T) {
	f, _ := open(t)
	must(t, f.SetSize(30))
	size, err := low.FileGetSize(f.Handle())
	must(t, err)
	want(t, "bytes", size, 30)
	_, err = f.WriteAt([]byte{1}, -1)
	refused(t, "bytes before the beginning", err, mpi.ErrArg)
	must(t, mpi.FileSetView[int32](f, 0, nil, nil))
	_, err = f.WriteAt([]byte{1}, 0)
	refused(t, "bytes in a view of numbers", err, mpi.ErrArg)
	closed(t, f)
}
