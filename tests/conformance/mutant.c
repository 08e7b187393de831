// Makes one function of MPI wrong, as a wrapper with a mistake would: a test that still passes proves
// nothing about it. MPIGLOT_MUTANT="MPI_Sendrecv swap 3 8" exchanges two arguments, "MPI_Comm_rank
// spoil 1" changes what the argument points to after success (-1: the result), "MPI_Barrier skip 0"
// does nothing.

#include "interpose.h"

#include <string.h>

static enum { NONE, SWAP, SPOIL, SKIP } kind;
static int chosen = -1, first, second;

__attribute__((constructor)) static void read_wish(void) {
  const char* wish = getenv("MPIGLOT_MUTANT");
  char name[64], how[16];
  if (wish == NULL || sscanf(wish, "%63s %15s %d %d", name, how, &first, &second) < 3) return;
  for (int id = 0; id < all; ++id)
    if (strcmp(names[id], name) == 0) chosen = id;
  kind = strcmp(how, "swap") == 0 ? SWAP : strcmp(how, "spoil") == 0 ? SPOIL : SKIP;
}

static void swap(word* arguments) {
  const word kept = arguments[first];
  arguments[first] = arguments[second];
  arguments[second] = kept;
}

static void spoil(const word* arguments) {
  unsigned char* place = (unsigned char*)arguments[first];
  if ((uintptr_t)place > 4096) place[0] ^= 1;
}

#define PASSED_0
#define PASSED_1 x[0]
#define PASSED_2 PASSED_1, x[1]
#define PASSED_3 PASSED_2, x[2]
#define PASSED_4 PASSED_3, x[3]
#define PASSED_5 PASSED_4, x[4]
#define PASSED_6 PASSED_5, x[5]
#define PASSED_7 PASSED_6, x[6]
#define PASSED_8 PASSED_7, x[7]
#define PASSED_9 PASSED_8, x[8]
#define PASSED_10 PASSED_9, x[9]
#define PASSED_11 PASSED_10, x[10]
#define PASSED_12 PASSED_11, x[11]
#define PASSED_13 PASSED_12, x[12]
#define PASSED_14 PASSED_13, x[13]

#define FUNCTION(type, name, arity)                                                \
  type name(PARAMETERS_##arity);                                                   \
  type name(PARAMETERS_##arity) {                                                  \
    static type (*function)(PARAMETERS_##arity);                                   \
    if (function == NULL) function = (type(*)(PARAMETERS_##arity))find(id_##name); \
    if (id_##name != chosen || is_inside(__builtin_return_address(0)))             \
      return function(ARGUMENTS_##arity);                                          \
    word x[arity + 1] = {ARGUMENTS_##arity};                                       \
    if (kind == SKIP) return 0;                                                    \
    if (kind == SWAP) swap(x);                                                     \
    const type result = function(PASSED_##arity);                                  \
    if (kind == SPOIL && first < 0) return (type)((word)result ^ 1);               \
    if (kind == SPOIL && (int)result == 0) spoil(x);                               \
    return result;                                                                 \
  }
#define CODE(name, arity) FUNCTION(word, name, arity)
#define VALUE(name, arity) FUNCTION(word, name, arity)
#define REAL(name, arity) FUNCTION(double, name, arity)
#define LAST(name, arity) FUNCTION(word, name, arity)

#include "functions.h"
