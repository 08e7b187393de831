package mpi

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mpiglot.dev/mpi/low"
)

// begun has the operations that are not known to be complete.
var begun = struct {
	sync.Mutex
	held       map[unfinished]struct{} // the program can wait for them
	dropped    map[unfinished]struct{} // the program has dropped them
	batches    map[*left]struct{}      // what is left of requests, as many as there are at once
	places     map[string]int          // how many were dropped that were begun there
	told       map[string]struct{}     // the sentences about them
	left       atomic.Int64            // how many dropped ones there are
	background bool                    // a goroutine completes them
}{held: map[unfinished]struct{}{}, dropped: map[unfinished]struct{}{}, batches: map[*left]struct{}{}, places: map[string]int{}, told: map[string]struct{}{}}

// unfinished is what is left of an operation that the program can drop before its end.
type unfinished interface {
	ask() (done bool, err error) // completes it, if it can be completed, unless another goroutine waits for it
	origin() uintptr             // where the program began it
	warning() string             // what to say when it was dropped, with the place
	pendingStill() bool          // whether somebody has to wait for it
	orphan() bool                // leaves it to the background, unless there is nothing to be done
}

// callerOf is where the program called the function of this package that is so many calls up.
func callerOf(calls int) uintptr {
	var callers [1]uintptr
	runtime.Callers(calls+1, callers[:])
	return callers[0]
}

// tellPlaces says whether reports tell where the program began an operation: finding that out takes longer than a message.
var tellPlaces = os.Getenv("MPIGLOT_PLACES") == "on"

// A batch is requests that were made at once: the collector is asked once for all of them to tell when the program has
// dropped them. So a dropped request is noticed when the others of its batch are not needed any more either.
type batch struct {
	requests [inBatch]Request
	used     int
}

const inBatch = 16

// left is the part of the requests of a batch that is left when the program has dropped them.
type left [inBatch]pending

// batches are those that have requests which nothing uses. The collector takes them out: the program may have dropped
// the rest of their requests.
var batches sync.Pool

// nextRequest is a new request.
func nextRequest() *Request {
	b, _ := batches.Get().(*batch)
	if b == nil {
		b = newBatch()
	}
	r := &b.requests[b.used]
	b.used++
	if b.used < inBatch && !tellPlaces {
		batches.Put(b)
	}
	return r
}

func newBatch() *batch {
	b, l := new(batch), new(left)
	for i := range l {
		l[i].complete = true
		b.requests[i].pending = &l[i]
	}
	begun.Lock()
	defer begun.Unlock()
	begun.batches[l] = struct{}{}
	runtime.AddCleanup(b, droppedBatch, l)
	return b
}

func droppedBatch(l *left) {
	for i := range l {
		dropped(&l[i])
	}
	begun.Lock()
	defer begun.Unlock()
	delete(begun.batches, l)
}

// letGo forgets an operation that is complete.
func letGo(p unfinished) {
	begun.Lock()
	defer begun.Unlock()
	delete(begun.held, p)
	delete(begun.dropped, p)
	begun.left.Store(int64(len(begun.dropped)))
}

// dropped is called when the collector has found that the program cannot wait for an operation any more.
func dropped(p unfinished) {
	if !p.orphan() {
		return
	}
	place := where(p)
	if sentence := fmt.Sprintf(p.warning(), at(" that was", place)); orphaned(p, place, sentence) {
		warn(sentence)
	}
}

// orphaned notes a dropped operation and tells whether the sentence about it is new.
func orphaned(p unfinished, place, sentence string) bool {
	begun.Lock()
	defer begun.Unlock()
	if !running.Load() {
		return false
	}
	delete(begun.held, p)
	begun.places[place]++
	completeLater(p)
	_, told := begun.told[sentence]
	begun.told[sentence] = struct{}{}
	return !told
}

// completeLater notes a dropped operation and begins to ask for those, where that may be done in the background. begun is
// locked.
func completeLater(p unfinished) {
	begun.dropped[p] = struct{}{}
	begun.left.Store(int64(len(begun.dropped)))
	if !begun.background && threads >= ThreadMultiple {
		begun.background = true
		go completeInBackground()
	}
}

