package mpi_test

import (
	"strings"
	"testing"

	"mpiglot.dev/mpi/low"
)

func TestTasksOfMPICHEndWhenTheySaySo(t *testing.T) {
	if !low.Has("MPIX_Async_start") {
		t.Skip("this library has no MPIX_Async_start")
	}
	const n = 50
	polls := make([]int, n)
	ended := 0
	for i := range n {
		must(t, low.XAsyncStart(func(thing low.XAsyncThing) (done bool) {
			polls[i]++
			if polls[i] == 1 && i == 0 {
				must(t, low.XAsyncSpawn(thing, func(low.XAsyncThing) (done bool) { ended++; return true }, low.XStreamNull))
			}
			if polls[i] < 3 {
				return false
			}
			ended++
			return true
		}, low.XStreamNull))
	}
	for range 1000 {
		if ended == n+1 {
			break
		}
		must(t, low.XStreamProgress(low.XStreamNull))
	}
	must(t, low.XStreamProgress(low.XStreamNull))
	want(t, "tasks that ended", ended, n+1)
	for i := range polls {
		want(t, "polls", polls[i], 3)
	}
}

func TestGeneralizedRequestsOfMPICHArePolledAndWaitedFor(t *testing.T) {
	if !low.Has("MPIX_Grequest_start") {
		t.Skip("this library has no MPIX_Grequest_start")
	}
	polled, waited := 0, 0
	var request low.Request
	query := func(status *low.Status) error {
		must(t, low.StatusSetElements(status, low.Int64T, 4))
		return low.StatusSetCancelled(status, false)
	}
	start := func(poll low.XGrequestPollFunction, wait low.XGrequestWaitFunction) {
		var err error
		request, err = low.XGrequestStart(query, func() error { return nil }, func(bool) error { return nil }, poll, wait)
		must(t, err)
	}
	start(func(*low.Status) error {
		if polled++; polled == 3 {
			return low.GrequestComplete(request)
		}
		return nil
	}, func(float64, *low.Status) error { return nil })
	for done := false; !done; {
		var status low.Status
		var err error
		done, err = low.Test(&request, &status)
		must(t, err)
		if done {
			n, err := low.GetElements(&status, low.Int64T)
			must(t, err)
			want(t, "elements", n, 4)
		}
	}
	want(t, "polls", polled, 3)
	end := func() error { // which of the two a wait calls differs
		if waited++; waited == 1 {
			return low.GrequestComplete(request)
		}
		return nil
	}
	start(func(*low.Status) error { return end() }, func(float64, *low.Status) error { return end() })
	must(t, low.Wait(&request, nil))
	want(t, "it was waited for", waited > 0, true)
}

func TestErrorClassesOfExtensionsAreTranslated(t *testing.T) {
	if !low.Has("MPIX_Comm_revoke") || !strings.HasPrefix(low.Constants(), "openmpi-5") {
		t.Skip("no MPIX_Comm_revoke, one that ends the program (MPICH's ch4), or constants of a release before it")
	}
	comm, err := low.CommDup(low.CommWorld)
	must(t, err)
	must(t, low.CommSetErrhandler(comm, low.ErrorsReturn))
	if err := low.XCommRevoke(comm); err != nil {
		t.Skipf("it cannot be called: %v", err)
	}
	err = low.Send(low.Buffer{}, 0, low.Int32T, low.ProcNull, 0, comm)
	if err == nil {
		err = low.Barrier(comm)
	}
	class, _ := err.(*low.Error)
	if class == nil || class.Class != low.XErrRevoked {
		failNow(t, "the error is %v, not %v", err, low.XErrRevoked)
	}
	want(t, "name", class.Class.Error(), "MPIX_ERR_REVOKED")
}
