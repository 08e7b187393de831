package low

// #include <stdint.h>
import "C"

import (
	"bytes"
	"strings"
	"unsafe"
)

// cText is a Go string as C wants it: ended by a NUL; nil if there is one inside, which would cut it off.
func cText(s string) unsafe.Pointer {
	if strings.IndexByte(s, 0) >= 0 {
		return nil
	}
	b := make([]byte, len(s)+1)
	copy(b, s)
	return unsafe.Pointer(&b[0])
}

// cTexts is several strings, one after the other, each ended by a NUL, and how many; nil stays nil. Of a
// list that has a text with a NUL inside there are fewer than none.
func cTexts(list []string) (unsafe.Pointer, C.int64_t) {
	if list == nil {
		return nil, 0
	}
	all := make([]byte, 1)[:0] // with an address
	for _, s := range list {
		if strings.IndexByte(s, 0) >= 0 {
			return nil, -1
		}
		all = append(append(all, s...), 0)
	}
	return unsafe.Pointer(unsafe.SliceData(all)), C.int64_t(len(list))
}

// cTextLists is several such lists, how many texts each has, and how many lists; nil stays nil.
func cTextLists(lists [][]string) (unsafe.Pointer, []int, C.int64_t) {
	if lists == nil {
		return nil, nil, 0
	}
	all := []string{}
	counts := make([]int, len(lists))
	for i, list := range lists {
		counts[i] = len(list)
		all = append(all, list...)
	}
	texts, n := cTexts(all)
	if n < 0 {
		return nil, nil, n
	}
	return texts, counts, C.int64_t(len(lists))
}

// A textBuffer receives a text from MPI.
type textBuffer struct{ b []byte }

func newText(capacity int) textBuffer { return textBuffer{make([]byte, capacity+1)} }

func (t *textBuffer) at() unsafe.Pointer { return unsafe.Pointer(&t.b[0]) }

// grow makes room for as many characters as MPI said it has, and tells whether that was needed.
func (t *textBuffer) grow(needed int) bool {
	if needed <= len(t.b) {
		return false
	}
	t.b = make([]byte, needed+1)
	return true
}

func (t *textBuffer) String() string {
	if i := bytes.IndexByte(t.b, 0); i >= 0 {
		return string(t.b[:i])
	}
	return string(t.b)
}
