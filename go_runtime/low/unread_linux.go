//go:build cgo

package low

import (
	"os"
	"syscall"
	"unsafe"
)

// unread tells how many bytes a reader has yet to take from a pipe; 0 if that cannot be known.
func unread(file *os.File) int {
	var n int32
	_, _, problem := syscall.Syscall(
		syscall.SYS_IOCTL, file.Fd(), syscall.TIOCINQ, uintptr(unsafe.Pointer(&n)),
	)
	if problem != 0 {
		return 0
	}
	return int(n)
}
