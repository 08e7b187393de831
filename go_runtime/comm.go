package mpi

import (
	"fmt"
	"os"

	"mpiglot.dev/mpi/low"
)

// A Comm is a communicator: a group of processes that talk to each other and to nobody else.
type Comm struct {
	handle     low.Comm
	rank, size int
}

// Wrap is the communicator with this handle. Errors on it are returned from then on.
func Wrap(handle low.Comm) (*Comm, error) {
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
	return &Comm{handle, rank, size}, nil
}

// Handle is the communicator as [mpiglot.dev/mpi/low] knows it.
func (c *Comm) Handle() low.Comm { return c.handle }

// Rank is the number of this process among those of the communicator, from 0.
func (c *Comm) Rank() int { return c.rank }

// Size is how many processes the communicator has.
func (c *Comm) Size() int { return c.size }

// Dup is a communicator of the same processes whose messages never meet those of c. Collective.
func (c *Comm) Dup() (*Comm, error) {
	h, err := low.CommDup(c.handle)
	if err != nil {
		return nil, err
	}
	return Wrap(h)
}

// Split divides the processes: those with the same color get a communicator, ordered by key and then
// by rank. With the color [Undefined] a process gets none, and nil. Collective.
func (c *Comm) Split(color, key int) (*Comm, error) {
	h, err := low.CommSplit(c.handle, color, key)
	if err != nil || h == low.CommNull {
		return nil, err
	}
	return Wrap(h)
}

// Undefined is the color of processes that want no communicator.
const Undefined = low.Undefined

// Free gives the communicator back. Collective.
func (c *Comm) Free() error {
	err := low.CommFree(&c.handle)
	return err
}

// Barrier waits until all processes of the communicator have called it.
func (c *Comm) Barrier() error { return low.Barrier(c.handle) }

// Abort ends all processes of the job with an exit code, after what this process wrote to its error
// stream has been read. It does not return.
func (c *Comm) Abort(code int) {
	low.Arrive()
	if err := low.Abort(c.handle, code); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}
