package mpi_test

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"mpiglot.dev/mpi"
)

// Reads beyond the end of a file get what is there, and say how much that is.
func TestReadsEndWithTheFile(t *testing.T) {
	const most = 5
	f, _ := open(t)
	layout, err := mpi.Every[int32](1000, 1, 2)
	must(t, err)
	for _, length := range []int{0, 1, 4, 9} {
		must(t, mpi.FileSetView[int32](f, 0, nil, nil))
		must(t, f.Sync())
		must(t, world.Barrier())
		must(t, f.SetSize(0))
		must(t, f.Sync())
		must(t, world.Barrier())
		if world.Rank() == 0 {
			_, err := mpi.FileWriteAt(f, 0, values(0, length))
			must(t, err)
		}
		must(t, f.Sync())
		must(t, world.Barrier())
		must(t, f.Sync())
		for _, gaps := range []bool{false, true} {
			there, value := length, func(i int) int { return i }
			if gaps {
				there, value = length/2, func(i int) int { return 1 + 2*i }
				must(t, mpi.FileSetView(f, 4, layout, nil))
			}
			for _, from := range []int{0, 1, 4} {
				for _, read := range reads {
					asked := func(rank int) int { return (3*rank + 2*from + length) % (most + 1) }
					first := from
					if read.ordered {
						for rank := range world.Rank() {
							first += asked(rank)
						}
					}
					wanted := []int32{}
					for i := first; i < min(there, first+asked(world.Rank())); i++ {
						wanted = append(wanted, int32(value(i)))
					}
					must(t, world.Barrier())
					_, err := f.Seek(int64(from), io.SeekStart)
					must(t, err)
					if read.shared || read.ordered {
						must(t, f.SeekShared(int64(from), io.SeekStart))
						must(t, world.Barrier())
					}
					if read.shared && world.Rank() != (from+length)%world.Size() {
						continue // else the order is not known
					}
					got := make([]int32, asked(world.Rank()))
					n, err := read.call(f, from, got)
					must(t, err)
					what := fmt.Sprintf("%s of %d from %d, gaps %v, %d there", read.name, len(got), from, gaps, there)
					want(t, what, n, len(wanted))
					want(t, what+": elements", slices.Equal(got[:n], wanted), true)
				}
			}
		}
	}
	must(t, layout.Free())
	closed(t, f)
}

func values(from, n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(from + i)
	}
	return v
}

type reading struct {
	name            string
	shared, ordered bool
	call            func(f *mpi.File, from int, data []int32) (int, error)
}

// reads are all functions that read. Requests are completed in different ways.
var reads = func() []reading {
	turn := 0
	ended := func(r *mpi.Request, err error) (int, error) {
		if err != nil {
			return 0, err
		}
		turn++
		switch turn % 3 {
		case 0:
			_, err = mpi.WaitAll(r)
		case 1:
			_, _, err = mpi.WaitAny(r)
		}
		if err != nil {
			return 0, err
		}
		s, err := r.Wait()
		if err != nil {
			return 0, err
		}
		return mpi.Count[int32](&s)
	}
	at := func(name string, call func(*mpi.File, int, []int32) (int, error)) reading {
		return reading{name: name, call: call}
	}
	now := func(name string, call func(*mpi.File, []int32) (int, error)) reading {
		return at(name, func(f *mpi.File, _ int, data []int32) (int, error) { return call(f, data) })
	}
	later := func(name string, call func(*mpi.File, []int32) (*mpi.Request, error)) reading {
		return at(name, func(f *mpi.File, _ int, data []int32) (int, error) { return ended(call(f, data)) })
	}
	laterAt := func(name string, call func(*mpi.File, int, []int32) (*mpi.Request, error)) reading {
		return at(name, func(f *mpi.File, from int, data []int32) (int, error) { return ended(call(f, from, data)) })
	}
	shared := func(r reading) reading { r.shared = true; return r }
	ordered := func(r reading) reading { r.ordered = true; return r }
	return []reading{
		at("FileReadAt", mpi.FileReadAt[int32]), at("FileReadAtAll", mpi.FileReadAtAll[int32]),
		laterAt("FileIreadAt", mpi.FileIreadAt[int32]), laterAt("FileIreadAtAll", mpi.FileIreadAtAll[int32]),
		now("FileRead", mpi.FileRead[int32]), now("FileReadAll", mpi.FileReadAll[int32]),
		later("FileIread", mpi.FileIread[int32]), later("FileIreadAll", mpi.FileIreadAll[int32]),
		shared(now("FileReadShared", mpi.FileReadShared[int32])),
		shared(later("FileIreadShared", mpi.FileIreadShared[int32])),
		ordered(now("FileReadOrdered", mpi.FileReadOrdered[int32])),
	}
}()

// Requests of files are asked for with others, also where the library cannot do that.
func TestRequestsOfFilesAreCompletedTogether(t *testing.T) {
	f, _ := open(t)
	must(t, mpi.FileSetView[int32](f, 0, nil, nil))
	rank, n := world.Rank(), world.Size()
	ways := []func(...*mpi.Request) (int, error){
		func(all ...*mpi.Request) (int, error) { _, err := mpi.WaitAll(all...); return len(all), err },
		func(all ...*mpi.Request) (int, error) { _, _, err := mpi.WaitAny(all...); return 1, err },
		func(all ...*mpi.Request) (int, error) { found, err := mpi.WaitSome(all...); return len(found), err },
		func(all ...*mpi.Request) (int, error) { found, err := mpi.TestSome(all...); return len(found), err },
		func(all ...*mpi.Request) (int, error) {
			i, _, err := mpi.TestAny(all...)
			if i < 0 {
				return 0, err
			}
			return 1, err
		},
		func(all ...*mpi.Request) (int, error) {
			done, err := mpi.TestAll(all...)
			if !done {
				return 0, err
			}
			return len(all), err
		},
	}
	for round := range 4 * len(ways) {
		sent := [3][]int32{}
		all := []*mpi.Request{}
		for i := range sent {
			sent[i] = values(100*round+10*rank+i, 1+round)
			at := (i*n + rank) * len(sent[i])
			r, err := mpi.FileIwriteAt(f, at, sent[i])
			if i == 1 {
				must(t, err)
				all = append(all, r)
				_, err = f.Seek(int64(at), io.SeekStart)
				must(t, err)
				r, err = mpi.FileIwriteAll(f, sent[i])
			}
			must(t, err)
			all = append(all, r)
		}
		got := make([]int32, 1)
		r, err := mpi.Irecv(world, got, (rank+1)%n, round)
		must(t, err)
		all = append(all, r)
		must(t, mpi.Send(world, values(round, 1), (rank+n-1)%n, round))
		for ended := 0; ended < len(all); {
			more, err := ways[round%len(ways)](all...)
			must(t, err)
			ended += more
		}
		want(t, "message", int(got[0]), round)
		must(t, f.Sync())
		must(t, world.Barrier())
		must(t, f.Sync())
		for i := range sent {
			back := make([]int32, len(sent[i]))
			k, err := mpi.FileReadAt(f, (i*n+rank)*len(back), back)
			must(t, err)
			want(t, "elements", k, len(back))
			want(t, "what was written is read", slices.Equal(back, sent[i]), true)
		}
		must(t, world.Barrier())
	}
	closed(t, f)
}
