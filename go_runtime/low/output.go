//go:build cgo

package low

import (
	"os"
	"time"
)

// Arrive waits until the launcher has read what this process wrote, half a second at most: some
// launchers throw away what is still in their pipes when a job is aborted. Call it before [Abort].
func Arrive() {
	for patience := 100; patience > 0 && unread(os.Stdout)+unread(os.Stderr) > 0; patience-- {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond) // what was read has yet to be passed on
}
