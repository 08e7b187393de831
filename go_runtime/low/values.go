//go:build cgo

package low

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// native is the value of a constant on the libraries whose bit is in the mask.
type native struct {
	value int64
	mask  uint64
}

// named is one integer constant: its value in the standard ABI, which is the value in Go, and what
// the libraries have instead.
type named struct {
	name    string
	abi     int64
	natives []native
}

// of tells the value on the library with this bit.
func (c *named) of(bit uint64) (int64, bool) {
	for _, n := range c.natives {
		if n.mask&bit != 0 {
			return n.value, true
		}
	}
	return 0, false
}

type setKind uint8

const (
	closed setKind = iota // only the named values
	open                  // other integers too
	flags                 // named values or-ed together
)

// badValue is what a value that the library cannot have becomes: no C int holds it.
const badValue = math.MinInt64

// escape marks values that the library made itself (a keyval, an error class) where they happen to be
// what a named value is in Go: they are this much larger there.
const escape = 1 << 30

type pair struct{ from, to int64 }

// A valueSet is the named values that may stand in one place, with the translation to and from the
// values of the library in use. It is written by Load and only read after.
type valueSet struct {
	kind       setKind
	constants  []*named
	toNative   []pair
	fromNative []pair
	lowIn      int64   // what needs translation begins here
	spanIn     uint64  // and is so many values wide
	directIn   []int64 // their translation, if they are few
	lowOut     int64
	topOut     int64
}

// use prepares the translation for the library with this bit.
func (s *valueSet) use(bit uint64) {
	s.toNative, s.fromNative = nil, nil
	changed := false
	for _, c := range s.constants {
		v, ok := c.of(bit)
		if !ok {
			s.toNative = append(s.toNative, pair{c.abi, badValue})
			changed = true
			continue
		}
		s.toNative = append(s.toNative, pair{c.abi, v})
		s.fromNative = append(s.fromNative, pair{v, c.abi})
		changed = changed || v != c.abi
	}
	if s.kind == open {
		s.escapeCollisions()
		changed = s.refuseStrangers() || changed
	}
	byFrom := func(a, b pair) int { return cmp.Compare(a.from, b.from) }
	slices.SortStableFunc(s.toNative, byFrom)
	slices.SortStableFunc(s.fromNative, byFrom)
	low, top := reach(s.toNative)
	s.lowIn, s.spanIn = low, uint64(top-low+1)
	s.lowOut, s.topOut = reach(s.fromNative)
	s.directIn = nil
	switch {
	case s.kind == closed, s.kind == flags && changed: // what is not named is refused, or several names
		s.lowIn, s.spanIn = math.MinInt64, math.MaxUint64
	case !changed:
		s.spanIn, s.lowOut, s.topOut = 0, 1, 0
	case s.spanIn <= most:
		for v := low; v <= top; v++ {
			s.directIn = append(s.directIn, s.searchIn(v))
		}
	}
}

// escapeCollisions gives the library's own values a place of their own in Go, where a named value has
// taken theirs.
func (s *valueSet) escapeCollisions() {
	for _, c := range s.constants {
		isNative := slices.ContainsFunc(s.fromNative, func(p pair) bool { return p.from == c.abi })
		if c.abi > 0 && !isNative {
			s.fromNative = append(s.fromNative, pair{c.abi, c.abi + escape})
			s.toNative = append(s.toNative, pair{c.abi + escape, c.abi})
		}
	}
}

// refuseStrangers refuses the numbers below zero that have a name in the library and none in Go: where the library has
// -1 for nobody, a message to rank-1 would vanish. Where all names are of ranks or tags, the numbers beside them are
// refused on every library, since one of the standard ABI may go on with what it means inside.
func (s *valueSet) refuseStrangers() (any bool) {
	var strangers []int64
	for _, p := range s.fromNative {
		strangers = append(strangers, p.from)
	}
	if !slices.ContainsFunc(s.constants, func(c *named) bool { return c.abi < -near || c.abi >= 0 }) {
		for v := int64(-near); v < 0; v++ {
			strangers = append(strangers, v)
		}
	}
	for _, v := range strangers {
		if v < 0 && !slices.ContainsFunc(s.toNative, func(own pair) bool { return own.from == v }) {
			s.toNative = append(s.toNative, pair{v, badValue})
			any = true
		}
	}
	return any
}

