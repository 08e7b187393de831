// Command messages measures what messages cost by package low and by package mpi: a line each, name, tab, nanoseconds of
// CPU time per message, tab, allocations per message; as benchmarks/messages/messages.c. Both packages take turns.
package main

import (
	"fmt"
	"log"
	"runtime"
	"slices"
	"syscall"
	"time"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

const (
	blocks   = 41
	messages = 26000
	size     = 80
	most     = 1000
)

var (
	sent     [size]byte
	received [most][size]byte
	numbers  [2 * most]low.Request
	statuses [2 * most]low.Status
	requests [2 * most]*mpi.Request
)

func main() {
	if err := mpi.Run(measure); err != nil {
		log.Fatal(err)
	}
}

func measure(*mpi.Comm) error {
	for _, n := range []int{1, 26, most} {
		ways := []struct {
			name     string
			exchange func(n int) error
			each     []float64
			allocs   float64
		}{{name: "low", exchange: byLow}, {name: "mpi", exchange: byMPI}}
		for range blocks {
			for i := range ways {
				w := &ways[i]
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := used()
				for range messages / n {
					if err := w.exchange(n); err != nil {
						return err
					}
				}
				took := used() - start
				runtime.ReadMemStats(&after)
				made := float64(messages / n * n)
				w.each = append(w.each, float64(took.Nanoseconds())/made)
				w.allocs = float64(after.Mallocs-before.Mallocs) / made
			}
		}
		for _, w := range ways {
			slices.Sort(w.each)
			fmt.Printf("%s, %d at once\t%.1f\t%.2f\n", w.name, n, w.each[blocks/2], w.allocs)
		}
	}
	return nil
}

// used is the CPU time of the process, that of the collector included.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func byLow(n int) (err error) {
	for i := range n {
		if numbers[i], err = low.Irecv(low.Slice(received[i][:]), size, low.Uint8T, 0, i, low.CommSelf); err != nil {
			return err
		}
	}
	for i := range n {
		if numbers[n+i], err = low.Isend(low.Slice(sent[:]), size, low.Uint8T, 0, i, low.CommSelf); err != nil {
			return err
		}
	}
	return low.Waitall(numbers[:2*n], statuses[:2*n])
}

func byMPI(n int) (err error) {
	for i := range n {
		if requests[i], err = mpi.Irecv(mpi.Self(), received[i][:], 0, i); err != nil {
			return err
		}
	}
	for i := range n {
		if requests[n+i], err = mpi.Isend(mpi.Self(), sent[:], 0, i); err != nil {
			return err
		}
	}
	if n > 1 {
		_, err = mpi.WaitAll(requests[:2*n]...) // which makes a slice of statuses
		return err
	}
	for _, r := range requests[:2] {
		if _, err = r.Wait(); err != nil {
			return err
		}
	}
	return nil
}
