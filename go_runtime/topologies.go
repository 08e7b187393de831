package mpi

import (
	"fmt"

	"mpiglot.dev/mpi/low"
)

// A Topology says how the processes of a communicator are arranged.
type Topology = low.Topology

// Arrangements of processes, as [Comm.Topology] tells them.
const (
	NoTopology        Topology = low.Undefined
	CartTopology      Topology = low.Cart
	GraphTopology     Topology = low.Graph
	DistGraphTopology Topology = low.DistGraph
)

// Topology tells how the processes of the communicator are arranged.
func (c *Comm) Topology() (Topology, error) {
	if err := c.usable("mpi.Comm.Topology"); err != nil {
		return NoTopology, err
	}
	return low.TopoTest(c.handle)
}

// Dims divides processes among the dimensions of a grid as evenly as possible. Where dims is not 0 it stays.
func Dims(processes int, dims []int) error {
	if !running.Load() {
		return ErrNotRunning
	}
	if err := dividable(processes, dims); err != nil {
		return err
	}
	return low.DimsCreate(processes, dims)
}

// mostProcesses is how many [Dims] divides: MPICH divides by zero where the root of the number is larger.
const mostProcesses = 46340 * 46340

// dividable refuses what no grid can be made of: some libraries search for it without end.
func dividable(processes int, dims []int) error {
	wrong := func(format string, arguments ...any) error {
		return &Error{Class: low.ErrDims, Function: "mpi.Dims", Message: fmt.Sprintf(format, arguments...)}
	}
	if processes < 1 || processes > mostProcesses {
		return wrong("%d processes cannot be divided", processes)
	}
	free, rest := false, processes
	for _, n := range dims {
		switch {
		case n < 0:
			return wrong("a dimension of the grid is %d long", n)
		case n == 0:
			free = true
		case rest%n != 0:
			return wrong("%d processes cannot be divided by the dimensions %v", processes, dims)
		default:
			rest /= n
		}
	}
	if !free && rest != 1 {
		return wrong("the dimensions %v are not those of a grid of %d processes", dims, processes)
	}
	return nil
}

// grid refuses lengths that no grid of the processes has.
func (c *Comm) grid(function string, dims []int) error {
	rest := c.size
	for _, n := range dims {
		if n < 1 || n > rest {
			return &Error{Class: low.ErrDims, Function: function,
				Message: fmt.Sprintf("%d processes do not suffice for a grid with the dimensions %v, each of which must be at least 1", c.size, dims)}
		}
		rest /= n
	}
	return nil
}

// Cart arranges the processes in a grid with these lengths. Where periodic is true the grid is closed to a ring;
// nil means nowhere. With reorder MPI may give other ranks. Processes that are left over get nil. Collective.
func (c *Comm) Cart(dims []int, periodic []bool, reorder bool) (*Comm, error) {
	const function = "mpi.Comm.Cart"
	if err := c.within(function); err != nil {
		return nil, err
	}
	if err := c.grid(function, dims); err != nil {
		return nil, err
	}
	if periodic == nil {
		periodic = make([]bool, len(dims))
	}
	if err := sameLength(function, "periodic", len(periodic), len(dims)); err != nil {
		return nil, err
	}
	return wrapped(low.CartCreate(c.handle, dims, periodic, reorder))
}

// CartDims tells how the grid was made, and where in it this process is.
func (c *Comm) CartDims() (dims []int, periodic []bool, coords []int, err error) {
	n, err := c.dimensions("mpi.Comm.CartDims")
	if err != nil {
		return nil, nil, nil, err
	}
	dims, periodic, coords = make([]int, n), make([]bool, n), make([]int, n)
	return dims, periodic, coords, low.CartGet(c.handle, dims, periodic, coords)
}

// dimensions is how many dimensions the grid has, for a call of the function.
func (c *Comm) dimensions(function string) (int, error) {
	if err := c.usable(function); err != nil {
		return 0, err
	}
	if kind, err := low.TopoTest(c.handle); err != nil || kind != CartTopology {
		return 0, &Error{Class: low.ErrTopology, Function: function, Message: "the processes are not arranged in a grid"}
	}
	return low.CartdimGet(c.handle)
}

// CartCoords tells where in the grid the process with a rank is.
func (c *Comm) CartCoords(rank int) ([]int, error) {
	const function = "mpi.Comm.CartCoords"
	n, err := c.dimensions(function)
	if err == nil {
		err = c.has(function, "rank", rank)
	}
	if err != nil {
		return nil, err
	}
	coords := make([]int, n)
	return coords, low.CartCoords(c.handle, rank, coords)
}

