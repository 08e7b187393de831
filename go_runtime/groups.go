package mpi

import (
	"fmt"

	"mpiglot.dev/mpi/low"
)

// A Group is an ordered set of processes, of which communicators are made.
type Group struct{ *group }

// group is what copies of a [Group] share.
type group struct{ handle low.Group }

// A Comparison tells how alike two communicators or groups are.
type Comparison = low.Comparison

// What [Comm.Compare] and [Group.Compare] find: the same object, the same processes in the same order but not the
// same object, the same processes in another order, or other processes.
const (
	Ident     Comparison = low.Ident
	Congruent Comparison = low.Congruent
	Similar   Comparison = low.Similar
	Unequal   Comparison = low.Unequal
)

// grouped is the group with a handle that a function of MPI gave.
func grouped(handle low.Group, err error) (*Group, error) {
	if err != nil {
		return nil, err
	}
	return &Group{&group{handle}}, nil
}

// Group is the group of the communicator's processes.
func (c *Comm) Group() (*Group, error) {
	if err := c.usable("mpi.Comm.Group"); err != nil {
		return nil, err
	}
	return grouped(low.CommGroup(c.handle))
}

// RemoteGroup is the other group of an intercommunicator.
func (c *Comm) RemoteGroup() (*Group, error) {
	if err := c.across("mpi.Comm.RemoteGroup"); err != nil {
		return nil, err
	}
	return grouped(low.CommRemoteGroup(c.handle))
}

// Handle is the group as [mpiglot.dev/mpi/low] knows it; [low.GroupNull] of nil.
func (g *Group) Handle() low.Group {
	if g == nil || g.group == nil || g.handle == 0 {
		return low.GroupNull
	}
	return g.handle
}

// usable is what every operation asks of its groups first.
func (g *Group) usable(function string) error {
	if g.Handle() == low.GroupNull {
		return &Error{Class: ErrGroup, Function: function, Message: "there is no group: it is nil, was never made, or was freed"}
	}
	return nil
}

// Size is how many processes the group has.
func (g *Group) Size() (int, error) {
	if err := g.usable("mpi.Group.Size"); err != nil {
		return 0, err
	}
	return low.GroupSize(g.handle)
}

// Rank is the number of this process in the group; [Undefined] if it is not a member.
func (g *Group) Rank() (int, error) {
	if err := g.usable("mpi.Group.Rank"); err != nil {
		return Undefined, err
	}
	return low.GroupRank(g.handle)
}

// both combines two groups.
func both(function string, g, other *Group, combine func(a, b low.Group) (low.Group, error)) (*Group, error) {
	if err := g.usable(function); err != nil {
		return nil, err
	}
	if err := other.usable(function); err != nil {
		return nil, err
	}
	return grouped(combine(g.handle, other.handle))
}

// Union has the processes of g, followed by those of other that are not in g.
func (g *Group) Union(other *Group) (*Group, error) {
	return both("mpi.Group.Union", g, other, low.GroupUnion)
}

// Intersection has the processes of g that are in other, too.
func (g *Group) Intersection(other *Group) (*Group, error) {
	return both("mpi.Group.Intersection", g, other, low.GroupIntersection)
}

// Difference has the processes of g that are not in other.
func (g *Group) Difference(other *Group) (*Group, error) {
	return both("mpi.Group.Difference", g, other, low.GroupDifference)
}

// has refuses ranks that the group does not have; some libraries read beside their tables.
func (g *Group) has(function string, nobody bool, ranks []int) error {
	if err := g.usable(function); err != nil {
		return err
	}
	size, err := low.GroupSize(g.handle)
	for _, rank := range ranks {
		if err == nil && (rank < 0 || rank >= size) && !(nobody && rank == ProcNull) {
			err = &Error{Class: ErrRank, Function: function, Message: fmt.Sprintf("there is no rank %d: the group has %d processes", rank, size)}
		}
	}
	return err
}

