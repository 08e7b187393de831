package mpi

import (
	"sync"

	"mpiglot.dev/mpi/low"
)

// A Key names an attribute of communicators, whose values are of type T: any type of Go, pointers included.
type Key[T any] struct{ *kept[T] }

// kept is what copies of a [Key] share: the values of one attribute, by the numbers that MPI has for them.
type kept[T any] struct {
	handle int
	lock   sync.Mutex // guards the rest
	values map[uintptr]T
	last   uintptr
}

func (k *kept[T]) put(value T) uintptr {
	k.lock.Lock()
	defer k.lock.Unlock()
	k.last++
	k.values[k.last] = value
	return k.last
}

func (k *kept[T]) get(at uintptr) (T, bool) {
	k.lock.Lock()
	defer k.lock.Unlock()
	value, found := k.values[at]
	return value, found
}

func (k *kept[T]) drop(at uintptr) {
	k.lock.Lock()
	defer k.lock.Unlock()
	delete(k.values, at)
}

// NewKey makes a key. If duplicate is not nil, the duplicate of a communicator gets what it returns for the value, if
// the second result is true.
func NewKey[T any](duplicate func(value T) (T, bool)) (*Key[T], error) {
	if !running.Load() {
		return nil, ErrNotRunning
	}
	values := &kept[T]{values: map[uintptr]T{}}
	handle, err := low.CommCreateKeyval(func(_ low.Comm, _ int, at uintptr) (uintptr, bool, error) {
		value, found := values.get(at)
		if !found || duplicate == nil {
			return 0, false, nil
		}
		copied, keep := duplicate(value)
		if !keep {
			return 0, false, nil
		}
		return values.put(copied), true, nil
	}, func(_ low.Comm, _ int, at uintptr) error {
		values.drop(at)
		return nil
	})
	if err != nil {
		return nil, err
	}
	values.handle = handle
	return &Key[T]{values}, nil
}

func (k *Key[T]) usable(c *Comm, function string) error {
	if err := c.usable(function); err != nil {
		return err
	}
	if k == nil || k.kept == nil || k.handle == low.KeyvalInvalid {
		return &Error{Class: ErrArg, Function: function, Message: "there is no key: it is nil, was never made, or was freed"}
	}
	return nil
}

// Set gives the communicator a value.
func (k *Key[T]) Set(c *Comm, value T) error {
	if err := k.usable(c, "mpi.Key.Set"); err != nil {
		return err
	}
	at := k.put(value)
	err := low.CommSetAttr(c.handle, k.handle, at)
	if err != nil {
		k.drop(at)
	}
	return err
}

// Get is the value of the communicator; found is false if it has none.
func (k *Key[T]) Get(c *Comm) (value T, found bool, err error) {
	if err := k.usable(c, "mpi.Key.Get"); err != nil {
		return value, false, err
	}
	at, found, err := low.CommGetAttr(c.handle, k.handle)
	if err != nil || !found {
		return value, false, err
	}
	value, found = k.get(at)
	return value, found, nil
}

// Delete takes the value of the communicator away.
func (k *Key[T]) Delete(c *Comm) error {
	if err := k.usable(c, "mpi.Key.Delete"); err != nil {
		return err
	}
	return low.CommDeleteAttr(c.handle, k.handle)
}

// Free gives the key back. Values that communicators have stay until those are freed.
func (k *Key[T]) Free() error {
	if err := k.usable(self, "mpi.Key.Free"); err != nil {
		return err
	}
	return low.CommFreeKeyval(&k.handle)
}
