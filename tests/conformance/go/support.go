package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// What cases see: this process, how many there are, and all of them.
var (
	rank, size, left, right int
	world                   low.Comm
)

type conformanceCase struct {
	name        string
	run         func()
	ranks, most int
	defects     []string // of an MPI (provision/matrix.json), with which it cannot pass
}

// missing is what a case ends with if the library lacks a function.
type missing struct{ err error }

func succeeded(err error) {
	switch {
	case errors.Is(err, low.ErrUnavailable):
		panic(missing{err})
	case err != nil:
		panic(err)
	}
}

func failed(err error, call string, classes ...int) {
	if errors.Is(err, low.ErrUnavailable) {
		panic(missing{err})
	}
	var e *low.Error
	if !errors.As(err, &e) {
		panic(fmt.Errorf("%s gave %v, which is no error of MPI", call, err))
	}
	for _, class := range classes {
		if errors.Is(err, low.Class(class)) {
			return
		}
	}
	panic(fmt.Errorf("%s failed with %v", call, err))
}

func check(holds bool, text string) {
	if !holds {
		panic(fmt.Errorf("%s is not so", text))
	}
}

func same[T int | byte | int16 | int32 | int64 | float32 | float64](got []T, expected ...int) bool {
	if len(got) != len(expected) {
		return false
	}
	for i := range got {
		if got[i] != T(expected[i]) {
			return false
		}
	}
	return true
}

func pick[T any](condition bool, first, second T) T {
	if condition {
		return first
	}
	return second
}

// require ends a case that would leave something behind if it ended later.
func require(function string) {
	if !low.Has(function) {
		panic(missing{fmt.Errorf("%s: %w", function, low.ErrUnavailable)})
	}
}

func have(function string) bool { return low.Has(function) }
func table() string             { return low.Constants() }
func newStatus() *low.Status    { return new(low.Status) }
func peek(address int) int      { return int(low.Memory[int32](uintptr(address), 1)[0]) }
func poke(address, value int)   { low.Memory[int32](uintptr(address), 1)[0] = int32(value) }

// calls is how often a callback ran since this was asked last.
func calls(name string) int {
	n := called[name]
	called[name] = 0
	return n
}

var called = map[string]int{}

// sameEverywhere is a number of rank 0, for names that all processes share.
func sameEverywhere(value int) int {
	shared := []int64{int64(value)}
	succeeded(low.Bcast(low.Slice(shared), 1, low.Int64T, 0, world))
	return int(shared[0])
}

// sharedText is a text of rank 0.
func sharedText(text string) string {
	length := sameEverywhere(len(text))
	bytes := make([]byte, length)
	copy(bytes, text)
	succeeded(low.Bcast(low.Slice(bytes), length, low.Byte, 0, world))
	return string(bytes)
}

var folder string

// path is the name of a file that all processes share, and that is not there yet.
func path(name string) string { return filepath.Join(folder, name) }

// command and arguments start this program once more, as the child of a spawn.
func command() string     { return os.Args[0] }
func arguments() []string { return []string{"child"} }

var place uint64

// placeOf is where a handle stands, for functions that take the address of one.
func placeOf(comm low.Comm) int {
	place = uint64(comm)
	return int(uintptr(unsafe.Pointer(&place)))
}

// joinedSocket leads to the other of two processes.
func joinedSocket(other int) int {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	succeeded(err)
	here := syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}
	port := []int32{0}
	if rank > other {
		succeeded(low.Recv(low.Slice(port), 1, low.Int32T, other, 0, world, nil))
		here.Port = int(port[0])
		succeeded(syscall.Connect(socket, &here))
		return socket
	}
	succeeded(syscall.Bind(socket, &here))
	succeeded(syscall.Listen(socket, 1))
	bound, err := syscall.Getsockname(socket)
	succeeded(err)
	port[0] = int32(bound.(*syscall.SockaddrInet4).Port)
	succeeded(low.Send(low.Slice(port), 1, low.Int32T, other, 0, world))
	accepted, _, err := syscall.Accept(socket)
	succeeded(err)
	closedSocket(socket)
	return accepted
}

func closedSocket(socket int) { succeeded(syscall.Close(socket)) }

// ---------------------------------------------------------------------------- callbacks

// roomAt is memory from a place on; nobody says how much.
func roomAt[T any](s []T) low.Buffer { return low.At(unsafe.Pointer(unsafe.SliceData(s))) }

func ints(p unsafe.Pointer, n int) []int32 { return unsafe.Slice((*int32)(p), n) }

func sumInts(in, inout unsafe.Pointer, n int, _ low.Datatype) {
	called["sum_ints"]++
	a, b := ints(in, n), ints(inout, n)
	for i := range b {
		b[i] += a[i]
	}
}

func firstInts(in, inout unsafe.Pointer, n int, _ low.Datatype) { copy(ints(inout, n), ints(in, n)) }

func nothing(_, _ unsafe.Pointer, _ int, _ low.Datatype) { called["nothing"]++ }

func copyComm(_ low.Comm, _ int, value uintptr) (uintptr, bool, error) {
	called["copy"]++
	return value + 1, true, nil
}

func copyType(_ low.Datatype, _ int, value uintptr) (uintptr, bool, error) {
	called["copy"]++
	return value + 1, true, nil
}

func deleteComm(low.Comm, int, uintptr) error     { called["delete"]++; return nil }
func deleteType(low.Datatype, int, uintptr) error { called["delete"]++; return nil }
func deleteWin(low.Win, int, uintptr) error       { called["delete"]++; return nil }

