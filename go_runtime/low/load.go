package low

// #cgo CFLAGS: -O1 -g0
// #cgo linux LDFLAGS: -ldl
// #include "mpiglot.h"
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Integers of MPI are Go's int here, which must have 64 bits: this does not compile where it has not.
const _ uint = 1 << 63

// MPI wants init and finalize on the thread that started the process, which is the one that runs the
// main goroutine if it is told to stay there before main begins.
func init() { runtime.LockOSThread() }

// inUse is the loaded library. It is written once by Load; Init may choose other constants.
var inUse struct {
	*library
	handle   unsafe.Pointer
	path     string
	text     string
	launcher launcher
}

var load struct {
	sync.Mutex
	done bool
	warn func(sentence string)
}

// Options say which MPI library to load.
type Options struct {
	// Path is a library, or the folder of an installation. If it is empty the environment's
	// MPIGLOT_MPI counts, then what the launcher in use belongs to, then the names the loader knows.
	Path string
	// Warn receives what should be known but prevents nothing. If it is nil the first process of the job
	// writes it to os.Stderr.
	Warn func(sentence string)
}

// Load finds an MPI library, loads it and makes its constants known. [Init] does it too. Once loaded a
// library stays; a second Load does nothing.
func Load(options Options) error {
	load.Lock()
	defer load.Unlock()
	if load.done {
		return nil
	}
	load.warn = options.Warn
	if load.warn == nil {
		load.warn = sayOnce
	}
	// UCX, which some MPIs load, would take over the signals that Go's runtime needs.
	if _, set := os.LookupEnv("UCX_ERROR_SIGNALS"); !set {
		setenv("UCX_ERROR_SIGNALS", "")
	}
	inUse.launcher = findLauncher()
	list, err := candidates(options.Path, inUse.launcher)
	if err != nil {
		return err
	}
	handle, path, err := openFirst(list)
	if err != nil {
		return err
	}
	if err := identify(handle, path, load.warn); err != nil {
		return err
	}
	load.done = true
	return nil
}

// sayOnce writes a sentence if this process is the first of those that its launcher has started.
func sayOnce(sentence string) {
	for _, v := range sizeVariables {
		if rank := os.Getenv(v.rank); rank != "" && rank != "0" {
			return
		}
	}
	fmt.Fprintln(os.Stderr, "mpiglot: "+sentence)
}

// Loaded tells the file of the library in use and its version text; both empty before Load.
func Loaded() (path, version string) { return inUse.path, inUse.text }

// Constants names the release whose constants are used: that of the library, or the one nearest to it.
func Constants() string {
	if inUse.library == nil {
		return ""
	}
	return inUse.name
}

// Has tells whether the loaded library has a function, called by its C name ("MPI_Session_init").
func Has(function string) bool {
	return C.mpg_has((*C.char)(cText(function))) != 0
}

// openFirst opens the first candidate that can be opened.
func openFirst(list []candidate) (unsafe.Pointer, string, error) {
	var tried []string
	seen := map[string]bool{}
	for _, c := range list {
		if seen[c.path] {
			continue
		}
		seen[c.path] = true
		var message [1024]C.char
		path := cText(c.path)
		handle := C.mpg_open((*C.char)(path), &message[0], C.size_t(len(message)))
		if handle == nil {
			tried = append(tried, fmt.Sprintf("%s (%s): %s", c.path, c.why, C.GoString(&message[0])))
			continue
		}
		if C.mpg_symbol(handle, (*C.char)(cText("MPI_Init"))) == nil {
			tried = append(tried, fmt.Sprintf("%s (%s): it has no MPI_Init", c.path, c.why))
			continue
		}
		return handle, c.path, nil
	}
	return nil, "", fmt.Errorf("no MPI library could be loaded; set MPIGLOT_MPI to one, or to the folder of an installation; tried:\n  %s",
		strings.Join(tried, "\n  "))
}

