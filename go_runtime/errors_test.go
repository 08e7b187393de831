package mpi_test

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func TestErrorsTellClassMessageAndFunction(t *testing.T) {
	one := []int{1}
	for _, c := range []struct {
		function string
		class    mpi.Class
		err      error
	}{
		{"MPI_Send", mpi.ErrRank, mpi.Send(world, one, 9999, 1)},
		{"MPI_Send", mpi.ErrTag, mpi.Send(world, one, 0, -5)},
		{"MPI_Bcast", mpi.ErrRoot, mpi.Bcast(world, one, 9999)},
		{"MPI_Send", mpi.ErrCount, low.Send(low.Slice(one), -1, low.Int64T, 0, 1, low.CommWorld)},
		{"MPI_Send", mpi.ErrType, low.Send(low.Slice(one), 1, low.DatatypeNull, 0, 1, low.CommWorld)},
		{"MPI_Send", mpi.ErrComm, low.Send(low.Slice(one), 1, low.Int64T, 0, 1, low.CommNull)},
	} {
		var e *mpi.Error
		if !errors.As(c.err, &e) {
			failNow(t, "%s: got %v", c.class, c.err)
		}
		want(t, "function", e.Function, c.function)
		want(t, "class", e.Class, c.class)
		want(t, "errors.Is", errors.Is(c.err, c.class), true)
		want(t, "errors.Is of something else", errors.Is(c.err, mpi.ErrTruncate), false)
		want(t, "message is there", e.Message != "", true)
		want(t, "text names the class", strings.Contains(e.Error(), "MPI_ERR_"), true)
	}
}

func TestArgumentsThatDoNotFitAreRefused(t *testing.T) {
	one := []int{1}
	err := low.Send(low.Slice(one), 1, low.Int64T, 1<<40, 1, low.CommWorld)
	want(t, "rank beyond int", errors.Is(err, low.ErrRange), true)
	err = low.Send(low.Slice(one), 1, low.Int64T, 0, 1<<40, low.CommWorld)
	want(t, "tag beyond int", errors.Is(err, low.ErrRange), true)
	_, err = low.CommCompare(low.CommWorld, low.CommSelf)
	must(t, err)
	_, err = low.TypeMatchSize(12345, 4)
	want(t, "value that is none of a closed set", errors.Is(err, low.ErrRange), true)
	requests := make([]low.Request, 2)
	for i := range requests {
		requests[i] = low.RequestNull
	}
	err = low.Waitall(requests, make([]low.Status, 1))
	want(t, "arrays of different lengths", errors.Is(err, low.ErrLength), true)
}

// Where rank 0 takes rank-1 for its neighbour, libraries that have that number for nobody must not drop the message.
func TestNumbersThatMeanSomethingToTheLibraryOnlyAreRefused(t *testing.T) {
	one := []int{1}
	for number := -64; number < 0; number++ {
		if number != mpi.ProcNull {
			isNot(t, "destination", number, mpi.ErrRank, mpi.Send(world, one, number, 0))
			isNot(t, "root", number, mpi.ErrRoot, mpi.Bcast(world, one, number))
		}
		if number != mpi.ProcNull && number != mpi.AnySource {
			_, err := mpi.Irecv(world, one, number, 0)
			isNot(t, "source", number, mpi.ErrRank, err)
		}
		if number != mpi.AnyTag {
			_, err := mpi.Irecv(world, one, world.Rank(), number)
			isNot(t, "tag", number, mpi.ErrTag, err)
		}
	}
}

func isNot(t *testing.T, what string, number int, class mpi.Class, err error) {
	t.Helper()
	var e *mpi.Error
	if !errors.As(err, &e) || e.Class != class {
		failNow(t, "%d as %s: %v", number, what, err)
	}
}

// A count beyond int is served by the large-count function, or refused, never cut off.
func TestCountsBeyondIntAreNeverCutOff(t *testing.T) {
	const count = 1<<32 + 3
	var size int
	d, err := low.TypeContiguous(count, low.Byte)
	if err != nil {
		want(t, "error", errors.Is(err, mpi.ErrCount), true)
		return
	}
	size, err = low.TypeSize(d)
	must(t, err)
	want(t, "size", size, count)
	_, extent, err := low.TypeGetExtent(d)
	must(t, err)
	want(t, "extent", extent, count)
	must(t, low.TypeFree(&d))
}

func TestLargeMessagesAreSentOrRefused(t *testing.T) {
	one := []byte{1}
	major, _, err := low.GetVersion()
	must(t, err)
	err = low.Send(low.At(unsafe.Pointer(&one[0])), 1<<33, low.Byte, low.ProcNull, 1, low.CommWorld)
	if major >= 4 {
		must(t, err)
	} else if err != nil { // Intel MPI 2021.14 has the functions, though it says 3.1
		want(t, "error", errors.Is(err, mpi.ErrCount), true)
	}
	if world.Size() == 1 {
		return
	}
	counts := make([]int, world.Size())
	counts[0] = 1 << 33
	request, err := low.Ialltoallv(low.Slice(one), make([]int, world.Size()), counts, low.Byte,
		low.Slice(one), make([]int, world.Size()), counts, low.Byte, low.CommWorld)
	if err != nil {
		want(t, "error", errors.Is(err, mpi.ErrCount) && major < 4, true)
		return
	}
	must(t, low.Wait(&request, nil))
	want(t, "operations that hold memory", low.Pending(), 0)
}

func TestMissingFunctionsSaySo(t *testing.T) {
	major, minor, err := low.GetVersion()
	must(t, err)
	_, err = low.StatusGetSource(new(low.Status))
	if 10*major+minor >= 41 {
		must(t, err)
	} else if err != nil {
		want(t, "error", errors.Is(err, mpi.ErrUnavailable), true)
		want(t, "function is named", strings.Contains(err.Error(), "MPI_Status_get_source"), true)
	}
}

func TestMPIStartsOnlyOnce(t *testing.T) {
	err := low.Init()
	if err == nil || !strings.Contains(err.Error(), "only once") {
		failNow(t, "got %v", err)
	}
}
