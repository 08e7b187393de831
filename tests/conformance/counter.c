// Counts every MPI call of a program, and every success: preloaded, or linked before the MPI.
//
// functions.h, made by counter.py from what the MPI exports, has a line `CODE(name, arity)` for each
// function that returns an error code, `VALUE` for other results, `REAL` for doubles, `LAST` for what never returns. All arguments
// of MPI are integers and pointers, which the calling conventions of Linux pass in words, so that one
// source serves every MPI and no <mpi.h> is needed. The counts live in a file that all processes
// map (MPIGLOT_COUNTS names it): nothing is lost when one of them aborts, and nothing must be merged.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uintptr_t word;

struct count {
  char name[48];
  uint64_t calls, successes;
};

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

static struct count unwanted[all];
static struct count* counts = unwanted;
static uintptr_t library_begin, library_end;

__attribute__((constructor)) static void map_counts(void) {
  const char* path = getenv("MPIGLOT_COUNTS");
  if (path == NULL || path[0] == '\0') return;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  void* place = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof unwanted) == 0)
    place = mmap(NULL, sizeof unwanted, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (place == MAP_FAILED) {
    perror(path);
    abort();
  }
  counts = place;
}

static int find_library(struct dl_phdr_info* info, size_t size, void* inside) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    const uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && begin <= (uintptr_t)inside && (uintptr_t)inside < end) {
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
    fprintf(stderr, "mpiglot counter: no %s in the MPI library\n", names[id]);
    abort();
  }
  if (library_end == 0) dl_iterate_phdr(find_library, function);
  return function;
}

// Calls that the MPI makes to itself prove nothing.
static struct count* counted(int id, void* caller) {
  const uintptr_t from = (uintptr_t)caller;
  struct count* count = from >= library_begin && from < library_end ? &unwanted[id] : &counts[id];
  if (count->name[0] == '\0') strncpy(count->name, names[id], sizeof count->name - 1);
  __atomic_fetch_add(&count->calls, 1, __ATOMIC_RELAXED);
  return count;
}

static void succeeded(struct count* count) {
  __atomic_fetch_add(&count->successes, 1, __ATOMIC_RELAXED);
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

#define FUNCTION(type, name, arity, before, after)                                 \
  type name(PARAMETERS_##arity);                                                   \
  type name(PARAMETERS_##arity) {                                                  \
    static type (*function)(PARAMETERS_##arity);                                   \
    if (function == NULL) function = (type(*)(PARAMETERS_##arity))find(id_##name); \
    struct count* count = counted(id_##name, __builtin_return_address(0));         \
    if (before) succeeded(count);                                                  \
    const type result = function(ARGUMENTS_##arity);                               \
    if (after) succeeded(count);                                                   \
    return result;                                                                 \
  }
#define CODE(name, arity) FUNCTION(word, name, arity, 0, (int)result == 0)
#define VALUE(name, arity) FUNCTION(word, name, arity, 0, 1)
#define REAL(name, arity) FUNCTION(double, name, arity, 0, 1)
#define LAST(name, arity) FUNCTION(word, name, arity, 1, 0)

#include "functions.h"
