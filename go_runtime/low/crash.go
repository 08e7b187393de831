package low

// #include "mpiglot.h"
import "C"

import (
	"os"
	"runtime"
	"runtime/debug"
)

// NameCrashes lets a crash of the program, such as a panic of any goroutine, say which process it is: who is such as
// "rank 3 of 4". It takes [debug.SetCrashOutput] for that, and works once.
func NameCrashes(who string) {
	fd := int(C.mpg_name_crashes((*C.char)(cText("\n[" + who + " ends by this crash]\n"))))
	if fd < 0 {
		return
	}
	file := os.NewFile(uintptr(fd), "crash")
	_ = debug.SetCrashOutput(file, debug.CrashOptions{}) // without it the crash has no name
	_ = file.Close()                                     // a copy is used
}

// Unwinding tells whether a function is called because the goroutine is being left: "panic", "Goexit", or "".
func Unwinding() string {
	callers := make([]uintptr, 64)
	n := runtime.Callers(2, callers)
	for n == len(callers) {
		callers = make([]uintptr, 2*n)
		n = runtime.Callers(2, callers)
	}
	for frames := runtime.CallersFrames(callers[:n]); ; {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			return "panic"
		case frame.Function == "runtime.Goexit":
			return "Goexit"
		case !more:
			return ""
		}
	}
}
