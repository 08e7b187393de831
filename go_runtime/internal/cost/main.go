// Command cost measures what calls cost: a line each, name, tab, nanoseconds of the best of many blocks, as
// benchmarks/calls/c/calls.c. It fails if a call allocates.
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
	buffer := make([]int32, 1)
	if err := low.Recv(low.Slice(buffer), 0, low.Int32T, low.ProcNull, 0, low.CommWorld, &status); err != nil {
		log.Fatal(err)
	}
	measure("a bare call", func() float64 { rank, _ := bare.Call(3); return float64(rank) })
	measure("Comm_rank", func() float64 { rank, _ := low.CommRank(low.CommWorld); return float64(rank) })
	measure("Type_size", func() float64 { size, _ := low.TypeSize(low.Int32T); return float64(size) })
	measure("Get_count", func() float64 { count, _ := low.GetCount(&status, low.Int32T); return float64(count) })
	measure("Wtime", low.Wtime)
	nobody := -1 // MPI_PROC_NULL as the library has it
	if path, version := low.Loaded(); strings.HasPrefix(version, "Open MPI") {
		nobody = -2
	} else if strings.Contains(path, "libmpi_abi") {
		nobody = low.ProcNull
	}
	world, null, int32T := uint64(low.CommWorld), uint64(low.RequestNull), uint64(low.Int32T)
	iprobe, test, send := bare.Find("MPI_Iprobe"), bare.Find("MPI_Test"), bare.Find("MPI_Send")
	measure("Iprobe of nobody, bare", func() float64 {
		flag, _ := bare.Iprobe(iprobe, nobody, 0, world)
		return float64(flag)
	})
	measure("Test of nothing, bare", func() float64 {
		_, flag, _ := bare.Test(test, null)
		return float64(flag)
	})
	measure("Send to nobody, bare", func() float64 {
		return float64(bare.Send(send, unsafe.Pointer(&buffer[0]), 1, int32T, nobody, 0, world))
	})
	measure("Iprobe of nobody", func() float64 {
		_, _ = low.Iprobe(low.ProcNull, 0, low.CommWorld, nil)
		return 0
	})
	request := low.RequestNull
	measure("Test of nothing", func() float64 { _, _ = low.Test(&request, &status); return 0 })
	measure("Send to nobody", func() float64 {
		_ = low.Send(low.Slice(buffer), 1, low.Int32T, low.ProcNull, 0, low.CommWorld)
		return 0
	})
	if err := low.Finalize(); err != nil {
		log.Fatal(err)
	}
}

func measure(name string, call func() float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	best, sum := 1e9, 0.0
	for range blocks {
		start := time.Now()
		for range calls {
			sum += call()
		}
		best = min(best, float64(time.Since(start).Nanoseconds())/calls)
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > calls {
		log.Fatalf("%s allocates: %d times in %d calls", name, n, blocks*calls)
	}
	runtime.KeepAlive(sum)
	fmt.Printf("%s\t%.2f\n", name, best)
}
