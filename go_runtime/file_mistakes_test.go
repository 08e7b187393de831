package mpi_test

import (
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// together are the functions that read or write and that all processes of a file call together.
func together[T any](f *mpi.File, offset int, data []T) map[string]func() error {
	now := func(_ int, err error) error { return err }
	return map[string]func() error{
		"FileReadAll":      func() error { return now(mpi.FileReadAll(f, data)) },
		"FileIreadAll":     func() error { return waited(mpi.FileIreadAll(f, data)) },
		"FileReadOrdered":  func() error { return now(mpi.FileReadOrdered(f, data)) },
		"FileReadAtAll":    func() error { return now(mpi.FileReadAtAll(f, offset, data)) },
		"FileIreadAtAll":   func() error { return waited(mpi.FileIreadAtAll(f, offset, data)) },
		"FileWriteAll":     func() error { return now(mpi.FileWriteAll(f, data)) },
		"FileIwriteAll":    func() error { return waited(mpi.FileIwriteAll(f, data)) },
		"FileWriteOrdered": func() error { return now(mpi.FileWriteOrdered(f, data)) },
		"FileWriteAtAll":   func() error { return now(mpi.FileWriteAtAll(f, offset, data)) },
		"FileIwriteAtAll":  func() error { return waited(mpi.FileIwriteAtAll(f, offset, data)) },
	}
}

func TestAMistakeWithAFileLeavesNobodyWaiting(t *testing.T) {
	f, _ := open(t)
	pending, wrong := low.Pending(), world.Rank() == world.Size()-1
	check := func(name string, mistaken bool, err error) {
		t.Helper()
		if mistaken {
			refused(t, name, err, mpi.ErrArg)
		} else {
			must(t, err)
		}
		stillTogether(t, name)
	}
	must(t, f.SetSize(1<<12)) // some libraries wait for ever for what lies behind the end
	must(t, mpi.FileSetView[int32](f, 0, nil, nil))
	otherElements, before := together(f, 0, []int32{1, 2}), together(f, 0, []int32{1, 2})
	if wrong {
		otherElements, before = together(f, 0, []float64{1, 2}), together(f, -1, []int32{1, 2})
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		check(name+" of other elements", wrong, otherElements[name]())
		check(name+" before the beginning", wrong && strings.Contains(name, "At"), before[name]())
	}
	displacement := 0
	if wrong {
		displacement = -1
	}
	check("FileSetView before the beginning", wrong, mpi.FileSetView[int32](f, displacement, nil, nil))
	check("FileWriteAtAll with the view of before", false, together(f, 0, []int32{1})["FileWriteAtAll"]())
	want(t, "operations that only take part are complete", low.Pending() <= pending, true)
	closed(t, f)
}

func TestWhatOneProcessRefusesNoneDoesToAFile(t *testing.T) {
	f, path := open(t)
	must(t, f.SetSize(100))
	hints, err := mpi.NewInfo(nil)
	must(t, err)
	size, whence, given, name, mode, making := 200, io.SeekStart, hints, path, mpi.ReadWrite, mpi.ReadWrite
	mistaken, class := world.Rank() == world.Size()-1, low.ErrNotSame
	if mistaken {
		size, whence, given, name = -1, 7, nil, ""
		mode, making = mpi.ReadOnly|mpi.WriteOnly, mpi.ReadOnly|mpi.Create
	}
	opened := func(name string, mode mpi.OpenMode) error {
		other, err := mpi.OpenFile(world, name, mode, nil)
		want(t, "there is no file", other == nil, err != nil)
		return err
	}
	for _, call := range []struct {
		name  string
		class mpi.Class
		err   error
	}{
		{"SetSize", mpi.ErrArg, f.SetSize(size)},
		{"Preallocate", mpi.ErrArg, f.Preallocate(size)},
		{"SeekShared to before the beginning", mpi.ErrArg, f.SeekShared(int64(size), io.SeekStart)},
		{"SeekShared from nowhere", mpi.ErrArg, f.SeekShared(0, whence)},
		{"SetHints", mpi.ErrArg, f.SetHints(given)},
		{"OpenFile without a name", low.ErrBadFile, opened(name, mpi.ReadWrite)},
		{"OpenFile in no mode", low.ErrAmode, opened(path, mode)},
		{"OpenFile to read and to make", low.ErrAmode, opened(path, making)},
	} {
		expected := class
		if mistaken {
			expected = call.class
		}
		refused(t, call.name, call.err, expected)
		stillTogether(t, call.name)
	}
	at, err := f.Size()
	must(t, err)
	want(t, "bytes as before", at, 100)
	must(t, hints.Free())
	closed(t, f)
}

// placed are the functions that read or write at an offset.
func placed[T any](f *mpi.File, offset int, data []T) map[string]func() error {
	calls := together(f, offset, data)
	maps.DeleteFunc(calls, func(name string, _ func() error) bool { return !strings.Contains(name, "At") })
	calls["FileReadAt"] = func() error { _, err := mpi.FileReadAt(f, offset, data); return err }
	calls["FileIreadAt"] = func() error { return waited(mpi.FileIreadAt(f, offset, data)) }
	calls["FileWriteAt"] = func() error { _, err := mpi.FileWriteAt(f, offset, data); return err }
	calls["FileIwriteAt"] = func() error { return waited(mpi.FileIwriteAt(f, offset, data)) }
	return calls
}

func TestOffsetsThatNobodyCanCountInBytesAreRefused(t *testing.T) {
	f, _ := open(t)
	every, err := mpi.Every[float64](2, 1, 3)
	must(t, err)
	const began = 3
	seek := func(offset int64, whence int) error { _, err := f.Seek(offset, whence); return err }
	check := func(view string, set error, tooFar int, atOffset map[string]func() error) {
		t.Helper()
		must(t, set)
		must(t, seek(began, io.SeekStart))
		maps.Copy(atOffset, map[string]func() error{
			"ByteOffset":        func() error { _, err := f.ByteOffset(tooFar); return err },
			"Seek":              func() error { return seek(int64(tooFar), io.SeekStart) },
			"Seek forth":        func() error { return seek(int64(tooFar-began), io.SeekCurrent) },
			"Seek by the most":  func() error { return seek(math.MaxInt64, io.SeekCurrent) },
			"Seek back":         func() error { return seek(-began-1, io.SeekCurrent) },
			"Seek by the least": func() error { return seek(math.MinInt64, io.SeekCurrent) },
			"Seek from the end": func() error { return seek(int64(tooFar), io.SeekEnd) },
			"Seek to the end":   func() error { return seek(math.MinInt64, io.SeekEnd) },
			"SeekShared":        func() error { return f.SeekShared(int64(tooFar), io.SeekStart) },
			"SetSize":           func() error { return f.SetSize(math.MaxInt) },
			"Preallocate":       func() error { return f.Preallocate(math.MaxInt) },
			"FileSetView":       func() error { return mpi.FileSetView[float64](f, math.MaxInt, nil, nil) },
		})
		for _, name := range slices.Sorted(maps.Keys(atOffset)) {
			refused(t, view+": "+name, atOffset[name](), mpi.ErrArg)
			stillTogether(t, view+": "+name)
		}
		at, err := f.Seek(0, io.SeekCurrent)
		must(t, err)
		want(t, view+": position", at, began)
	}
	const most = math.MaxInt / 4 // bytes
	numbers := []float64{1}
	check("bytes", mpi.FileSetView[byte](f, 5, nil, nil), most-4, placed(f, most-4, []byte{1}))
	check("numbers", mpi.FileSetView[float64](f, 8, nil, nil), most/8, placed(f, most/8, numbers))
	check("some numbers", mpi.FileSetView(f, 8, every, nil), most/8/3*2, placed(f, most/8/3*2, numbers))
	check("numbers far away", mpi.FileSetView[float64](f, most-800, nil, nil), 101, placed(f, 101, numbers))
	const begin = most + 1 // 8 times that are no bytes for who counts with 64 bits
	check("the beginning again", mpi.FileSetView[float64](f, 0, nil, nil), begin, placed(f, begin, numbers))
	size, err := f.Size()
	must(t, err)
	want(t, "bytes", size, 0)
	must(t, every.Free())
	closed(t, f)
}
