package mpi

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"mpiglot.dev/mpi/low"
)

// ThreadLevel says which goroutines may call MPI.
type ThreadLevel = low.ThreadLevel

// Levels of thread support, as MPI defines them. Goroutines move between threads, so that everything
// below [ThreadMultiple] asks for care: with [ThreadSerialized] one call at a time, with the lower ones
// calls from the main goroutine only.
const (
	ThreadSingle     ThreadLevel = low.ThreadSingle
	ThreadFunneled   ThreadLevel = low.ThreadFunneled
	ThreadSerialized ThreadLevel = low.ThreadSerialized
	ThreadMultiple   ThreadLevel = low.ThreadMultiple
)

type settings struct {
	library string
	threads ThreadLevel
	warn    func(string)
	ending  time.Duration
}

// An Option changes how MPI is started.
type Option func(*settings)

// WithLibrary chooses the MPI library: its file, or the folder of an installation.
func WithLibrary(path string) Option { return func(s *settings) { s.library = path } }

// WithThreads asks for a level of thread support; without it [ThreadMultiple] is asked for.
func WithThreads(level ThreadLevel) Option { return func(s *settings) { s.threads = level } }

// WithWarnings says what to do with sentences that the user should read; they go to stderr without it.
func WithWarnings(warn func(sentence string)) Option { return func(s *settings) { s.warn = warn } }

// WithFinalizeTimeout ends the job if [Finalize] has waited so long for the other processes. Without it
// Finalize waits as long as it takes, and says after ten seconds that it waits.
func WithFinalizeTimeout(limit time.Duration) Option { return func(s *settings) { s.ending = limit } }

var (
	world, self *Comm
	threads     ThreadLevel
	ending      time.Duration
	warn        = func(sentence string) { fmt.Fprintln(os.Stderr, "mpiglot:", sentence) }
	running     atomic.Bool
	atTheEnd    low.Comm // of all processes, in which nothing but the end is waited for; 0 if there is one process
)

// Init finds the MPI library, loads it and starts MPI. Call it on the main goroutine, once.
//
// If the program crashes afterwards, the rank is told among what Go tells; [debug.SetCrashOutput] is used for
// that, and a program that sets it after Init takes it back.
func Init(options ...Option) error {
	s := settings{threads: ThreadMultiple}
	for _, option := range options {
		if option != nil {
			option(&s)
		}
	}
	if err := low.Load(low.Options{Path: s.library, Warn: s.warn}); err != nil {
		return err
	}
	level, err := low.InitThread(s.threads)
	if err != nil {
		return err
	}
	threads, ending = level, s.ending
	if s.warn != nil {
		warn = s.warn
	}
	running.Store(true)
	if self, err = Wrap(low.CommSelf); err != nil {
		return err
	}
	if world, err = Wrap(low.CommWorld); err != nil {
		return err
	}
	if world.size > 1 {
		if atTheEnd, err = low.CommDup(low.CommWorld); err != nil {
			return err
		}
	}
	low.NameCrashes(fmt.Sprintf("rank %d of %d", world.rank, world.size))
	return nil
}

// Finalize ends MPI. Call it on the main goroutine; nothing of MPI may be called after it.
//
// It waits until all processes of the job have called it. Operations that nobody has waited for are reported.
// Deferred, it does nothing but return an error when a goroutine panics: then the panic ends the process, and the
// launcher the job. When the goroutine is left by [runtime.Goexit], it ends the job.
func Finalize() error {
	if !running.Load() {
		return low.Finalize()
	}
	switch low.Unwinding() {
	case "panic":
		return low.Finalize()
	case "Goexit":
		world.leave("the main goroutine was left by runtime.Goexit")
	}
	reportPending()
	freeTypes()
	stopCompleting()
	defer watchEnd()()
	waitForOthers()
	err := low.Finalize()
	running.Store(err != nil)
	return err
}

// waitForOthers returns when all processes have come to the end. MPI_Finalize alone does not wait for them in every
// library: a process that returned too early would be gone, and those that wait for it would wait for ever.
func waitForOthers() {
	if atTheEnd == 0 {
		return
	}
	if err := low.Barrier(atTheEnd); err != nil {
		warn(err.Error())
	}
	_ = low.CommFree(&atTheEnd)
	atTheEnd = 0
}

