package mpi_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// disturb makes the garbage collector reuse whatever memory is free.
func disturb() {
	for range 3 {
		runtime.GC()
		var keep [][]int32
		for range 64 {
			s := make([]int32, 4096)
			for i := range s {
				s[i] = 0x5a5a5a5a
			}
			keep = append(keep, s)
		}
		runtime.KeepAlive(keep)
	}
}

// A slice that is forgotten before its receive is complete must not become somebody else's memory.
func TestForgottenBuffersStayInPlaceUntilCompletion(t *testing.T) {
	const messages, length = 16, 8192
	next, previous := neighbours()
	var freed atomic.Int32
	var requests []*mpi.Request
	post := func(tag int) *mpi.Request {
		buffer := make([]int32, length)
		runtime.SetFinalizer(&buffer[0], func(*int32) { freed.Add(1) })
		r, err := mpi.Irecv(world, buffer, previous, tag)
		must(t, err)
		return r
	}
	for tag := range messages {
		requests = append(requests, post(tag))
	}
	disturb()
	others := make([][]int32, 4*messages)
	for i := range others {
		others[i] = make([]int32, length)
	}
	want(t, "buffers collected while MPI may write to them", freed.Load(), 0)
	want(t, "operations that hold memory", low.Pending(), messages)
	must(t, world.Barrier())

	data := make([]int32, length)
	for i := range data {
		data[i] = -1
	}
	for tag := range messages {
		must(t, mpi.Send(world, data, next, tag))
	}
	_, err := mpi.WaitAll(requests...)
	must(t, err)
	for _, s := range others {
		for _, v := range s {
			if v != 0 {
				failNow(t, "memory of somebody else was overwritten")
			}
		}
	}
	want(t, "operations that hold memory", low.Pending(), 0)
	for range 10 {
		disturb()
		if freed.Load() == messages {
			break
		}
	}
	want(t, "buffers collected after completion", freed.Load(), messages)
}

// A send whose request is forgotten for good still sends what was in the slice.
func TestForgottenRequestsStillDeliver(t *testing.T) {
	const length = 1 << 18 // too long to be copied aside by the library
	next, previous := neighbours()
	got := make([]int32, length)
	receive, err := mpi.Irecv(world, got, previous, 77)
	must(t, err)
	send := func() low.Request {
		data := make([]int32, length)
		for i := range data {
			data[i] = int32(i ^ world.Rank())
		}
		r, err := low.Isend(low.Slice(data), length, low.Int32T, next, 77, low.CommWorld)
		must(t, err)
		return r
	}
	request := send()
	must(t, low.RequestFree(&request))
	disturb()
	_, err = receive.Wait()
	must(t, err)
	for i, v := range got {
		if v != int32(i^previous) {
			failNow(t, "element %d is %d, not %d", i, v, i^previous)
		}
	}
	must(t, world.Barrier())
}

// deep grows the stack while it holds everything that stands for a pointer of MPI.
func deep(n int, a, b low.Buffer, s *low.Status, weights []int) int {
	var space [64]byte
	if n == 0 {
		runtime.GC()
		return int(space[5])
	}
	sum := deep(n-1, a, b, s, weights) + int(space[n%64])
	runtime.KeepAlive(a) // only what is needed after the call is looked at when the stack moves
	runtime.KeepAlive(b)
	runtime.KeepAlive(s)
	runtime.KeepAlive(weights)
	return sum
}

func TestSentinelsSurviveStackGrowth(t *testing.T) {
	done := make(chan int)
	for range 4 {
		go func() { done <- deep(20000, low.InPlace, low.Bottom, nil, nil) }()
	}
	for range 4 {
		<-done
	}
	data := []int{world.Rank()}
	must(t, low.Allreduce(low.InPlace, low.Slice(data), 1, low.Int64T, low.Sum, low.CommWorld))
	want(t, "sum in place", data[0], world.Size()*(world.Size()-1)/2)
	next, previous := neighbours()
	must(t, low.Sendrecv(low.Slice([]int{3}), 1, low.Int64T, next, 1, low.Slice(data), 1, low.Int64T, previous, 1, low.CommWorld, nil))
	want(t, "received without status", data[0], 3)
}

func TestBottomTakesAddresses(t *testing.T) {
	next, previous := neighbours()
	data := make([]float64, 4)
	for i := range data {
		data[i] = float64(10*world.Rank() + i)
	}
	var pinner runtime.Pinner
	pinner.Pin(&data[0])
	defer pinner.Unpin()
	address, err := low.GetAddress(low.Slice(data[1:]))
	must(t, err)
	absolute, err := low.TypeCreateHindexed([]int{2}, []int{address}, low.Double)
	must(t, err)
	must(t, low.TypeCommit(&absolute))
	got := make([]float64, 2)
	must(t, low.Sendrecv(low.Bottom, 1, absolute, next, 1, low.Slice(got), 2, low.Double, previous, 1, low.CommWorld, nil))
	want(t, "first element", got[0], float64(10*previous+1))
	want(t, "second element", got[1], float64(10*previous+2))
	must(t, low.TypeFree(&absolute))
}

