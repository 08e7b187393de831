//go:build cgo

package low

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// slots holds the functions behind callbacks that carry no state: each has a C function of its own, its slot. A slot
// is taken again when nothing is left through which MPI could call its function. A function that comes again before
// that gets the slot that it has.
type slots[F any] struct {
	functions []F // by slot
	free      []int
	known     map[unsafe.Pointer]*loan // of each function
	count     int
}

// A loan is a slot that a function has. Everything in it, and in slots, is guarded by lent.
type loan struct {
	slot   int
	count  int // how many handles, and objects that have the error handler, it is for
	giveUp func()
}

var (
	noFunction = &loan{slot: -1} // MPI's null function
	noSlot     = &loan{slot: -2} // there is none left
)

// lent tells through what MPI can call a function that has a slot.
var lent = struct {
	sync.RWMutex
	holders atomic.Int64 // how many there are: calls look no further where that is 0
	of      map[any]*holder
}{of: map[any]*holder{}}

// A holder is an operation or error handler of the program, or an object that has such an error handler. Its key is the
// handle. It outlives its handles while a call or a request uses it.
type holder struct {
	users   atomic.Int64 // handles, calls and requests
	handles int          // MPI counts them as well: each is freed
	loans   []*loan
	late    bool // requests were pending when it got its error handler: they may be its own
}

// identity is the same for two function values if they are one closure or one function without captures. No other
// function has it as long as this one is reachable.
func identity[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

// take lends f a slot, for the handle that is made next.
func (s *slots[F]) take(f F, null bool) *loan {
	if null {
		return noFunction
	}
	lent.Lock()
	defer lent.Unlock()
	if l := s.known[identity(f)]; l != nil {
		l.count++
		return l
	}
	l := &loan{count: 1}
	if last := len(s.free) - 1; last >= 0 {
		l.slot = s.free[last]
		s.free = s.free[:last]
		s.functions[l.slot] = f
	} else if l.slot = len(s.functions); l.slot < s.count {
		s.functions = append(s.functions, f)
	} else {
		return noSlot
	}
	if s.known == nil {
		s.known = map[unsafe.Pointer]*loan{}
	}
	s.known[identity(f)] = l
	l.giveUp = func() {
		var none F
		delete(s.known, identity(s.functions[l.slot]))
		s.functions[l.slot] = none
		s.free = append(s.free, l.slot)
	}
	return l
}

func (s *slots[F]) get(i int) F {
	lent.RLock()
	defer lent.RUnlock()
	return s.functions[i]
}

// giveBack is called with lent locked.
func (l *loan) giveBack() {
	if l.count--; l.count == 0 && l.giveUp != nil {
		l.giveUp()
	}
}

// put is called with lent locked. If a C library freed what had this handle before, that keeps its slots.
func (h *holder) put(key any) {
	lent.of[key] = h
	lent.holders.Store(int64(len(lent.of)))
}

func remove(key any) {
	delete(lent.of, key)
	lent.holders.Store(int64(len(lent.of)))
}

func newHolder(loans []*loan) *holder {
	h := &holder{handles: 1, loans: loans}
	h.users.Store(1)
	return h
}

// made is called with a handle that was made of a function, or with the code of the error.
func made(code int64, key any, l *loan) {
	if l.slot < 0 {
		return
	}
	lent.Lock()
	defer lent.Unlock()
	if code == 0 {
		newHolder([]*loan{l}).put(key)
	} else {
		l.giveBack()
	}
}

// A use is what one call or request uses.
type use [2]*holder

// usedBy begins the use of what handles stand for.
func usedBy(keys ...any) (u use) {
	lent.RLock()
	defer lent.RUnlock()
	n := 0
	for _, key := range keys {
		if h := lent.of[key]; h != nil {
			h.users.Add(1)
			u[n] = h
			n++
		}
	}
	return u
}

func (u *use) end() {
	for _, h := range u {
		if h != nil {
			h.leave()
		}
	}
}

func (h *holder) leave() {
	if h.users.Add(-1) > 0 {
		return
	}
	lent.Lock()
	defer lent.Unlock()
	for _, l := range h.loans {
		l.giveBack()
	}
	h.loans = nil
}

// letGo is called before a handle is freed: after it, the library may hand the same one out again.
func letGo(key any) *holder {
	lent.Lock()
	defer lent.Unlock()
	h := lent.of[key]
	if h == nil {
		return nil
	}
	if h.handles--; h.handles == 0 {
		remove(key)
	}
	return h
}

// freed is called after that, with the handle as it was before. Requests that were made on an object before it got its
// error handler may still call it.
func (h *holder) freed(key any, gone bool) {
	if gone {
		if !h.late || pendingRequests() == 0 {
			h.leave()
		}
		return
	}
	lent.Lock()
	defer lent.Unlock()
	if h.handles++; h.handles == 1 {
		h.put(key)
	}
}

// attached is called after a call that gave an object an error handler, which u is the use of.
func attached(code int64, object any, u use) {
	if code == 0 && (u != use{} || lent.holders.Load() != 0) {
		attach(object, u)
	}
	u.end()
}

func attach(object any, u use) {
	late := pendingRequests() != 0
	lent.Lock()
	defer lent.Unlock()
	var loans []*loan
	if u[0] != nil {
		loans = again(u[0].loans)
	}
	h := lent.of[object]
	if h == nil && len(loans) > 0 {
		h = newHolder(nil)
		h.late = late
		h.put(object)
	}
	if h == nil {
		return
	}
	for _, l := range h.loans {
		l.giveBack()
	}
	if h.loans = loans; len(loans) == 0 {
		remove(object)
	}
}

func again(loans []*loan) []*loan {
	for _, l := range loans {
		l.count++
	}
	return slices.Clone(loans)
}

// told is called with an error handler that MPI told of an object: one more handle.
func told(handler, object any) {
	lent.Lock()
	defer lent.Unlock()
	if h := lent.of[handler]; h != nil {
		h.handles++
		h.users.Add(1)
	} else if of := lent.of[object]; of != nil {
		newHolder(again(of.loans)).put(handler)
	}
}

// inherited is called with an object that was made of others. A file has none but the null file.
func inherited(child, none any, parents ...any) {
	if child == none {
		return
	}
	lent.Lock()
	defer lent.Unlock()
	var loans []*loan
	for _, parent := range append(parents, none) {
		if h := lent.of[parent]; h != nil {
			loans = append(loans, again(h.loans)...)
		}
	}
	if len(loans) > 0 {
		newHolder(loans).put(child)
	}
}

// keptForEver is called where something may call the functions of these for ever, for all that is known.
func keptForEver(keys ...any) {
	lent.Lock()
	defer lent.Unlock()
	for _, key := range keys {
		if h := lent.of[key]; h != nil {
			h.users.Add(1)
			again(h.loans)
		}
	}
}
