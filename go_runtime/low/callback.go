package low

// #include "mpiglot.h"
import "C"

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// states holds the functions behind callbacks that carry a state: the state that MPI passes around is
// the number of an entry. MPI calls delete functions and the like even after what they belong to was freed. An entry is
// dropped when it is known that no function of it is called any more: after the one that is called last, or when a
// key of attributes was freed and there are no attributes of it. Numbers are never used again.
var states = struct {
	sync.RWMutex
	entries map[uintptr]*state
	made    uintptr
	ofKeys  map[key]uintptr
}{entries: map[uintptr]*state{}, ofKeys: map[key]uintptr{}}

// A state is the functions that share it. Those of a key of attributes tell how many of these there are.
type state struct {
	functions  []any
	attributes int
	freed      bool // the key was
}

// A key is one of attributes, of objects of a kind.
type key struct {
	kind   string
	number int
}

// newState stores the functions that share one state.
func newState(functions ...any) uintptr {
	states.Lock()
	defer states.Unlock()
	states.made++
	states.entries[states.made] = &state{functions: functions}
	return states.made // from 1 on
}

// dropState forgets functions that MPI does not call any more, or never got.
func dropState(state uintptr) {
	states.Lock()
	defer states.Unlock()
	delete(states.entries, state)
}

// keyMade is called with a key that was made of functions.
func keyMade(made key, state uintptr) {
	states.Lock()
	defer states.Unlock()
	states.ofKeys[made] = state
}

// keyGone is called before a key is freed: after it, the library may hand the same one out again.
func keyGone(gone key) uintptr {
	states.Lock()
	defer states.Unlock()
	state := states.ofKeys[gone]
	delete(states.ofKeys, gone)
	return state
}

// keyFreed is called after that.
func keyFreed(code int64, before key, state uintptr) {
	states.Lock()
	defer states.Unlock()
	if s := states.entries[state]; s != nil && code == 0 {
		s.freed = true
		s.dropUnused(state)
	} else if s != nil {
		states.ofKeys[before] = state
	}
}

func (s *state) dropUnused(number uintptr) {
	if s.freed && s.attributes == 0 {
		delete(states.entries, number)
	}
}

// attributeSet is called before an attribute is set, since MPI deletes the one that was there.
func attributeSet(of key) uintptr {
	states.RLock()
	state := states.ofKeys[of]
	states.RUnlock()
	countAttribute(state, 1)
	return state
}

// countAttribute is called with the change of the number of attributes that a key has.
func countAttribute(state uintptr, change int) {
	states.Lock()
	defer states.Unlock()
	if s := states.entries[state]; s != nil {
		s.attributes += change
		s.dropUnused(state)
	}
}

// stateFunction finds the ordinal-th function of type F behind a state.
func stateFunction[F any](state uintptr, ordinal int) F {
	states.RLock()
	defer states.RUnlock()
	var none F
	s := states.entries[state]
	if s == nil {
		return none
	}
	for _, f := range s.functions {
		if g, ok := f.(F); ok {
			if ordinal == 0 {
				return g
			}
			ordinal--
		}
	}
	return none
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