// allocationsOf is how often a call allocates. The least of three counts, because a count has what other goroutines
// allocate meanwhile, such as those that clean up after earlier tests.
func allocationsOf(call func()) float64 { return allocationsIn(100, call) }

func allocationsIn(runs int, call func()) float64 {
	return min(testing.AllocsPerRun(runs, call), testing.AllocsPerRun(runs, call), testing.AllocsPerRun(runs, call))
}

func TestHotCallsDoNotAllocate(t *testing.T) {
	if world.Size() > 2 {
		t.Skip("measured with one and two processes")
	}
	next, previous := neighbours()
	out, in := make([]int64, 4), make([]int64, 4)
	allocations := map[string]float64{
		"CommRank": allocationsOf(func() { _, _ = low.CommRank(low.CommWorld) }),
		"Sendrecv": allocationsOf(func() {
			var s low.Status
			_ = low.Sendrecv(low.Slice(out), 4, low.Int64T, next, 1, low.Slice(in), 4, low.Int64T, previous, 1, low.CommWorld, &s)
		}),
		"Irecv, Isend, Wait": allocationsOf(func() {
			r, _ := low.Irecv(low.Slice(in), 4, low.Int64T, previous, 1, low.CommWorld)
			q, _ := low.Isend(low.Slice(out), 4, low.Int64T, next, 1, low.CommWorld)
			_ = low.Wait(&r, nil)
			_ = low.Wait(&q, nil)
		}),
		"Allreduce": allocationsOf(func() {
			_ = low.Allreduce(low.InPlace, low.Slice(out), 4, low.Int64T, low.Sum, low.CommWorld)
		}),
		"friendly Allreduce": allocationsOf(func() {
			_ = mpi.Allreduce(world, out, in, mpi.Sum)
		}),
	}
	for name, n := range allocations {
		want(t, "allocations of "+name, n, 0)
	}
}

// fewest leaves out what Go's runtime allocates at the same time, the more the longer the calls take.
func fewest(call func()) float64 {
	n := testing.AllocsPerRun(5, call)
	for range 4 {
		n = min(n, testing.AllocsPerRun(5, call))
	}
	return n
}

// Requests that many calls complete together cost nothing in low, and one slice of statuses in the package above.
func TestManyAtOnceDoNotAllocate(t *testing.T) {
	if world.Size() > 2 {
		t.Skip("measured with one and two processes")
	}
	const most = 1000
	var sent, received [most]int64
	numbers, statuses, requests := make([]low.Request, 2*most), make([]low.Status, 2*most), make([]*mpi.Request, 2*most)
	for _, n := range []int{1, 26, most} {
		inLow := fewest(func() {
			for i := range n {
				numbers[i], _ = low.Irecv(low.Value(&received[i]), 1, low.Int64T, 0, i, low.CommSelf)
			}
			for i := range n {
				numbers[n+i], _ = low.Isend(low.Value(&sent[i]), 1, low.Int64T, 0, i, low.CommSelf)
			}
			_ = low.Waitall(numbers[:2*n], statuses[:2*n])
		})
		want(t, fmt.Sprintf("allocations of %d messages in low", n), inLow, 0)
		above := fewest(func() {
			for i := range n {
				requests[i], _ = mpi.Irecv(mpi.Self(), received[i:i+1], 0, i)
			}
			for i := range n {
				requests[n+i], _ = mpi.Isend(mpi.Self(), sent[i:i+1], 0, i)
			}
			_, _ = mpi.WaitAll(requests[:2*n]...)
		})
		want(t, fmt.Sprintf("%d messages allocate more than once each, %v in all,", n, above), above > float64(n), false)
	}
}

// Addresses mean nothing to other processes, and MPI must not write where Go expects some.
func TestBuffersWithGoPointersAreRefused(t *testing.T) {
	type plain struct {
		Cell  [3]int32
		Value float64
	}
	type holding struct {
		Size int
		Text []byte
	}
	refused := func(make func() low.Buffer) (said bool) {
		defer func() { said = recover() != nil }()
		make()
		return false
	}
	want(t, "numbers are refused", refused(func() low.Buffer { return low.Slice([]complex128{1}) }), false)
	for range 2 { // what was found out once is remembered
		want(t, "structs of numbers are refused", refused(func() low.Buffer { return low.Slice([]plain{{Cell: [3]int32{1}, Value: 2}}) }), false)
		want(t, "structs with slices are refused", refused(func() low.Buffer { return low.Slice([]holding{{Size: 1, Text: nil}}) }), true)
		want(t, "pointers are refused", refused(func() low.Buffer { return low.Slice([]*int{nil}) }), true)
		want(t, "a string is refused", refused(func() low.Buffer { s := "s"; return low.Value(&s) }), true)
		want(t, "arrays of no pointers are refused", refused(func() low.Buffer { return low.Value(new([0]*int)) }), false)
	}
}
