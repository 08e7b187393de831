package low

// #include "mpiglot.h"
import "C"

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"
)

// states holds the functions behind callbacks that carry a state: the state that MPI passes around is
// the number of an entry. MPI calls delete functions and the like even after what they belong to was freed, so entries
// stay, but for those of which one function is known to be called last. Numbers are never used again.
var states = struct {
	sync.RWMutex
	entries map[uintptr][]any
	made    uintptr
}{entries: map[uintptr][]any{}}

// newState stores the functions that share one state.
func newState(functions ...any) uintptr {
	states.Lock()
	defer states.Unlock()
	states.made++
	states.entries[states.made] = functions
	return states.made // from 1 on
}

// dropState forgets functions that MPI does not call any more, or never got.
func dropState(state uintptr) {
	states.Lock()
	defer states.Unlock()
	delete(states.entries, state)
}

// stateFunction finds the ordinal-th function of type F behind a state.
func stateFunction[F any](state uintptr, ordinal int) F {
	states.RLock()
	defer states.RUnlock()
	for _, f := range states.entries[state] {
		if g, ok := f.(F); ok {
			if ordinal == 0 {
				return g
			}
			ordinal--
		}
	}
	var none F
	return none
}

// slots holds the functions behind callbacks that carry no state: each has a C function of its own, which is not given
// to another function, since MPI may still call it. A function that comes again gets the slot that it has.
type slots[F any] struct {
	sync.RWMutex
	functions []F
	known     map[unsafe.Pointer]int // the slot of each function
	count     int
}

// identity is the same for two function values if they are one closure or one function without captures. No other
// function has it as long as this one is reachable.
func identity[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

// take finds a slot for f: its number, -1 for the null function, or -2 if there is none left.
func (s *slots[F]) take(f F, null bool) int {
	if null {
		return -1
	}
	s.Lock()
	defer s.Unlock()
	if slot, ok := s.known[identity(f)]; ok {
		return slot
	}
	slot := len(s.functions)
	if slot >= s.count {
		return -2
	}
	if s.known == nil {
		s.known = map[unsafe.Pointer]int{}
	}
	s.functions = append(s.functions, f)
	s.known[identity(f)] = slot
	return slot
}

func (s *slots[F]) get(i int) F {
	s.RLock()
	defer s.RUnlock()
	return s.functions[i]
}

// present is the ordinal of a callback that is there, -1 for the null function.
func present(there bool, ordinal int) C.int64_t {
	if there {
		return C.int64_t(ordinal)
	}
	return -1
}

// A CallbackPanic is what the call that MPI returns from next panics with, after a function of the
// program that MPI called had panicked: a panic cannot travel through MPI.
type CallbackPanic struct {
	Callback string // the C name of the function's type, "MPI_User_function"
	Value    any    // what it panicked with
	Stack    string // where
}

func (p *CallbackPanic) Error() string {
	return fmt.Sprintf("panic in a %s called by MPI: %v\n\n%s", p.Callback, p.Value, p.Stack)
}

// Unwrap is the value that the callback panicked with, if that was an error.
func (p *CallbackPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// panics are those that no call has panicked with yet.
var (
	panicked atomic.Bool
	panics   struct {
		sync.Mutex
		list []*CallbackPanic
	}
)

// failure stands for the library's code of an error.
const failure = math.MinInt64

// carry keeps a callback's panic for the call that returns next, and tells MPI that it failed.
func carry(callback string, returned *C.int64_t, says int64) {
	if value := recover(); value != nil {
		panics.Lock()
		panics.list = append(panics.list, &CallbackPanic{callback, value, string(debug.Stack())})
		panicked.Store(true)
		panics.Unlock()
		if says == failure {
			says = codeOf(ErrOther)
		}
		*returned = C.int64_t(says)
	}
}

// passOn panics with the first panic that was carried.
func passOn() {
	panics.Lock()
	var first *CallbackPanic
	if len(panics.list) > 0 {
		first = panics.list[0]
		panics.list = panics.list[1:]
	}
	panicked.Store(len(panics.list) > 0)
	panics.Unlock()
	if first != nil {
		panic(first)
	}
}

func cBool(b bool) C.int64_t {
	if b {
		return 1
	}
	return 0
}
