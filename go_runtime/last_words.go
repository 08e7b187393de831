package mpi

import (
	"os"
	"time"
)

// letLastWordsOut waits until what this process has said was read, half a second at most: some
// launchers throw away what is still in their pipes when a job is aborted.
func letLastWordsOut() {
	for patience := 100; patience > 0 && unread(os.Stderr) > 0; patience-- {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond) // what was read has yet to be passed on
}
