// What libraries share that stand between a program and its MPI: names and numbers of the functions in
// functions.h (made by counter.py, see counter.c), the MPI's own, and who called.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uintptr_t word;

#define CODE(name, arity) id_##name,
#define VALUE CODE
#define REAL CODE
#define LAST CODE
enum {
#include "functions.h"
  all
};
#undef CODE
#define CODE(name, arity) #name,
static const char* const names[] = {
#include "functions.h"
};
#undef CODE
#undef VALUE
#undef REAL
#undef LAST

#ifdef ONLY_LARGE
// Who looks for functions by name (Go) does not find one that has a twin for large counts, and takes
// the twin. At the end stands a jump (-O2), so that RTLD_NEXT still means what follows the caller.
static int has_twin(const char* name) {
  const size_t length = strlen(name);
  for (int id = 0; id < all; ++id)
    if (strncmp(names[id], name, length) == 0 && strcmp(names[id] + length, "_c") == 0) return 1;
  return 0;
}

void* dlsym(void* handle, const char* name) {
  static void* (*real)(void*, const char*);
  if (real == NULL) real = (void* (*)(void*, const char*))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (handle != RTLD_NEXT && strncmp(name, "MPI_", 4) == 0 && has_twin(name)) return NULL;
  return real(handle, name);
}
#endif

static uintptr_t library_begin, library_end;

static int find_library(struct dl_phdr_info* info, size_t size, void* inside) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    const uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && begin <= (uintptr_t)inside &&
        (uintptr_t)inside < end) {
      library_end = end;
      library_begin = begin;
      return 1;
    }
  }
  return 0;
}

static void* find(int id) {
  void* function = dlsym(RTLD_NEXT, names[id]);
  if (function == NULL) {
    fprintf(stderr, "mpiglot: no %s in the MPI library\n", names[id]);
    abort();
  }
  if (library_end == 0) dl_iterate_phdr(find_library, function);
  return function;
}

// Calls that the MPI makes to itself are not the program's.
static int is_inside(void* caller) {
  return (uintptr_t)caller >= library_begin && (uintptr_t)caller < library_end;
}

#define PARAMETERS_0 void
#define PARAMETERS_1 word a
#define PARAMETERS_2 PARAMETERS_1, word b
#define PARAMETERS_3 PARAMETERS_2, word c
#define PARAMETERS_4 PARAMETERS_3, word d
#define PARAMETERS_5 PARAMETERS_4, word e
#define PARAMETERS_6 PARAMETERS_5, word f
#define PARAMETERS_7 PARAMETERS_6, word g
#define PARAMETERS_8 PARAMETERS_7, word h
#define PARAMETERS_9 PARAMETERS_8, word i
#define PARAMETERS_10 PARAMETERS_9, word j
#define PARAMETERS_11 PARAMETERS_10, word k
#define PARAMETERS_12 PARAMETERS_11, word l
#define PARAMETERS_13 PARAMETERS_12, word m
#define PARAMETERS_14 PARAMETERS_13, word n
#define ARGUMENTS_0
#define ARGUMENTS_1 a
#define ARGUMENTS_2 ARGUMENTS_1, b
#define ARGUMENTS_3 ARGUMENTS_2, c
#define ARGUMENTS_4 ARGUMENTS_3, d
#define ARGUMENTS_5 ARGUMENTS_4, e
#define ARGUMENTS_6 ARGUMENTS_5, f
#define ARGUMENTS_7 ARGUMENTS_6, g
#define ARGUMENTS_8 ARGUMENTS_7, h
#define ARGUMENTS_9 ARGUMENTS_8, i
#define ARGUMENTS_10 ARGUMENTS_9, j
#define ARGUMENTS_11 ARGUMENTS_10, k
#define ARGUMENTS_12 ARGUMENTS_11, l
#define ARGUMENTS_13 ARGUMENTS_12, m
#define ARGUMENTS_14 ARGUMENTS_13, n
