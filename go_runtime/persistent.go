package mpi

import (
	"runtime"
	"sync"

	"mpiglot.dev/mpi/low"
)

// A Persistent is an operation that was prepared once and can be started many times. Its slices stay in place and
// alive until [Persistent.Free]; between Start and the end of Wait they must not be touched.
//
// If the program drops it without Free, that is reported; the operation is completed and freed in the background.
type Persistent struct{ *owned }

// owned is what copies of a [Persistent] share, and what the program drops with the last of them.
type owned struct{ *preparation }

// preparation is the part of a [Persistent] that is left when the program has dropped it.
type preparation struct {
	asking sync.Mutex // is held by the goroutine that asks MPI; taken before state
	place  uintptr    // where the program prepared the operation

	state  sync.Mutex  // guards the rest
	handle low.Request // [low.RequestNull] once it was freed
	active bool
	nobody bool                        // it sends to or receives from [ProcNull]
	ran    bool                        // it was started before
	again  func() (low.Request, error) // prepares it for all starts but the first; nil: once is enough
	parts  *partition                  // of a partitioned message
}

// prepared is the persistent operation of a function of this package.
func prepared(handle low.Request, err error) (*Persistent, error) {
	if err != nil {
		return nil, err
	}
	return preparedWith(handle, nil), nil
}

// peer is the rank that an operation sends to or receives from.
type peer int

func (p peer) prepared(handle low.Request, err error) (*Persistent, error) {
	if err != nil {
		return nil, err
	}
	operation := preparedWith(handle, nil)
	operation.nobody = p == ProcNull
	return operation, nil
}

func preparedWith(handle low.Request, parts *partition) *Persistent {
	completeDroppedHere()
	p := &owned{&preparation{handle: handle, parts: parts}}
	if tellPlaces {
		p.place = callerOf(4)
	}
	begun.Lock()
	defer begun.Unlock()
	begun.held[p.preparation] = struct{}{}
	runtime.AddCleanup(p, func(p *preparation) { dropped(p) }, p.preparation)
	return &Persistent{p}
}

// Handle is the operation as [mpiglot.dev/mpi/low] knows it; [low.RequestNull] of nil, and of a partitioned message to
// or from [ProcNull], which MPI does not know.
func (p *Persistent) Handle() low.Request {
	if p == nil || p.owned == nil {
		return low.RequestNull
	}
	p.state.Lock()
	defer p.state.Unlock()
	if p.handle == toNobody {
		return low.RequestNull
	}
	return p.handle
}

// Start begins the operation. It must be complete before it is started again.
func (p *Persistent) Start() error { return p.start("mpi.Persistent.Start") }

func (p *Persistent) start(function string) error {
	if _, err := p.idle(function); err != nil { // without waiting for a goroutine that waits in MPI
		return err
	}
	p.asking.Lock()
	defer p.asking.Unlock()
	handle, err := p.idle(function)
	if err != nil {
		return err
	}
	p.state.Lock()
	defer p.state.Unlock()
	if p.again != nil && p.ran {
		if handle, err = p.prepareAgain(); err != nil {
			return err
		}
	}
	if handle != toNobody {
		err = low.Start(&handle)
	}
	p.active = err == nil
	p.ran = p.ran || p.active
	p.parts.begin()
	return err
}

// prepareAgain puts a new request in the place of one that was started; to be called with state.
func (p *preparation) prepareAgain() (low.Request, error) {
	made, err := p.again()
	if err != nil {
		return p.handle, err
	}
	old := p.handle
	p.handle = made
	return made, low.RequestFree(&old)
}

// idle is the handle of an operation that is not active.
func (p *Persistent) idle(function string) (low.Request, error) {
	handle, err := p.usable(function)
	if err != nil {
		return handle, err
	}
	p.state.Lock()
	defer p.state.Unlock()
	if p.active {
		return handle, isActive(function)
	}
	return handle, nil
}

// StartAll begins several operations. If one cannot be started, those before it have been.
func StartAll(operations ...*Persistent) error {
	for _, p := range operations {
		if err := p.start("mpi.StartAll"); err != nil {
			return err
		}
	}
	return nil
}

