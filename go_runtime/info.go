package mpi

import (
	"errors"

	"mpiglot.dev/mpi/low"
)

// An Info is a list of hints for MPI: texts with the keys that the standard or the library gives them.
type Info struct{ *hints }

// hints is what copies of an [Info] share.
type hints struct{ handle low.Info }

// NewInfo makes an Info of these hints.
func NewInfo(initial map[string]string) (*Info, error) {
	if !running.Load() {
		return nil, ErrNotRunning
	}
	handle, err := low.InfoCreate()
	if err != nil {
		return nil, err
	}
	info := &Info{&hints{handle}}
	for key, value := range initial {
		if err := info.Set(key, value); err != nil {
			_ = info.Free()
			return nil, err
		}
	}
	return info, nil
}

// Handle is the Info as [mpiglot.dev/mpi/low] knows it; [low.InfoNull], which means no hints, of nil.
func (i *Info) Handle() low.Info {
	if i == nil || i.hints == nil || i.handle == 0 {
		return low.InfoNull
	}
	return i.handle
}

func (i *Info) usable(function string) error {
	if i.Handle() == low.InfoNull {
		return &Error{Class: ErrArg, Function: function, Message: "there are no hints: they are nil, were never made, or were freed"}
	}
	return nil
}

// Set gives a key a value.
func (i *Info) Set(key, value string) error {
	if err := i.usable("mpi.Info.Set"); err != nil {
		return err
	}
	return low.InfoSet(i.handle, key, value)
}

// Get is the value of a key; found is false if it has none.
func (i *Info) Get(key string) (value string, found bool, err error) {
	if err := i.usable("mpi.Info.Get"); err != nil {
		return "", false, err
	}
	return valueOf(i.handle, key)
}

// valueOf reads a hint, with the functions of MPI 3 where there is no MPI_Info_get_string.
func valueOf(info low.Info, key string) (value string, found bool, err error) {
	value, found, err = low.InfoGetString(info, key)
	if !errors.Is(err, ErrUnavailable) {
		return value, found, err
	}
	//lint:ignore SA1019 libraries of MPI 3 have nothing else
	n, found, err := low.InfoGetValuelen(info, key)
	if err != nil || !found {
		return "", false, err
	}
	//lint:ignore SA1019 libraries of MPI 3 have nothing else
	return low.InfoGet(info, key, n)
}

// Delete takes a key away.
func (i *Info) Delete(key string) error {
	if err := i.usable("mpi.Info.Delete"); err != nil {
		return err
	}
	return low.InfoDelete(i.handle, key)
}

// All is the hints as a map.
func (i *Info) All() (map[string]string, error) {
	if err := i.usable("mpi.Info.All"); err != nil {
		return nil, err
	}
	n, err := low.InfoGetNkeys(i.handle)
	hints := make(map[string]string, max(n, 0))
	for k := 0; err == nil && k < n; k++ {
		var key string
		if key, err = low.InfoGetNthkey(i.handle, k); err == nil {
			hints[key], _, err = valueOf(i.handle, key)
		}
	}
	return hints, err
}

// Dup is another Info with the same hints.
func (i *Info) Dup() (*Info, error) {
	if err := i.usable("mpi.Info.Dup"); err != nil {
		return nil, err
	}
	return informed(low.InfoDup(i.handle))
}

// Free gives the hints back.
func (i *Info) Free() error {
	if err := i.usable("mpi.Info.Free"); err != nil {
		return err
	}
	return low.InfoFree(&i.handle)
}

// informed is the Info with a handle that a function of MPI gave.
func informed(handle low.Info, err error) (*Info, error) {
	if err != nil {
		return nil, err
	}
	return &Info{&hints{handle}}, nil
}

// Hints are those of the communicator that the library uses.
func (c *Comm) Hints() (*Info, error) {
	if err := c.usable("mpi.Comm.Hints"); err != nil {
		return nil, err
	}
	return informed(low.CommGetInfo(c.handle))
}

// SetHints gives the communicator hints. Collective.
func (c *Comm) SetHints(hints *Info) error {
	if err := c.usable("mpi.Comm.SetHints"); err != nil {
		return err
	}
	if err := hints.usable("mpi.Comm.SetHints"); err != nil {
		return err
	}
	return low.CommSetInfo(c.handle, hints.handle)
}
