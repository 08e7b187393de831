package low

// #include "calls_environment.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Init is MPI_Init: it loads a library if none is loaded, starts MPI, and lets errors be returned
// (MPI_ERRORS_RETURN on [CommWorld] and [CommSelf]) instead of ending the program. Call it on the main
// goroutine. No other goroutine may call MPI then, unless the library gives more than was asked for;
// [InitThread] asks.
func Init() error {
	return begin(func() int64 { return int64(C.mpg_MPI_Init()) }, "MPI_Init")
}

// InitThread is MPI_Init_thread: [Init] with the level of thread support that the program wants; the
// level that it gets is the result. Goroutines move between threads: below [ThreadSerialized] calls from
// any other than the main goroutine are [ErrWrongThread], and below [ThreadMultiple] the program must see
// to it that no two calls overlap.
func InitThread(required ThreadLevel) (provided ThreadLevel, err error) {
	err = begin(func() int64 {
		r := C.mpg_MPI_Init_thread(C.int64_t(threadLevelValues.in(int(required))))
		provided = ThreadLevel(threadLevelValues.out(int64(r.v0)))
		return int64(r.code)
	}, "MPI_Init_thread")
	return provided, err
}

// Finalize is MPI_Finalize: it ends MPI, for good. Call it on the main goroutine. Called by a deferred function while
// the goroutine panics it is [ErrPanicking]: it would wait for the other processes, and the panic would not be seen.
func Finalize() error {
	if C.mpg_ready() == 0 {
		return fmt.Errorf("MPI_Finalize: %w", ErrNotRunning)
	}
	if Unwinding() == "panic" {
		return fmt.Errorf("MPI_Finalize: %w", ErrPanicking)
	}
	if begunOn != 0 && C.mpg_thread() != begunOn {
		return errors.New("MPI_Finalize: it must be called on the thread that called MPI_Init; call both on the main goroutine")
	}
	code := int64(C.mpg_MPI_Finalize())
	C.mpg_forget_running(C.int(cBool(code == 0)))
	if code == 0 {
		C.mpg_run_exit_handlers()
	}
	return check("MPI_Finalize", code)
}

// Exit ends the process as a C program ends, with what C libraries registered to be run then, which
// os.Exit leaves out. A program that uses sessions and no [Finalize] should end with it: some
// libraries take their leave from the launcher only at this point.
func Exit(code int) { C.exit(C.int(code)) }

// begunOn is the thread that started MPI.
var begunOn C.uint64_t

func begin(start func() int64, function string) error {
	if err := Load(Options{}); err != nil {
		return err
	}
	if C.mpg_ready() != 0 {
		return errors.New(function + ": MPI is running already, it can be initialised only once")
	}
	if over, err := Finalized(); err == nil && over {
		return errors.New(function + ": MPI was finalized, it cannot be initialised again in this process")
	}
	if err := launcherReaches(function); err != nil {
		return err
	}
	begunOn = C.mpg_thread()
	if code := start(); code != 0 {
		return failed(function, code)
	}
	if err := useMeasured(); err != nil {
		return err
	}
	for _, comm := range []Comm{CommWorld, CommSelf} {
		if err := CommSetErrhandler(comm, ErrorsReturn); err != nil {
			return err
		}
	}
	if os.Getenv("MPIGLOT_GUARD") == "off" {
		return nil
	}
	if level, err := QueryThread(); err == nil && level < ThreadSerialized {
		C.mpg_only_this_thread()
	}
	if err := sizesAgree(); err != nil {
		return err
	}
	learnExtents()
	return launcherAgrees(function)
}

// useMeasured takes the constants that the running library has, where they are not those that its text promised.
func useMeasured() error {
	has := measured(inUse.library)
	if has == inUse.library {
		return nil
	}
	load.warn(fmt.Sprintf("%s was taken for %s by its text, but has constants of %s; going on with these",
		inUse.path, inUse.name, has.name))
	if err := fill(has, inUse.handle); err != nil {
		return fmt.Errorf("%s: %w", inUse.path, err)
	}
	inUse.library = has
	return nil
}

