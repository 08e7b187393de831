package mpi_test

import (
	"errors"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestCollectivesGiveWhatTheyShould(t *testing.T) {
	rank, size := world.Rank(), world.Size()
	for root := range size {
		data := []int{0, 0}
		if rank == root {
			data = []int{root, 7}
		}
		must(t, mpi.Bcast(world, data, root))
		want(t, "broadcast", [2]int(data), [2]int{root, 7})

		var sum []int
		if rank == root {
			sum = make([]int, 2)
		}
		must(t, mpi.Reduce(world, []int{rank, 1}, sum, mpi.Sum, root))
		if rank == root {
			want(t, "reduced", [2]int(sum), [2]int{size * (size - 1) / 2, size})
		}

		var all []int
		if rank == root {
			all = make([]int, size)
		}
		must(t, mpi.Gather(world, []int{rank * rank}, all, root))
		if rank == root {
			for i, v := range all {
				want(t, "gathered", v, i*i)
			}
		}
		part := []int{-1}
		must(t, mpi.Scatter(world, all, part, root))
		want(t, "scattered", part[0], rank*rank)

		var counts, list []int
		if rank == root {
			counts, list = make([]int, size), make([]int, size*(size+1)/2)
			for i := range counts {
				counts[i] = i + 1
			}
		}
		mine := make([]int, rank+1)
		for i := range mine {
			mine[i] = rank
		}
		must(t, mpi.Gatherv(world, mine, list, counts, root))
		at := 0
		for i, n := range counts {
			for range n {
				want(t, "gathered by counts", list[at], i)
				at++
			}
		}
	}
	everybody := make([]int, size)
	must(t, mpi.Allgather(world, []int{rank + 1}, everybody))
	send := make([]int, size)
	for i := range send {
		want(t, "gathered by all", everybody[i], i+1)
		send[i] = 10*rank + i
	}
	recv := make([]int, size)
	must(t, mpi.Alltoall(world, send, recv))
	for i, v := range recv {
		want(t, "exchanged", v, 10*i+rank)
	}
	prefix := []int{0}
	must(t, mpi.Scan(world, []int{rank}, prefix, mpi.Sum))
	want(t, "prefix", prefix[0], rank*(rank+1)/2)
	in := []float64{float64(rank)}
	must(t, mpi.Allreduce(world, nil, in, mpi.Max, mpi.InPlace))
	want(t, "largest", in[0], float64(size-1))
	r, err := mpi.Iallreduce(world, []int{1}, prefix, mpi.Sum)
	must(t, err)
	_, err = r.Wait()
	must(t, err)
	want(t, "sum later", prefix[0], size)
	must(t, world.Barrier())
}

func TestSplitMakesSmallerWorlds(t *testing.T) {
	rank, size := world.Rank(), world.Size()
	half, err := world.Split(rank%2, -rank)
	must(t, err)
	want(t, "size", half.Size(), (size+1-rank%2)/2)
	sum := []int{0}
	must(t, mpi.Allreduce(half, []int{rank}, sum, mpi.Max))
	want(t, "rank is the largest of its half exactly where it is the first by key", half.Rank() == 0, sum[0] == rank)
	must(t, half.Free())
	none, err := world.Split(mpi.Undefined, 0)
	must(t, err)
	want(t, "communicator of nobody", none == nil, true)
}

func TestArraysOfHandlesAndCountsLiveUntilCompletion(t *testing.T) {
	rank, size := world.Rank(), world.Size()
	var requests []low.Request
	const n = 8
	results := make([][]int32, n)
	for i := range n {
		// Every array below is forgotten as soon as the call returns.
		types, counts, displacements := make([]low.Datatype, size), make([]int, size), make([]int, size)
		send := make([]int32, size)
		results[i] = make([]int32, size)
		for j := range size {
			types[j], counts[j], displacements[j] = low.Int32T, 1, 4*j
			send[j] = int32(1000*i + 10*rank + j)
		}
		r, err := low.Ialltoallw(low.Slice(send), counts, displacements, types,
			low.Slice(results[i]), counts, displacements, types, low.CommWorld)
		must(t, err)
		requests = append(requests, r)
		disturb()
	}
	must(t, low.Waitall(requests, nil))
	for i := range n {
		for j, v := range results[i] {
			want(t, "element", v, int32(1000*i+10*j+rank))
		}
	}
	want(t, "operations that hold memory", low.Pending(), 0)
}

// All processes are refused before any of them communicates.
func TestSlicesThatAreTooShortAreRefused(t *testing.T) {
	two, one := []int{1, 2}, []int{1}
	short := make([]int, 2*world.Size()-1)
	for name, err := range map[string]error{
		"allreduce": mpi.Allreduce(world, two, one, mpi.Sum),
		"scan":      mpi.Scan(world, two, one, mpi.Sum),
		"allgather": mpi.Allgather(world, two, short),
		"gather":    mpi.Gather(mpi.Self(), two, one, 0),
		"reduce":    mpi.Reduce(mpi.Self(), two, one, mpi.Sum, 0),
	} {
		want(t, name, errors.Is(err, mpi.ErrBuffer), true)
	}
}
