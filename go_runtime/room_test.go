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

func TestMemoryOfFewerBytesThanSaidIsRefused(t *testing.T) {
	four, bytes := make([]int32, 4), make([]byte, 16)
	at := 0
	pack := func(size int) error {
		at = 0
		return low.Pack(low.Slice(four), 4, low.Int32T, low.Slice(bytes), size, &at, low.CommSelf)
	}
	unpack := func(size int) error {
		at = 0
		return low.Unpack(low.Slice(bytes), size, &at, low.Slice(four), 4, low.Int32T, low.CommSelf)
	}
	packExternal := func(size int) error {
		at = 0
		return low.PackExternal("external32", low.Slice(four), 4, low.Int32T, low.Slice(bytes), size, &at)
	}
	unpackExternal := func(size int) error {
		at = 0
		return low.UnpackExternal("external32", low.Slice(bytes), size, &at, low.Slice(four), 4, low.Int32T)
	}
	for what, call := range map[string]func(int) error{
		"pack": pack, "unpack": unpack, "pack external": packExternal, "unpack external": unpackExternal,
	} {
		if err := call(17); !errors.Is(err, low.ErrLength) {
			t.Errorf("%s with 17 bytes of 16: %v", what, err)
		}
		must(t, call(16))
	}
	_, err := low.WinCreate(low.Slice(bytes), 17, 1, low.InfoNull, low.CommSelf)
	want(t, "a window of 17 bytes of 16 is refused", errors.Is(err, low.ErrLength), true)
	err = low.BufferAttach(low.Slice(bytes), 1<<20)
	want(t, "a megabyte of 16 bytes is refused", errors.Is(err, low.ErrLength), true)
}

// MPICH writes and reads behind the memory.
func TestPositionsOutsideOfWhatIsPackedAreRefused(t *testing.T) {
	four, bytes := make([]int32, 4), make([]byte, 16)
	for what, call := range map[string]func(n int, at *int) error{
		"pack": func(n int, at *int) error {
			return low.Pack(low.Slice(four), n, low.Int32T, low.Slice(bytes), 16, at, low.CommSelf)
		},
		"unpack": func(n int, at *int) error {
			return low.Unpack(low.Slice(bytes), 16, at, low.Slice(four), n, low.Int32T, low.CommSelf)
		},
		"pack external": func(n int, at *int) error {
			return low.PackExternal("external32", low.Slice(four), n, low.Int32T, low.Slice(bytes), 16, at)
		},
		"unpack external": func(n int, at *int) error {
			return low.UnpackExternal("external32", low.Slice(bytes), 16, at, low.Slice(four), n, low.Int32T)
		},
	} {
		for _, at := range []int{-4, 17, 1 << 20} {
			now := at
			if err := call(1, &now); !errors.Is(err, low.ErrLength) || now != at {
				t.Errorf("%s at %d of 16 bytes: %v, then at %d", what, at, err, now)
			}
		}
		at := 12
		must(t, call(1, &at))
		want(t, what+" of the last four bytes", at, 16)
	}
	at := 8
	err := low.Pack(low.Slice(four), 3, low.Int32T, low.Slice(bytes), 16, &at, low.CommSelf)
	want(t, "twelve bytes behind eight of 16 are refused", errors.Is(err, low.ErrLength), true)
	at = 8
	err = low.Unpack(low.Slice(bytes), 16, &at, low.Slice(four), 3, low.Int32T, low.CommSelf)
	want(t, "and when they are unpacked", errors.Is(err, low.ErrLength), true)
}

// MPI writes and reads as many integers as its status has, and as many texts and hints as programs are counted.
func TestArraysThatMPITakesToBeLongerAreRefused(t *testing.T) {
	var status low.Status
	spawn := func(commands []string, argv [][]string, info []low.Info) error {
		_, err := low.CommSpawnMultiple(commands, argv, []int{1, 1}, info, 0, low.CommSelf, nil)
		return err
	}
	none := []low.Info{low.InfoNull, low.InfoNull}
	for what, err := range map[string]error{
		"a status for Fortran":  low.StatusC2f(&status, make([]int, low.FStatusSize-1)),
		"none":                  low.StatusC2f(&status, nil),
		"a status from Fortran": low.StatusF2c(make([]int, low.FStatusSize-1), &status),
		"no programs":           spawn(nil, nil, none),
		"one of two programs":   spawn([]string{"/nowhere"}, nil, none),
		"arguments of one":      spawn([]string{"/nowhere", "/nowhere"}, [][]string{{"x"}}, none),
		"no hints":              spawn([]string{"/nowhere", "/nowhere"}, nil, nil),
	} {
		if !errors.Is(err, low.ErrLength) && !errors.Is(err, low.ErrUnavailable) {
			t.Errorf("%s: %v", what, err)
		}
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

// Where an array counts MPI would follow the null pointer, and the process would end.
func TestArraysThatAreAbsentAreRefusedWhereTheyCount(t *testing.T) {
	n := world.Size()
	all, own, ones, places := make([]int32, n), []int32{int32(world.Rank())}, make([]int, n), make([]int, n)
	for i := range ones {
		ones[i], places[i] = 1, i
	}
	gather := func(counts, displs []int) error {
		return low.Gatherv(low.Slice(own), 1, low.Int32T, low.Slice(all), counts, displs, low.Int32T, 0, low.CommWorld)
	}
	_, graph := low.DistGraphCreate(low.CommSelf, []int{0}, []int{1}, nil, nil, low.InfoNull, false)
	_, gathered := low.Iallgatherv(low.Slice(own), 1, low.Int32T, low.Buffer{}, ones, places, low.Int32T, low.CommWorld)
	_, exchanged := low.Ialltoallv(low.Buffer{}, ones, places, low.Int32T, low.Slice(all), ones, places, low.Int32T, low.CommWorld)
	_, scatter := low.IreduceScatter(low.Slice(all), low.Slice(own), nil, low.Int32T, low.Sum, low.CommWorld)
	for what, err := range map[string]error{
		"allgatherv": low.Allgatherv(low.Slice(own), 1, low.Int32T, low.Slice(all), nil, places, low.Int32T, low.CommWorld),
		"places":     low.Allgatherv(low.Slice(own), 1, low.Int32T, low.Slice(all), ones, nil, low.Int32T, low.CommWorld),
		"alltoallv":  low.Alltoallv(low.Slice(all), nil, nil, low.Int32T, low.Slice(all), ones, places, low.Int32T, low.CommWorld),
		"types":      low.Alltoallw(low.InPlace, nil, nil, nil, low.Slice(all), ones, places, nil, low.CommWorld),
		"graph":      graph,
		"scatter":    scatter,
		"memory":     gathered,
		"to send":    exchanged,
	} {
		if !errors.Is(err, low.ErrLength) {
			t.Errorf("%s without an array gave %v", what, err)
		}
	}
	if world.Rank() == 0 {
		if err := gather(nil, nil); !errors.Is(err, low.ErrLength) {
			t.Errorf("gatherv at the root gave %v", err)
		}
		_, err := low.Igatherv(low.Slice(own), 1, low.Int32T, low.Slice([]int32(nil)), ones, places, low.Int32T, 0, low.CommWorld)
		want(t, "memory is missing at the root", errors.Is(err, low.ErrLength), true)
		must(t, gather(ones, places))
		want(t, "last of all", all[n-1], int32(n-1))
	} else {
		must(t, gather(nil, nil))
	}
	must(t, low.Alltoallv(low.InPlace, nil, nil, low.DatatypeNull, low.Slice(all), ones, places, low.Int32T, low.CommWorld))
}
