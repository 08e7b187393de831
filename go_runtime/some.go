package mpi

import (
	"errors"
	"slices"
	"time"

	"mpiglot.dev/mpi/low"
)

// WaitSome waits until at least one of the operations is complete and tells which, in ascending order; nil if none was
// pending. Wait of each gives its status at once. The error is those of all operations that failed.
func WaitSome(requests ...*Request) ([]int, error) {
	if err := allUsable("mpi.WaitSome", requests); err != nil {
		return nil, err
	}
	t := take(requests)
	if len(t.elsewhere) == 0 && !t.oneByOne() {
		return t.some(requests, low.Waitsome)
	}
	pending := t.letGo()
	for pause := time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		if found, err := someOneByOne(requests, pending); len(found) > 0 || err != nil {
			return found, err
		}
		time.Sleep(pause)
	}
}

// someOneByOne asks for each, as [anyOneByOne] does.
func someOneByOne(requests, pending []*Request) ([]int, error) {
	var found []int
	var failed []error
	for _, r := range pending {
		_, done, err := r.Test()
		if done {
			found = append(found, slices.Index(requests, r))
		}
		failed = append(failed, err)
	}
	slices.Sort(found)
	return slices.Compact(found), errors.Join(failed...)
}

// TestSome is [WaitSome] that does not wait: it gives nil if no operation has become complete.
func TestSome(requests ...*Request) ([]int, error) {
	if err := allUsable("mpi.TestSome", requests); err != nil {
		return nil, err
	}
	t := take(requests)
	if t.oneByOne() {
		return someOneByOne(requests, t.letGo())
	}
	return t.some(requests, low.Testsome)
}

// TestAny is [WaitAny] that does not wait: it gives -1 if no operation has become complete.
func TestAny(requests ...*Request) (int, Status, error) {
	if err := allUsable("mpi.TestAny", requests); err != nil {
		return -1, Status{}, err
	}
	t := take(requests)
	if t.oneByOne() {
		return anyOneByOne(requests, t.letGo())
	}
	return t.any(requests, t.testAny)
}

// testAny is the number of a taken request that is complete; -1 if none is.
func (t *taken) testAny() (int, error) {
	i, found, err := low.Testany(t.handles, &t.status)
	if !found {
		i = -1
	}
	return i, err
}

// TestAll tells whether all operations are complete. Wait of each gives its status then.
func TestAll(requests ...*Request) (bool, error) {
	if err := allUsable("mpi.TestAll", requests); err != nil {
		return false, err
	}
	t := take(requests)
	if t.oneByOne() {
		pending := t.letGo()
		found, err := someOneByOne(requests, pending)
		return len(found) == len(pending) && err == nil, err
	}
	defer t.release()
	if len(t.handles) == 0 {
		return len(t.elsewhere) == 0, nil
	}
	done, err := low.Testall(t.handles, t.statuses)
	if err == nil && !done {
		return false, nil
	}
	return len(t.elsewhere) == 0 && err == nil, t.takeBack(err)
}

// takeBack gives each request what MPI has said about it in a call that asked for all, and joins their errors.
func (t *taken) takeBack(err error) error {
	var failed []error
	for i := range t.requests {
		if one := t.back(i, i, err); one != nil && !errors.Is(one, ErrPending) {
			failed = append(failed, one)
		}
	}
	if len(failed) == 0 {
		return err
	}
	return errors.Join(failed...)
}

// back gives the i-th request its handle and the k-th status, and tells how it failed in a call with this error.
func (t *taken) back(i, k int, err error) error {
	r := t.requests[i]
	if r.complete {
		r.untold = false
		return r.err
	}
	r.handle, r.status.s = t.handles[i], t.statuses[k]
	failed := t.failed(k, err)
	if failed != nil && !errors.Is(failed, ErrPending) {
		r.handle = low.RequestNull
	}
	r.after(failed)
	return failed
}

// some asks for those that are complete, and lets go of all.
func (t *taken) some(requests []*Request, ask func([]low.Request, []int, []low.Status) (int, error)) ([]int, error) {
	defer t.release()
	if len(t.handles) == 0 {
		return nil, nil
	}
	indices := make([]int, 0, len(t.handles))
	var failed []error
	for _, r := range t.requests {
		if r.untold {
			r.untold = false
			indices, failed = append(indices, slices.Index(requests, r)), append(failed, r.err)
		}
	}
	if len(failed) > 0 {
		return indices, errors.Join(failed...)
	}
	indices = indices[:len(t.handles)]
	n, err := ask(t.handles, indices, t.statuses)
	defer t.lose(err)
	if n <= 0 || n > len(indices) {
		return nil, err
	}
	for k, i := range indices[:n] {
		if one := t.back(i, k, err); one != nil {
			failed = append(failed, one)
		}
		indices[k] = slices.Index(requests, t.requests[i])
	}
	slices.Sort(indices[:n])
	if len(failed) == 0 {
		return indices[:n], err
	}
	return indices[:n], errors.Join(failed...)
}
