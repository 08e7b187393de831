// What every C file of this package shares: results by value, the state of the loaded library, and
// the conversions between Go's words and the library's types. No mpi.h is needed, none is used.
#ifndef MPIGLOT_H
#define MPIGLOT_H

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"

#define MPG_LIKELY(x) __builtin_expect(!!(x), 1)
#define MPG_UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int64_t MPI_Offset;
typedef int MPI_Fint;

// Codes of our own, far from any MPI error code.
enum {
  MPG_OK = 0,
  MPG_UNAVAILABLE = INT_MIN + 1,  // the library has no such function
  MPG_NOT_LOADED = INT_MIN + 2,   // no library is loaded
  MPG_NOT_RUNNING = INT_MIN + 3,  // before MPI_Init or after MPI_Finalize
  MPG_RANGE = INT_MIN + 4,        // an argument does not fit the C type, or is no known value
  MPG_COUNT = INT_MIN + 5,        // a count does not fit and there is no large-count function
  MPG_LENGTH = INT_MIN + 6,       // an array does not have the length it must have
  MPG_NO_SLOT = INT_MIN + 7,      // no free slot for a callback
  MPG_MEMORY = INT_MIN + 8,
  MPG_WRONG_THREAD = INT_MIN + 9,  // on another thread than MPI allows
  MPG_NO_RANK = INT_MIN + 10,      // as MPG_RANGE: it is the number of no process
  MPG_NO_ROOT = INT_MIN + 11,
  MPG_NO_TAG = INT_MIN + 12,
};

// Results by value: the code, a flag, and as many words as the function has further results. Two words
// come back in registers; single fields, since Go keeps arrays in memory.
typedef struct {
  int code, flag;
} mpg_r0;
typedef struct {
  int code, flag;
  int64_t v0;
} mpg_r1;
typedef struct {
  int code, flag;
  int64_t v0, v1;
} mpg_r2;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2;
} mpg_r3;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3;
} mpg_r4;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4;
} mpg_r5;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4, v5;
} mpg_r6;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4, v5, v6;
} mpg_r7;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4, v5, v6, v7;
} mpg_r8;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4, v5, v6, v7, v8;
} mpg_r9;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4, v5, v6, v7, v8, v9;
} mpg_r10;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10;
} mpg_r11;
typedef struct {
  int code, flag;
  int64_t v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11;
} mpg_r12;

typedef struct {
  _Alignas(16) uint32_t part[8];
} mpg_status;

#define MPG_STATUS_WORDS 4  // a Status is 32 bytes, whatever the library uses of them

// What the conversions in every file rely on.
_Static_assert(sizeof(int) == 4 && sizeof(int64_t) == sizeof(intptr_t),
               "words are of 64 bits, ints of 32");
_Static_assert(sizeof(mpg_status) == 8 * MPG_STATUS_WORDS, "a status has a place for each word");

// The library in use. Written once by Load, read by every call.
typedef struct {
  int profile;  // which representation of handles it has
  int loaded;
  int running;    // between init and finalize, as last seen
  int over;       // Finalize has succeeded
  int sessions;   // how many are open
  int early;      // it knows MPI 4, which allows more calls before init and after finalize
  uint64_t only;  // the one thread that may call, 0 if any may; `running` is not set then
  size_t status_size;
  void *special[MPG_SPECIALS];  // sentinel pointers, in the order of the `special` constants in Go
  int cart, graph, dist_graph;  // the library's values
  void *comm_size, *comm_remote_size, *comm_test_inter, *comm_rank, *topo_test, *cartdim_get,
      *graph_neighbors_count, *dist_graph_neighbors_count, *type_size;
} mpg_state;

extern mpg_state mpg;
extern void *mpg_fn[];
extern const char
    *const mpg_names[];  // function names; alternatives follow after a NUL, two NULs end
extern const int mpg_function_count;
extern void *const mpg_go_null;

// load.c
void *mpg_open(const char *path, char *error, size_t size);
void *mpg_symbol(void *library, const char *name);
void *mpg_global(const char *name);
int mpg_file_of(void *address, char *path, size_t size);
int mpg_library_version(void *library, char *text, size_t size);
int mpg_standard(void *library, int *version, int *subversion);
int mpg_tells_version(void *library, const char *function);
int mpg_resolve(void);
int mpg_has(const char *name);
void mpg_use(int profile, size_t status_size);
void mpg_set_topologies(int cart, int graph, int dist_graph);
void mpg_set_special(int index, uintptr_t value);
uint64_t mpg_load_word(void *address);
int mpg_now_running(void);
void mpg_forget_running(int over);
void mpg_only_this_thread(void);
int mpg_refusal(void);
int mpg_error_text(int code, int *cls, char *text, int *length);
void *mpg_pointer(uintptr_t address);
uint64_t mpg_thread(void);
void mpg_run_exit_handlers(void);

// crash.c
int mpg_name_crashes(const char *sentence);

// Whether handles may be used: MPI is initialised and not finalized. The slow path asks MPI.
static inline int mpg_ready(void) { return mpg.running || mpg.sessions || mpg_now_running(); }

// ---------------------------------------------------------------------------- conversions

// Memory for converted arrays: on the C stack while short, else one block after the other. What a
// pending operation needs is always in blocks, which travel with its request.
typedef struct mpg_block {
  struct mpg_block *next;
} mpg_block;
typedef struct {
  char *top, *end;
  mpg_block *blocks;
  int bad;  // MPG_RANGE, MPG_MEMORY ...
  _Alignas(16) char local[1024];
} mpg_arena;

