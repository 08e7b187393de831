package mpi_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestRequestsThatAreNoneAreRefused(t *testing.T) {
	for _, r := range []*mpi.Request{nil, {}} {
		_, err := r.Wait()
		refused(t, "wait", err, mpi.ErrRequest)
		_, _, err = r.Test()
		refused(t, "test", err, mpi.ErrRequest)
		refused(t, "cancel", r.Cancel(), mpi.ErrRequest)
		_, err = mpi.WaitAll(r)
		refused(t, "wait for all", err, mpi.ErrRequest)
		_, _, err = mpi.WaitAny(r)
		refused(t, "wait for any", err, mpi.ErrRequest)
		want(t, "handle", r.Handle(), low.RequestNull)
	}
	_, err := mpi.WaitAll()
	must(t, err)
	i, _, err := mpi.WaitAny()
	must(t, err)
	want(t, "any of none", i, -1)

	got := []int{0}
	r, err := mpi.Irecv(mpi.Self(), got, 0, 1)
	must(t, err)
	_, err = mpi.WaitAll(r, nil)
	refused(t, "wait for all", err, mpi.ErrRequest)
	must(t, mpi.Send(mpi.Self(), []int{4}, 0, 1))
	_, err = r.Wait()
	must(t, err)
	want(t, "received all the same", got[0], 4)
}

func TestWaitingAgainGivesTheSameResult(t *testing.T) {
	next, previous := neighbours()
	got := make([]int, 2)
	r, err := mpi.Irecv(world, got, previous, 9)
	must(t, err)
	must(t, mpi.Send(world, []int{1}, next, 9))
	for range 3 {
		s, err := r.Wait()
		must(t, err)
		n, err := mpi.Count[int](&s)
		must(t, err)
		want(t, "source, tag and count", [3]int{s.Source(), s.Tag(), n}, [3]int{previous, 9, 1})
	}
	s, done, err := r.Test()
	must(t, err)
	want(t, "complete", done, true)
	want(t, "tag", s.Tag(), 9)
	must(t, r.Cancel())
	statuses, err := mpi.WaitAll(r, r)
	must(t, err)
	want(t, "tags", [2]int{statuses[0].Tag(), statuses[1].Tag()}, [2]int{9, 9})
	i, _, err := mpi.WaitAny(r, r)
	must(t, err)
	want(t, "none is pending", i, -1)
}

// Every way to wait tells that a receive was cancelled, and of no message.
func TestACancelledReceiveTellsSo(t *testing.T) {
	ways := map[string]func(*mpi.Request) (mpi.Status, error){
		"Wait": func(r *mpi.Request) (mpi.Status, error) { return r.Wait() },
		"Test": func(r *mpi.Request) (mpi.Status, error) {
			for {
				if s, done, err := r.Test(); done || err != nil {
					return s, err
				}
			}
		},
		"WaitAll": func(r *mpi.Request) (mpi.Status, error) {
			s, err := mpi.WaitAll(r)
			return s[0], err
		},
		"WaitAny": func(r *mpi.Request) (mpi.Status, error) {
			_, s, err := mpi.WaitAny(r)
			return s, err
		},
		"TestAny": func(r *mpi.Request) (mpi.Status, error) {
			for {
				if i, s, err := mpi.TestAny(r); i >= 0 || err != nil {
					return s, err
				}
			}
		},
		"WaitSome": func(r *mpi.Request) (mpi.Status, error) {
			_, err := mpi.WaitSome(r)
			must(t, err)
			return r.Wait()
		},
		"TestSome": func(r *mpi.Request) (mpi.Status, error) {
			for {
				if i, err := mpi.TestSome(r); len(i) > 0 || err != nil {
					must(t, err)
					return r.Wait()
				}
			}
		},
		"TestAll": func(r *mpi.Request) (mpi.Status, error) {
			for {
				if done, err := mpi.TestAll(r); done || err != nil {
					must(t, err)
					return r.Wait()
				}
			}
		},
	}
	_, previous := neighbours()
	for name, way := range ways {
		data := []int{3}
		r, err := mpi.Irecv(world, data, previous, 77)
		must(t, err)
		must(t, r.Cancel())
		s, err := way(r)
		must(t, err)
		n, err := mpi.Count[int](&s)
		must(t, err)
		want(t, name+" tells that it was cancelled", s.Cancelled(), true)
		asLow, err := low.TestCancelled(s.Low())
		must(t, err)
		want(t, name+" tells low that it was cancelled", asLow, true)
		want(t, name+" tells of no message", [3]int{s.Source(), s.Tag(), n}, [3]int{mpi.ProcNull, mpi.AnyTag, 0})
		want(t, name+" leaves the slice", data[0], 3)
	}
}

