package main

/*
#cgo LDFLAGS: -ldl
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }

static int choose(void *f, const char *names, uint64_t result, const char *letters, const uint64_t *values) {
  return ((int (*)(const char *, uint64_t, const char *, const uint64_t *))f)(names, result, letters, values);
}

static void *last(void *f) { return ((void *(*)(void))f)(); }

static void copy(void *to, uint64_t from, size_t size) { memcpy(to, (const void *)(uintptr_t)from, size); }

static uint64_t memory(size_t size) { return (uint64_t)(uintptr_t)aligned_alloc(64, size); }

// Overwrites memory that the layer may have allocated and given back.
static void scribble(void) {
  enum { times = 8 };
  void *all[times];
  for (size_t size = 8; size <= 512; size += 8) {
    for (int i = 0; i < times; i++)
      if ((all[i] = malloc(size))) memset(all[i], 0xff, size);
    for (int i = 0; i < times; i++) free(all[i]);
  }
}
*/
import "C"

import "unsafe"

const (
	slots  = 16
	seen   = 256 // bytes of memory that the library copies for each argument
	texts  = 24
	lowest = 1 << 16 // of what can be an address: where a program stands at a fixed place, so does the C heap behind it
)

// answer is what the library in front of MPI tells after a call (struct echo in echo.c).
type answer struct {
	Called, Times int64
	Words         [slots]uint64
	Memory        [slots][seen]byte
	Texts         [slots][2][texts]byte
}

var chooseAt, lastAt unsafe.Pointer

func find(name string) unsafe.Pointer {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	return C.symbol(c)
}

// choose makes the library answer for functions (names separated by commas), and tells how many of them there are.
func choose(names string, result int64, letters string, values []uint64) int {
	c, l := C.CString(names), C.CString(letters)
	defer C.free(unsafe.Pointer(c))
	defer C.free(unsafe.Pointer(l))
	values = append(values, 0)
	return int(C.choose(chooseAt, c, C.uint64_t(result), l, (*C.uint64_t)(&values[0])))
}

func last() *answer { return (*answer)(C.last(lastAt)) }

// memoryAt is a copy of what is at an address now.
func memoryAt(address uint64, size int) []byte {
	out := make([]byte, size+1)
	C.copy(unsafe.Pointer(&out[0]), C.uint64_t(address), C.size_t(size))
	return out[:size]
}

func scribble() { C.scribble() }
