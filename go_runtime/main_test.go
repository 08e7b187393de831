package mpi_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"mpiglot.dev/mpi"
)

// The tests run in all processes of an MPI job at once, and each of them is written for any number of
// processes. The test binary is built once and started with the mpiexec of any MPI:
//
//	go test -c -o tests && mpiexec -n 3 ./tests
//
// Plain `go test` starts itself in this way with 1, 2 and 4 processes, by the program that MPIEXEC
// names or the mpiexec on PATH.

var world *mpi.Comm

// defects are what is known to be wrong with the library, by the ids of provision/matrix.json.
var defects = func() map[string]bool {
	known := map[string]bool{}
	for _, id := range strings.FieldsFunc(os.Getenv("MPIGLOT_DEFECTS"), func(r rune) bool { return r == ',' || r == ' ' }) {
		known[id] = true
	}
	return known
}()

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv("MPIGLOT_TEST_ALONE") == "" && !launched() {
		if launcher := findLauncher(); launcher != "" {
			os.Exit(startJobs(launcher))
		}
		fmt.Fprintln(os.Stderr, "no mpiexec found (MPIEXEC names one): testing with one process")
	}
	if err := mpi.Init(mpi.WithWarnings(say)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	world = mpi.World()
	if world.Rank() == 0 && os.Getenv("MPIGLOT_TEST_QUIET") == "" {
		path, version := mpi.Library()
		fmt.Printf("%d processes, %s (%s), %v\n", world.Size(), version, path, mpi.Threads())
		_ = flag.Set("test.v", "true")
	}
	code := m.Run()
	if code != 0 {
		world.Abort(code) // the others may wait for this process
	}
	if err := mpi.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func launched() bool {
	for _, name := range []string{"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

func findLauncher() string {
	if name := os.Getenv("MPIEXEC"); name != "" {
		return name
	}
	path, err := exec.LookPath("mpiexec")
	if err != nil {
		return ""
	}
	return path
}

func startJobs(launcher string) int {
	for _, n := range []int{1, 2, 4} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Minute)
		command := exec.CommandContext(ctx, launcher, append([]string{"-n", strconv.Itoa(n), os.Args[0]}, os.Args[1:]...)...)
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		err := command.Run()
		cancel()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s -n %d: %v\n", launcher, n, err)
			return 1
		}
	}
	return 0
}

// must ends the whole job if there is an error: the other processes may wait for this one.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		failNow(t, "%v", err)
	}
}

// want ends the whole job if a value is not the expected one.
func want[T comparable](t testing.TB, what string, got, expected T) {
	t.Helper()
	if got != expected {
		failNow(t, "%s is %v, not %v", what, got, expected)
	}
}

func failNow(t testing.TB, format string, arguments ...any) {
	t.Helper()
	_, file, line, _ := runtime.Caller(2)
	fmt.Fprintf(os.Stderr, "--- FAIL: %s on rank %d (%s:%d): %s\n", t.Name(), world.Rank(), file, line, fmt.Sprintf(format, arguments...))
	world.Abort(1)
}

func neighbours() (next, previous int) {
	rank, size := world.Rank(), world.Size()
	return (rank + 1) % size, (rank + size - 1) % size
}
