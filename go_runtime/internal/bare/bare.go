// Package bare is the least that calls from Go into C can cost, to compare other calls with: the same C functions with
// the same arguments, the library's own words, and no checks.
package bare

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

// Handles are ints here and pointers there: a register holds either.
typedef int (*mpiglot_bare_function)(long, long, long, long, long, long);
typedef struct { int code, value; long request; } mpiglot_bare_result;

static long mpiglot_bare_find(char *name) { return (long)dlsym(RTLD_DEFAULT, name); }

static int mpiglot_bare_nothing(unsigned long handle, int *rank) {
  *rank = (int)handle;
  return 0;
}

static mpiglot_bare_result mpiglot_bare_by_value(unsigned long handle) {
  mpiglot_bare_result r = {0, 0, 0};
  r.code = mpiglot_bare_nothing(handle, &r.value);
  return r;
}

static mpiglot_bare_result mpiglot_bare_iprobe(long f, long source, long tag, long comm) {
  mpiglot_bare_result r = {0, 0, 0};
  long status[4];
  r.code = ((mpiglot_bare_function)f)(source, tag, comm, (long)&r.value, (long)status, 0);
  return r;
}

static mpiglot_bare_result mpiglot_bare_test(long f, long request) {
  mpiglot_bare_result r = {0, 0, request};
  long status[4];
  r.code = ((mpiglot_bare_function)f)((long)&r.request, (long)&r.value, (long)status, 0, 0, 0);
  return r;
}

static int mpiglot_bare_send(long f, char *at, long count, long type, long dest, long tag, long comm) {
  return ((mpiglot_bare_function)f)((long)at, count, type, dest, tag, comm);
}
*/
import "C"

import "unsafe"

// A Function is the address of a C function.
type Function int64

// Find is the address of a function of the MPI library that is loaded.
func Find(name string) Function {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return Function(C.mpiglot_bare_find(text))
}

// Call does what a call of MPI_Comm_rank does, without MPI.
func Call(handle uint64) (int, int) {
	r := C.mpiglot_bare_by_value(C.ulong(handle))
	return int(r.value), int(r.code)
}

// Iprobe calls MPI_Iprobe.
func Iprobe(f Function, source, tag int, comm uint64) (int, int) {
	r := C.mpiglot_bare_iprobe(C.long(f), C.long(source), C.long(tag), C.long(comm))
	return int(r.value), int(r.code)
}

// Test calls MPI_Test.
func Test(f Function, request uint64) (uint64, int, int) {
	r := C.mpiglot_bare_test(C.long(f), C.long(request))
	return uint64(r.request), int(r.value), int(r.code)
}

// Send calls MPI_Send.
func Send(f Function, at unsafe.Pointer, count int, datatype uint64, dest, tag int, comm uint64) int {
	return int(C.mpiglot_bare_send(C.long(f), (*C.char)(at), C.long(count), C.long(datatype), C.long(dest), C.long(tag), C.long(comm)))
}
