package mpi

import (
	"fmt"
	"maps"
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
	places     map[string]int          // how many were dropped that were begun there
	left       atomic.Int64            // how many dropped ones there are
	background bool                    // a goroutine completes them
}{held: map[unfinished]struct{}{}, dropped: map[unfinished]struct{}{}, places: map[string]int{}}

// unfinished is what is left of an operation that the program can drop before its end.
type unfinished interface {
	ask() (done bool, err error) // completes it, if it can be completed, unless another goroutine waits for it
	origin() uintptr             // where the program began it
	warning() string             // what to say when it was dropped, with the place
	pendingStill() bool          // whether somebody has to wait for it
}

// callerOf is where the program called the function of this package that is so many calls up.
func callerOf(calls int) uintptr {
	var callers [1]uintptr
	runtime.Callers(calls+1, callers[:])
	return callers[0]
}

// hold notes an operation that has begun.
func hold(p unfinished) {
	begun.Lock()
	defer begun.Unlock()
	begun.held[p] = struct{}{}
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
	place := where(p)
	if orphaned(p, place) == 1 {
		warn(fmt.Sprintf(p.warning(), place))
	}
}

// orphaned notes a dropped request and tells how many were dropped that were begun there; 0 if this one is complete.
func orphaned(p unfinished, place string) int {
	begun.Lock()
	defer begun.Unlock()
	if _, held := begun.held[p]; !held || !running.Load() {
		return 0
	}
	delete(begun.held, p)
	begun.dropped[p] = struct{}{}
	begun.left.Store(int64(len(begun.dropped)))
	begun.places[place]++
	completeLater()
	return begun.places[place]
}

// completeLater begins to ask for dropped operations, where that may be done in the background. begun is locked.
func completeLater() {
	if !begun.background && threads >= ThreadMultiple {
		begun.background = true
		go completeInBackground()
	}
}

// abandon leaves a request that the program never had to be completed without it.
func (r *Request) abandon() {
	if r.complete {
		return
	}
	r.cleanup.Stop()
	begun.Lock()
	defer begun.Unlock()
	delete(begun.held, r.pending)
	begun.dropped[r.pending] = struct{}{}
	begun.left.Store(int64(len(begun.dropped)))
	completeLater()
}

func (p *pending) origin() uintptr { return p.place }

func (p *pending) warning() string {
	return "a request that was begun at %s was dropped before it was complete: call Wait, or Test until it is done"
}

func (p *pending) pendingStill() bool { return true }

// where tells file and line of the program.
func where(p unfinished) string {
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
			warn(fmt.Sprintf("the operation that was begun at %s, and which was dropped, has failed: %v", where(p), err))
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

// reportPending tells, when MPI is about to end, of the operations that were never waited for: where they were begun,
// and whether they are complete.
func reportPending() {
	completeDropped()
	begun.Lock()
	forgotten := maps.Clone(begun.places)
	begun.Unlock()
	incomplete := map[string]int{}
	for _, p := range all(&begun.dropped) {
		incomplete[where(p)]++
	}
	for _, p := range all(&begun.held) {
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
		warn(fmt.Sprintf("mpi.Finalize: operations begun at %s that were never waited for: %d, of which %d are not complete",
			place, forgotten[place], incomplete[place]))
	}
}
