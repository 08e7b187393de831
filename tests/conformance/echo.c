// Stands between a program and its MPI and answers for one function at a time: what was passed is
// kept to be looked at, what the program asked for is written to the outputs, and the code that it
// wants comes back. MPI is not called. All other functions are MPI's own.

#include "interpose.h"
#include <sys/uio.h>
#include <unistd.h>

enum { SLOTS = 16, SEEN = 256, TEXT = 24 };
static const word lowest = (word)1 << 16, highest = (word)1 << 47;  // what can be an address

static int chosen[4] = {-1, -1, -1, -1};
static word code;
static char writes[SLOTS + 1];
static word values[SLOTS];

// What a program reads after a call.
struct echo {
  word called;  // which of the chosen functions, counted from 0; -1: none
  word times;
  word words[SLOTS];
  unsigned char memory[SLOTS][SEEN];  // what addresses led to when the first call came
  unsigned char texts[SLOTS][2]
                     [TEXT];  // what the first word there led to, and the first word of that
};
static struct echo last;

struct echo* mpiglot_echo_last(void);
struct echo* mpiglot_echo_last(void) { return &last; }

// Chooses up to four names (separated by commas) of a function, its result, what it writes where (a
// letter for each argument: i int, l 64 bits, d double, s text, - nothing), and the values. No names:
// everything is MPI's own again. Tells how many of the names there are.
int mpiglot_echo(const char* functions, word result, const char* letters, const word* wanted);
int mpiglot_echo(const char* functions, word result, const char* letters, const word* wanted) {
  int found = 0, k = 0;
  for (int i = 0; i < 4; ++i) chosen[i] = -1;
  for (const char* name = functions; *name != '\0' && k < 4; ++k) {
    const size_t length = strcspn(name, ",");
    for (int id = 0; id < all; ++id)
      if (strncmp(names[id], name, length) == 0 && names[id][length] == '\0') chosen[k] = id;
    found += chosen[k] >= 0;
    name += length + (name[length] == ',');
  }
  code = result;
  memset(writes, '-', SLOTS);
  memcpy(writes, letters, strnlen(letters, SLOTS));
  memcpy(values, wanted, strnlen(letters, SLOTS) * sizeof *values);
  memset(&last, 0, sizeof last);
  last.called = (word)-1;
  return found;
}

static void put(word at, char letter, word value) {
  if (at < lowest) return;
  if (letter == 'i') *(int*)at = (int)value;
  if (letter == 'l') *(int64_t*)at = (int64_t)value;
  if (letter == 'd') *(double*)at = (double)value / 2;
  if (letter == 's') snprintf((char*)at, TEXT, "text %d", (int)value);
}

// Copies what an address leads to, if it is one: a variadic function gets whatever is in the registers.
static void look(void* copy, word from, size_t size) {
  const struct iovec here = {copy, size}, there = {(void*)from, size};
  memset(copy, 0, size);
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0) memset(copy, 0, size);
}

static void look_deeper(int i) {
  word first;
  memcpy(&first, last.memory[i], sizeof first);
  look(last.texts[i][0], first, TEXT);
  memcpy(&first, last.texts[i][0], sizeof first);
  look(last.texts[i][1], first, TEXT);
}

static word answer(int which, const word* passed, int count) {
  last.called = (word)which;
  ++last.times;
  for (int i = 0; i < count && i < SLOTS; ++i) {
    last.words[i] = passed[i];
    if (passed[i] > lowest && passed[i] < highest && last.times == 1) {
      look(last.memory[i], passed[i], SEEN);
      look_deeper(i);
    }
  }
  for (int i = 0; i < count && i < SLOTS; ++i) put(passed[i], writes[i], values[i]);
  return code;
}

static int which(int id) {
  for (int i = 0; i < 4; ++i)
    if (chosen[i] == id) return i;
  return -1;
}

// A window that does not exist gets its error handler from the layer.
static int is_quiet(const char* name) {
  return chosen[0] >= 0 && strcmp(name, "MPI_Win_set_errhandler") == 0;
}

#define FUNCTION(type, name, arity)                                                \
  type name(PARAMETERS_##arity);                                                   \
  type name(PARAMETERS_##arity) {                                                  \
    static type (*function)(PARAMETERS_##arity);                                   \
    if (function == NULL) function = (type(*)(PARAMETERS_##arity))find(id_##name); \
    const int number = which(id_##name);                                           \
    if (number < 0 || is_inside(__builtin_return_address(0)))                      \
      return is_quiet(#name) ? 0 : function(ARGUMENTS_##arity);                    \
    const word x[arity + 1] = {ARGUMENTS_##arity};                                 \
    return answer(number, x, arity);                                               \
  }
#define CODE(name, arity) FUNCTION(word, name, arity)
#define VALUE(name, arity) FUNCTION(word, name, arity)
#define REAL(name, arity)                                             \
  double name(void);                                                  \
  double name(void) {                                                 \
    double (*function)(void) = (double (*)(void))find(id_##name);     \
    const int number = which(id_##name);                              \
    return number < 0 ? function() : (double)answer(number, NULL, 0); \
  }
#define LAST(name, arity) FUNCTION(word, name, arity)

#include "functions.h"
