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
typedef int (*mpiglot_bare_many)(long, long, long, long, long, long, long, long, long, long, long, long);
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

static mpiglot_bare_result mpiglot_bare_wait(long f, long request) {
  mpiglot_bare_result r = {0, 0, request};
  long status[4];
  r.code = ((mpiglot_bare_function)f)((long)&r.request, (long)status, 0, 0, 0, 0);
  return r;
}

static int mpiglot_bare_six(long f, char *at, long a, long b, long c, long d, long e) {
  return ((mpiglot_bare_function)f)((long)at, a, b, c, d, e);
}

static int mpiglot_bare_recv(long f, char *at, long count, long type, long source, long tag, long comm) {
  long status[4];
  return ((mpiglot_bare_many)f)((long)at, count, type, source, tag, comm, (long)status, 0, 0, 0, 0, 0);
}

static mpiglot_bare_result mpiglot_bare_isend(long f, char *at, long count, long type, long dest, long tag, long comm) {
  mpiglot_bare_result r = {0, 0, 0};
  r.code = ((mpiglot_bare_many)f)((long)at, count, type, dest, tag, comm, (long)&r.request, 0, 0, 0, 0, 0);
  return r;
}

static int mpiglot_bare_two(long f, char *send, char *recv, long count, long type, long op, long comm) {
  return ((mpiglot_bare_function)f)((long)send, (long)recv, count, type, op, comm);
}

static int mpiglot_bare_sendrecv(long f, char *send, long sendcount, long sendtype, long dest, long sendtag, char *recv, long recvcount,
                                 long recvtype, long source, long recvtag, long comm) {
  long status[4];
  return ((mpiglot_bare_many)f)((long)send, sendcount, sendtype, dest, sendtag, (long)recv, recvcount, recvtype, source, recvtag, comm, (long)status);
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

// Wait calls MPI_Wait.
func Wait(f Function, request uint64) (uint64, int) {
	r := C.mpiglot_bare_wait(C.long(f), C.long(request))
	return uint64(r.request), int(r.code)
}

// Send calls MPI_Send.
func Send(f Function, at unsafe.Pointer, count int, datatype uint64, dest, tag int, comm uint64) int {
	return int(C.mpiglot_bare_six(C.long(f), (*C.char)(at), C.long(count), C.long(datatype), C.long(dest), C.long(tag), C.long(comm)))
}

// Isend calls MPI_Isend.
func Isend(f Function, at unsafe.Pointer, count int, datatype uint64, dest, tag int, comm uint64) (uint64, int) {
	r := C.mpiglot_bare_isend(C.long(f), (*C.char)(at), C.long(count), C.long(datatype), C.long(dest), C.long(tag), C.long(comm))
	return uint64(r.request), int(r.code)
}

// Recv calls MPI_Recv.
func Recv(f Function, at unsafe.Pointer, count int, datatype uint64, source, tag int, comm uint64) int {
	return int(C.mpiglot_bare_recv(C.long(f), (*C.char)(at), C.long(count), C.long(datatype), C.long(source), C.long(tag), C.long(comm)))
}

// Bcast calls MPI_Bcast.
func Bcast(f Function, at unsafe.Pointer, count int, datatype uint64, root int, comm uint64) int {
	return int(C.mpiglot_bare_six(C.long(f), (*C.char)(at), C.long(count), C.long(datatype), C.long(root), C.long(comm), 0))
}

// Allreduce calls MPI_Allreduce.
func Allreduce(f Function, send, recv unsafe.Pointer, count int, datatype, op, comm uint64) int {
	return int(C.mpiglot_bare_two(C.long(f), (*C.char)(send), (*C.char)(recv), C.long(count), C.long(datatype), C.long(op), C.long(comm)))
}

// Sendrecv calls MPI_Sendrecv with one process.
func Sendrecv(f Function, send, recv unsafe.Pointer, count int, datatype uint64, peer, tag int, comm uint64) int {
	return int(C.mpiglot_bare_sendrecv(C.long(f), (*C.char)(send), C.long(count), C.long(datatype), C.long(peer), C.long(tag),
		(*C.char)(recv), C.long(count), C.long(datatype), C.long(peer), C.long(tag), C.long(comm)))
}