// Incl has the processes of g with these ranks, in this order.
func (g *Group) Incl(ranks ...int) (*Group, error) {
	if err := g.has("mpi.Group.Incl", false, ranks); err != nil {
		return nil, err
	}
	return grouped(low.GroupIncl(g.handle, ranks))
}

// Excl has the processes of g without those with these ranks.
func (g *Group) Excl(ranks ...int) (*Group, error) {
	if err := g.has("mpi.Group.Excl", false, ranks); err != nil {
		return nil, err
	}
	return grouped(low.GroupExcl(g.handle, ranks))
}

// A Range is the ranks First, First+Step and so on, up to Last.
type Range struct{ First, Last, Step int }

// last is the rank of the range that is reached, of one whose step leads from First towards Last. Differences of ranks
// may not fit an int.
func (r Range) last() int {
	first, last, step := uint(r.First), uint(r.Last), uint(r.Step)
	if r.Step > 0 {
		return int(last - (last-first)%step)
	}
	return int(last + (first-last)%-step)
}

// triples is the ranges for MPI. Those that have other ranks than the group are refused here, where
// their numbers need not fit a C int.
func (g *Group) triples(function string, ranges []Range) ([][3]int, error) {
	t := make([][3]int, len(ranges))
	for i, r := range ranges {
		if r.Step == 0 || (r.First > r.Last) != (r.Step < 0) && r.First != r.Last {
			return nil, &Error{Class: ErrArg, Function: function,
				Message: fmt.Sprintf("no steps of %d lead from rank %d to rank %d", r.Step, r.First, r.Last)}
		}
		if err := g.has(function, false, []int{r.First}); err != nil {
			return nil, err
		}
		last := r.last()
		if err := g.has(function, false, []int{last}); err != nil {
			return nil, err
		}
		if t[i] = [3]int{r.First, last, r.Step}; last == r.First {
			t[i][2] = 1 // the step may be any number
		}
	}
	return t, nil
}

// RangeIncl is [Group.Incl] for ranges of ranks.
func (g *Group) RangeIncl(ranges ...Range) (*Group, error) {
	return g.ranged("mpi.Group.RangeIncl", ranges, low.GroupRangeIncl)
}

// RangeExcl is [Group.Excl] for ranges of ranks.
func (g *Group) RangeExcl(ranges ...Range) (*Group, error) {
	return g.ranged("mpi.Group.RangeExcl", ranges, low.GroupRangeExcl)
}

// ranged picks or leaves out ranges of ranks.
func (g *Group) ranged(function string, ranges []Range, pick func(low.Group, [][3]int) (low.Group, error)) (*Group, error) {
	if err := g.usable(function); err != nil {
		return nil, err
	}
	t, err := g.triples(function, ranges)
	if err != nil {
		return nil, err
	}
	return grouped(pick(g.handle, t))
}

// TranslateRanks tells which ranks processes of g have in other: [Undefined] if none.
func (g *Group) TranslateRanks(ranks []int, other *Group) ([]int, error) {
	const function = "mpi.Group.TranslateRanks"
	if err := g.has(function, true, ranks); err != nil {
		return nil, err
	}
	if err := other.usable(function); err != nil {
		return nil, err
	}
	theirs := make([]int, len(ranks))
	return theirs, low.GroupTranslateRanks(g.handle, ranks, other.handle, theirs)
}

// Compare tells how alike two groups are.
func (g *Group) Compare(other *Group) (Comparison, error) {
	const function = "mpi.Group.Compare"
	if err := g.usable(function); err != nil {
		return Unequal, err
	}
	if err := other.usable(function); err != nil {
		return Unequal, err
	}
	return low.GroupCompare(g.handle, other.handle)
}

// Free gives the group back.
func (g *Group) Free() error {
	if err := g.usable("mpi.Group.Free"); err != nil {
		return err
	}
	return low.GroupFree(&g.handle)
}
