package mpi

import (
	"runtime"
	"sync"

	"mpiglot.dev/mpi/low"
)

// A Request is an operation that is on its way. Its slices stay in place and alive until it is complete;
// until then they must not be touched.
//
// Every request must be waited for, by [Request.Wait], [Request.Test], [WaitAll] or [WaitAny]. Several goroutines may
// wait for one request: one of them waits in MPI, and all get its result. If the program drops a request, that is
// reported, and the operation is completed in the background. With the environment variable MPIGLOT_PLACES=on the report
// tells where the operation was begun, which makes each request more expensive.
type Request struct{ *pending }

// pending is the part of a [Request] that is left when the program has dropped it.
type pending struct {
	handle low.Request
	place  uintptr // where the program began the operation; 0 if that is not told

	asking   sync.Mutex // is held by the goroutine that asks MPI
	complete bool
	untold   bool // whether it ended in a call that told nobody of it; see [taken.lose] and [accessed]
	left     bool // to others: to the caller of Handle, or to be completed in the background
	cancel   bool // whether it was asked not to happen
	ofFile   bool // MPI must be asked for it alone
	status   Status
	err      error
	from     *place // where it reads, if MPI does not tell what it has read
}

// started makes the request of an operation that a function of this package has begun.
func started(handle low.Request, err error) (*Request, error) {
	if err != nil {
		return nil, err
	}
	completeDroppedHere()
	r := nextRequest()
	r.handle, r.complete = handle, handle == low.RequestNull
	if tellPlaces {
		r.place = callerOf(3)
	}
	return r, nil
}

// Handle is the request as [mpiglot.dev/mpi/low] knows it; [low.RequestNull] if it is complete. From then on
// the caller must complete it, and nothing is reported if that is forgotten.
func (r *Request) Handle() low.Request {
	if r.usable("") != nil {
		return low.RequestNull
	}
	r.asking.Lock()
	defer r.asking.Unlock()
	r.left = true
	return r.handle
}

// Wait waits until the operation is complete. Called again, it gives the same result.
func (r *Request) Wait() (Status, error) {
	if err := r.usable("mpi.Request.Wait"); err != nil {
		return Status{}, err
	}
	r.asking.Lock()
	defer r.asking.Unlock()
	if r.complete {
		r.untold = false
		return r.status, r.err
	}
	err := low.Wait(&r.handle, &r.status.s)
	r.after(err)
	runtime.KeepAlive(r) // what is waited for was not dropped
	return r.status, err
}

// Test asks whether the operation is complete; the status means something only if it is. It is not while another
// goroutine waits for the request.
func (r *Request) Test() (s Status, done bool, err error) {
	if err := r.usable("mpi.Request.Test"); err != nil || !r.asking.TryLock() {
		return s, false, err
	}
	defer r.asking.Unlock()
	if r.complete {
		r.untold = false
		return r.status, true, r.err
	}
	_, err = low.Test(&r.handle, &r.status.s)
	r.after(err)
	return r.status, r.complete, err
}

// Cancel asks for the operation not to happen; wait for it all the same. [Status.Cancelled] tells then whether it has not
// happened. It is an error while another goroutine waits for the request.
func (r *Request) Cancel() error {
	const function = "mpi.Request.Cancel"
	if err := r.usable(function); err != nil {
		return err
	}
	if !r.asking.TryLock() {
		return &Error{Class: ErrRequest, Function: function, Message: "another goroutine waits for the request"}
	}
	defer r.asking.Unlock()
	if r.complete {
		return nil
	}
	err := low.Cancel(&r.handle)
	r.cancel = err == nil
	r.after(err)
	return err
}

func (r *Request) usable(function string) error {
	if r == nil || r.pending == nil {
		return &Error{Class: ErrRequest, Function: function, Message: "there is no request: it is nil, or was never begun"}
	}
	return nil
}

// after is called after a call that may have completed the operation, by the goroutine that asks MPI.
func (r *Request) after(err error) {
	if !r.complete && r.handle == low.RequestNull {
		r.complete, r.err = true, err
		if r.from != nil && err == nil {
			r.err = r.from.end("mpi.Request", &r.status.s)
		}
		if r.cancel {
			r.status.settle()
		}
	}
}