// Wait waits until the operation is complete. If it was not started, Wait returns an empty status at once.
func (p *Persistent) Wait() (Status, error) {
	const function = "mpi.Persistent.Wait"
	if _, err := p.usable(function); err != nil {
		return Status{}, err
	}
	p.asking.Lock()
	defer p.asking.Unlock()
	handle, err := p.usable(function)
	if err != nil {
		return Status{}, err
	}
	var s Status
	switch {
	case !p.pendingStill(): // which MPICH 4.0.2 waits for
		s = ofNobody(AnySource)
	case handle == toNobody:
		s = ofNobody(ProcNull)
	default:
		err = low.Wait(&handle, &s.s)
	}
	p.end()
	return s, err
}

// Test asks whether the operation is complete; the status means something only if it is. It is not while another
// goroutine waits for the operation.
func (p *Persistent) Test() (s Status, done bool, err error) {
	handle, err := p.usable("mpi.Persistent.Test")
	if err != nil || !p.asking.TryLock() {
		return s, false, err
	}
	defer p.asking.Unlock()
	switch {
	case !p.pendingStill():
		return ofNobody(AnySource), true, nil
	case handle == toNobody:
		p.end()
		return ofNobody(ProcNull), true, nil
	}
	done, err = low.Test(&handle, &s.s)
	if done || err != nil {
		p.end()
	}
	return s, done, err
}

// end notes that the operation is not active any more.
func (p *preparation) end() {
	p.state.Lock()
	defer p.state.Unlock()
	p.active = false
}

// Free gives the operation and its slices back. It must not be active.
func (p *Persistent) Free() error {
	const function = "mpi.Persistent.Free"
	if _, err := p.idle(function); err != nil {
		return err
	}
	p.asking.Lock()
	defer p.asking.Unlock()
	if _, err := p.idle(function); err != nil {
		return err
	}
	return p.free()
}

func (p *preparation) free() (err error) {
	p.state.Lock()
	defer p.state.Unlock()
	if p.handle == toNobody {
		p.handle = low.RequestNull
	} else {
		err = low.RequestFree(&p.handle)
		if p.nobody {
			followNobody()
		}
	}
	if p.handle == low.RequestNull {
		letGo(p)
	}
	return err
}

// followNobody lets a receive that is never started take the place of a request with [ProcNull] that was freed: in some
// libraries, a persistent collective would inherit what that left there (persistent-collectives-after-nobody).
func followNobody() {
	if !running.Load() {
		return // a session alone does not make MPI_COMM_SELF
	}
	next, err := low.RecvInit(low.Slice[byte](nil), 0, low.Byte, 0, 0, low.CommSelf)
	if err == nil {
		_ = low.RequestFree(&next)
	}
}

// usable is the handle of an operation that can be used, for a call of the function.
func (p *Persistent) usable(function string) (low.Request, error) {
	if p != nil && p.owned != nil {
		p.state.Lock()
		defer p.state.Unlock()
		if p.handle != low.RequestNull {
			return p.handle, nil
		}
	}
	return low.RequestNull, &Error{Class: ErrRequest, Function: function,
		Message: "there is no operation: it is nil, was never prepared, or was freed"}
}

func isActive(function string) error {
	return &Error{Class: ErrRequest, Function: function, Message: "the operation was started and is not complete"}
}

// origin is where the program prepared the operation.
func (p *preparation) origin() uintptr { return p.place }

// warning is what to say of an operation that was dropped.
func (p *preparation) warning() string {
	return "a persistent operation%s was dropped: call Free when it is not needed any more" + ask()
}

func (p *preparation) orphan() bool {
	p.state.Lock()
	defer p.state.Unlock()
	return p.handle != low.RequestNull
}

// ask completes and frees a dropped operation, if it can be completed.
func (p *preparation) ask() (done bool, err error) {
	if !p.asking.TryLock() {
		return false, nil
	}
	defer p.asking.Unlock()
	p.state.Lock()
	handle, active := p.handle, p.active && p.handle != toNobody
	p.state.Unlock()
	if active {
		if done, err = low.Test(&handle, nil); !done && err == nil {
			return false, nil
		}
	}
	p.end()
	if failed := p.free(); err == nil {
		err = failed
	}
	return true, err
}

// pendingStill tells whether somebody would have to wait for the operation.
func (p *preparation) pendingStill() bool {
	p.state.Lock()
	defer p.state.Unlock()
	return p.active
}
