package mpi_test

import (
	"io"
	"path/filepath"

	"mpiglot.dev/mpi"
)

// farthest is the last element of a file that is looked at, so that the file stays small.
const farthest = 200

// files opens one file of all processes after the other, and reads and writes it.
func files(p *player) {
	if p.together.IntN(24) != 0 { // they cost more than others
		return
	}
	if p.file == nil {
		p.file, _ = open(p.t)
		p.move = moving[byte]
	}
	f := p.file
	switch p.together.IntN(20) {
	case 0, 1:
		p.finish() // what was begun keeps the view
		p.view()
	case 2:
		if p.together.IntN(4) != 0 { // opening is expensive
			return
		}
		p.finish()
		p.once("File.Close", right, f.Close)
		p.once("File.Close again", wrong, f.Close)
		p.once("FileReadAll of a closed file", wrong, func() error { _, err := mpi.FileReadAll(f, []byte{1}); return err })
		p.once("FileIwriteAt of a closed file", wrong, func() error { _, err := mpi.FileIwriteAt(f, 0, []byte{1}); return err })
		p.file = nil
	case 3:
		size := p.together.IntN(1000)
		p.finish()
		p.once("File.SetSize", right, func() error { return f.SetSize(size) })
		p.once("File.Sync", right, f.Sync)
	case 4:
		missing := filepath.Join("missing", "file")
		p.once("OpenFile of a missing file", wrong, func() error { _, err := mpi.OpenFile(mpi.Self(), missing, mpi.ReadOnly, nil); return err })
		p.once("DeleteFile of a missing file", wrong, func() error { return mpi.DeleteFile(missing) })
		p.once("OpenFile without a name", wrong, func() error { _, err := mpi.OpenFile(p.c, "", mpi.ReadWrite|mpi.Create, nil); return err })
		p.once("File.SetSize below zero", wrong, func() error { return f.SetSize(-1 - p.alone.IntN(9)) })
		p.once("File.Preallocate below zero", wrong, func() error { return f.Preallocate(-1 - p.alone.IntN(9)) })
	case 5:
		p.once("File.Seek", either, func() error { _, err := f.Seek(int64(p.odd()), p.odd()); return err })
		p.once("File.Seek to the end", either, func() error { _, err := f.Seek(0, io.SeekEnd); return err })
		p.once("File.Seek before the beginning", wrong, func() error { _, err := f.Seek(-1-int64(p.alone.IntN(9)), io.SeekStart); return err })
		p.once("File.ByteOffset", right, func() error { _, err := f.ByteOffset(p.alone.IntN(farthest)); return err })
		p.once("File.ByteOffset below zero", wrong, func() error { _, err := f.ByteOffset(-1); return err })
		p.once("File.Size", right, func() error { _, err := f.Size(); return err })
		p.once("File.Mode", right, func() error { _, err := f.Mode(); return err })
		p.once("File.SharedPosition", right, func() error { _, err := f.SharedPosition(); return err })
	default:
		p.move(p)
	}
}

// view lets all processes see other elements.
func (p *player) view() {
	switch p.together.IntN(4) {
	case 0:
		set[byte](p, nil)
	case 1:
		set[int32](p, nil)
	case 2:
		set[float64](p, nil)
	case 3:
		every, err := mpi.Every[int32](1+p.together.IntN(3), 1, 1+p.together.IntN(3))
		must(p.t, err)
		set(p, every)
		p.once("Layout.Free", right, every.Free)
		p.once("FileSetView of a layout that was freed", wrong, func() error { return mpi.FileSetView(p.file, 0, every, nil) })
	}
	p.once("FileSetView before the beginning", wrong, func() error { return mpi.FileSetView[byte](p.file, -1-p.alone.IntN(9), nil, nil) })
}

func set[T any](p *player, picks *mpi.Layout[T]) {
	from := p.together.IntN(50)
	p.once("FileSetView", right, func() error { return mpi.FileSetView(p.file, from, picks, nil) })
	p.move = moving[T]
}

