package mpi_test

import (
	"errors"
	"testing"

	"mpiglot.dev/mpi/low"
)

func TestBuffersThatAreTooShortAreRefused(t *testing.T) {
	four := make([]int32, 4)
	var one float64
	for what, err := range map[string]error{
		"five of four":     low.Send(low.Slice(four), 5, low.Int32T, low.ProcNull, 0, low.CommSelf),
		"three doubles":    low.Send(low.Slice(four), 3, low.Double, low.ProcNull, 0, low.CommSelf),
		"two of one":       low.Send(low.Value(&one), 2, low.Double, low.ProcNull, 0, low.CommSelf),
		"far too many":     low.Send(low.Slice(four), 1<<62, low.Double, low.ProcNull, 0, low.CommSelf),
		"one of none":      low.Send(low.Slice([]int32{}), 1, low.Int32T, low.ProcNull, 0, low.CommSelf),
		"a receive":        low.Recv(low.Slice(four), 5, low.Int32T, low.ProcNull, 0, low.CommSelf, nil),
		"a collective":     low.Bcast(low.Slice(four), 5, low.Int32T, 0, low.CommSelf),
		"the result of it": low.Allreduce(low.InPlace, low.Slice(four), 5, low.Int32T, low.Sum, low.CommSelf),
	} {
		if !errors.Is(err, low.ErrLength) {
			t.Errorf("%s: %v", what, err)
		}
	}
	before := low.Pending()
	if _, err := low.Irecv(low.Slice(four), 5, low.Int32T, low.ProcNull, 0, low.CommSelf); !errors.Is(err, low.ErrLength) {
		t.Errorf("a nonblocking receive: %v", err)
	}
	if n := low.Pending(); n != before {
		t.Errorf("%d operations are pending", n-before)
	}
}

func TestBuffersWhoseRoomIsEnoughOrUnknownAreTaken(t *testing.T) {
	four := make([]int32, 4)
	vector, err := low.TypeVector(2, 1, 3, low.Int32T)
	must(t, err)
	must(t, low.TypeCommit(&vector))
	for what, err := range map[string]error{
		"all four":        low.Send(low.Slice(four), 4, low.Int32T, low.ProcNull, 0, low.CommSelf),
		"two doubles":     low.Send(low.Slice(four), 2, low.Double, low.ProcNull, 0, low.CommSelf),
		"a derived type":  low.Send(low.Slice(four), 1, vector, low.ProcNull, 0, low.CommSelf),
		"an address":      low.Send(low.At(nil), 0, low.Int32T, low.ProcNull, 0, low.CommSelf),
		"nothing":         low.Send(low.Buffer{}, 0, low.Int32T, low.ProcNull, 0, low.CommSelf),
		"in place":        low.Allreduce(low.InPlace, low.Slice(four), 4, low.Int32T, low.Sum, low.CommSelf),
		"from the bottom": low.Send(low.Bottom, 0, low.Int32T, low.ProcNull, 0, low.CommSelf),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	must(t, low.TypeFree(&vector))
}
