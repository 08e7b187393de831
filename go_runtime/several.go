package mpi

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"mpiglot.dev/mpi/low"
)

// WaitAll waits until all operations are complete. Its error is those of all operations that failed, so that
// [errors.Is] finds the class of each.
func WaitAll(requests ...*Request) ([]Status, error) {
	if err := allUsable("mpi.WaitAll", requests); err != nil {
		return nil, err
	}
	statuses := make([]Status, len(requests))
	var failed []error
	for i, r := range requests { // MPI_Waitall of Open MPI 4.1 never returns if one has failed before
		s, err := r.Wait()
		statuses[i] = s
		if err != nil {
			failed = append(failed, err)
		}
	}
	return statuses, errors.Join(failed...)
}

// WaitAny waits until one of the operations is complete and tells which; -1 if none was pending.
func WaitAny(requests ...*Request) (int, Status, error) {
	if err := allUsable("mpi.WaitAny", requests); err != nil {
		return -1, Status{}, err
	}
	t := take(requests)
	if len(t.elsewhere) == 0 && !t.oneByOne() {
		return t.any(requests, func() (int, error) { return low.Waitany(t.handles, &t.status) })
	}
	pending := t.letGo()
	for pause := time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		if i, s, err := anyOneByOne(requests, pending); i >= 0 || err != nil {
			return i, s, err
		}
		time.Sleep(pause)
	}
}

// anyOneByOne asks for each: what other goroutines wait for cannot be asked for in one call with the rest, and they may
// begin to wait for the rest, too, and complete it.
func anyOneByOne(requests, pending []*Request) (int, Status, error) {
	for _, r := range pending {
		switch s, done, err := r.Test(); {
		case done:
			return slices.Index(requests, r), s, err
		case err != nil:
			return -1, Status{}, err
		}
	}
	return -1, Status{}, nil
}

func allUsable(function string, requests []*Request) error {
	for i, r := range requests {
		if r.usable(function) != nil {
			return &Error{Class: ErrRequest, Function: function, Message: fmt.Sprintf("request %d is nil, or was never begun", i)}
		}
	}
	return nil
}

// taken are the requests of one call that this goroutine asks MPI about.
type taken struct {
	requests  []*Request
	handles   []low.Request
	statuses  []low.Status
	elsewhere []*Request // what other goroutines wait for
	status    low.Status
}

var unused = sync.Pool{New: func() any { return new(taken) }}

// take takes what is pending and what no goroutine waits for. A request that is there twice is taken once.
func take(requests []*Request) *taken {
	t := unused.Get().(*taken)
	for _, r := range requests {
		switch {
		case !r.asking.TryLock():
			if !slices.Contains(t.requests, r) {
				t.elsewhere = append(t.elsewhere, r)
			}
		case r.complete && !r.untold:
			r.asking.Unlock()
		default:
			t.requests = append(t.requests, r)
			t.handles = append(t.handles, r.handle)
			t.statuses = append(t.statuses, low.Status{})
		}
	}
	return t
}

// oneByOne tells whether MPI must not be asked for them in one call: file-requests-in-testall.
func (t *taken) oneByOne() bool {
	return len(t.requests) > 1 && slices.ContainsFunc(t.requests, func(r *Request) bool { return r.ofFile })
}

// failed is the error of one operation when that of the call that completed all is err.
func (t *taken) failed(i int, err error) error {
	switch {
	case errors.Is(err, ErrInStatus):
		return t.statuses[i].Err()
	case len(t.requests) == 1:
		return err
	}
	return nil
}

// any asks for one that is complete, which is the i-th of the requests, and lets go of all.
func (t *taken) any(requests []*Request, ask func() (int, error)) (int, Status, error) {
	defer t.release()
	if len(t.requests) == 0 {
		return -1, Status{}, nil
	}
	for _, r := range t.requests {
		if r.untold {
			r.untold = false
			return slices.Index(requests, r), r.status, r.err
		}
	}
	i, err := ask()
	defer t.lose(err)
	if i < 0 || i >= len(t.requests) {
		return -1, Status{}, err
	}
	r := t.requests[i]
	r.handle, r.status.s = t.handles[i], t.status
	r.after(err)
	return slices.Index(requests, r), r.status, err
}

// lose ends, after a call that failed, the requests that MPI has freed without a word: Open MPI frees all that have failed,
// and tells the error of the first one. They are told by the next call.
func (t *taken) lose(err error) {
	if err == nil {
		return
	}
	for i, r := range t.requests {
		if !r.complete && t.handles[i] == low.RequestNull {
			const message = "the operation has failed together with another one, and MPI tells that one's error only"
			r.handle, r.untold = low.RequestNull, true
			r.after(&Error{Class: low.ErrUnknown, Function: "mpi.Request", Message: message})
		}
	}
}

// letGo releases what was taken and tells all that was pending, what other goroutines wait for included.
func (t *taken) letGo() []*Request {
	defer t.release()
	return slices.Concat(t.requests, t.elsewhere)
}

func (t *taken) release() {
	for _, r := range t.requests {
		r.asking.Unlock()
	}
	clear(t.requests)
	clear(t.elsewhere)
	*t = taken{requests: t.requests[:0], handles: t.handles[:0], statuses: t.statuses[:0], elsewhere: t.elsewhere[:0]}
	unused.Put(t)
}