// near is how far below zero the names of ranks and tags are looked for.
const near = 64

func reach(pairs []pair) (low, top int64) {
	if len(pairs) == 0 {
		return 1, 0
	}
	return pairs[0].from, pairs[len(pairs)-1].from
}

// most is how many values have a table of their own.
const most = 128

// few is how many pairs are looked through faster than halved.
const few = 8

func find(pairs []pair, from int64) (int64, bool) {
	if len(pairs) <= few {
		for i := range pairs {
			if pairs[i].from == from {
				return pairs[i].to, true
			}
		}
		return from, false
	}
	i, ok := slices.BinarySearchFunc(pairs, from, func(p pair, v int64) int { return cmp.Compare(p.from, v) })
	if !ok {
		return from, false
	}
	return pairs[i].to, true
}

// in is the library's value for a Go value.
func (s *valueSet) in(v int) int64 {
	if uint64(int64(v)-s.lowIn) >= s.spanIn {
		return int64(v)
	}
	return s.lookupIn(int64(v))
}

// inNear is the same for an open set whose names are few values side by side, and none above zero: what has
// no translation stays as it is.
func (s *valueSet) inNear(v int) int64 {
	if i := uint64(int64(v) - s.lowIn); i < uint64(len(s.directIn)) {
		return s.directIn[i]
	}
	return int64(v)
}

// lookupIn is the rest of in, which is short enough to stand where it is called.
func (s *valueSet) lookupIn(v int64) int64 {
	if i := uint64(v - s.lowIn); i < uint64(len(s.directIn)) {
		return s.directIn[i]
	}
	return s.searchIn(v)
}

func (s *valueSet) searchIn(v int64) int64 {
	if s.kind == flags {
		return translateFlags(s.toNative, v)
	}
	to, ok := find(s.toNative, v)
	if !ok && s.kind == closed {
		return badValue
	}
	return to
}

// out is the Go value for a value of the library.
func (s *valueSet) out(v int64) int {
	if v < s.lowOut || v > s.topOut {
		if s.kind == flags && v != 0 && s.lowOut <= s.topOut {
			return int(translateFlags(s.fromNative, v))
		}
		return int(v)
	}
	if s.kind == flags {
		return int(translateFlags(s.fromNative, v))
	}
	to, _ := find(s.fromNative, v)
	return int(to)
}

func translateFlags(pairs []pair, v int64) int64 {
	if to, ok := find(pairs, v); ok {
		return to
	}
	var out int64
	rest := v
	for i := len(pairs) - 1; i >= 0; i-- {
		from, to := pairs[i].from, pairs[i].to
		if from != 0 && to != badValue && rest&from == from {
			rest &^= from
			out |= to
		}
	}
	if rest != 0 {
		return badValue
	}
	return out
}

// inAll translates an array; the array itself is passed on where nothing changes.
func (s *valueSet) inAll(values []int) []int {
	for i, v := range values {
		if n := s.in(v); n != int64(v) {
			out := slices.Clone(values)
			for j := i; j < len(out); j++ {
				out[j] = int(s.in(out[j]))
			}
			return out
		}
	}
	return values
}

// outAll translates what the library wrote, in place.
func (s *valueSet) outAll(values []int) {
	for i, v := range values {
		values[i] = s.out(int64(v))
	}
}

// text is the name of a value, or its number.
func (s *valueSet) text(v int) string {
	if name := s.nameOf(v); name != "" {
		return name
	}
	return strconv.Itoa(v)
}

// nameOf tells the name of a value, the names of its flags, or "".
func (s *valueSet) nameOf(v int) string {
	for _, c := range s.constants {
		if c.abi == int64(v) {
			return c.name
		}
	}
	if s.kind != flags {
		return ""
	}
	var names []string
	rest := int64(v)
	for _, c := range s.constants {
		if c.abi != 0 && rest&c.abi == c.abi {
			rest &^= c.abi
			names = append(names, c.name)
		}
	}
	if rest != 0 {
		return ""
	}
	return strings.Join(names, "|")
}
