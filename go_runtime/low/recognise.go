//go:build cgo

package low

// #include "calls_attributes.h"
import "C"

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// A family is a set of MPIs with the same handles, constants and status.
type family struct {
	key, title string
	symbol     string // what its libraries export
	answers    bool   // the symbol is a function that must tell a version of 1 or more
	reference  string // the vendor whose constants serve other vendors' libraries
}

// A library is what is known about one release of one MPI.
type library struct {
	name, vendor, abi string
	version           string
	standard          string // what its MPI_Get_version tells
	text              string // how its version text begins, up to the version
	profile           int
	statusSize        uintptr
	source, tag, err  uintptr // offsets in its status
}

// bit is the library's position in the masks of the tables.
func (l *library) bit() uint64 {
	for i := range libraries {
		if &libraries[i] == l {
			return 1 << i
		}
	}
	return 0
}

// asked is what a library tells before MPI is started.
type asked struct {
	handle         unsafe.Pointer
	text, standard string
}

// family is the first family whose sign the library bears; nil if there is none.
func (a asked) family() *family {
	for i := range families {
		f := &families[i]
		symbol := (*C.char)(cText(f.symbol))
		if f.answers && C.mpg_tells_version(a.handle, symbol) != 0 || !f.answers && C.mpg_symbol(a.handle, symbol) != nil {
			return f
		}
	}
	return nil
}

// recognise picks the release whose constants fit a library: of the library's family, which its signs tell, and of the
// vendor that its text names. If that vendor has none in the family, the family's reference stands in.
func recognise(a asked) (*library, string, error) {
	line, _, _ := strings.Cut(strings.TrimSpace(a.text), "\n")
	f := a.family()
	if f == nil {
		return nil, "", fmt.Errorf("the library says it is %q, but it bears the sign of no MPI family that is known here (%s); it cannot be served", line, knownSigns())
	}
	list, version := ofVendor(f, a.text), []int(nil)
	stranger := len(list) == 0
	if stranger {
		list = ofReference(f)
	} else {
		version = versionNumbers(strings.TrimLeft(a.text[len(list[0].text):], " \t"))
	}
	if len(list) == 0 {
		return nil, "", fmt.Errorf("the library says it is %q and is one of %s, whose libraries cannot be loaded by a running program", line, f.title)
	}
	slices.SortFunc(list, func(one, other *library) int {
		switch {
		case nearer(version, a.standard, one, other):
			return -1
		case nearer(version, a.standard, other, one):
			return 1
		}
		return 0
	})
	best := list[0]
	if sameVersion(version, versionNumbers(best.version)) {
		return best, "", nil
	}
	for _, l := range list {
		if l.isServedBy(a.handle) {
			best = l
			break
		}
	}
	if stranger {
		return best, fmt.Sprintf("the library says it is %q, which is not among the known releases of %s, but it bears that family's sign (%s); going on with the constants of %s", line, f.title, f.symbol, best.name), nil
	}
	return best, fmt.Sprintf("the library says it is %q, which is not among the known releases; going on with the constants of %s", line, best.name), nil
}

// measured is the release whose constants a running library has. Releases of one family may disagree on a few, as
// Intel's and MPICH's do of the standard ABI, and a text need not be right: what the library keeps under a release's key
// of the last error code must be such a code. Where no release's is, chosen stays.
func measured(chosen *library) *library {
	least, known := integerNamed("MPI_ERR_LASTCODE").of(chosen.bit())
	if !known {
		return chosen
	}
	code := integerNamed("MPI_LASTUSEDCODE")
	family := []*library{chosen}
	for i := len(libraries) - 1; i >= 0; i-- { // later releases first
		if l := &libraries[i]; l.abi == chosen.abi {
			family = append(family, l)
		}
	}
	// The standard's key first: under another's, MPICH has the size of the universe, for which it asks a launcher and
	// waits for ever if there is none. Of releases with one key the chosen one stays in front.
	slices.SortStableFunc(family, func(one, other *library) int {
		return int(cBool(code.isOthers(one)) - cBool(code.isOthers(other)))
	})
	var tried []int64
	for _, l := range family {
		key, has := code.of(l.bit())
		if !has || slices.Contains(tried, key) {
			continue
		}
		tried = append(tried, key)
		r := C.mpg_MPI_Comm_get_attr(C.uint64_t(CommWorld), C.int64_t(key))
		if r.code == 0 && r.flag != 0 && r.v0 != 0 && int64(*(*C.int)(pointer(uintptr(r.v0)))) >= least {
			return l
		}
	}
	return chosen
}

