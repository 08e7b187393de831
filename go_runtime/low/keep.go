package low

// #include "mpiglot.h"
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// kept is what one pending operation uses: Go memory that must neither move nor be collected,
// arrays that were converted for it, and functions of the program that MPI may call for it.
type kept struct {
	pinner runtime.Pinner
	blocks unsafe.Pointer // C memory
	use    use            // operations and error handlers of the program
	next   *kept          // of operations that have the same request handle, and of orphans
}

// A place holds what the operation with this request keeps. Instead of a request it says that it is free, or that what it
// holds is not to be looked at.
type place struct {
	request uint64
	kept    kept
}

// change takes a place for oneself, if it is of this request, or free. The next mark lets it go.
func (p *place) change(from uint64) bool {
	return atomic.CompareAndSwapUint64(&p.request, from, beingChanged)
}

func (p *place) mark(request uint64) {
	if storesStayInOrder {
		p.request = request
	} else {
		atomic.StoreUint64(&p.request, request)
	}
}

func (p *place) is(request uint64) bool { return atomic.LoadUint64(&p.request) == request }

const (
	free = iota
	beingChanged
)

// pending is the registry of what requests keep. Most stand in the table, at the place that their handle tells; where
// that is taken, in the map. The library may hand out one handle for several operations that are complete
// already, hence a queue for each. Nothing enters the table while there is something in the map, so that of two
// operations with the same handle the older one is found first.
var pending = struct {
	table    [1 << pendingBits]place
	overflow atomic.Int32 // how many are in the map
	sync.Mutex
	byRequest map[Request]queue
	unused    *kept // were in the map
	orphans   *kept // of requests that were freed while MPI still worked on them
}{byRequest: map[Request]queue{}}

// queue is what operations with one handle keep, the oldest first.
type queue struct{ first, last *kept }

const pendingBits = 9

func placeOf(r Request) *place {
	return &pending.table[uint64(r)*0x9E3779B97F4A7C15>>(64-pendingBits)]
}

// pinners are those that still have their list of what they pin. Go keeps one for whoever pins next, which is all that is
// used where one operation is pending at a time; further ones would be allocated again and again.
var pinners = struct {
	count atomic.Int32
	sync.Mutex
	used []runtime.Pinner
}{}

// keep begins to hold memory.
func keep() kept {
	if pinners.count.Load() == 0 {
		return kept{}
	}
	return kept{pinner: usedPinner()}
}

func usedPinner() (p runtime.Pinner) {
	pinners.Lock()
	defer pinners.Unlock()
	if last := len(pinners.used) - 1; last >= 0 {
		p = pinners.used[last]
		pinners.used = pinners.used[:last]
		pinners.count.Store(int32(last))
	}
	return p
}

func useAgain(p runtime.Pinner) {
	pinners.Lock()
	defer pinners.Unlock()
	pinners.used = append(pinners.used, p)
	pinners.count.Store(int32(len(pinners.used)))
}

// pin holds the memory at p, if it is Go's.
func (k *kept) pin(p unsafe.Pointer) {
	if p != nil {
		k.pinner.Pin(p)
	}
}

// until hands everything to the request. Operations with the same handle queue up: the library may
// have given it to a new one before the call that completed the old one has come back.
func (k *kept) until(r Request, blocks int64) {
	if r == RequestNull {
		k.drop(blocks)
		return
	}
	k.hold(blocks)
	if at := placeOf(r); pending.overflow.Load() == 0 && r > beingChanged && at.change(free) {
		at.kept = *k
		at.mark(uint64(r))
	} else {
		k.queue(r)
	}
}

func (k *kept) queue(r Request) {
	pending.Lock()
	defer pending.Unlock()
	queued := pending.unused
	if queued == nil {
		queued = new(kept)
	} else {
		pending.unused = queued.next
	}
	*queued = *k
	pending.overflow.Add(1)
	q := pending.byRequest[r]
	if q.first == nil {
		q.first = queued
	} else {
		q.last.next = queued
	}
	q.last = queued
	pending.byRequest[r] = q
}

// hold takes over blocks of C memory.
func (k *kept) hold(blocks int64) {
	if blocks != 0 {
		k.blocks = pointer(uintptr(blocks))
	}
}

// after is called when the operation was started, or was not.
func (k *kept) after(code int64, r Request, blocks int64) {
	if code == 0 {
		k.until(r, blocks)
	} else {
		k.drop(blocks)
	}
}

// drop lets go of everything: there is no operation.
func (k *kept) drop(blocks int64) {
	k.hold(blocks)
	k.release()
}

