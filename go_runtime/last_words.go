package mpi

import (
	"fmt"
	"os"
	"time"
)

// lastWords writes what this process has to say before it ends the job, and waits until it was
// read, half a second at most: some launchers throw away what is still in their pipes when a job is
// aborted.
func lastWords(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format, values...)
	for patience := 100; patience > 0 && unread(os.Stderr) > 0; patience-- {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond) // what was read has yet to be passed on
}
