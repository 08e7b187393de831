package low

// #include "mpiglot.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// Error is the error that an MPI function returned.
//
//	var e *low.Error
//	if errors.As(err, &e) { fmt.Println(e.Function, e.Class, e.Message) }
//	if errors.Is(err, low.ErrTruncate) { ... }
type Error struct {
	Class    Class  // what kind of error, one of the Err constants
	Code     int    // the library's own number, which may say more
	Message  string // the library's text
	Function string // the C function that failed, "MPI_Send"
	own      error  // which of the errors of this package it is, too
}

// Unwrap is the error of this package that it is, too: [ErrRange] of a rank that the C function was not given.
func (e *Error) Unwrap() error { return e.own }

func (e *Error) Error() string {
	var b strings.Builder
	if e.Function != "" {
		b.WriteString(e.Function)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	b.WriteString(" (")
	b.WriteString(e.Class.Error())
	b.WriteString(")")
	return b.String()
}

// Is lets errors.Is compare with a [Class].
func (e *Error) Is(target error) bool {
	c, ok := target.(Class)
	return ok && c == e.Class
}

// A Class is an error class, one of the Err constants; [errors.Is] finds it in an [Error].
type Class int

func (c Class) Error() string {
	if name := errorClassValues.nameOf(int(c)); name != "" {
		return name
	}
	return fmt.Sprintf("error class %d", int(c))
}

// Errors of this package itself.
var (
	// ErrUnavailable is the error of a function that the loaded library does not have.
	ErrUnavailable = errors.New("the MPI library in use does not have this function")
	// ErrNotRunning is the error of a call before init or after finalize.
	ErrNotRunning = errors.New("MPI is not running: call Init first, and nothing after Finalize")
	// ErrNotLoaded is the error of a call before a library is loaded.
	ErrNotLoaded = errors.New("no MPI library is loaded: call Init or Load first")
	// ErrPanicking is the error of [Finalize] while the goroutine panics.
	ErrPanicking = errors.New("MPI does not wait for the other processes while this one panics")
	// ErrRange is the error of an argument that the C function cannot be given, such as a text with a NUL inside.
	ErrRange = errors.New("an argument does not fit its C type, or is no value that may stand there")
	// ErrWrongThread is the error of a call on another thread than that of the main goroutine where the
	// library was started without support for that.
	ErrWrongThread = errors.New("MPI was started without support for calls from other goroutines than the main one: ask InitThread for ThreadMultiple")
	// ErrLength is the error of arrays and buffers that are too short, or that belong together and differ in length.
	ErrLength = errors.New("an array or a buffer does not have the length that it must have")
	// ErrTooManyCallbacks is the error of a callback for which there is no slot left.
	ErrTooManyCallbacks = errors.New("too many callbacks of this type were made")
)

var ownErrors = map[int64]error{
	C.MPG_UNAVAILABLE:  ErrUnavailable,
	C.MPG_NOT_LOADED:   ErrNotLoaded,
	C.MPG_NOT_RUNNING:  ErrNotRunning,
	C.MPG_WRONG_THREAD: ErrWrongThread,
	C.MPG_RANGE:        ErrRange,
	C.MPG_LENGTH:       ErrLength,
	C.MPG_NO_SLOT:      ErrTooManyCallbacks,
	C.MPG_MEMORY:       errors.New("out of memory"),
}

// noNumbers says what numbers are not that would mean something to the library only, or do not fit a C int.
var noNumbers = map[int64]struct {
	class   Class
	message string
}{
	C.MPG_NO_RANK: {ErrRank, "it is no rank: ranks are numbers from 0, or have names such as ProcNull"},
	C.MPG_NO_ROOT: {ErrRoot, "it is no root: roots are ranks from 0, or have names between two groups"},
	C.MPG_NO_TAG:  {ErrTag, "it is no tag: tags are numbers from 0, and a receive may say AnyTag"},
}

// newError makes the error for what a C function returned.
func newError(function string, code int64) error {
	if code == C.MPG_COUNT {
		return &Error{Class: ErrCount, Code: int(code), Function: function,
			Message: "the count does not fit and the library has no large-count function"}
	}
	if what, ok := noNumbers[code]; ok {
		return &Error{Class: what.class, Code: int(code), Message: what.message, Function: function, own: ErrRange}
	}
	if own, ok := ownErrors[code]; ok {
		if code == C.MPG_UNAVAILABLE && inUse.library != nil {
			return fmt.Errorf("%s: %w (%s)", function, own, inUse.library.name)
		}
		return fmt.Errorf("%s: %w", function, own)
	}
	var cls, length C.int
	text := make([]byte, maxErrorString+1)
	known := C.mpg_error_text(C.int(code), &cls, (*C.char)(unsafe.Pointer(&text[0])), &length)
	e := &Error{Class: Class(errorClassValues.out(int64(cls))), Code: int(code), Function: function}
	if known != 0 {
		e.Message = strings.TrimSpace(string(text[:length]))
	} else {
		e.Message = fmt.Sprintf("error code %d", code)
	}
	return e
}

// check is the error that a C function returned, nil if it succeeded.
func check(function string, code int64) error {
	if code == 0 && !panicked.Load() {
		return nil
	}
	return failed(function, code)
}

// checkTool is the same for MPI_T functions, whose codes are classes and need no running MPI.
func checkTool(function string, code int64) error {
	if code == 0 && !panicked.Load() {
		return nil
	}
	return toolError(function, code)
}

// failed is the error for a code; if a callback panicked meanwhile, the panic goes on here.
func failed(function string, code int64) error {
	if panicked.Load() {
		passOn()
	}
	if code == 0 {
		return nil
	}
	return newError(function, code)
}

func toolError(function string, code int64) error {
	if panicked.Load() {
		passOn()
	}
	if code == 0 {
		return nil
	}
	if _, ok := ownErrors[code]; ok || C.mpg_ready() != 0 {
		return newError(function, code)
	}
	class := Class(errorClassValues.out(code))
	return &Error{Class: class, Code: int(code), Message: class.Error(), Function: function}
}

// codeOf is the library's code for an error, as callbacks return it.
func codeOf(err error) int64 {
	var e *Error
	var c Class
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return int64(e.Code)
	case errors.As(err, &c):
		return errorClassValues.in(int(c))
	default:
		return errorClassValues.in(int(ErrOther))
	}
}