static inline void mpg_arena_begin(mpg_arena *a, int kept) {
  a->top = kept ? NULL : a->local;
  a->end = kept ? NULL : a->local + sizeof a->local;
  a->blocks = NULL;
  a->bad = 0;
}

void *mpg_alloc(mpg_arena *a, size_t size);
void mpg_free_blocks(mpg_block *block);

static inline void mpg_arena_end(mpg_arena *a) { mpg_free_blocks(a->blocks); }

static inline int mpg_fits(int64_t x) { return x == (int64_t)(int)x; }

// arrays.c: Go's arrays as C's and back
int mpg_all_fit(const void *p, int64_t n);
int *mpg_ints(mpg_arena *a, const void *p, int64_t n);
int *mpg_room(mpg_arena *a, const void *p, int64_t n);
void mpg_ints_back(void *p, const int *y, int64_t n);
int *mpg_flags(mpg_arena *a, const void *p, int64_t n);
void mpg_flags_back(void *p, const int *y, int64_t n);
char **mpg_texts(mpg_arena *a, const void *p, int64_t n);
char ***mpg_text_lists(mpg_arena *a, const void *p, const void *counts, int64_t n);
int64_t mpg_length_sum(const void *p, int64_t n);
int64_t mpg_length_last(const void *p, int64_t n);
void *mpg_weights(const void *p, int64_t n, const int *weights);
void mpg_statuses_back(void *p, int64_t n);

// A buffer: an address and how many bytes are there, or a negative number for one of the sentinels.
static inline void *mpg_at(void *p, int64_t n) { return MPG_LIKELY(n >= 0) ? p : mpg.special[-n]; }

// How many bytes an element of each predefined datatype has, by handle; of others nothing is known.
// Sparse: most handles are found at the first place. Written at init and only read after.
enum { MPG_EXTENTS = 1024 };
typedef struct {
  uint64_t datatype;
  int64_t bytes;
} mpg_extent;
extern mpg_extent mpg_extents[MPG_EXTENTS];
void mpg_learn_extent(uint64_t datatype, int64_t bytes);

static inline uint64_t mpg_extent_at(uint64_t datatype) {
  return datatype * 0x9E3779B97F4A7C15u >> 54;
}

static inline const mpg_extent *mpg_extent_of(uint64_t datatype) {
  uint64_t i = mpg_extent_at(datatype);
  while (mpg_extents[i].bytes && mpg_extents[i].datatype != datatype) i = (i + 1) % MPG_EXTENTS;
  return &mpg_extents[i];
}

// Whether a buffer holds so many elements, as far as is known. Sentinels are huge as unsigned numbers. What is
// said of the first place is all that is asked as a rule.
int mpg_roomy_else(const void *p, int64_t n, int64_t count, uint64_t datatype);

static inline int mpg_roomy(const void *p, int64_t n, int64_t count, uint64_t datatype) {
  const mpg_extent *first = &mpg_extents[mpg_extent_at(datatype)];
  if (MPG_LIKELY(first->datatype == datatype && (uint64_t)count <= (uint64_t)n &&
                 (uint64_t)count * (uint64_t)first->bytes <= (uint64_t)n))
    return 1;
  return mpg_roomy_else(p, n, count, datatype);
}

// Whether memory has so many bytes.
static inline int mpg_holds(const void *p, int64_t n, int64_t bytes) {
  return n < 0 || !p || bytes <= n;
}

// Whether there is a buffer, if any of the counts says so.
int mpg_there(const void *p, int64_t n, const void *counts, int64_t counts_n);

// Whether a position is within what is packed, of which so many bytes are used, and the elements fit behind it. It is not looked
// at where nobody knows how much memory there is.
int mpg_within(int64_t n, int64_t used, int64_t position, int64_t count, uint64_t datatype);

// Where MPI writes a status. Go's stack will not do: a callback may move it, and the heap would be one
// allocation for every status. So each thread has a place of its own, which is taken until Go has copied what is in it: on its way
// back from C a goroutine may have been put aside, and another one may call from this thread.
typedef struct mpg_place {
  mpg_status written;
  volatile int taken;
  struct mpg_place *next;
} mpg_place;

// Results with a status.
typedef struct {
  mpg_r0 r;
  mpg_place *place;
} mpg_r0_status;
typedef struct {
  mpg_r1 r;
  mpg_place *place;
} mpg_r1_status;
typedef struct {
  mpg_r2 r;
  mpg_place *place;
} mpg_r2_status;
typedef struct {
  mpg_r3 r;
  mpg_place *place;
} mpg_r3_status;

extern __thread mpg_place *mpg_places;
mpg_place *mpg_find_place(void);

static inline mpg_place *mpg_take_place(void) {
  mpg_place *place = mpg_places;
  if (MPG_UNLIKELY(!place || place->taken)) place = mpg_find_place();
  place->taken = 1;
  place->written = (mpg_status){{0}};
  return place;
}

// Whether a callback is given a status: some are given what stands for none.
static inline int mpg_wanted(const void *status) {
  return status && status != mpg.special[MPG_STATUS_IGNORE] &&
         status != mpg.special[MPG_STATUSES_IGNORE];
}

// An array of statuses; none means that they are ignored.
static inline void *mpg_statuses(void *p) { return p ? p : mpg.special[MPG_STATUSES_IGNORE]; }

#endif
