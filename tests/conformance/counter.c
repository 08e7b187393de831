// Counts every MPI call of a program, and every success: preloaded, or linked before the MPI.
//
// functions.h, made by counter.py from what the MPI exports, has a line `CODE(name, arity)` for each
// function that returns an error code, `VALUE` for other results, `REAL` for doubles, `LAST` for what never returns. All arguments
// of MPI are integers and pointers, which the calling conventions of Linux pass in words, so that one
// source serves every MPI and no <mpi.h> is needed. The counts live in a file that all processes
// map (MPIGLOT_COUNTS names it): nothing is lost when one of them aborts, and nothing must be merged.

#include "interpose.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

struct count {
  char name[48];
  uint64_t calls, successes;
};

static struct count unwanted[all];
static struct count* counts = unwanted;

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

// Calls that the MPI makes to itself prove nothing.
static struct count* counted(int id, void* caller) {
  struct count* count = is_inside(caller) ? &unwanted[id] : &counts[id];
  if (count->name[0] == '\0') strncpy(count->name, names[id], sizeof count->name - 1);
  __atomic_fetch_add(&count->calls, 1, __ATOMIC_RELAXED);
  return count;
}

static void succeeded(struct count* count) {
  __atomic_fetch_add(&count->successes, 1, __ATOMIC_RELAXED);
}

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
