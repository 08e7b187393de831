//go:build cgo

package low

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// accesses keeps memory that belongs to something else than a request: to a window, a file, a session or, with the owner 0,
// to the process. What accesses to windows, and first halves of calls of files, use is kept until a call completes them.
var accesses = struct {
	sync.Mutex
	begun atomic.Uint64                               // how many there were
	of    map[uint64]map[int]map[unsafe.Pointer]*held // by owner, and by target
	free  *held
}{of: map[uint64]map[int]map[unsafe.Pointer]*held{}}

// held is memory that accesses to one target use.
type held struct {
	pinner runtime.Pinner
	last   uint64 // the number of the last such access
	next   *held  // of the free ones
}

// No rank is among them: what is no access to one target, and completes all; and what nothing completes.
const (
	everyTarget = -1 << 31
	noTarget    = everyTarget + 1
)

// pinFor holds the memory at p until its owner is freed, after a call that gave it to the owner.
func pinFor(owner uint64, p unsafe.Pointer, code int64) { pinAccess(owner, noTarget, p, code) }

// pinAccess holds the memory at p after a call that began an access; unless it failed.
func pinAccess(owner uint64, target int, p unsafe.Pointer, code int64) {
	if p == nil || code != 0 {
		return
	}
	accesses.Lock()
	defer accesses.Unlock()
	targets := accesses.of[owner]
	if targets == nil {
		targets = map[int]map[unsafe.Pointer]*held{}
		accesses.of[owner] = targets
	}
	memory := targets[target]
	if memory == nil {
		memory = map[unsafe.Pointer]*held{}
		targets[target] = memory
	}
	h := memory[p]
	if h == nil {
		if h = accesses.free; h != nil {
			accesses.free = h.next
		} else {
			h = new(held)
		}
		h.pinner.Pin(p)
		memory[p] = h
	}
	h.last = accesses.begun.Add(1)
}

// accessesBegun is asked before a call that completes accesses: what other goroutines begin while it is under way may
// not be complete after it.
func accessesBegun() uint64 { return accesses.begun.Load() }

// completedAccesses is called after a call that completes accesses to one target or to all.
func completedAccesses(owner uint64, target int, begun uint64, code int64) {
	if code != 0 {
		return
	}
	accesses.Lock()
	defer accesses.Unlock()
	targets := accesses.of[owner]
	if target != everyTarget {
		unhold(targets[target], begun)
		return
	}
	for which, memory := range targets {
		if which != noTarget {
			unhold(memory, begun)
		}
	}
}

func unhold(memory map[unsafe.Pointer]*held, begun uint64) {
	for p, h := range memory {
		if h.last <= begun {
			delete(memory, p)
			h.pinner.Unpin()
			h.next = accesses.free
			accesses.free = h
		}
	}
}

// forget is called with a handle before and after a call that freed it.
func forget(before, after uint64) {
	if before == after || before == 0 {
		return
	}
	accesses.Lock()
	defer accesses.Unlock()
	for _, memory := range accesses.of[before] {
		unhold(memory, accesses.begun.Load())
	}
	delete(accesses.of, before)
}
