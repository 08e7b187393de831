package mpi

import (
	"sort"
	"strings"
	"sync"

	"mpiglot.dev/mpi/low"
)

// What libraries do wrong in files; the names are those of provision/matrix.json.

// isOpenMPI tells whether collective writes return while another process still writes their data
// (collective-write-returns-early), reads that have begun are never complete if they reach beyond the end of the file
// (iread-beyond-the-end), and accesses that have begun crash where several threads may ask for them
// (file-requests-of-threads).
var isOpenMPI = sync.OnceValue(func() bool {
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

// isDoneAtOnce tells whether an access must not begin. It is done when it begins, by this process alone.
func isDoneAtOnce(reads bool) bool {
	return isOpenMPI() && (reads || Threads() == low.ThreadMultiple)
}

// A place is where a read begins, in elements of the view. Libraries say that collective reads and those with gaps have got
// all that they ask for, also beyond the end of the file (collective-read-tells-too-much, strided-read-tells-too-much).
type place struct {
	file        *File
	first, last int // by the position that all processes share a read begins somewhere between them
	shared      bool
	asked       int // elements of the view
}

// placeOf is where an access begins that is made with these arguments; nil where the library tells what it has read.
func placeOf(f *File, function access, a *arguments) (*place, error) {
	if !function.reads || !function.together && !f.hasGaps(a) || f.isSequential() {
		return nil, nil
	}
	if function.isAt {
		return &place{file: f, first: function.offset, last: function.offset}, nil
	}
	if !function.shared {
		at, err := low.FileGetPosition(f.handle)
		return &place{file: f, first: at, last: at}, err
	}
	one, err := f.elementBytes()
	if err != nil {
		return nil, err
	}
	size, err := low.TypeSize(a.element)
	if err != nil {
		return nil, err
	}
	p := &place{file: f, shared: !function.together, asked: a.n * size / one}
	if function.together {
		p.first, err = ordered(f, p.asked)
	} else {
		p.first, err = low.FileGetPositionShared(f.handle)
	}
	p.last = p.first
	return p, err
}

// ordered is where this process begins in a read in the order of the ranks, before that read. Collective.
func ordered(f *File, asked int) (int, error) {
	rank, err := low.CommRank(f.comm)
	if err != nil {
		return 0, err
	}
	if err := low.Barrier(f.comm); err != nil { // others may still move the position in the access before this one
		return 0, err
	}
	before, through := []int64{0}, []int64{int64(asked)}
	if rank == 0 {
		shared, err := low.FileGetPositionShared(f.handle)
		if err != nil {
			return 0, err
		}
		before[0] = int64(shared)
		through[0] += before[0]
	}
	err = low.Exscan(low.Slice(through), low.Slice(before), 1, low.Int64T, low.Sum, f.comm)
	return int(before[0]), err
}

// moved is called when MPI has moved the position.
func (p *place) moved() {
	if p == nil || !p.shared {
		return
	}
	if at, err := low.FileGetPositionShared(p.file.handle); err == nil {
		p.last = at - p.asked
	}
}

// end makes a status tell what lies before the end of the file.
func (p *place) end(function string, s *low.Status) error {
	if p == nil || p.file.Handle() == low.FileNull {
		return nil
	}
	told, err := low.GetCount(s, low.Byte)
	if err != nil || told <= 0 {
		return err
	}
	one, err := p.file.elementBytes()
	if err != nil {
		return err
	}
	size, err := low.FileGetSize(p.file.handle)
	if err != nil {
		return err
	}
	there := func(first int) int {
		return sort.Search(told/one, func(i int) bool {
			at, failed := low.FileGetByteOffset(p.file.handle, first+i)
			if failed != nil {
				err = failed
			}
			return at+one > size
		})
	}
	n := there(p.first)
	if p.last != p.first && there(p.last) != n {
		return &Error{Class: low.ErrUnsupportedOperation, Function: function,
			Message: "this library does not tell how much it has read at the end of the file, where other processes read, too"}
	}
	if err != nil || n == told/one {
		return err
	}
	return low.StatusSetElements(s, low.Byte, n*one)
}

// hasGaps tells whether libraries read a piece at a time: into a buffer, or by a view, that may have gaps.
func (f *File) hasGaps(a *arguments) bool {
	if isOpenMPI() {
		return false
	}
	_, _, _, made, err := low.TypeGetEnvelope(a.element)
	return f.picks || err != nil || made != low.CombinerNamed
}

// isSequential tells whether a file has no positions.
func (f *File) isSequential() bool {
	mode, err := low.FileGetAmode(f.handle)
	return err == nil && mode&low.ModeSequential != 0
}

// elementBytes is how long an element of the view is.
func (f *File) elementBytes() (int, error) {
	if f.element == 0 {
		return 1, nil
	}
	return low.TypeSize(f.element)
}
