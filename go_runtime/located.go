package mpi

import (
	"reflect"
	"sync"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// Located is a value and where it is: what [MaxLoc] and [MinLoc] combine. Index is often a rank.
type Located[T Real] struct {
	Value T
	Index int
}

// MaxLoc is MPI_MAXLOC for values of any type with an order: the largest value, and of equal ones that with the
// smallest index.
func MaxLoc[T Real](elements[Located[T]]) *operation {
	return locating("MaxLoc", func(a, b T) bool { return a > b })
}

// MinLoc is MPI_MINLOC: the smallest value, and of equal ones that with the smallest index.
func MinLoc[T Real](elements[Located[T]]) *operation {
	return locating("MinLoc", func(a, b T) bool { return a < b })
}

// locations are the operations that [MaxLoc] and [MinLoc] have made, by their names and types.
var locations = struct {
	sync.Mutex
	made map[location]*operation
}{made: map[location]*operation{}}

type location struct {
	name  string
	value reflect.Type
}

func locating[T Real](name string, better func(a, b T) bool) *operation {
	locations.Lock()
	defer locations.Unlock()
	key := location{name, reflect.TypeFor[T]()}
	if made := locations.made[key]; made != nil {
		return made
	}
	handle, err := low.OpCreate(func(in, inout unsafe.Pointer, n int, _ low.Datatype) {
		results := unsafe.Slice((*Located[T])(inout), n)
		for i, a := range unsafe.Slice((*Located[T])(in), n) {
			if b := results[i]; better(a.Value, b.Value) || a.Value == b.Value && a.Index < b.Index {
				results[i] = a
			}
		}
	}, true)
	if err != nil {
		none := low.OpNull
		return &operation{handle: &none, ofMPI: true}
	}
	made := &operation{handle: &handle, ofMPI: true}
	locations.made[key] = made
	return made
}