func commFailed(low.Comm, int)       { called["comm_failed"]++ }
func winFailed(low.Win, int)         { called["win_failed"]++ }
func fileFailed(low.File, int)       { called["file_failed"]++ }
func sessionFailed(low.Session, int) { called["session_failed"]++ }

func queried(status *low.Status) error {
	called["queried"]++
	if err := low.StatusSetElements(status, low.Int, 7); err != nil {
		return err
	}
	status.SetSource(low.Undefined)
	status.SetTag(low.Undefined)
	return low.StatusSetCancelled(status, false)
}

func freed() error         { called["freed"]++; return nil }
func cancelled(bool) error { called["cancelled"]++; return nil }
func destroyed()           { called["destroyed"]++ }

func polled(_ unsafe.Pointer, _ *low.Status) error { called["polled"]++; return nil }

// The representation of the cases keeps integers as they are.
func readConversion(user unsafe.Pointer, _ low.Datatype, count int, file unsafe.Pointer, position int) error {
	called["read_conversion"]++
	copy(ints(user, count+position)[position:], ints(file, count))
	return nil
}

func writeConversion(user unsafe.Pointer, _ low.Datatype, count int, file unsafe.Pointer, position int) error {
	called["write_conversion"]++
	copy(ints(file, count), ints(user, count+position)[position:])
	return nil
}

func fileExtent(low.Datatype) (int, error) { called["file_extent"]++; return 4, nil }

func sumIntsX(in, inout unsafe.Pointer, n int, t low.Datatype)      { sumInts(in, inout, n, t) }
func eventHappened(low.TEventInstance, low.TEventRegistration, int) { called["event"]++ }
func eventDropped(int, low.TEventRegistration, int, int)            { called["dropped"]++ }
func eventFreed(low.TEventRegistration, int)                        { called["event_freed"]++ }

// ---------------------------------------------------------------------------- running

const patience = 20 * time.Minute // where the machine does much else as well

func main() {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		child()
		return
	}
	time.AfterFunc(patience, func() {
		fmt.Fprintf(os.Stderr, "rank %d: no end in %v, now in %s\n", rank, patience, now)
		os.Exit(3)
	})
	if _, err := low.InitThread(low.ThreadMultiple); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	world = low.CommWorld
	rank, _ = low.CommRank(world)
	size, _ = low.CommSize(world)
	right, left = (rank+1)%size, (rank+size-1)%size
	above := os.Getenv("MPIGLOT_SCRATCH") // its runner removes it when cases do not end well, too
	if above == "" {
		above = os.TempDir()
	}
	folder = filepath.Join(above, fmt.Sprintf("mpiglot-go-%d", sameEverywhere(os.Getpid())))
	_ = os.MkdirAll(folder, 0o700)
	passed, skipped := 0, 0
	for _, c := range cases {
		if !chosen(c.name) {
			continue
		}
		if reason := c.impossible(); reason != "" {
			skipped++
			tell("skipped: %s: %s", c.name, reason)
			continue
		}
		if c.passes() {
			passed++
		} else {
			skipped++
		}
	}
	succeeded(low.Barrier(world))
	_ = os.RemoveAll(folder)
	tell("%d passed, 0 failed, %d skipped", passed, skipped)
	if err := low.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

var now string

// chosen tells whether the arguments want a case: parts of names, and -name for all but this one.
func chosen(name string) bool {
	wanted := true
	for _, word := range os.Args[1:] {
		if word == "-"+name {
			return false
		}
		if word[0] != '-' {
			if strings.Contains(name, word) {
				return true
			}
			wanted = false
		}
	}
	return wanted
}

func (c *conformanceCase) impossible() string {
	if size < c.ranks {
		return fmt.Sprintf("for %d processes or more", c.ranks)
	}
	if c.most != 0 && size > c.most {
		return fmt.Sprintf("for %d processes at most", c.most)
	}
	known := strings.Split(os.Getenv("MPIGLOT_DEFECTS"), ",")
	for _, id := range c.defects {
		if slices.Contains(known, id) && os.Getenv("MPIGLOT_ALL_CASES") == "" {
			return "known defect: " + id
		}
	}
	return ""
}

// passes runs a case; it does not pass if the library lacks a function. A failure ends the job, since
// the other processes wait for this one.
func (c *conformanceCase) passes() (done bool) {
	now = c.name
	if os.Getenv("MPIGLOT_TRACE") != "" {
		fmt.Fprintf(os.Stderr, "[%d] %s\n", rank, c.name)
	}
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case missing:
			tell("skipped: %s: %v", c.name, problem.err)
			done = false
		default:
			fmt.Fprintf(os.Stderr, "FAILED: %s on rank %d of %d with %s: %v\n", c.name, rank, size, table(), problem)
			fmt.Println("0 passed, 1 failed, 0 skipped")
			low.Arrive()
			_ = low.Abort(world, 1)
		}
	}()
	c.run()
	succeeded(low.Barrier(world))
	return true
}

func tell(format string, arguments ...any) {
	if rank == 0 {
		fmt.Printf(format+"\n", arguments...)
	}
}

// child is what a spawned process does: it adds its rank to a number of the parents.
func child() {
	if err := low.Init(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	parent, err := low.CommGetParent()
	succeeded(err)
	number := []int32{0}
	succeeded(low.Bcast(low.Slice(number), 1, low.Int, 0, parent))
	me, err := low.CommRank(low.CommWorld)
	succeeded(err)
	number[0] += int32(me)
	succeeded(low.Send(low.Slice(number), 1, low.Int, 0, 9, parent))
	succeeded(low.Barrier(parent))
	succeeded(low.CommDisconnect(&parent))
	succeeded(low.Finalize())
}
