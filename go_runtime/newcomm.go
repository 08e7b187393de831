package mpi

import "mpiglot.dev/mpi/low"

// wrapped is the communicator with a handle that a function of MPI gave; nil if this process got none.
func wrapped(handle low.Comm, err error) (*Comm, error) {
	if err != nil || handle == low.CommNull {
		return nil, err
	}
	return Wrap(handle)
}

// DupWithHints is [Comm.Dup] with other hints. Collective.
func (c *Comm) DupWithHints(hints *Info) (*Comm, error) {
	if err := c.usable("mpi.Comm.DupWithHints"); err != nil {
		return nil, err
	}
	return wrapped(low.CommDupWithInfo(c.handle, hints.Handle()))
}

// A SplitType says which processes [Comm.SplitType] puts together.
type SplitType int

// CommTypeShared is the processes that can share memory.
const CommTypeShared SplitType = low.CommTypeShared

// SplitType puts those processes into one communicator that have something in common, ordered by key. Collective.
func (c *Comm) SplitType(kind SplitType, key int, hints *Info) (*Comm, error) {
	if err := c.usable("mpi.Comm.SplitType"); err != nil {
		return nil, err
	}
	return wrapped(low.CommSplitType(c.handle, int(kind), key, hints.Handle()))
}

// Create is the communicator of a group of the processes of c; nil on processes that are not in it. Collective.
func (c *Comm) Create(group *Group) (*Comm, error) {
	if err := c.usable("mpi.Comm.Create"); err != nil {
		return nil, err
	}
	if err := group.usable("mpi.Comm.Create"); err != nil {
		return nil, err
	}
	return wrapped(low.CommCreate(c.handle, group.handle))
}

// CreateGroup is [Comm.Create] that only the processes of the group call, all with the same tag.
func (c *Comm) CreateGroup(group *Group, tag int) (*Comm, error) {
	if err := c.within("mpi.Comm.CreateGroup"); err != nil {
		return nil, err
	}
	if err := group.usable("mpi.Comm.CreateGroup"); err != nil {
		return nil, err
	}
	return wrapped(low.CommCreateGroup(c.handle, group.handle, tag))
}

// Compare tells how alike two communicators are.
func (c *Comm) Compare(other *Comm) (Comparison, error) {
	if err := c.usable("mpi.Comm.Compare"); err != nil {
		return Unequal, err
	}
	if err := other.usable("mpi.Comm.Compare"); err != nil {
		return Unequal, err
	}
	return low.CommCompare(c.handle, other.handle)
}

// Name is the name that the communicator has for debuggers.
func (c *Comm) Name() (string, error) {
	if err := c.usable("mpi.Comm.Name"); err != nil {
		return "", err
	}
	return low.CommGetName(c.handle)
}

// SetName gives the communicator a name for debuggers.
func (c *Comm) SetName(name string) error {
	if err := c.usable("mpi.Comm.SetName"); err != nil {
		return err
	}
	return low.CommSetName(c.handle, name)
}

// Disconnect is [Comm.Free] that waits for all pending communication. Collective.
func (c *Comm) Disconnect() error {
	const function = "mpi.Comm.Disconnect"
	if err := c.usable(function); err != nil {
		return err
	}
	if c.handle == low.CommWorld || c.handle == low.CommSelf {
		return &Error{Class: ErrComm, Function: function, Message: "World and Self cannot be freed"}
	}
	return low.CommDisconnect(&c.handle)
}

// IsInter tells whether this is an intercommunicator: it has a second group, to which messages go.
func (c *Comm) IsInter() bool { return !c.absent() && c.inter }

// RemoteSize is how many processes the other group of an intercommunicator has.
func (c *Comm) RemoteSize() (int, error) {
	if err := c.across("mpi.Comm.RemoteSize"); err != nil {
		return 0, err
	}
	return low.CommRemoteSize(c.handle)
}

// Intercomm joins the processes of c with those of another communicator. The leaders, which know each other through
// peer, have the rank leader in c and remoteLeader in peer. Collective over both.
func (c *Comm) Intercomm(leader int, peer *Comm, remoteLeader, tag int) (*Comm, error) {
	const function = "mpi.Comm.Intercomm"
	if err := c.within(function); err != nil {
		return nil, err
	}
	if err := c.has(function, "leader", leader); err != nil {
		return nil, err
	}
	if c.rank == leader {
		if err := peer.within(function); err != nil {
			return nil, err
		}
	}
	return wrapped(low.IntercommCreate(c.handle, leader, peer.Handle(), remoteLeader, tag))
}

// Merge makes one group of both of an intercommunicator: that with high comes second. Collective.
func (c *Comm) Merge(high bool) (*Comm, error) {
	if err := c.across("mpi.Comm.Merge"); err != nil {
		return nil, err
	}
	return wrapped(low.IntercommMerge(c.handle, high))
}

// Parent is the intercommunicator to the processes that have started those of this job with [Comm.Spawn]; nil if
// nobody has.
func Parent() (*Comm, error) {
	if !running.Load() {
		return nil, ErrNotRunning
	}
	return wrapped(low.CommGetParent())
}

// Spawn starts processes that run a command, and is the intercommunicator to them. What root says counts. Collective.
func (c *Comm) Spawn(command string, arguments []string, processes int, hints *Info, root int) (*Comm, error) {
	if err := c.within("mpi.Comm.Spawn"); err != nil {
		return nil, err
	}
	return wrapped(low.CommSpawn(command, arguments, processes, hints.Handle(), root, c.handle, nil))
}