// moving reads or writes elements of the view, or others, which is wrong.
func moving[T any](p *player) {
	f, n, offset := p.file, p.together.IntN(9), p.together.IntN(farthest)+10*p.c.Rank()
	_, bad := p.mistake() // of all: one that is alone with it would leave the others waiting
	if at := p.together.IntN(2) == 0; at || bad {
		switch {
		case bad && p.alone.IntN(2) == 0:
			movingAt[int16](p, f, n, offset, wrong)
		case bad:
			movingAt[T](p, f, n, -1-p.alone.IntN(9), wrong)
		default:
			movingAt[T](p, f, n, offset, right)
		}
		return
	}
	p.once("File.Seek before moving", right, func() error { _, err := f.Seek(int64(offset), io.SeekStart); return err })
	if p.together.IntN(4) == 0 {
		to := p.together.IntN(farthest)
		p.finish()
		p.once("File.SeekShared", right, func() error { return f.SeekShared(int64(to), io.SeekStart) })
	}
	movingOn[T](p, f, n)
}

// movingAt moves elements at an offset.
func movingAt[T any](p *player, f *mpi.File, n, offset int, how verdict) {
	way := p.together.IntN(8)
	var data []T
	if way < 4 {
		data = receiving[T](p, n)
	} else {
		data = sending[T](p, n)
	}
	switch way {
	case 0:
		p.once("FileReadAt", how, func() error { _, err := mpi.FileReadAt(f, offset, data); return err })
	case 1:
		p.once("FileReadAtAll", how, func() error { _, err := mpi.FileReadAtAll(f, offset, data); return err })
	case 2:
		p.begin("FileIreadAt", how, func() (*mpi.Request, error) { return mpi.FileIreadAt(f, offset, data) })
	case 3:
		p.begin("FileIreadAtAll", how, func() (*mpi.Request, error) { return mpi.FileIreadAtAll(f, offset, data) })
	case 4:
		p.once("FileWriteAt", how, func() error { _, err := mpi.FileWriteAt(f, offset, data); return err })
	case 5:
		p.once("FileWriteAtAll", how, func() error { _, err := mpi.FileWriteAtAll(f, offset, data); return err })
	case 6:
		p.begin("FileIwriteAt", how, func() (*mpi.Request, error) { return mpi.FileIwriteAt(f, offset, data) })
	case 7:
		p.begin("FileIwriteAtAll", how, func() (*mpi.Request, error) { return mpi.FileIwriteAtAll(f, offset, data) })
	}
}

// movingOn moves elements at the position of the process, or at that of all.
func movingOn[T any](p *player, f *mpi.File, n int) {
	way := p.together.IntN(14)
	var data []T
	if way%2 == 0 {
		data = receiving[T](p, n)
	} else {
		data = sending[T](p, n)
	}
	once := func(name string, call func(*mpi.File, []T) (int, error)) {
		p.once(name, right, func() error { _, err := call(f, data); return err })
	}
	begin := func(name string, call func(*mpi.File, []T) (*mpi.Request, error)) {
		p.begin(name, right, func() (*mpi.Request, error) { return call(f, data) })
	}
	switch way {
	case 0:
		once("FileRead", mpi.FileRead[T])
	case 1:
		once("FileWrite", mpi.FileWrite[T])
	case 2:
		once("FileReadAll", mpi.FileReadAll[T])
	case 3:
		once("FileWriteAll", mpi.FileWriteAll[T])
	case 4:
		begin("FileIread", mpi.FileIread[T])
	case 5:
		begin("FileIwrite", mpi.FileIwrite[T])
	case 6:
		begin("FileIreadAll", mpi.FileIreadAll[T])
	case 7:
		begin("FileIwriteAll", mpi.FileIwriteAll[T])
	case 8:
		once("FileReadShared", mpi.FileReadShared[T])
	case 9:
		once("FileWriteShared", mpi.FileWriteShared[T])
	case 10:
		begin("FileIreadShared", mpi.FileIreadShared[T])
	case 11:
		begin("FileIwriteShared", mpi.FileIwriteShared[T])
	case 12:
		once("FileReadOrdered", mpi.FileReadOrdered[T])
	case 13:
		once("FileWriteOrdered", mpi.FileWriteOrdered[T])
	}
}
