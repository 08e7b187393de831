package mpi_test

import (
	"errors"
	"testing"

	"mpiglot.dev/mpi"
)

func TestMessagesOfAllSendModesArrive(t *testing.T) {
	next, previous := neighbours()
	must(t, mpi.AttachBuffer(4096+4*mpi.BsendOverhead))
	data, got := []int{world.Rank(), 7}, make([]int, 2)
	for tag, begin := range []func(*mpi.Comm, []int, int, int) (*mpi.Request, error){
		mpi.Isend[int], mpi.Ibsend[int], mpi.Issend[int],
		func(c *mpi.Comm, data []int, dest, tag int) (*mpi.Request, error) {
			return nil, mpi.Bsend(c, data, dest, tag)
		},
	} {
		sent, err := begin(world, data, next, tag)
		must(t, err)
		_, err = mpi.Recv(world, got, previous, tag)
		must(t, err)
		want(t, "elements", [2]int(got), [2]int{previous, 7})
		if sent != nil {
			_, err = sent.Wait()
			must(t, err)
		}
	}
	must(t, mpi.DetachBuffer())
}

func TestModesThatNeedAReceiveFindIt(t *testing.T) {
	next, previous := neighbours()
	data := []int{world.Rank()}
	for tag, send := range []func() (*mpi.Request, error){
		func() (*mpi.Request, error) { return nil, mpi.Ssend(world, data, next, 0) },
		func() (*mpi.Request, error) { return nil, mpi.Rsend(world, data, next, 1) },
		func() (*mpi.Request, error) { return mpi.Irsend(world, data, next, 2) },
	} {
		got := make([]int, 1)
		received, err := mpi.Irecv(world, got, previous, tag)
		must(t, err)
		must(t, world.Barrier())
		sent, err := send()
		must(t, err)
		_, err = received.Wait()
		must(t, err)
		if sent != nil {
			_, err = sent.Wait()
			must(t, err)
		}
		want(t, "element", got[0], previous)
	}
}

func TestOneSliceIsSentAndReplaced(t *testing.T) {
	next, previous := neighbours()
	data := []int{world.Rank()}
	s, err := mpi.SendrecvReplace(world, data, next, 4, previous, 4)
	must(t, err)
	want(t, "element", data[0], previous)
	want(t, "source", s.Source(), previous)
	for range 2 { // the second time around everything is where it was
		r, err := mpi.IsendrecvReplace(world, data, next, 4, previous, 4)
		if errors.Is(err, mpi.ErrUnavailable) {
			return
		}
		must(t, err)
		_, err = r.Wait()
		must(t, err)
	}
	n := world.Size()
	want(t, "element", data[0], (world.Rank()+3*n-3)%n)
	got := make([]int, 1)
	r, err := mpi.Isendrecv(world, data, next, 5, got, previous, 5)
	must(t, err)
	_, err = r.Wait()
	must(t, err)
	want(t, "element", got[0], (previous+3*n-3)%n)
}

func TestThereIsOneBufferForBufferedMessages(t *testing.T) {
	refused(t, "no bytes", mpi.AttachBuffer(0), mpi.ErrArg)
	refused(t, "no buffer", mpi.DetachBuffer(), mpi.ErrBuffer)
	must(t, mpi.AttachBuffer(1000))
	refused(t, "a second buffer", mpi.AttachBuffer(1000), mpi.ErrBuffer)
	if err := mpi.FlushBuffer(); !errors.Is(err, mpi.ErrUnavailable) {
		must(t, err)
		r, err := mpi.IflushBuffer()
		must(t, err)
		_, err = r.Wait()
		must(t, err)
	}
	must(t, mpi.DetachBuffer())
}

func TestAMessageThatWasFoundIsReceivedOnce(t *testing.T) {
	next, previous := neighbours()
	sent, err := mpi.Isend(world, []int16{1, 2, 3}, next, 8)
	must(t, err)
	m, err := world.Mprobe(previous, mpi.AnyTag)
	must(t, err)
	s := m.Status()
	want(t, "tag", s.Tag(), 8)
	none, err := world.Improbe(previous, 8)
	must(t, err)
	want(t, "another message", none, nil)
	_, found, err := world.Iprobe(previous, 8)
	must(t, err)
	want(t, "another message was probed", found, false)
	data, err := mpi.MrecvSlice[int16](m)
	must(t, err)
	want(t, "elements", [3]int16(data), [3]int16{1, 2, 3})
	_, err = sent.Wait()
	must(t, err)
	_, err = mpi.Mrecv(m, data)
	refused(t, "a message received again", err, mpi.ErrRequest)
	_, err = mpi.Imrecv[int]((*mpi.Message)(nil), nil)
	refused(t, "no message", err, mpi.ErrRequest)
}

func TestMessagesAreFoundWithoutWaiting(t *testing.T) {
	next, previous := neighbours()
	sent, err := mpi.Isend(world, []int{world.Rank(), 5}, next, 9)
	must(t, err)
	var m *mpi.Message
	for m == nil {
		m, err = world.Improbe(previous, 9)
		must(t, err)
	}
	got := make([]int, 2)
	r, err := mpi.Imrecv(m, got)
	must(t, err)
	_, err = mpi.WaitAll(r, sent)
	must(t, err)
	want(t, "elements", [2]int(got), [2]int{previous, 5})
}

func TestSlicesOfAnyLengthAreReceived(t *testing.T) {
	next, previous := neighbours()
	for n := range 3 {
		sent, err := mpi.Isend(world, make([]float32, 10*n), next, n)
		must(t, err)
		got, s, err := mpi.RecvSlice[float32](world, previous, n)
		must(t, err)
		want(t, "elements", len(got), 10*n)
		want(t, "source", s.Source(), previous)
		_, err = sent.Wait()
		must(t, err)
	}
	sent, err := mpi.Isend(world, make([]byte, 7), next, 3)
	must(t, err)
	m, err := world.Mprobe(previous, 3)
	must(t, err)
	_, err = mpi.MrecvSlice[int32](m)
	refused(t, "seven bytes as int32", err, mpi.ErrTruncate)
	_, err = mpi.MrecvSlice[byte](m)
	must(t, err)
	_, err = sent.Wait()
	must(t, err)
}

func TestAMessageThatIsNoWholeNumberOfElementsIsNotLost(t *testing.T) {
	next, previous := neighbours()
	for _, n := range []int{7, 1_000_001} {
		mine := make([]byte, n)
		mine[n-1] = byte(world.Rank() + 1)
		sent, err := mpi.Isend(world, mine, next, 4)
		must(t, err)
		got, s, err := mpi.RecvSlice[int64](world, previous, 4)
		refused(t, "bytes as int64", err, mpi.ErrTruncate)
		want(t, "elements", len(got), 0)
		want(t, "source", s.Source(), previous)
		var fragment *mpi.FragmentError
		want(t, "its bytes are there", errors.As(err, &fragment), true)
		want(t, "bytes", len(fragment.Data), n)
		want(t, "last byte", fragment.Data[n-1], byte(previous+1))
		_, err = sent.Wait()
		must(t, err)
	}
}

func TestAMessageIsNotTakenForElementsThatCannotBeReceived(t *testing.T) {
	next, previous := neighbours()
	sent, err := mpi.Isend(world, []int{5}, next, 4)
	must(t, err)
	_, _, err = mpi.RecvSlice[*int](world, previous, 4)
	refused(t, "pointers", err, mpi.ErrType)
	got, _, err := mpi.RecvSlice[int](world, previous, 4)
	must(t, err)
	want(t, "element", got[0], 5)
	_, err = sent.Wait()
	must(t, err)
}
