// Command ending is a program that ends in one of the ways in which programs end, on one rank, while the
// other ranks wait for it: mpiexec -n 2 ending WAY.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

var ways = map[string]func(){
	"panic": func() {
		start()
		defer mpi.Finalize()
		wait(func() { panic("I cannot go on") })
	},
	"panic-in-function": func() {
		start()
		defer func() { _ = mpi.Finalize() }()
		wait(func() {
			var nothing []int
			nothing[len(os.Args)] = 1
		})
	},
	"panic-low": func() {
		check(low.Init())
		defer low.Finalize()
		rank, err := low.CommRank(low.CommWorld)
		check(err)
		if rank == 1 {
			panic("I cannot go on")
		}
		check(low.Barrier(low.CommWorld))
	},
	"panic-of-goroutine": func() {
		start()
		defer mpi.Finalize()
		wait(func() {
			go func() { panic("I cannot go on") }()
			select {}
		})
	},
	"panic-of-goroutine-in-main": func() {
		mpi.Main(func(world *mpi.Comm) error {
			wait(func() {
				go func() { panic("I cannot go on") }()
				select {}
			})
			return nil
		})
	},
	"panic-in-main": func() {
		mpi.Main(func(world *mpi.Comm) error {
			wait(func() { panic("I cannot go on") })
			return nil
		})
	},
	"exit-in-main": func() {
		mpi.Main(func(world *mpi.Comm) error {
			wait(runtime.Goexit)
			return nil
		})
	},
	"error-in-main": func() {
		mpi.Main(func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				return errors.New("no way to go on")
			}
			return world.Barrier()
		})
	},
	"thread-of-main":          func() { mpi.Main(tellThread) },
	"thread-of-main-funneled": func() { mpi.Main(tellThread, mpi.WithThreads(mpi.ThreadFunneled)) },
	"exit-of-goroutine": func() {
		start()
		defer mpi.Finalize()
		wait(runtime.Goexit)
	},
	"return": func() {
		start()
		defer mpi.Finalize()
		if mpi.World().Rank() == 1 {
			return
		}
		_, err := mpi.Recv(mpi.World(), []int{0}, 1, 1)
		check(err)
	},
	"recovered": func() {
		start()
		defer func() { check(mpi.Finalize()) }()
		func() {
			defer func() { fmt.Println("recovered:", recover()) }()
			panic("that can be mended")
		}()
	},
	"pending": func() {
		start()
		drop()
		check(mpi.World().Barrier())
		check(mpi.Finalize())
		fmt.Println("finalized")
	},
}

// drop begins operations that are never waited for: one that is complete at the end, and one that is not.
func drop() {
	self := mpi.Self()
	_, err := mpi.Irecv(self, []int{0}, 0, 1)
	check(err)
	_, err = mpi.Irecv(self, []int{0}, 0, 2)
	check(err)
	check(mpi.Send(self, []int{7}, 0, 1))
}

// tellThread says whether the goroutine that calls it is bound to a thread, as the first line of its stack does.
func tellThread(world *mpi.Comm) error {
	first, _, _ := strings.Cut(string(debug.Stack()), "\n")
	multiple := mpi.Threads() == mpi.ThreadMultiple
	fmt.Println("bound as it should be:", strings.Contains(first, "locked to thread") != multiple)
	return world.Barrier()
}

func main() {
	if len(os.Args) != 2 || ways[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: ending WAY")
		os.Exit(3)
	}
	ways[os.Args[1]]()
}

func start() {
	check(mpi.Init(mpi.WithFinalizeTimeout(4e9), mpi.WithWarnings(func(s string) { fmt.Fprintln(os.Stderr, "warning:", s) })))
}

// wait lets rank 1 leave while the others wait for it.
func wait(leave func()) {
	if mpi.World().Rank() == 1 {
		leave()
	}
	check(mpi.World().Barrier())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
}
