package mpi_test

import (
	"os"
	"slices"
	"testing"

	"mpiglot.dev/mpi"
)

func TestGroupsMakeCommunicators(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	all, err := world.Group()
	must(t, err)
	first, err := all.Incl(0)
	must(t, err)
	others, err := all.Excl(0)
	must(t, err)
	reversed, err := all.RangeIncl(mpi.Range{First: n - 1, Last: 0, Step: -1})
	must(t, err)
	none, err := all.RangeExcl(mpi.Range{First: 0, Last: n - 1, Step: 1})
	must(t, err)
	union, err := first.Union(others)
	must(t, err)
	meet, err := first.Intersection(others)
	must(t, err)
	rest, err := all.Difference(first)
	must(t, err)
	for what, c := range map[string]struct {
		g    *mpi.Group
		size int
		like mpi.Comparison
	}{
		"all": {all, n, mpi.Ident}, "union": {union, n, mpi.Ident}, "others": {others, n - 1, mpi.Unequal},
		"difference": {rest, n - 1, mpi.Unequal}, "none": {none, 0, mpi.Unequal}, "intersection": {meet, 0, mpi.Unequal},
	} {
		size, err := c.g.Size()
		must(t, err)
		want(t, "size of "+what, size, c.size)
		like, err := all.Compare(c.g)
		must(t, err)
		want(t, what+" compared", like, c.like)
	}
	at, err := reversed.Rank()
	must(t, err)
	want(t, "rank", at, n-1-rank)
	ranks, err := all.TranslateRanks([]int{0, n - 1}, others)
	must(t, err)
	last := n - 2
	if n == 1 {
		last = mpi.Undefined
	}
	want(t, "ranks", [2]int(ranks), [2]int{mpi.Undefined, last})

	made, err := world.Create(reversed)
	must(t, err)
	want(t, "rank in the communicator", made.Rank(), n-1-rank)
	like, err := world.Compare(made)
	must(t, err)
	if n > 1 {
		want(t, "communicators compared", like, mpi.Similar)
	}
	must(t, made.SetName("reversed"))
	name, err := made.Name()
	must(t, err)
	want(t, "name", name, "reversed")
	must(t, made.Disconnect())
	some, err := world.Create(first)
	must(t, err)
	want(t, "those that are not in the group get none", some != nil, rank == 0)
	if rank > 0 {
		made, err = world.CreateGroup(others, 3)
		must(t, err)
		want(t, "size", made.Size(), n-1)
		must(t, made.Free())
	} else {
		must(t, some.Free())
	}
	for _, g := range []*mpi.Group{all, first, others, reversed, union, rest} {
		must(t, g.Free())
	}
	_, err = all.Size()
	refused(t, "a group that was freed", err, mpi.ErrGroup)
	_, err = first.Union(nil)
	refused(t, "no group", err, mpi.ErrGroup)
	_, err = world.Create(nil)
	refused(t, "no group", err, mpi.ErrGroup)
}

// ranksOfThisHost is how many ranks run where this one does.
func ranksOfThisHost(t *testing.T) int {
	mine, err := os.Hostname()
	must(t, err)
	all, err := mpi.AllgatherSlices(world, []byte(mine))
	must(t, err)
	here := 0
	for _, host := range all {
		if string(host) == mine {
			here++
		}
	}
	return here
}

func TestProcessesThatShareMemoryAreTogether(t *testing.T) {
	near, err := world.SplitType(mpi.CommTypeShared, world.Rank(), nil)
	must(t, err)
	want(t, "all of this host are here", near.Size(), ranksOfThisHost(t))
	twin, err := near.DupWithHints(nil)
	must(t, err)
	like, err := near.Compare(twin)
	must(t, err)
	want(t, "a duplicate", like, mpi.Congruent)
	must(t, twin.Free())
	must(t, near.Free())
	parent, err := mpi.Parent()
	must(t, err)
	want(t, "nobody has started this job", parent, nil)
	refused(t, "World disconnected", mpi.World().Disconnect(), mpi.ErrComm)
}

func TestTwoGroupsAreJoinedAndMerged(t *testing.T) {
	n, rank := world.Size(), world.Rank()
	if n < 2 {
		t.Skip("one process cannot be two groups")
	}
	mine, err := world.Split(min(rank, 1), 0)
	must(t, err)
	leader := min(1, 1-min(rank, 1))
	joined, err := mine.Intercomm(0, world, leader, 3)
	must(t, err)
	want(t, "it has two groups", joined.IsInter(), true)
	remote, err := joined.RemoteSize()
	must(t, err)
	want(t, "size of the other", remote+joined.Size(), n)
	group, err := joined.RemoteGroup()
	must(t, err)
	size, err := group.Size()
	must(t, err)
	want(t, "size of the other's group", size, remote)
	must(t, group.Free())
	whole, err := joined.Merge(rank == 0)
	must(t, err)
	want(t, "rank 0 comes last", whole.Rank(), (rank+n-1)%n)
	must(t, whole.Free())
	must(t, joined.Free())
	must(t, mine.Free())
}

func TestAttributesHoldValuesOfGo(t *testing.T) {
	key, err := mpi.NewKey(func(s []string) ([]string, bool) { return append(slices.Clone(s), "copied"), len(s) > 0 })
	must(t, err)
	c, err := world.Dup()
	must(t, err)
	_, found, err := key.Get(c)
	must(t, err)
	want(t, "found before it is set", found, false)
	must(t, key.Set(c, []string{"a"}))
	must(t, key.Set(c, []string{"a", "b"}))
	twin, err := c.Dup()
	must(t, err)
	values, found, err := key.Get(twin)
	must(t, err)
	want(t, "found in the duplicate", found, true)
	want(t, "values", slices.Equal(values, []string{"a", "b", "copied"}), true)
	must(t, key.Delete(c))
	_, found, err = key.Get(c)
	must(t, err)
	want(t, "found after it was deleted", found, false)
	must(t, twin.Free())
	must(t, c.Free())
	plain, err := mpi.NewKey[int](nil)
	must(t, err)
	must(t, plain.Set(world, 5))
	twin, err = world.Dup()
	must(t, err)
	_, found, err = plain.Get(twin)
	must(t, err)
	want(t, "found in a duplicate that gets none", found, false)
	must(t, twin.Free())
	must(t, plain.Delete(world))
	must(t, plain.Free())
	must(t, key.Free())
	refused(t, "a key that was freed", plain.Set(world, 1), mpi.ErrArg)
	refused(t, "no communicator", plain.Set(nil, 1), mpi.ErrComm)
}
