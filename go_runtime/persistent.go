package mpi

import (
	"sync"

	"mpiglot.dev/mpi/low"
)

// A Persistent is an operation that was prepared once and can be started many times. Its slices stay in place and
// alive until [Persistent.Free]; between Start and the end of Wait they must not be touched.
type Persistent struct {
	asking sync.Mutex
	handle low.Request
	active bool
}

// prepared is the persistent operation of a function of this package.
func prepared(handle low.Request, err error) (*Persistent, error) {
	if err != nil {
		return nil, err
	}
	return &Persistent{handle: handle}, nil
}

// Handle is the operation as [mpiglot.dev/mpi/low] knows it; [low.RequestNull] of nil.
func (p *Persistent) Handle() low.Request {
	if p == nil {
		return low.RequestNull
	}
	p.asking.Lock()
	defer p.asking.Unlock()
	return p.handle
}

// Start begins the operation. It must be complete before it is started again.
func (p *Persistent) Start() error {
	const function = "mpi.Persistent.Start"
	if err := p.lock(function); err != nil {
		return err
	}
	defer p.asking.Unlock()
	return p.start(function)
}

func (p *Persistent) start(function string) error {
	if p.active {
		return isActive(function)
	}
	err := low.Start(&p.handle)
	p.active = err == nil
	return err
}

// StartAll begins several operations. If one cannot be started, those before it have been.
func StartAll(operations ...*Persistent) error {
	const function = "mpi.StartAll"
	for _, p := range operations {
		if err := p.lock(function); err != nil {
			return err
		}
		err := p.start(function)
		p.asking.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// Wait waits until the operation is complete. If it was not started, Wait returns an empty status at once.
func (p *Persistent) Wait() (Status, error) {
	var s Status
	if err := p.lock("mpi.Persistent.Wait"); err != nil {
		return s, err
	}
	defer p.asking.Unlock()
	err := low.Wait(&p.handle, &s.s)
	p.active = false
	return s, err
}

// Test asks whether the operation is complete; the status means something only if it is.
func (p *Persistent) Test() (s Status, done bool, err error) {
	if err := p.lock("mpi.Persistent.Test"); err != nil {
		return s, false, err
	}
	defer p.asking.Unlock()
	done, err = low.Test(&p.handle, &s.s)
	p.active = p.active && !done && err == nil
	return s, done, err
}

// Free gives the operation and its slices back. It must not be active.
func (p *Persistent) Free() error {
	const function = "mpi.Persistent.Free"
	if err := p.lock(function); err != nil {
		return err
	}
	defer p.asking.Unlock()
	if p.active {
		return isActive(function)
	}
	return low.RequestFree(&p.handle)
}

// lock takes an operation that can be used, for a call of the function.
func (p *Persistent) lock(function string) error {
	if p != nil {
		p.asking.Lock()
		if p.handle != 0 && p.handle != low.RequestNull {
			return nil
		}
		p.asking.Unlock()
	}
	return &Error{Class: ErrRequest, Function: function,
		Message: "there is no operation: it is nil, was never prepared, or was freed"}
}

func isActive(function string) error {
	return &Error{Class: ErrRequest, Function: function, Message: "the operation was started and is not complete"}
}
