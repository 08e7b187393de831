package mpi_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestPreparedMessagesAreSentAgainAndAgain(t *testing.T) {
	next, previous := neighbours()
	must(t, mpi.AttachBuffer(4096+4*mpi.BsendOverhead))
	for tag, prepare := range []func(*mpi.Comm, []int, int, int) (*mpi.Persistent, error){
		mpi.SendInit[int], mpi.BsendInit[int], mpi.SsendInit[int], mpi.RsendInit[int],
	} {
		data, got := make([]int, 2), make([]int, 2)
		receive, err := mpi.RecvInit(world, got, previous, tag)
		must(t, err)
		send, err := prepare(world, data, next, tag)
		must(t, err)
		for round := range 3 {
			runtime.GC()
			data[0], data[1] = world.Rank(), round
			must(t, receive.Start())
			must(t, world.Barrier())
			must(t, mpi.StartAll(send))
			s, err := receive.Wait()
			must(t, err)
			want(t, "source", s.Source(), previous)
			for done := false; !done; {
				_, done, err = send.Test()
				must(t, err)
			}
			want(t, "elements", [2]int(got), [2]int{previous, round})
		}
		must(t, send.Free())
		must(t, receive.Free())
	}
	must(t, mpi.DetachBuffer())
}

func TestLongBufferedMessagesHaveTheElementsOfEachStart(t *testing.T) {
	next, previous := neighbours()
	must(t, mpi.AttachBuffer(4*(8*100000+mpi.BsendOverhead)))
	for _, length := range []int{1, 1000, 5000, 100000} {
		data, got := make([]int, length), make([]int, length)
		send, err := mpi.BsendInit(world, data, next, 3)
		must(t, err)
		for round := range 5 {
			for i := range data {
				data[i] = 1000000*world.Rank() + 1000*round + i
			}
			receive, err := mpi.Irecv(world, got, previous, 3)
			must(t, err)
			must(t, send.Start())
			_, err = receive.Wait()
			must(t, err)
			_, err = send.Wait()
			must(t, err)
			for i := range got {
				want(t, fmt.Sprintf("element %d of %d in start %d", i, length, round), got[i],
					1000000*previous+1000*round+i)
			}
			must(t, world.Barrier())
		}
		must(t, send.Free())
	}
	must(t, mpi.DetachBuffer())
}

func TestPreparedOperationsAreUsedInTheirOrder(t *testing.T) {
	got := make([]int, 1)
	receive, err := mpi.RecvInit(mpi.Self(), got, 0, 1)
	must(t, err)
	_, err = receive.Wait() // it was not started
	must(t, err)
	must(t, receive.Start())
	refused(t, "started twice", receive.Start(), mpi.ErrRequest)
	refused(t, "started twice in a list", mpi.StartAll(receive), mpi.ErrRequest)
	refused(t, "freed while active", receive.Free(), mpi.ErrRequest)
	must(t, mpi.Send(mpi.Self(), []int{9}, 0, 1))
	_, err = receive.Wait()
	must(t, err)
	want(t, "element", got[0], 9)
	must(t, receive.Free())
	barrier, err := mpi.Self().BarrierInit()
	if !errors.Is(err, mpi.ErrUnavailable) { // MPICH 4.0.2 waits for ever
		must(t, err)
		_, done, err := barrier.Test()
		must(t, err)
		want(t, "complete without start", done, true)
		_, err = barrier.Wait()
		must(t, err)
		must(t, barrier.Free())
	}
	for _, p := range []*mpi.Persistent{nil, {}, receive} {
		refused(t, "start", p.Start(), mpi.ErrRequest)
		_, err = p.Wait()
		refused(t, "wait", err, mpi.ErrRequest)
		_, _, err = p.Test()
		refused(t, "test", err, mpi.ErrRequest)
		refused(t, "free", p.Free(), mpi.ErrRequest)
		refused(t, "start in a list", mpi.StartAll(p), mpi.ErrRequest)
	}
}

