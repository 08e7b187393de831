package mpi_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// Random calls of the package, right and wrong ones. No call may end the process, wait without end, or touch a byte that
// is not its own. A right call must succeed; a wrong one must fail with an error of MPI's kind.
//
// The gate makes calledAtTheGate calls with one seed, on 1 and on 2 processes. More calls, another seed, and the names of
// the calls as they are made:
//
//	MPIGLOT_RANDOM_CALLS=1000000 MPIGLOT_RANDOM_SEED=7 mpiexec -n 3 ./tests -test.run TestRandomCalls
//	MPIGLOT_RANDOM_TRACE=on mpiexec -n 2 ./tests -test.run TestRandomCalls
const (
	calledAtTheGate = 100_000
	usualSeed       = 33
)

// A verdict says how a call must end.
type verdict int

const (
	right  verdict = iota // without an error
	wrong                 // with an error
	either                // with or without one: the library decides
)

// player makes the calls of one process.
type player struct {
	t            *testing.T
	c            *mpi.Comm
	together     *rand.Rand // draws the same in all processes
	alone        *rand.Rand // draws in this process only
	calls, limit int
	kinds        []kind // those of this run
	last         [12]string
	used         []*memory // in the call that is made
	spare        []*memory
	pending      []*running
	trace        bool
	file         *mpi.File
	move         func(*player) // reads or writes elements of the view
	graph        *mpi.Comm
	lost         []*memory // of what was dropped
	held         int       // operations that hold memory at the beginning
}

// kind is calls that belong together; as often as its weight says.
type kind struct {
	name   string
	weight int
	play   func(*player)
}

// running is an operation that was begun, and the memory that it uses.
type running struct {
	request *mpi.Request
	used    []*memory
}

func TestRandomCalls(t *testing.T) {
	p := &player{t: t, c: world, limit: calledAtTheGate, trace: os.Getenv("MPIGLOT_RANDOM_TRACE") != ""}
	seed := uint64(usualSeed)
	if text := os.Getenv("MPIGLOT_RANDOM_CALLS"); text != "" {
		p.limit = number(t, text)
	} else if world.Size() > 2 {
		t.Skip("more than two processes make random calls if MPIGLOT_RANDOM_CALLS says how many")
	}
	if text := os.Getenv("MPIGLOT_RANDOM_SEED"); text != "" {
		seed = uint64(number(t, text))
	}
	p.held = low.Pending()
	p.together = rand.New(rand.NewPCG(seed, 0))
	p.alone = rand.New(rand.NewPCG(seed, uint64(world.Rank())+1))
	p.kinds = allKinds
	if text := os.Getenv("MPIGLOT_RANDOM_KINDS"); text != "" {
		p.kinds = slices.DeleteFunc(slices.Clone(p.kinds), func(k kind) bool { return !slices.Contains(strings.Split(text, ","), k.name) })
	}
	if world.Rank() == 0 {
		t.Logf("%d random calls, seed %d", p.limit, seed)
	}
	each := 200 * time.Microsecond
	if world.Size() > runtime.NumCPU() { // processes that wait keep others from the processors
		each *= 10
	}
	defer p.watch(10 * (20*time.Second + time.Duration(p.limit)*each))()
	p.play()
	sum, err := mpi.AllreduceValue(world, 1, mpi.Sum)
	must(t, err)
	want(t, "processes at the end", sum, world.Size())
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

// play makes all the calls. The number of calls differs between the processes, the number of turns does not.
func (p *player) play() {
	total := 0
	for _, k := range p.kinds {
		total += k.weight
	}
	for done := false; !done; {
		for range 200 {
			at := p.together.IntN(total)
			i := 0
			for ; at >= p.kinds[i].weight; i++ {
				at -= p.kinds[i].weight
			}
			p.kinds[i].play(p)
		}
		p.finish()
		fewest, err := mpi.AllreduceValue(p.c, p.calls, mpi.Min)
		must(p.t, err)
		done = fewest >= p.limit
	}
	p.drain()
}

// watch ends the job when the calls take longer than the limit.
func (p *player) watch(limit time.Duration) (stop func()) {
	timer := time.AfterFunc(limit, func() {
		stacks := make([]byte, 1<<16)
		fmt.Fprintf(os.Stderr, "%s", stacks[:runtime.Stack(stacks, true)])
		p.fail("the calls take longer than %v", limit)
	})
	return func() { timer.Stop() }
}

func (p *player) fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "rank %d, call %d, the last calls: %s\n", world.Rank(), p.calls, strings.Join(p.lastCalls(), ", "))
	failNow(p.t, format, arguments...)
}

func (p *player) lastCalls() []string {
	n := len(p.last)
	names := make([]string, 0, n)
	for i := range n {
		names = append(names, p.last[(p.calls+i)%n])
	}
	return names
}

// call makes one call and looks at what it did.
func (p *player) call(name string, how verdict, function func() error) error {
	p.last[p.calls%len(p.last)] = name
	p.calls++
	if p.trace {
		fmt.Fprintf(os.Stderr, "%d: %d %s %d\n", world.Rank(), p.calls, name, how)
	}
	err := function()
	var typed *mpi.Error
	switch {
	case errors.Is(err, mpi.ErrUnavailable):
	case err != nil && how == right:
		p.fail("%s: %v", name, err)
	case err == nil && how == wrong:
		p.fail("%s: no error", name)
	case err != nil && !errors.As(err, &typed) && !errors.Is(err, low.ErrRange) && !errors.Is(err, low.ErrLength):
		p.fail("%s: an error of no kind: %v", name, err)
	}
	for _, m := range p.used {
		m.look(p, name)
	}
	return err
}