// sizesAgree checks by the sizes of a few datatypes that the constants are those of the library.
func sizesAgree() error {
	for _, t := range []struct {
		name string
		Datatype
		size int
	}{{"MPI_BYTE", Byte, 1}, {"MPI_INT", Int, 4}, {"MPI_FLOAT", Float, 4}, {"MPI_DOUBLE", Double, 8}, {"MPI_INT64_T", Int64T, 8}} {
		size, err := TypeSize(t.Datatype)
		if err != nil || size != t.size {
			return fmt.Errorf("%s says of %s that it has %d bytes (%v), not %d: this is not the MPI it says it is (constants of %s were used); MPIGLOT_GUARD=off goes on all the same",
				inUse.path, t.name, size, err, t.size, inUse.name)
		}
	}
	return nil
}

// launchersSay is what the launchers of the library's family, and those of others, say in the
// environment of how many processes the job has; 0 if they say nothing.
func launchersSay() (own, foreign sizeSaid) {
	for _, v := range sizeVariables {
		n, err := strconv.Atoi(os.Getenv(v.name))
		switch {
		case err != nil:
		case v.family == familyOf(inUse.library):
			own = sizeSaid{v.name, n}
		default:
			foreign = sizeSaid{v.name, n}
		}
	}
	return own, foreign
}

type sizeSaid struct {
	name string
	size int
}

// launcherReaches refuses, before MPI is started, what some releases of MPICH end the process for: the
// launcher speaks PMIx only, and the library does not.
func launcherReaches(function string) error {
	own, foreign := launchersSay()
	if os.Getenv("MPIGLOT_GUARD") == "off" || familyOf(inUse.library) != "hydra" || own.size != 0 || foreign.size < 2 {
		return nil
	}
	if os.Getenv("PMI_FD") != "" || os.Getenv("PMI_PORT") != "" || C.mpg_global((*C.char)(cText("PMIx_Init"))) != nil {
		return nil
	}
	return otherLauncher(function, foreign, "would be")
}

// launcherAgrees finds the process that was started by the launcher of another MPI, and is therefore
// alone although it is one of several.
func launcherAgrees(function string) error {
	size, err := CommSize(CommWorld)
	if err != nil || size != 1 {
		return err
	}
	own, foreign := launchersSay()
	switch {
	case own.size > 1:
		load.warn(fmt.Sprintf("%s says that this job has %d processes, but to %s each of them is alone; was it started by the launcher of another release?",
			own.name, own.size, inUse.path))
		return nil
	case own.size == 1 || foreign.size < 2: // its own launcher counted it, in a job of another one
		return nil
	}
	return otherLauncher(function, foreign, "is")
}

func otherLauncher(function string, said sizeSaid, is string) error {
	line, _, _ := strings.Cut(inUse.text, "\n")
	return fmt.Errorf("%s: this job has %d processes (%s=%d), but to %s (%s) this one %s alone: it was started by the launcher of another MPI; start it with the mpiexec that belongs to that library, choose another library with MPIGLOT_MPI, or set MPIGLOT_GUARD=off if it is meant to be alone",
		function, said.size, said.name, said.size, inUse.path, strings.Join(strings.Fields(line), " "), is)
}

// familyOf tells which launchers a library belongs to. One of the standard ABI may belong to any: its text tells.
func familyOf(l *library) string {
	if l.abi == "ompi" || l.abi == "abi" && strings.HasPrefix(inUse.text, "Open MPI") {
		return "ompi"
	}
	return "hydra"
}

// returnErrors lets errors on a new window be returned: unlike a communicator it inherits nothing, and
// MPI would end the program.
func returnErrors(code int64, win Win) {
	if code == 0 && win != WinNull {
		_ = WinSetErrhandler(win, ErrorsReturn)
	}
}
