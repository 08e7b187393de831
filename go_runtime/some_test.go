package mpi_test

import (
	"slices"
	"testing"
	"time"

	"mpiglot.dev/mpi"
)

// receives begins n receives from this process itself, the i-th with the tag i.
func receives(t *testing.T, n int) (requests []*mpi.Request, got [][]int) {
	t.Helper()
	for tag := range n {
		one := make([]int, 1)
		r, err := mpi.Irecv(mpi.Self(), one, 0, tag)
		must(t, err)
		requests, got = append(requests, r), append(got, one)
	}
	return requests, got
}

func TestSomeOfManyAreComplete(t *testing.T) {
	requests, got := receives(t, 4)
	found, err := mpi.TestSome(requests...)
	must(t, err)
	want(t, "complete so far", len(found), 0)
	i, _, err := mpi.TestAny(requests...)
	must(t, err)
	want(t, "one that is complete", i, -1)
	all, err := mpi.TestAll(requests...)
	must(t, err)
	want(t, "all are complete", all, false)

	for _, tag := range []int{2, 0} {
		must(t, mpi.Send(mpi.Self(), []int{10 + tag}, 0, tag))
	}
	done := map[int]bool{}
	for len(done) < 2 {
		found, err := mpi.WaitSome(requests...)
		must(t, err)
		want(t, "in ascending order", slices.IsSorted(found), true)
		for _, i := range found {
			done[i] = true
			want(t, "element", got[i][0], 10+i)
			s, err := requests[i].Wait()
			must(t, err)
			want(t, "tag", s.Tag(), i)
		}
	}
	want(t, "those that were sent", done[0] && done[2], true)

	must(t, mpi.Send(mpi.Self(), []int{11}, 0, 1))
	for i = -1; i < 0; {
		i, _, err = mpi.TestAny(requests...)
		must(t, err)
	}
	want(t, "the one that was sent", i, 1)
	must(t, mpi.Send(mpi.Self(), []int{13}, 0, 3))
	for all = false; !all; {
		all, err = mpi.TestAll(requests...)
		must(t, err)
	}
	s, err := requests[3].Wait()
	must(t, err)
	want(t, "tag", s.Tag(), 3)
	want(t, "element", got[3][0], 13)
	found, err = mpi.WaitSome(requests...)
	must(t, err)
	want(t, "what is left", len(found), 0)
}

func TestSomeOfWhatOthersWaitForAreComplete(t *testing.T) {
	skipUnlessThreadsWait(t)
	next, previous := neighbours()
	requests := make([]*mpi.Request, 2)
	for tag := range requests {
		r, err := mpi.Irecv(world, make([]int, 1), previous, tag)
		must(t, err)
		requests[tag] = r
	}
	waited := make(chan error, 1)
	go func() {
		_, err := requests[0].Wait()
		waited <- err
	}()
	for !requests[0].IsAsked() {
	}
	all, err := mpi.TestAll(requests...)
	must(t, err)
	want(t, "all are complete", all, false)
	must(t, world.Barrier())
	must(t, mpi.Send(world, []int{1}, next, 0))
	must(t, mpi.Send(world, []int{1}, next, 1))
	for {
		found, err := mpi.WaitSome(requests...)
		must(t, err)
		if len(found) == 0 {
			break
		}
		for _, i := range found {
			s, done, err := requests[i].Test()
			must(t, err)
			want(t, "it is complete", done, true)
			want(t, "tag", s.Tag(), i)
		}
	}
	must(t, <-waited)
	all, err = mpi.TestAll(requests...)
	must(t, err)
	want(t, "all are complete", all, true)
}

// A goroutine that begins to wait for one of several requests, while another one waits for any or some of them, completes
// it: that ends the other wait as well.
func TestWhatOthersBeginToWaitForIsSeen(t *testing.T) {
	skipUnlessThreadsWait(t)
	next, previous := neighbours()
	waits := map[string]func(...*mpi.Request) (int, error){
		"WaitAny": func(requests ...*mpi.Request) (int, error) {
			i, _, err := mpi.WaitAny(requests...)
			return i, err
		},
		"WaitSome": func(requests ...*mpi.Request) (int, error) {
			found, err := mpi.WaitSome(requests...)
			return append(found, -1)[0], err
		},
	}
	for _, name := range []string{"WaitAny", "WaitSome"} {
		requests := make([]*mpi.Request, 2)
		for tag := range requests {
			r, err := mpi.Irecv(world, make([]int, 1), previous, tag)
			must(t, err)
			requests[tag] = r
		}
		ended := make(chan error, 2)
		wait := func(r *mpi.Request) {
			_, err := r.Wait()
			ended <- err
		}
		go wait(requests[0])
		for !requests[0].IsAsked() {
		}
		found := make(chan int, 1)
		go func() {
			i, err := waits[name](requests...)
			if err != nil {
				i = -1
			}
			found <- i
		}()
		for i := 0; i < 1e6 && !requests[1].IsAsked(); i++ { // by the goroutine that waits for both
		}
		go wait(requests[1])
		for inARow := 0; inARow < 10_000; inARow++ { // by the one that waits for it alone
			if !requests[1].IsAsked() {
				inARow = 0
			}
		}
		must(t, world.Barrier())
		must(t, mpi.Send(world, []int{1}, next, 1))
		must(t, <-ended)
		i := -1
		select {
		case i = <-found:
		case <-time.After(200 * time.Second):
		}
		want(t, "what "+name+" found", i, 1)
		must(t, world.Barrier()) // before it no process sends what the first waits for
		must(t, mpi.Send(world, []int{1}, next, 0))
		must(t, <-ended)
	}
}

func TestListsWithRequestsThatAreNoneAreRefused(t *testing.T) {
	_, err := mpi.WaitSome(nil)
	refused(t, "wait for some", err, mpi.ErrRequest)
	_, err = mpi.TestSome(&mpi.Request{})
	refused(t, "test some", err, mpi.ErrRequest)
	_, _, err = mpi.TestAny(nil)
	refused(t, "test any", err, mpi.ErrRequest)
	_, err = mpi.TestAll(nil)
	refused(t, "test all", err, mpi.ErrRequest)
}