func (k *kept) release() {
	k.pinner.Unpin()
	if k.pinner != (runtime.Pinner{}) {
		useAgain(k.pinner)
	}
	if k.blocks != nil {
		C.mpg_free_blocks((*C.mpg_block)(k.blocks))
	}
	if k.use != (use{}) {
		k.use.end()
	}
}

// completed is called with a request before and after a call that may have completed it: when MPI
// has taken the handle away, nothing uses the memory any more.
func completed(before, after Request) {
	if before != after && before != RequestNull {
		k := take(before)
		k.release()
	}
}

// take is what an operation with this request keeps, which is nobody else's any more; nothing if there is none.
func take(r Request) kept {
	if at := placeOf(r); r > beingChanged && at.change(uint64(r)) {
		k := at.kept
		at.kept = kept{}
		at.mark(free)
		return k
	}
	if pending.overflow.Load() == 0 {
		return kept{}
	}
	return takeQueued(r)
}

func takeQueued(r Request) kept {
	pending.Lock()
	defer pending.Unlock()
	q := pending.byRequest[r]
	first := q.first
	if first == nil {
		return kept{}
	}
	if q.first = first.next; q.first == nil {
		delete(pending.byRequest, r)
	} else {
		pending.byRequest[r] = q
	}
	pending.overflow.Add(-1)
	k := *first
	k.next = nil
	*first = kept{next: pending.unused}
	pending.unused = first
	return k
}

// freed is called with a request that was freed. If MPI had not finished with it (done is false) its
// memory stays in place for good: nobody will ever say when it is free.
func freed(before, after Request, done bool) {
	if before == after || before == RequestNull {
		return
	}
	k := take(before)
	if done {
		k.release()
	} else {
		k.stay()
	}
}

func (k *kept) stay() {
	if *k == (kept{}) {
		return
	}
	orphan := *k
	pending.Lock()
	defer pending.Unlock()
	orphan.next = pending.orphans
	pending.orphans = &orphan
}

// done asks whether MPI has finished with a request, without completing it.
func done(r Request) bool {
	if r == RequestNull || !keeps(r) {
		return true
	}
	flag, err := RequestGetStatus(r, nil)
	return err == nil && flag
}

func keeps(r Request) bool {
	if placeOf(r).is(uint64(r)) {
		return true
	}
	pending.Lock()
	defer pending.Unlock()
	return pending.byRequest[r].first != nil
}

// Pending tells how many operations, and how much memory of accesses to windows, are still held; a test for leaks, mostly.
func Pending() int {
	n := pendingRequests()
	accesses.Lock()
	defer accesses.Unlock()
	for _, targets := range accesses.of {
		for which, memory := range targets {
			if which != noTarget {
				n += len(memory)
			}
		}
	}
	return n
}

// pendingRequests tells how many requests are pending.
func pendingRequests() int {
	n := int(pending.overflow.Load())
	for i := range pending.table {
		if !pending.table[i].is(free) {
			n++
		}
	}
	return n
}

// requestBefore is a request as it was, so that it can be seen whether a call completed it. A variable that was
// never set is the null request here; to Open MPI it would be an address.
func requestBefore(request *Request) Request {
	if *request == 0 {
		*request = RequestNull
	}
	return *request
}

// requestsBefore does the same for several, in the space or, if they are more, in one of those that were used before.
func requestsBefore(space []Request, requests []Request) []Request {
	if len(requests) > len(space) {
		space = usedSpace(len(requests))
	}
	before := append(space[:0], requests...)
	for i := range before {
		before[i] = requestBefore(&requests[i])
	}
	return before
}

func allCompleted(before, after []Request) {
	for i := range before {
		completed(before[i], after[i])
	}
	spaceAgain(before)
}

// spaces are for the requests of calls that have many, of as many calls at once.
var spaces struct {
	sync.Mutex
	all [8]struct {
		requests []Request
		busy     bool
	}
}

// Spaces of other sizes are left to the collector.
const fewRequests, manyRequests = 16, 1 << 16

func usedSpace(n int) []Request {
	if n > manyRequests {
		return nil
	}
	spaces.Lock()
	defer spaces.Unlock()
	for i := range spaces.all {
		if s := &spaces.all[i]; !s.busy {
			if len(s.requests) < n {
				s.requests = make([]Request, n)
			}
			s.busy = true
			return s.requests
		}
	}
	return nil
}

// spaceAgain compares addresses, since what it kept would not stay on the stack of its caller.
func spaceAgain(space []Request) {
	if n := len(space); n <= fewRequests || n > manyRequests {
		return
	}
	spaces.Lock()
	defer spaces.Unlock()
	for i := range spaces.all {
		if s := &spaces.all[i]; s.busy && &s.requests[0] == &space[0] {
			s.busy = false
		}
	}
}
