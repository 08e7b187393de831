package mpi

import (
	"fmt"
	"os"

	"mpiglot.dev/mpi/low"
)

// A Comm is a communicator: a group of processes that talk to each other and to nobody else.
// Copies of the struct are the same communicator: freed with one, it is freed for all.
type Comm struct{ *communicator }

type communicator struct {
	handle     low.Comm
	rank, size int
	inter      bool // it has a second group, to which messages go
}

// Wrap is the communicator with this handle. Errors on it are returned from then on. Messages can be
// sent through an intercommunicator; the collective operations of this package refuse it.
func Wrap(handle low.Comm) (*Comm, error) {
	if handle == 0 || handle == low.CommNull {
		return nil, (&Comm{&communicator{handle: handle}}).unusable("mpi.Wrap")
	}
	if err := low.CommSetErrhandler(handle, low.ErrorsReturn); err != nil {
		return nil, err
	}
	rank, err := low.CommRank(handle)
	if err != nil {
		return nil, err
	}
	size, err := low.CommSize(handle)
	if err != nil {
		return nil, err
	}
	inter, err := low.CommTestInter(handle)
	if err != nil {
		return nil, err
	}
	return &Comm{&communicator{handle: handle, rank: rank, size: size, inter: inter}}, nil
}

// usable is what every operation asks of its communicator first.
func (c *Comm) usable(function string) error {
	if c.absent() || c.handle == low.CommNull {
		return c.unusable(function)
	}
	return nil
}

// absent tells whether there never was a communicator.
func (c *Comm) absent() bool { return c == nil || c.communicator == nil || c.handle == 0 }

// within refuses an intercommunicator where one group of processes is meant.
func (c *Comm) within(function string) error {
	if err := c.usable(function); err != nil {
		return err
	}
	if c.inter {
		return &Error{Class: ErrComm, Function: function, Message: "this is an intercommunicator, which has two groups of processes"}
	}
	return nil
}

// has refuses a rank that the communicator does not have.
func (c *Comm) has(function, what string, rank int) error {
	if rank < 0 || rank >= c.size {
		return &Error{Class: ErrRank, Function: function, Message: fmt.Sprintf("the %s is %d, the communicator has %d processes", what, rank, c.size)}
	}
	return nil
}

// hasAll is has for lists of ranks, in which [ProcNull] stands for nobody.
func (c *Comm) hasAll(function string, lists ...[]int) error {
	for _, list := range lists {
		for _, rank := range list {
			if rank == ProcNull {
				continue
			}
			if err := c.has(function, "rank", rank); err != nil {
				return err
			}
		}
	}
	return nil
}

// across refuses a communicator that has no second group.
func (c *Comm) across(function string) error {
	if err := c.usable(function); err != nil {
		return err
	}
	if !c.inter {
		return &Error{Class: ErrComm, Function: function, Message: "this is no intercommunicator: it has one group of processes"}
	}
	return nil
}

func (c *Comm) unusable(function string) error {
	switch {
	case !running.Load():
		return fmt.Errorf("%s: %w", function, ErrNotRunning)
	case c == nil:
		return &Error{Class: ErrComm, Function: function, Message: "the communicator is nil"}
	case c.absent():
		return &Error{Class: ErrComm, Function: function, Message: "the communicator was never made"}
	default:
		return &Error{Class: ErrComm, Function: function, Message: "the communicator was freed"}
	}
}

// Handle is the communicator as [mpiglot.dev/mpi/low] knows it; [low.CommNull] of nil.
func (c *Comm) Handle() low.Comm {
	if c.absent() {
		return low.CommNull
	}
	return c.handle
}

// Rank is the number of this process among those of the communicator, from 0; [Undefined] if there is
// no communicator, as before [Init].
func (c *Comm) Rank() int {
	if c.absent() {
		return Undefined
	}
	return c.rank
}

// Size is how many processes the communicator has; 0 if there is no communicator.
func (c *Comm) Size() int {
	if c.absent() {
		return 0
	}
	return c.size
}

// Dup is a communicator of the same processes whose messages never meet those of c. Collective.
func (c *Comm) Dup() (*Comm, error) {
	if err := c.usable("mpi.Comm.Dup"); err != nil {
		return nil, err
	}
	return wrapped(low.CommDup(c.handle))
}

// Split divides the processes: those with the same color get a communicator, ordered by key and then
// by rank. With the color [Undefined] a process gets none, and nil. Collective.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if err := c.usable("mpi.Comm.Split"); err != nil {
		return nil, err
	}
	return wrapped(low.CommSplit(c.handle, color, key))
}

// Undefined is the color of processes that want no communicator.
const Undefined = low.Undefined

// Free gives the communicator back. Collective.
func (c *Comm) Free() error {
	if err := c.usable("mpi.Comm.Free"); err != nil {
		return err
	}
	if c.handle == low.CommWorld || c.handle == low.CommSelf {
		return &Error{Class: ErrComm, Function: "mpi.Comm.Free", Message: "World and Self cannot be freed"}
	}
	return low.CommFree(&c.handle)
}

// Barrier waits until all processes of the communicator have called it.
func (c *Comm) Barrier() error {
	if err := c.usable("mpi.Comm.Barrier"); err != nil {
		return err
	}
	return low.Barrier(c.handle)
}

// Abort ends all processes of the job with an exit code, after what this process wrote to its error
// stream has been read. It does not return.
func (c *Comm) Abort(code int) {
	low.Arrive()
	if err := c.usable("mpi.Comm.Abort"); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else if err := low.Abort(c.handle, code); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	endJob()
	os.Exit(code)
}

// Ibarrier begins a [Comm.Barrier]: its request is complete when all processes have begun theirs.
func (c *Comm) Ibarrier() (*Request, error) {
	if err := c.usable("mpi.Comm.Ibarrier"); err != nil {
		return nil, err
	}
	return started(low.Ibarrier(c.handle))
}

// BarrierInit prepares a [Comm.Barrier] that can be started again and again. It is part of MPI 4.0.
func (c *Comm) BarrierInit() (*Persistent, error) {
	if err := c.usable("mpi.Comm.BarrierInit"); err != nil {
		return nil, err
	}
	return prepared(low.BarrierInit(c.handle, low.InfoNull))
}