// CartRank is the rank of the process at a place of the grid.
func (c *Comm) CartRank(coords ...int) (int, error) {
	const function = "mpi.Comm.CartRank"
	n, err := c.dimensions(function)
	if err != nil {
		return Undefined, err
	}
	if err := sameLength(function, "coords", len(coords), n); err != nil {
		return Undefined, err
	}
	return low.CartRank(c.handle, coords)
}

// CartShift tells from whom this process receives and to whom it sends when all send by so many steps along a
// dimension; [ProcNull] at an end of the grid.
func (c *Comm) CartShift(dimension, steps int) (source, dest int, err error) {
	const function = "mpi.Comm.CartShift"
	n, err := c.dimensions(function)
	if err == nil && (dimension < 0 || dimension >= n) {
		err = &Error{Class: low.ErrDims, Function: function, Message: fmt.Sprintf("there is no dimension %d: the grid has %d", dimension, n)}
	}
	if err != nil {
		return ProcNull, ProcNull, err
	}
	return low.CartShift(c.handle, dimension, steps)
}

// CartSub divides the grid into smaller ones that have the dimensions where keep is true. Collective.
func (c *Comm) CartSub(keep ...bool) (*Comm, error) {
	const function = "mpi.Comm.CartSub"
	n, err := c.dimensions(function)
	if err != nil {
		return nil, err
	}
	if err := sameLength(function, "keep", len(keep), n); err != nil {
		return nil, err
	}
	return wrapped(low.CartSub(c.handle, keep))
}

// DistGraphAdjacent arranges the processes in a graph: this one receives from sources and sends to destinations. With
// reorder MPI may give other ranks. Collective.
func (c *Comm) DistGraphAdjacent(sources, destinations []int, hints *Info, reorder bool) (*Comm, error) {
	const function = "mpi.Comm.DistGraphAdjacent"
	if err := c.within(function); err != nil {
		return nil, err
	}
	if err := c.hasAll(function, sources, destinations); err != nil {
		return nil, err
	}
	return wrapped(low.DistGraphCreateAdjacent(c.handle, sources, ones(sources), destinations, ones(destinations), hints.Handle(), reorder))
}

// DistGraph arranges the processes in a graph whose edges any processes name: to the ranks that edges has for a rank.
// With reorder MPI may give other ranks. Collective.
func (c *Comm) DistGraph(edges map[int][]int, hints *Info, reorder bool) (*Comm, error) {
	const function = "mpi.Comm.DistGraph"
	if err := c.within(function); err != nil {
		return nil, err
	}
	var sources, degrees, destinations []int
	for source, to := range edges {
		sources, degrees, destinations = append(sources, source), append(degrees, len(to)), append(destinations, to...)
	}
	if err := c.hasAll(function, sources, destinations); err != nil {
		return nil, err
	}
	return wrapped(low.DistGraphCreate(c.handle, sources, degrees, destinations, ones(destinations), hints.Handle(), reorder))
}

// ones is a weight for each edge.
func ones(edges []int) []int {
	weights := make([]int, len(edges))
	for i := range weights {
		weights[i] = 1
	}
	return weights
}

// Neighbors tells from whom this process receives and to whom it sends in a neighbourhood collective operation, in the
// order of the blocks. [ProcNull] stands for nobody.
func (c *Comm) Neighbors() (sources, destinations []int, err error) {
	const function = "mpi.Comm.Neighbors"
	kind, err := c.Topology()
	if err != nil {
		return nil, nil, err
	}
	switch kind {
	case CartTopology:
		return c.besides()
	case GraphTopology:
		n, err := low.GraphNeighborsCount(c.handle, c.rank)
		if err != nil {
			return nil, nil, err
		}
		sources = make([]int, n)
		return sources, sources, low.GraphNeighbors(c.handle, c.rank, sources)
	case DistGraphTopology:
		in, out, _, err := low.DistGraphNeighborsCount(c.handle)
		if err != nil {
			return nil, nil, err
		}
		sources, destinations = make([]int, in), make([]int, out)
		return sources, destinations, low.DistGraphNeighbors(c.handle, sources, make([]int, in), destinations, make([]int, out))
	}
	return nil, nil, &Error{Class: low.ErrTopology, Function: function, Message: "the processes are not arranged in a grid or a graph"}
}

// besides are the neighbours in a grid: in each dimension the one before and the one behind.
func (c *Comm) besides() (sources, destinations []int, err error) {
	n, err := low.CartdimGet(c.handle)
	for d := 0; err == nil && d < n; d++ {
		var before, behind int
		before, behind, err = low.CartShift(c.handle, d, 1)
		sources = append(sources, before, behind)
	}
	return sources, sources, err
}