func TestAReceiveThatIsCompleteIsNotCancelled(t *testing.T) {
	self := mpi.Self()
	must(t, mpi.Send(self, []int{1}, mpi.ProcNull, 0))
	data := []int{0}
	r, err := mpi.Irecv(self, data, 0, 5)
	must(t, err)
	must(t, mpi.Send(self, []int{4}, 0, 5))
	must(t, r.Cancel()) // too late, if the library has looked at the message already
	s, err := r.Wait()
	must(t, err)
	if s.Cancelled() {
		_, err := mpi.Recv(self, data, 0, 5)
		must(t, err)
		want(t, "element", data[0], 4)
		return
	}
	n, err := mpi.Count[int](&s)
	must(t, err)
	want(t, "tag, elements and element", [3]int{s.Tag(), n, data[0]}, [3]int{5, 1, 4})
	want(t, "no status was cancelled", (*mpi.Status)(nil).Cancelled(), false)
}

func TestARequestMayBeThereTwice(t *testing.T) {
	next, previous := neighbours()
	for range 50 {
		a, b := []int{0}, []int{0}
		first, err := mpi.Irecv(world, a, previous, 1)
		must(t, err)
		second, err := mpi.Irecv(world, b, previous, 2)
		must(t, err)
		must(t, mpi.Send(world, []int{5}, next, 1))
		must(t, mpi.Send(world, []int{6}, next, 2))
		statuses, err := mpi.WaitAll(first, second, first, second, first)
		must(t, err)
		for i, s := range statuses {
			want(t, "tag", s.Tag(), 1+i%2)
		}
		want(t, "elements", [2]int{a[0], b[0]}, [2]int{5, 6})
	}
	got := []int{0}
	r, err := mpi.Irecv(world, got, previous, 3)
	must(t, err)
	must(t, mpi.Send(world, []int{8}, next, 3))
	i, s, err := mpi.WaitAny(r, r)
	must(t, err)
	want(t, "which, and its tag", [2]int{i, s.Tag()}, [2]int{0, 3})
	want(t, "operations that hold memory", low.Pending(), 0)
}

func skipUnlessThreadsWait(t *testing.T) {
	t.Helper()
	if mpi.Threads() < mpi.ThreadMultiple {
		t.Skip("goroutines must not call MPI at once here")
	}
	if world.Size() == 1 {
		t.Skip("MPICH 4.0.2 loses messages to oneself when threads wait for them, in C too")
	}
}

// One goroutine waits in MPI, and all get the result.
func TestGoroutinesMayWaitForTheSameRequests(t *testing.T) {
	skipUnlessThreadsWait(t)
	next, previous := neighbours()
	rounds := 60
	if world.Size() > 2 {
		rounds = 4 // with more ranks than processors a round takes half a second
	}
	for round := range rounds {
		got := [3][]int{{0}, {0}, {0}}
		requests := make([]*mpi.Request, 3)
		for i := range requests {
			r, err := mpi.Irecv(world, got[i], previous, i)
			must(t, err)
			requests[i] = r
		}
		results := make(chan error, 64)
		var all sync.WaitGroup
		begin := make(chan struct{})
		waiting := func(wait func() (mpi.Status, error), tag int) {
			all.Add(1)
			go func() {
				defer all.Done()
				<-begin
				s, err := wait()
				if err == nil && s.Tag() != tag {
					err = fmt.Errorf("a status has the tag %d, not %d", s.Tag(), tag)
				}
				results <- err
			}()
		}
		for i := range 6 {
			waiting(requests[i%3].Wait, i%3)
			waiting(func() (mpi.Status, error) {
				statuses, err := mpi.WaitAll(requests[(i+1)%3], requests[i%3], requests[(i+2)%3])
				return statuses[1], err
			}, i%3)
			waiting(func() (mpi.Status, error) {
				for {
					if s, done, err := requests[i%3].Test(); done || err != nil {
						return s, err
					}
					runtime.Gosched()
				}
			}, i%3)
			all.Add(1)
			go func() {
				defer all.Done()
				<-begin
				at, s, err := mpi.WaitAny(requests[i%3], requests[(i+1)%3])
				if err == nil && at >= 0 && s.Tag() != (i+at)%3 {
					err = fmt.Errorf("request %d has the tag %d", at, s.Tag())
				}
				results <- err
			}()
		}
		close(begin)
		if round%2 == 0 {
			time.Sleep(time.Millisecond)
		}
		for i := range requests {
			must(t, mpi.Send(world, []int{10*round + i}, next, i))
		}
		all.Wait()
		close(results)
		for err := range results {
			must(t, err)
		}
		for i := range got {
			want(t, "element", got[i][0], 10*round+i)
		}
	}
	want(t, "operations that hold memory", low.Pending(), 0)
}

