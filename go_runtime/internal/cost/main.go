// Command cost measures what calls cost: a line each, name, tab, nanoseconds of the best of many blocks, as
// benchmarks/calls/c/calls.c. Calls that are also made bare take turns with them. It fails if a call allocates.
package main

import (
	"fmt"
	"log"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"mpiglot.dev/mpi/internal/bare"
	"mpiglot.dev/mpi/low"
)

const (
	blocks = 150
	calls  = 20000
)

func main() {
	runtime.LockOSThread()
	if _, err := low.InitThread(low.ThreadMultiple); err != nil {
		log.Fatal(err)
	}
	var status low.Status
	buffer, other := make([]int32, 1), make([]int32, 1)
	made := low.Slice(buffer)
	if err := low.Recv(made, 0, low.Int32T, low.ProcNull, 0, low.CommWorld, &status); err != nil {
		log.Fatal(err)
	}
	nobody := -1 // MPI_PROC_NULL as the library has it
	if path, version := low.Loaded(); strings.HasPrefix(version, "Open MPI") {
		nobody = -2
	} else if strings.Contains(path, "libmpi_abi") {
		nobody = low.ProcNull
	}
	world, self, null, int32T, sum := uint64(low.CommWorld), uint64(low.CommSelf), uint64(low.RequestNull), uint64(low.Int32T), uint64(low.Sum)
	at, to := unsafe.Pointer(&buffer[0]), unsafe.Pointer(&other[0])
	request, none := low.RequestNull, low.ProcNull
	iprobe, test, wait := bare.Find("MPI_Iprobe"), bare.Find("MPI_Test"), bare.Find("MPI_Wait")
	send, recv, isend, sendrecv := bare.Find("MPI_Send"), bare.Find("MPI_Recv"), bare.Find("MPI_Isend"), bare.Find("MPI_Sendrecv")
	bcast, allreduce := bare.Find("MPI_Bcast"), bare.Find("MPI_Allreduce")

	measure("a bare call", func() { bare.Call(3) })
	measure("Comm_rank", func() { _, _ = low.CommRank(low.CommWorld) })
	measure("Type_size", func() { _, _ = low.TypeSize(low.Int32T) })
	measure("Get_count", func() { _, _ = low.GetCount(&status, low.Int32T) })
	measure("Wtime", func() { low.Wtime() })
	beside("Iprobe of nobody",
		func() { bare.Iprobe(iprobe, nobody, 0, world) },
		func() { _, _ = low.Iprobe(none, 0, low.CommWorld, nil) },
		row{"Iprobe of nobody, with a status", func() { _, _ = low.Iprobe(none, 0, low.CommWorld, &status) }})
	beside("Test of nothing",
		func() { bare.Test(test, null) },
		func() { _, _ = low.Test(&request, &status) },
		row{"Test of nothing, without a status", func() { _, _ = low.Test(&request, nil) }})
	beside("Wait for nothing",
		func() { bare.Wait(wait, null) },
		func() { _ = low.Wait(&request, &status) })
	beside("Send to nobody",
		func() { bare.Send(send, at, 1, int32T, nobody, 0, world) },
		func() { _ = low.Send(low.Slice(buffer), 1, low.Int32T, none, 0, low.CommWorld) },
		row{"Send to nobody, its Buffer made before", func() { _ = low.Send(made, 1, low.Int32T, none, 0, low.CommWorld) }})
	beside("Recv from nobody",
		func() { bare.Recv(recv, at, 1, int32T, nobody, 0, world) },
		func() { _ = low.Recv(low.Slice(buffer), 1, low.Int32T, none, 0, low.CommWorld, &status) })
	beside("Sendrecv with nobody",
		func() { bare.Sendrecv(sendrecv, at, to, 1, int32T, nobody, 0, world) },
		func() {
			_ = low.Sendrecv(low.Slice(buffer), 1, low.Int32T, none, 0, low.Slice(other), 1, low.Int32T, none, 0, low.CommWorld, &status)
		})
	beside("Bcast to oneself",
		func() { bare.Bcast(bcast, at, 1, int32T, 0, self) },
		func() { _ = low.Bcast(low.Slice(buffer), 1, low.Int32T, 0, low.CommSelf) })
	beside("Allreduce with oneself",
		func() { bare.Allreduce(allreduce, at, to, 1, int32T, sum, self) },
		func() { _ = low.Allreduce(low.Slice(buffer), low.Slice(other), 1, low.Int32T, low.Sum, low.CommSelf) })
	beside("Isend to nobody and Wait",
		func() {
			r, _ := bare.Isend(isend, at, 1, int32T, nobody, 0, world)
			bare.Wait(wait, r)
		},
		func() {
			r, _ := low.Isend(low.Slice(buffer), 1, low.Int32T, none, 0, low.CommWorld)
			_ = low.Wait(&r, &status)
		},
		row{"Isend to nobody and Wait, bare and pinned", func() {
			var p runtime.Pinner
			p.Pin(at)
			r, _ := bare.Isend(isend, at, 1, int32T, nobody, 0, world)
			bare.Wait(wait, r)
			p.Unpin()
		}})
	if err := low.Finalize(); err != nil {
		log.Fatal(err)
	}
}

type row struct {
	name string
	call func()
}

// beside measures a call, the same made bare, and others like them.
func beside(name string, bare, call func(), others ...row) {
	rows(append([]row{{name + ", bare", bare}, {name, call}}, others...))
}

func measure(name string, call func()) { rows([]row{{name, call}}) }

func rows(rows []row) {
	best := make([]float64, len(rows))
	for range blocks {
		for i, r := range rows {
			start := time.Now()
			for range calls {
				r.call()
			}
			each := float64(time.Since(start).Nanoseconds()) / calls
			if best[i] == 0 || each < best[i] {
				best[i] = each
			}
		}
	}
	for i, r := range rows {
		fmt.Printf("%s\t%.2f\n", r.name, best[i])
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			r.call()
		}
		runtime.ReadMemStats(&after)
		if n := after.Mallocs - before.Mallocs; n > calls/10 && !strings.Contains(r.name, "pinned") {
			log.Fatalf("%s allocates: %d times in %d calls", r.name, n, calls)
		}
	}
}