func TestPartitionsAreHandedOverOneByOne(t *testing.T) {
	next, previous := neighbours()
	if next == world.Rank() {
		t.Skip("partitioned messages of a process to itself are not what is tested here")
	}
	data, got := make([]int, 6), make([]int, 6)
	send, err := mpi.PsendInit(world, data, 3, next, 1)
	if errors.Is(err, mpi.ErrUnavailable) {
		t.Skip("the library has no partitioned messages")
	}
	must(t, err)
	receive, err := mpi.PrecvInit(world, got, 3, previous, 1)
	must(t, err)
	refused(t, "a message that was not started", send.Ready(0), mpi.ErrRequest)
	for round := range 2 {
		for i := range data {
			data[i] = 100*world.Rank() + 10*round + i
		}
		must(t, mpi.StartAll(send.Persistent, receive.Persistent))
		must(t, send.Ready(2))
		must(t, send.ReadyRange(0, 1))
		for arrived := false; !arrived; {
			arrived, err = receive.Arrived(2)
			must(t, err)
		}
		want(t, "last element", got[5], 100*previous+10*round+5)
		_, err = receive.Wait()
		must(t, err)
		_, err = send.Wait()
		must(t, err)
		want(t, "first element", got[0], 100*previous+10*round)
	}
	must(t, send.Free())
	must(t, receive.Free())
	_, err = mpi.PsendInit(world, data, 4, next, 1)
	refused(t, "six elements in four partitions", err, mpi.ErrCount)
	var none *mpi.Partitioned
	refused(t, "no message", none.Ready(0), mpi.ErrRequest)
	refused(t, "no message", (&mpi.Partitioned{}).Ready(0), mpi.ErrRequest)
}

// What a persistent message to or from nobody leaves in MPI does not reach the next operations.
func TestPersistentSumsAfterMessagesWithNobody(t *testing.T) {
	if !low.Has("MPI_Allreduce_init") {
		t.Skip("this MPI has no MPI_Allreduce_init")
	}
	data := []int32{0}
	for round := range int32(6) {
		for i, prepare := range []func(*mpi.Comm, []int32, int, int) (*mpi.Persistent, error){
			mpi.SendInit[int32], mpi.RecvInit[int32], mpi.SsendInit[int32],
		} {
			withNobody, err := prepare(world, data, mpi.ProcNull, 1)
			must(t, err)
			if int(round)%3 == i {
				must(t, withNobody.Start())
				_, err = withNobody.Wait()
				must(t, err)
			}
			must(t, withNobody.Free())
		}
		in, out := []int32{0}, []int32{0}
		all, err := mpi.AllreduceInit(world, in, out, mpi.Sum)
		must(t, err)
		for again := range int32(3) {
			in[0], out[0] = int32(world.Rank())+round+again, -1
			must(t, all.Start())
			_, err = all.Wait()
			must(t, err)
			if n := int32(world.Size()); out[0] != n*(n-1)/2+n*(round+again) {
				t.Errorf("round %d, start %d: %d", round, again, out[0])
			}
		}
		must(t, all.Free())
	}
}

func TestExchangesWithNobodyAreCompleteAtOnce(t *testing.T) {
	if !low.Has("MPI_Isendrecv") {
		t.Skip("this MPI has no MPI_Isendrecv")
	}
	mine, got := []int32{1, 2}, []int32{3, 4}
	for range 3 {
		exchange, err := mpi.Isendrecv(world, mine, mpi.ProcNull, 0, got, mpi.ProcNull, 0)
		must(t, err)
		s, err := exchange.Wait()
		must(t, err)
		if !defects["irecv-from-nobody-status-empty"] {
			want(t, "source", s.Source(), mpi.ProcNull)
		}
		replaced, err := mpi.IsendrecvReplace(world, mine, mpi.ProcNull, 0, mpi.ProcNull, 0)
		must(t, err)
		_, err = replaced.Wait()
		must(t, err)
	}
	want(t, "what stays", [4]int32{mine[0], mine[1], got[0], got[1]}, [4]int32{1, 2, 3, 4})
}