func TestARequestThatAnotherGoroutineWaitsForCannotBeCancelled(t *testing.T) {
	skipUnlessThreadsWait(t)
	next, previous := neighbours()
	r, err := mpi.Irecv(world, []int{0}, previous, 1)
	must(t, err)
	done := make(chan error)
	go func() {
		_, err := r.Wait()
		done <- err
	}()
	for !r.IsAsked() {
		runtime.Gosched()
	}
	_, complete, err := r.Test()
	must(t, err)
	want(t, "complete", complete, false)
	refused(t, "cancel", r.Cancel(), mpi.ErrRequest)
	must(t, world.Barrier()) // before it no process sends
	must(t, mpi.Send(world, []int{1}, next, 1))
	must(t, <-done)
}

// sayings are the warnings of this package while the tests run.
var sayings struct {
	sync.Mutex
	all []string
}

func say(sentence string) {
	sayings.Lock()
	defer sayings.Unlock()
	sayings.all = append(sayings.all, sentence)
}

func said(part string) int {
	sayings.Lock()
	defer sayings.Unlock()
	n := 0
	for _, s := range sayings.all {
		if strings.Contains(s, part) {
			n++
		}
	}
	return n
}

func TestDroppedRequestsAreCompletedAndReported(t *testing.T) {
	const n = 640
	next, previous := neighbours()
	for tag := range n {
		_, err := mpi.Irecv(world, make([]int32, 64), previous, tag)
		must(t, err)
	}
	want(t, "operations that hold memory", low.Pending(), n)
	must(t, world.Barrier())
	for tag := range n {
		must(t, mpi.Send(world, make([]int32, 64), next, tag))
	}
	must(t, world.Barrier())
	untilNothingIsHeld(t)
	want(t, "reports", said("a request was dropped before it was complete"), 1)
}

// With MPIGLOT_PLACES=on.
func TestTheReportOfADroppedRequestCanTellItsPlace(t *testing.T) {
	mpi.TellPlaces(true)
	defer mpi.TellPlaces(false)
	_, file, line, _ := runtime.Caller(0)
	_, err := mpi.Irecv(mpi.Self(), make([]int32, 64), 0, 1)
	must(t, err)
	must(t, mpi.Send(mpi.Self(), make([]int32, 64), 0, 1))
	untilNothingIsHeld(t)
	want(t, "reports of the place", said(fmt.Sprintf("%s:%d was dropped", filepath.Base(file), line+1)), 1)
}

// Noticing that a request was dropped costs the messages of those that drop none hardly anything.
func TestRequestsAreNotAllocatedOneByOne(t *testing.T) {
	if world.Size() > 2 {
		t.Skip("measured with one and two processes")
	}
	const messages = 26
	next, previous := neighbours()
	out, in := make([]int64, 10), make([]int64, 10)
	requests := make([]*mpi.Request, 2*messages)
	n := allocationsOf(func() {
		for i := range messages {
			requests[2*i], _ = mpi.Irecv(world, in, previous, i)
			requests[2*i+1], _ = mpi.Isend(world, out, next, i)
		}
		for _, r := range requests {
			_, _ = r.Wait()
		}
	})
	if n > 2*messages { // one for each request; instrumented programs have more
		failNow(t, "%v allocations for %d requests", n, len(requests))
	}
	for _, pending := range []int{1, 10, 100, 1000} {
		handles := make([]low.Request, pending)
		runs := max(4, 100/pending) // MPICH 5 yields in each send, to whatever else is running
		n := allocationsIn(runs, func() {
			for i := range handles {
				handles[i], _ = low.Irecv(low.Slice(in), 10, low.Int64T, previous, i, low.CommWorld)
			}
			for i := range handles {
				_ = low.Send(low.Slice(out), 10, low.Int64T, next, i, low.CommWorld)
			}
			for i := range handles {
				_ = low.Wait(&handles[i], nil)
			}
		})
		want(t, fmt.Sprintf("allocations of %d requests of low", pending), n, 0)
	}
}