// identify finds out which MPI the library is and prepares everything that depends on it.
func identify(handle unsafe.Pointer, path string, warn func(string)) error {
	var text [8192]C.char
	if C.mpg_library_version(handle, &text[0], C.size_t(len(text))) == 0 {
		return fmt.Errorf("%s does not tell its version (MPI_Get_library_version); it cannot be served", path)
	}
	version := C.GoString(&text[0])
	chosen, remark, err := recognise(asked{handle, version, standardOf(handle)})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if remark != "" {
		warn(remark)
	}
	if err := sameLibrary(handle, path); err != nil {
		return err
	}
	if err := fill(chosen, handle); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	C.mpg_resolve()
	inUse.library, inUse.handle, inUse.path, inUse.text = chosen, handle, path, strings.TrimSpace(version)
	return nil
}

// standardOf tells which version of the standard a library says it has.
func standardOf(handle unsafe.Pointer) string {
	var version, subversion C.int
	if C.mpg_standard(handle, &version, &subversion) == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d", version, subversion)
}

// sameLibrary checks that what the process finds under MPI's names belongs to the library that was
// opened: a tool may stand in front of MPI_ functions, never of PMPI_ ones.
func sameLibrary(handle unsafe.Pointer, path string) error {
	name := (*C.char)(cText("PMPI_Get_library_version"))
	var wanted, found [4096]C.char
	if C.mpg_file_of(C.mpg_symbol(handle, name), &wanted[0], C.size_t(len(wanted))) == 0 {
		return nil
	}
	C.mpg_file_of(C.mpg_global(name), &found[0], C.size_t(len(found)))
	if w, f := C.GoString(&wanted[0]), C.GoString(&found[0]); w != f {
		return fmt.Errorf("%s was to be loaded, but this process has another MPI already, %s; start it without that (LD_PRELOAD?), or choose that one with MPIGLOT_MPI", path, f)
	}
	return nil
}

// fill sets handles, sentinels and value sets to what the library has.
func fill(chosen *library, handle unsafe.Pointer) error {
	bit := chosen.bit()
	for i := range handleConstants {
		c := &handleConstants[i]
		word, ok, err := c.wordOn(bit, handle)
		if err != nil {
			return err
		}
		if ok {
			*c.variable = word
		}
	}
	for i := range handleConstants { // what this library lacks is the null handle of its type
		c := &handleConstants[i]
		if _, ok, _ := c.wordOn(bit, handle); !ok && c.null != nil {
			*c.variable = *c.null
		}
	}
	for i := range specials {
		c := &specials[i]
		word, ok, err := c.wordOn(bit, handle)
		if err != nil {
			return err
		}
		if ok {
			C.mpg_set_special(C.int(c.index), C.uintptr_t(word))
		}
	}
	for _, s := range valueSets {
		s.use(bit)
	}
	C.mpg_set_topologies(C.int(topologyValues.in(Cart)), C.int(topologyValues.in(Graph)), C.int(topologyValues.in(DistGraph)))
	C.mpg_use(C.int(chosen.profile), C.size_t(chosen.statusSize))
	return nil
}

// word is what a handle or a sentinel is on the libraries of the mask: a value, the address of a
// symbol, or what is stored there.
type word struct {
	mask   uint64
	value  uint64
	symbol string
	load   bool
}

type handleConstant struct {
	name           string
	variable, null *uint64
	words          []word
}

type special struct {
	name  string
	index int
	words []word
}

func (c *handleConstant) wordOn(bit uint64, handle unsafe.Pointer) (uint64, bool, error) {
	return wordOn(c.name, c.words, bit, handle)
}

func (c *special) wordOn(bit uint64, handle unsafe.Pointer) (uint64, bool, error) {
	return wordOn(c.name, c.words, bit, handle)
}

func wordOn(name string, words []word, bit uint64, handle unsafe.Pointer) (uint64, bool, error) {
	for _, w := range words {
		if w.mask&bit == 0 {
			continue
		}
		if w.symbol == "" {
			return w.value, true, nil
		}
		address := C.mpg_symbol(handle, (*C.char)(cText(w.symbol)))
		if address == nil {
			return 0, false, fmt.Errorf("it should have the symbol %s (for %s) and has not: it is not the MPI it says it is", w.symbol, name)
		}
		if w.load {
			return uint64(C.mpg_load_word(address)), true, nil
		}
		return uint64(uintptr(address)), true, nil
	}
	return 0, false, nil
}

// setenv sets a variable for C too.
func setenv(name, value string) {
	C.setenv((*C.char)(cText(name)), (*C.char)(cText(value)), 1)
	os.Setenv(name, value)
}