// isOthers tells whether a release has another value than the standard.
func (c *named) isOthers(l *library) bool {
	value, _ := c.of(l.bit())
	return value != c.abi
}

// integerNamed finds an integer constant by its name in C; one that no library has if there is none.
func integerNamed(name string) *named {
	for i := range integers {
		if integers[i].name == name {
			return &integers[i]
		}
	}
	return &named{name: name}
}

func ofVendor(f *family, text string) []*library {
	var list []*library
	for i := range libraries {
		if l := &libraries[i]; l.abi == f.key && strings.HasPrefix(text, l.text) {
			list = append(list, l)
		}
	}
	return list
}

func ofReference(f *family) []*library {
	var list []*library
	for i := range libraries {
		if l := &libraries[i]; l.abi == f.key && l.vendor == f.reference {
			list = append(list, l)
		}
	}
	return list
}

// isServedBy tells whether a loaded library exports every symbol that this release's handles need.
func (l *library) isServedBy(handle unsafe.Pointer) bool {
	for i := range handleConstants {
		if _, _, err := handleConstants[i].wordOn(l.bit(), handle); err != nil {
			return false
		}
	}
	return true
}

func knownSigns() string {
	var signs []string
	for i := range families {
		signs = append(signs, families[i].symbol+" of "+families[i].title)
	}
	return strings.Join(signs, ", ")
}

// versionNumbers is the leading dotted number of a text.
func versionNumbers(text string) []int {
	var out []int
	for _, part := range strings.Split(text, ".") {
		digits := part
		for i, r := range part {
			if r < '0' || r > '9' {
				digits = part[:i]
				break
			}
		}
		n, err := strconv.Atoi(digits)
		if err != nil {
			break
		}
		out = append(out, n)
		if digits != part {
			break
		}
	}
	return out
}

func compareVersions(a, b []int) int {
	for i := 0; i < max(len(a), len(b)); i++ {
		x, y := 0, 0
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return x - y
		}
	}
	return 0
}

// sameVersion compares as many numbers as both have: Intel's library leaves the last one out.
func sameVersion(a, b []int) bool {
	n := min(len(a), len(b))
	return n > 0 && compareVersions(a[:n], b[:n]) == 0
}

func sameSeries(a, b []int) bool { return len(a) > 0 && len(b) > 0 && a[0] == b[0] }

// nearer tells whether one release is a better stand-in than another: the same version, else one of the same series
// (Open MPI 5 has what 4 lacks) that says it has the same standard (MPICH 4.2 has what came with 4.3, not with 4.1), of
// these the nearest. Where no version is wanted the standard alone decides, and of equals the newest.
func nearer(want []int, standard string, one, other *library) bool {
	candidate, best := versionNumbers(one.version), versionNumbers(other.version)
	if len(want) == 0 {
		order := nearerNumber(versionNumbers(standard), versionNumbers(one.standard), versionNumbers(other.standard))
		return order < 0 || order == 0 && compareVersions(candidate, best) > 0
	}
	if sameVersion(want, candidate) != sameVersion(want, best) {
		return sameVersion(want, candidate)
	}
	if sameSeries(want, candidate) != sameSeries(want, best) {
		return sameSeries(want, candidate)
	}
	if (one.standard == standard) != (other.standard == standard) {
		return one.standard == standard
	}
	return nearerNumber(want, candidate, best) < 0
}

// nearerNumber is negative if the first number is the better stand-in for the one wanted: the nearest lower one, else
// the nearest higher one.
func nearerNumber(want, one, other []int) int {
	oneLower, otherLower := compareVersions(one, want) <= 0, compareVersions(other, want) <= 0
	switch {
	case oneLower && !otherLower:
		return -1
	case otherLower && !oneLower:
		return 1
	case oneLower:
		return compareVersions(other, one)
	}
	return compareVersions(one, other)
}