// abandon leaves a request that the program never had to be completed without it.
func (r *Request) abandon() {
	if !r.orphan() {
		return
	}
	begun.Lock()
	defer begun.Unlock()
	completeLater(r.pending)
}

func (p *pending) origin() uintptr { return p.place }

func (p *pending) warning() string {
	return "a request%s was dropped before it was complete: call Wait, or Test until it is done" + ask()
}

// pendingStill asks as MPI would be asked; a request that another goroutine waits for is pending.
func (p *pending) pendingStill() bool {
	if !p.asking.TryLock() {
		return true
	}
	defer p.asking.Unlock()
	return !p.complete && !p.left
}

func (p *pending) orphan() bool {
	p.asking.Lock()
	defer p.asking.Unlock()
	if p.complete || p.left {
		return false
	}
	p.left = true
	return true
}

// at is the part of a sentence that tells a place, behind these words; nothing if the place is not known.
func at(words, place string) string {
	if place == "" {
		return ""
	}
	return words + " begun at " + place
}

// ask tells how to learn the place, if it is not told.
func ask() string {
	if tellPlaces {
		return ""
	}
	return " (MPIGLOT_PLACES=on tells where it was begun)"
}

// where tells file and line of the program; nothing if that is not known.
func where(p unfinished) string {
	if p.origin() == 0 {
		return ""
	}
	frame, _ := runtime.CallersFrames([]uintptr{p.origin()}).Next()
	return fmt.Sprintf("%s:%d", frame.File, frame.Line)
}

// completeInBackground asks for dropped operations until all are complete.
func completeInBackground() {
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		completeDropped()
		begun.Lock()
		if len(begun.dropped) == 0 || !running.Load() {
			begun.background = false
			begun.Unlock()
			return
		}
		begun.Unlock()
		time.Sleep(pause)
	}
}

// completeDroppedHere does the same once, where goroutines in the background must not call MPI.
func completeDroppedHere() {
	if begun.left.Load() != 0 && threads < ThreadMultiple {
		completeDropped()
	}
}

// completing is held while dropped operations are asked for.
var completing sync.Mutex

func completeDropped() {
	completing.Lock()
	defer completing.Unlock()
	if !running.Load() {
		return
	}
	for _, p := range all(&begun.dropped) {
		if done, err := p.ask(); done && err != nil {
			warn(fmt.Sprintf("an operation%s failed after it was dropped: %v", at(" that was", where(p)), err))
		}
	}
}

// ask completes an operation that can be completed, unless another goroutine waits for it.
func (p *pending) ask() (done bool, err error) {
	if !p.asking.TryLock() {
		return false, nil
	}
	defer p.asking.Unlock()
	_, err = low.Test(&p.handle, nil)
	if p.handle != low.RequestNull {
		return false, err
	}
	p.complete, p.err = true, err
	letGo(p)
	return true, err
}

// stopCompleting returns when MPI is not asked for dropped operations any more.
func stopCompleting() {
	completing.Lock()
	defer completing.Unlock()
	running.Store(false)
}

func all(set *map[unfinished]struct{}) []unfinished {
	begun.Lock()
	defer begun.Unlock()
	return slices.Collect(maps.Keys(*set))
}

func batched() []*left {
	begun.Lock()
	defer begun.Unlock()
	return slices.Collect(maps.Keys(begun.batches))
}

// reportPending tells, when MPI is about to end, of the operations that were never waited for: how many
// there are, and whether they are complete.
func reportPending() {
	completeDropped()
	begun.Lock()
	forgotten := maps.Clone(begun.places)
	begun.Unlock()
	incomplete := map[string]int{}
	for _, p := range all(&begun.dropped) {
		incomplete[where(p)]++
	}
	held := all(&begun.held)
	for _, l := range batched() {
		for i := range l {
			held = append(held, &l[i])
		}
	}
	for _, p := range held {
		if !p.pendingStill() {
			continue
		}
		place := where(p)
		forgotten[place]++
		if done, _ := p.ask(); !done {
			incomplete[place]++
		}
	}
	for _, place := range slices.Sorted(maps.Keys(forgotten)) {
		warn(fmt.Sprintf("mpi.Finalize: operations%s that were never waited for: %d, of which %d are not complete%s",
			at("", place), forgotten[place], incomplete[place], ask()))
	}
}