// leave ends the job after a sentence.
func (c *Comm) leave(sentence string) {
	fmt.Fprintf(os.Stderr, "rank %d: %s\n", c.rank, sentence)
	c.Abort(2)
}

// watchEnd tells if other processes do not come to the end, and ends the job if the program wants that.
func watchEnd() (stop func()) {
	patience := 10 * time.Second
	if ending > 0 {
		patience = min(patience, ending/2)
	}
	told := time.AfterFunc(patience, func() {
		warn(fmt.Sprintf("rank %d has been in mpi.Finalize for %v and waits for other processes: did it return too early?", world.rank, patience))
	})
	ended := &time.Timer{}
	if ending > 0 {
		ended = time.AfterFunc(ending, func() {
			fmt.Fprintf(os.Stderr, "rank %d: mpi.Finalize has waited for other processes for %v, the job is ended\n", world.rank, ending)
			low.Arrive()
			endJob()
			os.Exit(1)
		})
	}
	return func() {
		told.Stop()
		if ending > 0 {
			ended.Stop()
		}
	}
}

// World is the communicator of all processes of the job. Before [Init] it is nil, with which all operations
// are an [ErrNotRunning].
func World() *Comm { return world }

// Self is the communicator of this process alone; nil before [Init], as [World].
func Self() *Comm { return self }

// Threads is the level of thread support that the library gave.
func Threads() ThreadLevel { return threads }

// Library tells the file of the MPI library in use and the first line of its version text.
func Library() (path, version string) {
	path, version = low.Loaded()
	version, _, _ = strings.Cut(version, "\n")
	return path, strings.Join(strings.Fields(version), " ")
}

// Run starts MPI, calls program with all processes of the job and ends MPI. If the program fails, panics
// or does not return, all processes of the job are ended: the others would wait for this one for ever.
//
// With [ThreadMultiple], which Run asks for, the program runs on a goroutine of its own: the main goroutine
// is bound to the thread that starts and ends MPI, and what it exchanges with other goroutines takes ten
// times as long. Where the library gives less, the program runs on the main goroutine.
func Run(program func(world *Comm) error, options ...Option) error {
	if program == nil {
		return &Error{Class: ErrArg, Function: "mpi.Run", Message: "the program is nil"}
	}
	if err := Init(options...); err != nil {
		return err
	}
	failure := make(chan error, 1)
	call := func() {
		returned := false
		defer func() {
			if p := recover(); p != nil {
				fmt.Fprintf(os.Stderr, "rank %d: panic: %v\n\n%s", world.Rank(), p, debug.Stack())
				world.Abort(2)
			}
			if !returned { // by runtime.Goexit, which a test that fails calls
				world.leave("the program left without returning (runtime.Goexit)")
			}
		}()
		err := program(world)
		returned = true
		failure <- err
	}
	if threads == ThreadMultiple {
		go call()
	} else {
		call()
	}
	if err := <-failure; err != nil {
		if world.Size() > 1 {
			fmt.Fprintf(os.Stderr, "rank %d: %v\n", world.Rank(), err)
			world.Abort(1)
		}
		return err
	}
	return Finalize()
}

// Main is what a main function may consist of: [Run], and an exit code that tells how it went. If MPI
// cannot be started, all processes of the job are ended, too.
func Main(program func(world *Comm) error, options ...Option) {
	if err := Run(program, options...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		endJob()
		os.Exit(1)
	}
}

// endJob tells the launcher that the job has failed, with the words that MPI_Abort has for it in MPICH's
// family: of a process that has not started MPI its launchers do not mind how it ends, and the others
// would wait in MPI_Init for ever. Open MPI's launchers look at exit codes.
func endJob() {
	if fd, err := strconv.Atoi(os.Getenv("PMI_FD")); err == nil && fd > 2 {
		time.Sleep(200 * time.Millisecond) // it throws away what it has not read of stderr by then
		_, _ = os.NewFile(uintptr(fd), "PMI_FD").WriteString("cmd=abort exitcode=1\n")
	}
}
