package mpi_test

import (
	"testing"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestEveryElementTypeTravels(t *testing.T) {
	travels[int](t, 1, -2, 3)
	travels[int8](t, 1, -2, 3)
	travels[int16](t, 1, -2, 3)
	travels[int32](t, 1, -2, 3)
	travels[int64](t, 1, -2, 3)
	travels[uint](t, 1, 2, 3)
	travels[uint8](t, 1, 2, 255)
	travels[uint16](t, 1, 2, 65535)
	travels[uint32](t, 1, 2, 3)
	travels[uint64](t, 1, 2, 1<<63)
	travels[float32](t, 1.5, -2, 3)
	travels[float64](t, 1.5, -2, 3)
	travels[complex64](t, 1+2i, -2, 3)
	travels[complex128](t, 1+2i, -2, 3)
	travels[bool](t, true, false, true)
	type celsius float64
	travels[celsius](t, 21.5, -3)
	type point struct {
		X, Y  float64
		Label [3]byte
		Up    bool
	}
	travels(t, point{1, 2, [3]byte{7, 8, 9}, true}, point{-1, 0, [3]byte{}, false})
	travels(t, [2]int32{1, 2}, [2]int32{3, 4})
}

func travels[T comparable](t *testing.T, values ...T) {
	t.Helper()
	next, previous := neighbours()
	got := make([]T, len(values)+2)
	status, err := mpi.Sendrecv(world, values, next, 5, got, previous, mpi.AnyTag)
	must(t, err)
	n, err := mpi.Count[T](&status)
	must(t, err)
	want(t, "count", n, len(values))
	for i := range values {
		want(t, "element", got[i], values[i])
	}
}

func TestElementsWithPointersAreRefused(t *testing.T) {
	if err := mpi.Send(world, []string{"a"}, 0, 1); err == nil {
		failNow(t, "strings were sent")
	}
	if _, err := mpi.Isend(world, []*int{nil}, 0, 1); err == nil {
		failNow(t, "pointers were sent")
	}
}

func TestNamedValuesMeanTheSameOnEveryLibrary(t *testing.T) {
	next, previous := neighbours()
	got := []int{0}
	r, err := mpi.Irecv(world, got, mpi.AnySource, mpi.AnyTag)
	must(t, err)
	must(t, mpi.Send(world, []int{42}, next, 17))
	status, err := r.Wait()
	must(t, err)
	want(t, "source", status.Source(), previous)
	want(t, "tag", status.Tag(), 17)
	want(t, "element", got[0], 42)

	must(t, mpi.Send(world, []int{1}, mpi.ProcNull, 3))
	status, err = mpi.Recv(world, got, mpi.ProcNull, 3)
	must(t, err)
	want(t, "source of nothing", status.Source(), mpi.ProcNull)
	want(t, "tag of nothing", status.Tag(), mpi.AnyTag)
	n, err := mpi.Count[int](&status)
	must(t, err)
	want(t, "count of nothing", n, 0)
}

func TestProbeTellsAboutAMessage(t *testing.T) {
	next, previous := neighbours()
	r, err := mpi.Isend(world, []float64{1, 2, 3}, next, 8)
	must(t, err)
	status, err := world.Probe(previous, 8)
	must(t, err)
	n, err := mpi.Count[float64](&status)
	must(t, err)
	want(t, "count", n, 3)
	got := make([]float64, n)
	_, err = mpi.Recv(world, got, status.Source(), status.Tag())
	must(t, err)
	want(t, "last element", got[2], 3.0)
	_, err = r.Wait()
	must(t, err)
}

func TestLayoutsPickElementsOnBothSides(t *testing.T) {
	const rows, columns = 6, 5
	next, previous := neighbours()
	matrix := make([]int32, rows*columns)
	for i := range matrix {
		matrix[i] = int32(1000*world.Rank() + i)
	}
	column, err := mpi.Every[int32](rows, 1, columns)
	must(t, err)
	want(t, "length", column.Len(), rows)
	into := make([]int32, rows*columns)
	r, err := mpi.IrecvLayout(world, column, into[3:], previous, 1)
	must(t, err)
	must(t, mpi.SendLayout(world, column, matrix[2:], next, 1))
	_, err = r.Wait()
	must(t, err)
	for i, v := range into {
		expected := int32(0)
		if i%columns == 3 {
			expected = int32(1000*previous + i - 1)
		}
		want(t, "element", v, expected)
	}
	if err := mpi.SendLayout(world, column, matrix[:10], next, 1); err == nil {
		failNow(t, "a slice that is too short was sent")
	}
	must(t, column.Free())
}

func TestPersistentRequestsKeepTheirBuffers(t *testing.T) {
	next, previous := neighbours()
	before := low.Pending()
	out, in := []int64{0}, []int64{0}
	send, err := low.SendInit(low.Slice(out), 1, low.Int64T, next, 2, low.CommWorld)
	must(t, err)
	receive, err := low.RecvInit(low.Slice(in), 1, low.Int64T, previous, 2, low.CommWorld)
	must(t, err)
	for i := range 5 {
		out[0] = int64(100*world.Rank() + i)
		requests := []low.Request{receive, send}
		must(t, low.Startall(requests))
		must(t, low.Waitall(requests, nil))
		want(t, "request after completion", requests[0], receive)
		want(t, "element", in[0], int64(100*previous+i))
	}
	want(t, "operations that hold memory", low.Pending(), before+2)
	must(t, low.RequestFree(&send))
	must(t, low.RequestFree(&receive))
	want(t, "freed request", send, low.RequestNull)
	want(t, "operations that hold memory", low.Pending(), before)
}

func TestManyRequestsComplete(t *testing.T) {
	const n = 40 // more than the layer converts without allocation
	next, previous := neighbours()
	var requests []low.Request
	in := make([][]int32, n)
	for i := range n {
		in[i] = make([]int32, 1)
		r, err := low.Irecv(low.Slice(in[i]), 1, low.Int32T, previous, i, low.CommWorld)
		must(t, err)
		requests = append(requests, r)
	}
	for i := range n {
		r, err := low.Isend(low.Slice([]int32{int32(i * i)}), 1, low.Int32T, next, i, low.CommWorld)
		must(t, err)
		requests = append(requests, r)
	}
	indices := make([]int, len(requests))
	statuses := make([]low.Status, len(requests))
	completed := 0
	for completed < len(requests) {
		count, err := low.Waitsome(requests, indices, statuses)
		must(t, err)
		for i, index := range indices[:count] {
			want(t, "request", requests[index], low.RequestNull)
			if index < n {
				want(t, "tag", statuses[i].Tag(), index)
				want(t, "source", statuses[i].Source(), previous)
			}
		}
		completed += count
	}
	count, err := low.Waitsome(requests, indices, statuses)
	must(t, err)
	want(t, "count when nothing is pending", count, low.Undefined)
	for i := range n {
		want(t, "element", in[i][0], int32(i*i))
	}
	want(t, "operations that hold memory", low.Pending(), 0)
}