// once makes one call that nothing is begun by, and gives its memory back.
func (p *player) once(name string, how verdict, function func() error) {
	_ = p.call(name, how, function)
	p.spare = append(p.spare, p.used...)
	p.used = p.used[:0]
}

// begin makes one call that may begin an operation, which is completed later.
func (p *player) begin(name string, how verdict, function func() (*mpi.Request, error)) *mpi.Request {
	var r *mpi.Request
	if err := p.call(name, how, func() (err error) { r, err = function(); return err }); err != nil {
		p.spare = append(p.spare, p.used...)
		p.used = p.used[:0]
		return nil
	}
	p.pending = append(p.pending, &running{r, slices.Clone(p.used)})
	p.used = p.used[:0]
	return r
}

// prepare makes one call that may prepare an operation, runs it so many times and frees it.
func (p *player) prepare(name string, starts int, how verdict, function func() (*mpi.Persistent, error)) {
	var operation *mpi.Persistent
	if p.call(name, how, func() (err error) { operation, err = function(); return err }) == nil {
		for range starts {
			p.call(name+" Start", right, operation.Start)
			if p.alone.IntN(4) == 0 {
				p.call(name+" Start again", wrong, operation.Start)
				p.call(name+" Free while active", wrong, operation.Free)
			}
			p.call(name+" Wait", right, func() error { _, err := operation.Wait(); return err })
		}
		p.call(name+" Free", right, operation.Free)
		if p.alone.IntN(4) == 0 {
			p.call(name+" Free again", wrong, operation.Free)
			p.call(name+" Start when freed", wrong, operation.Start)
		}
	}
	p.spare = append(p.spare, p.used...)
	p.used = p.used[:0]
}

// finish completes what was begun, in one of many ways.
func (p *player) finish() {
	requests := make([]*mpi.Request, len(p.pending))
	for i, r := range p.pending {
		requests[i] = r.request
	}
	p.complete(requests)
	for _, r := range p.pending {
		for _, m := range r.used {
			m.look(p, "the end of what was begun")
		}
		p.spare = append(p.spare, r.used...)
	}
	clear(p.pending) // requests that are reachable keep what is dropped with them
	p.pending = p.pending[:0]
}

func (p *player) drain() {
	p.finish()
	if p.file != nil {
		must(p.t, p.file.Close())
	}
	if p.graph != nil {
		must(p.t, p.graph.Free())
	}
	must(p.t, p.c.Barrier())
	for len(p.lost) > 0 && low.Pending() > p.held { // the limit of time holds here, too
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	for _, m := range p.lost {
		m.look(p, "what was dropped")
	}
}

// complete waits for requests.
func (p *player) complete(requests []*mpi.Request) {
	way := p.alone.IntN(6)
	if way == 0 && len(requests) > 1 { // some of them twice
		requests = append(requests, requests[0])
	}
	switch way {
	case 0, 1:
		p.call("WaitAll", right, func() error { _, err := mpi.WaitAll(requests...); return err })
	case 2:
		for range requests {
			p.call("WaitAny", right, func() error { _, _, err := mpi.WaitAny(requests...); return err })
		}
	case 3:
		p.call("TestAll", right, func() (err error) { // as one call, however long it takes
			for done := false; !done && err == nil; {
				done, err = mpi.TestAll(requests...)
			}
			return err
		})
	case 4:
		for some := []int{0}; len(some) > 0; {
			p.call("WaitSome", right, func() (err error) { some, err = mpi.WaitSome(requests...); return err })
		}
	}
	for _, r := range requests {
		p.call("Request.Wait", right, func() error { _, err := r.Wait(); return err })
	}
}

// memory is elements between bytes that nobody may touch.
type memory struct {
	bytes    []byte
	from, to int
	sent     []byte // what the elements were, if nobody may write them
}

const (
	guarded = 64  // bytes on each side
	roomy   = 512 // bytes of elements at most, as long as memory can be used again
)

var guard = bytes.Repeat([]byte{0xA5}, guarded)

// sending is n elements that the next call reads.
func sending[T any](p *player, n int) []T {
	m, data := elements[T](p, n)
	for i := m.from; i < m.to; i++ {
		m.bytes[i] = byte(p.calls + i)
	}
	m.sent = append(m.sent[:0], m.bytes[m.from:m.to]...)
	return data
}

// receiving is n elements that the next call may write.
func receiving[T any](p *player, n int) []T {
	m, data := elements[T](p, n)
	m.sent = nil
	return data
}

func elements[T any](p *player, n int) (*memory, []T) {
	var one T
	size := n * int(unsafe.Sizeof(one))
	var m *memory
	if last := len(p.spare) - 1; last >= 0 && size <= roomy {
		m, p.spare = p.spare[last], p.spare[:last]
	} else {
		words := make([]uint64, (max(size, roomy)+2*guarded)/8+1)
		m = &memory{bytes: unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))}
	}
	m.from, m.to = guarded, guarded+size
	copy(m.bytes, guard)
	copy(m.bytes[m.to:], guard)
	p.used = append(p.used, m)
	return m, unsafe.Slice((*T)(unsafe.Pointer(&m.bytes[m.from])), n)
}

// look wants the bytes beside the elements, and elements that are sent, to be as they were.
func (m *memory) look(p *player, name string) {
	if !bytes.Equal(m.bytes[:m.from], guard) || !bytes.Equal(m.bytes[m.to:m.to+guarded], guard) {
		p.fail("%s wrote beside its elements", name)
	}
	if m.sent != nil && !bytes.Equal(m.bytes[m.from:m.to], m.sent) {
		p.fail("%s wrote what it sends", name)
	}
}
