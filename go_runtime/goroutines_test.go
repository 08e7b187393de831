package mpi_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

// onGoroutines runs work on several goroutines at once; on one after the other where the library wants it so. must and
// want must not be used there: they end the process from a goroutine that others wait for.
func onGoroutines(t *testing.T, n int, work func(i int) error) {
	t.Helper()
	errs := make(chan error, n)
	var all sync.WaitGroup
	for i := range n {
		run := func() { errs <- work(i) }
		if mpi.Threads() >= mpi.ThreadMultiple {
			all.Add(1)
			go func() {
				defer all.Done()
				run()
			}()
		} else {
			run()
		}
	}
	all.Wait()
	for range n {
		must(t, <-errs)
	}
}

// Every thread has one place where MPI writes a status, and goroutines share threads.
func TestStatusesOfGoroutinesAreTheirOwn(t *testing.T) {
	onGoroutines(t, 6, func(i int) error {
		comm, err := low.CommDup(low.CommSelf)
		if err != nil {
			return err
		}
		in, out := []int32{int32(i)}, []int32{0}
		for k := range 300 {
			var status low.Status
			tag := 1000*i + k
			if err := low.Sendrecv(low.Slice(in), 1, low.Int32T, 0, tag, low.Slice(out), 1, low.Int32T, 0, low.AnyTag, comm, &status); err != nil {
				return err
			}
			if status.Tag() != tag || status.Source() != 0 || out[0] != in[0] {
				return fmt.Errorf("goroutine %d got tag %d for %d", i, status.Tag(), tag)
			}
			if k%50 == 0 {
				runtime.Gosched()
			}
		}
		return low.CommFree(&comm)
	})
	want(t, "pending operations", low.Pending(), 0)
}

func grow(n int) int {
	var room [128]int
	room[n%128] = n
	if n == 0 {
		return 0
	}
	return grow(n-1) + room[n%128] - n
}

// While MPI fills a status it calls the program, which calls MPI and makes the stack move.
func TestStatusesOfCallsInsideOfCallsAreTheirOwn(t *testing.T) {
	var inner low.Status
	request, err := low.GrequestStart(
		func(status *low.Status) error {
			grow(2000)
			if err := low.Recv(low.Buffer{}, 0, low.Int32T, low.ProcNull, 0, low.CommSelf, &inner); err != nil {
				return err
			}
			status.SetTag(77)
			status.SetSource(5)
			return low.StatusSetElements(status, low.Int64T, 3)
		}, func() error { return nil }, func(bool) error { return nil })
	must(t, err)
	must(t, low.GrequestComplete(request))
	done := make(chan error)
	var status low.Status
	go func() { // on a stack that is still small
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var mine low.Status
		err := low.Wait(&request, &mine)
		status = mine
		done <- err
	}()
	if mpi.Threads() < mpi.ThreadMultiple {
		<-done
		must(t, low.Wait(&request, &status))
	} else {
		must(t, <-done)
	}
	want(t, "tag of the outer status", status.Tag(), 77)
	want(t, "source of the outer status", status.Source(), 5)
	want(t, "source of the inner status", inner.Source(), low.ProcNull)
	want(t, "tag of the inner status", inner.Tag(), low.AnyTag)
}

// Operations, error handlers and attributes that are freed while MPI uses them, by several goroutines at once.
func TestCallbacksFreedByGoroutinesRunTheRightCode(t *testing.T) {
	onGoroutines(t, 4, func(i int) error {
		comm, err := low.CommDup(low.CommSelf)
		if err != nil {
			return err
		}
		for k := range 60 {
			mark := int64(1000*i + k)
			op, err := low.OpCreate(func(in, out unsafe.Pointer, n int, _ low.Datatype) { *(*int64)(out) += *(*int64)(in) + mark }, true)
			if err != nil {
				return err
			}
			sum := []int64{1}
			if err := low.ReduceLocal(low.Slice([]int64{2}), low.Slice(sum), 1, low.Int64T, op); err != nil {
				return err
			}
			if err := low.OpFree(&op); err != nil {
				return err
			}
			deleted, handled := 0, 0
			keyval, err := low.CommCreateKeyval(nil, func(_ low.Comm, _ int, value uintptr) error { deleted += int(value); return nil })
			if err != nil {
				return err
			}
			handler, err := low.CommCreateErrhandler(func(low.Comm, int) { handled += k + 1 })
			if err != nil {
				return err
			}
			dup, err := low.CommDup(comm)
			if err != nil {
				return err
			}
			if err := low.CommSetAttr(dup, keyval, uintptr(k+1)); err != nil {
				return err
			}
			if err := low.CommSetErrhandler(dup, handler); err != nil {
				return err
			}
			if err := low.CommFreeKeyval(&keyval); err != nil {
				return err
			}
			if err := low.ErrhandlerFree(&handler); err != nil {
				return err
			}
			if k%10 == 0 {
				runtime.GC()
			}
			_ = low.Send(low.Buffer{}, 0, low.Int32T, 99, 0, dup) // there is no such rank
			if err := low.CommFree(&dup); err != nil {
				return err
			}
			if sum[0] != 3+mark || deleted != k+1 || handled != k+1 {
				return fmt.Errorf("goroutine %d, %d: sum %d, deleted %d, handled %d", i, k, sum[0], deleted, handled)
			}
		}
		return low.CommFree(&comm)
	})
}

// Requests are found without a lock: those of several goroutines, of which many have one and the same handle.
func TestRequestsOfGoroutinesKeepTheirBuffers(t *testing.T) {
	before := low.Pending()
	onGoroutines(t, 6, func(i int) error {
		comm, err := low.CommDup(low.CommSelf)
		if err != nil {
			return err
		}
		const n = 40
		for round := range 10 {
			requests := make([]low.Request, 0, 3*n)
			got := make([][]int64, n)
			for k := range n {
				got[k] = make([]int64, 16)
				r, err := low.Irecv(low.Slice(got[k]), 16, low.Int64T, 0, k, comm)
				if err != nil {
					return err
				}
				null, err := low.Isend(low.Slice(make([]int64, 16)), 16, low.Int64T, low.ProcNull, k, comm)
				if err != nil {
					return err
				}
				requests = append(requests, r, null)
			}
			for k := range n {
				data := make([]int64, 16)
				for j := range data {
					data[j] = int64(i<<32 | round<<16 | k)
				}
				r, err := low.Isend(low.Slice(data), 16, low.Int64T, 0, k, comm)
				if err != nil {
					return err
				}
				requests = append(requests, r)
			}
			runtime.GC()
			if err := low.Waitall(requests, nil); err != nil {
				return err
			}
			for k := range n {
				if got[k][15] != int64(i<<32|round<<16|k) {
					return fmt.Errorf("goroutine %d, round %d: message %d is %x", i, round, k, got[k][15])
				}
			}
		}
		return low.CommFree(&comm)
	})
	want(t, "pending operations", low.Pending(), before)
}
