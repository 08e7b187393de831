// Makes one function of MPI wrong, as a wrapper with a mistake would: a test that still passes proves
// nothing about it. MPIGLOT_MUTANT="FUNCTION HOW FIRST SECOND", arguments counted from 0:
//
//   swap     exchanges arguments FIRST and SECOND
//   more     adds SECOND to argument FIRST
//   double   doubles argument FIRST
//   other    passes SECOND for argument FIRST
//   lose     passes zeroed memory of its own for argument FIRST where that is SECOND (-1: always):
//            an output that never comes, an in-place mark that is not known
//   spoil    changes a bit of what argument FIRST points to, SECOND bytes on, after success
//            (FIRST -1: of the result)
//   small    calls the function without _c
//   succeed  says success, whatever MPI says
//   skip     does nothing
//
// MPIGLOT_MUTANT="trace" changes nothing and names the calls on the standard error output.
//
// MPIGLOT_MUTANTS=FILE tries many mistakes with one start of a program on one rank: lines of a
// mistake as above and the tests to run. Once MPI is there, a child is forked for each line, which
// finds the tests where the program's arguments stood (as many as were given) and goes on; whether it
// failed (1), ended well (0) or did not end (2) is written to FILE.done.

#include "interpose.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static enum { NONE, TRACE, SWAP, MORE, DOUBLE, OTHER, LOSE, SPOIL, SMALL, SUCCEED, SKIP } kind;
static const char* const kinds[] = {"none", "trace", "swap",  "more",    "double", "other",
                                    "lose", "spoil", "small", "succeed", "skip"};
static int chosen = -1, first;
static long second;
static _Alignas(64) unsigned char lost[1 << 16];

static const char* many;
static int forked, words_given;
static char** given;

static void choose(const char* wish) {
  char name[64] = "", how[16] = "";
  if (sscanf(wish, "%63s %15s %d %ld", name, how, &first, &second) < 3) abort();
  for (int id = 0; id < all; ++id)
    if (strcmp(names[id], name) == 0) chosen = id;
  for (int k = SWAP; k <= SKIP; ++k)
    if (strcmp(kinds[k], how) == 0) kind = (unsigned)k;
  if (chosen < 0 || kind == NONE) abort();
}

__attribute__((constructor)) static void read_wish(int argc, char** argv) {
  const char* wish = getenv("MPIGLOT_MUTANT");
  given = argv;
  words_given = argc;
  many = getenv("MPIGLOT_MUTANTS");
  if (wish == NULL || many != NULL) return;
  if (strcmp(wish, "trace") == 0)
    kind = TRACE;
  else
    choose(wish);
}

enum { LONGEST = 4096, SECONDS_OF_WORK = 1, SECONDS = 20 };

// A forked program ends without a word to the launcher, who knows of its parent only: nothing is
// finalized, and nothing of MPI runs when the program is left.
static void leave(int status, void* unused) {
  (void)unused;
  _exit(status);
}

// The child that makes the mistake of a line: its tests in place of the arguments.
static void become(char* line) {
  const struct itimerval work = {{0, 0}, {SECONDS_OF_WORK, 0}};
  forked = 1;
  choose(line);
  char* word = strtok(line, " ");
  for (int i = 0; i < 3; ++i) word = strtok(NULL, " ");
  for (int i = 1; i < words_given && (word = strtok(NULL, " ")) != NULL; ++i) given[i] = word;
  if (freopen("/dev/null", "w", stderr) == NULL || freopen("/dev/null", "w", stdout) == NULL)
    abort();
  on_exit(leave, NULL);
  setitimer(ITIMER_PROF, &work, NULL);
  alarm(SECONDS);
}

static void try_many(void) {
  static char line[LONGEST];
  FILE* mistakes = fopen(many, "r");
  FILE* done = NULL;
  char path[LONGEST];
  snprintf(path, sizeof path, "%s.done", many);
  done = fopen(path, "a");
  if (mistakes == NULL || done == NULL) abort();
  while (fgets(line, sizeof line, mistakes) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    const pid_t child = fork();
    if (child == 0) {
      become(line);
      return;
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int hung =
        WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
    fprintf(done, "%d %s\n", hung ? 2 : status != 0, line);
    fflush(done);
  }
}

static void* without_c(void) {
  static void* small;
  char name[64];
  if (small == NULL) {
    snprintf(name, sizeof name, "%.*s", (int)strlen(names[chosen]) - 2, names[chosen]);
    small = dlsym(RTLD_NEXT, name);
  }
  return small;
}

static void trace(int id) {
  static _Thread_local int last = -1;
  if (id != last) fprintf(stderr, "called %s\n", names[id]);
  last = id;
}

static void before(word* x) {
  const word kept = x[first < 0 ? 0 : first];
  switch (kind) {
    case SWAP:
      x[first] = x[second];
      x[second] = kept;
      break;
    case MORE:
      x[first] += (word)second;
      break;
    case DOUBLE:
      x[first] *= 2;
      break;
    case OTHER:
      x[first] = (word)second;
      break;
    case LOSE:
      if (second == -1 || kept == (word)second) x[first] = (word)lost;
      break;
    default:
      break;
  }
}

static word after(const word* x, word result) {
  if (kind == SUCCEED) return 0;
  if (kind != SPOIL) return result;
  if (first < 0) return result ^ 1;
  if ((int)result == 0 && x[first] > 4096) ((unsigned char*)x[first])[second] ^= 1;
  return result;
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

#define FUNCTION(type, name, arity)                                                       \
  type name(PARAMETERS_##arity);                                                          \
  type name(PARAMETERS_##arity) {                                                         \
    static type (*function)(PARAMETERS_##arity);                                          \
    if (function == NULL) function = (type(*)(PARAMETERS_##arity))find(id_##name);        \
    const int inside = is_inside(__builtin_return_address(0));                            \
    if (kind == TRACE && !inside) trace(id_##name);                                       \
    if (forked && !inside && id_##name == id_MPI_Finalize) return 0;                      \
    if (forked && !inside && id_##name == id_MPI_Abort) _exit(1);                         \
    if (many != NULL && !forked && id_##name == id_MPI_Init_thread) {                     \
      const word code = (word)function(ARGUMENTS_##arity);                                \
      try_many();                                                                         \
      return (type)code;                                                                  \
    }                                                                                     \
    if (id_##name != chosen || inside) return function(ARGUMENTS_##arity);                \
    word x[arity + 1] = {ARGUMENTS_##arity};                                              \
    if (kind == SKIP) return 0;                                                           \
    before(x);                                                                            \
    if (kind == SMALL) return ((type(*)(PARAMETERS_##arity))without_c())(PASSED_##arity); \
    return (type)after(x, (word)function(PASSED_##arity));                                \
  }
#define CODE(name, arity) FUNCTION(word, name, arity)
#define VALUE(name, arity) FUNCTION(word, name, arity)
#define REAL(name, arity)                                         \
  double name(void);                                              \
  double name(void) {                                             \
    double (*function)(void) = (double (*)(void))find(id_##name); \
    if (kind == TRACE) trace(id_##name);                          \
    return id_##name == chosen ? 0.0 : function();                \
  }
#define LAST(name, arity) FUNCTION(word, name, arity)

#include "functions.h"
