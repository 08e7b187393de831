package low

// #include "mpiglot.h"
import "C"

import (
	"sync"
	"unsafe"
)

// namedCells are the integers with names that attributes lead to, outside of Go's memory as those of MPI.
var namedCells = struct {
	sync.Mutex
	at map[int]uintptr
}{at: map[int]uintptr{}}

// attributeValue is what an attribute leads to: where MPI left an integer of its own that has a name in a
// set, one that holds the constant of this package.
func attributeValue(set *valueSet, value uintptr, ok bool) uintptr {
	if set == nil || !ok || value == 0 {
		return value
	}
	named := set.out(int64(*(*C.int)(pointer(value))))
	namedCells.Lock()
	defer namedCells.Unlock()
	at, known := namedCells.at[named]
	if !known {
		cell := (*C.int)(C.malloc(C.size_t(unsafe.Sizeof(C.int(0)))))
		*cell = C.int(named)
		at = uintptr(unsafe.Pointer(cell))
		namedCells.at[named] = at
	}
	return at
}
