/* What `mpiglot doctor` compiles and runs: every rank writes what it sees, line by line, into a
   file of its own in the folder that is the first argument, so that a program that hangs or dies
   still tells how far it came. Valid as C and as C++. With MPIGLOT_FEW it uses what every MPI has
   that mpiglot serves: a part of MPI 2.2. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/* The C++ bindings of old are not needed, and not on every MPI free of warnings. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define ELEMENTS (1 << 17)

extern char **environ;

static FILE *report;

static void say(const char *key, const char *value) {
  fprintf(report, "%s\t", key);
  for (const char *c = value; *c != '\0'; ++c) {
    fputc(*c == '\n' || *c == '\t' || *c == '\r' ? ' ' : *c, report);
  }
  fputc('\n', report);
  fflush(report);
}

static void say_number(const char *key, long value) {
  char text[32];
  snprintf(text, sizeof text, "%ld", value);
  say(key, text);
}

static int begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static void say_built(void) {
#if defined(SMPI_H) || defined(SMPI_SMPI_H) || defined(SIMGRID_VERSION_MAJOR)
  say("built", "simgrid");
#elif defined(OMPI_MAJOR_VERSION)
  say("built", "openmpi " TEXT(OMPI_MAJOR_VERSION) "." TEXT(OMPI_MINOR_VERSION) "." TEXT(
                   OMPI_RELEASE_VERSION));
#elif defined(MPI_ABI)
  say("built", "abi");
#elif defined(I_MPI_VERSION)
  say("built", "intelmpi " I_MPI_VERSION);
#elif defined(MPICH_VERSION)
  say("built", "mpich " MPICH_VERSION);
#else
  say("built", "unknown");
#endif
#ifdef MPI_VERSION
  say_number("declared_version", MPI_VERSION);
  say_number("declared_subversion", MPI_SUBVERSION);
#endif
}

static void say_library(void) {
  Dl_info info;
  /* The PMPI name: a preloaded tool has MPI_Init of its own, but not this. */
  void *address = dlsym(RTLD_DEFAULT, "PMPI_Init");
  void *called = dlsym(RTLD_DEFAULT, "MPI_Init");
  if (address == NULL) {
    address = (void *)MPI_Init;
  }
  if (dladdr(address, &info) != 0 && info.dli_fname != NULL) {
    say("library", info.dli_fname);
  }
  if (called != NULL && dladdr(called, &info) != 0 && info.dli_fname != NULL) {
    say("called", info.dli_fname);
  }
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL) {
    say("symbols", "ompi");
  }
}

/* Every shared library of the process that has to do with MPI or its transports. */
static void say_loaded(void) {
  static const char *const names[] = {"/libmpi",    "/libpmpi",    "/libucs",
                                      "/libfabric", "/libsimgrid", "/libopen-"};
  char line[4096];
  char last[4096] = "";
  FILE *maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) {
    return;
  }
  while (fgets(line, sizeof line, maps) != NULL) {
    char *path = strchr(line, '/');
    if (path == NULL) {
      continue;
    }
    path[strcspn(path, "\n")] = '\0';
    const char *base = strrchr(path, '/');
    int wanted = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
      wanted = wanted || begins(base, names[i]);
    }
    if (wanted && strcmp(path, last) != 0) {
      say("loaded", path);
      snprintf(last, sizeof last, "%s", path);
    }
  }
  fclose(maps);
}

static void say_environment(void) {
  static const char *const starts[] = {
      "OMPI_",       "OPAL_",         "ORTE_",         "PRTE_", "PMIX_", "PMI_", "HYDI_",
      "HYDRA_",      "I_MPI_",        "MPICH_",        "MPIR_", "MV2_",  "MPI_", "LD_LIBRARY_PATH=",
      "LD_PRELOAD=", "SLURM_PROCID=", "SLURM_NTASKS=", "UCX_",  "FI_"};
  for (char **entry = environ; entry != NULL && *entry != NULL; ++entry) {
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; ++i) {
      if (begins(*entry, starts[i])) {
        say("variable", *entry);
        break;
      }
    }
  }
}

#ifdef MPIGLOT_FEW
typedef int (*library_version_function)(char *, int *);
typedef int (*version_function)(int *, int *);

/* What some MPIs lack: the loader knows whether it is there. */
static void say_versions(char *text) {
  int version = 0, subversion = 0, length = 0;
  void *about_library = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
  void *about_standard = dlsym(RTLD_DEFAULT, "MPI_Get_version");
  if (about_library != NULL) {
    ((library_version_function)about_library)(text, &length);
    text[256] = '\0';
    say("library_version", text);
  }
  if (about_standard != NULL) {
    ((version_function)about_standard)(&version, &subversion);
    say_number("version", version);
    say_number("subversion", subversion);
  }
}

static void start(int *argc, char ***argv) { MPI_Init(argc, argv); }

/* Ranks of even number send first, so that nobody waits in a ring of senders. */
static void pass_on(int *outgoing, int *incoming, int count, int to, int from, int first) {
  MPI_Status status;
  if (first) {
    MPI_Send(outgoing, count, MPI_INT, to, 1, MPI_COMM_WORLD);
  }
  MPI_Recv(incoming, count, MPI_INT, from, 1, MPI_COMM_WORLD, &status);
  if (!first) {
    MPI_Send(outgoing, count, MPI_INT, to, 1, MPI_COMM_WORLD);
  }
}

static void shift(int *outgoing, int *incoming, int left, int right, int rank) {
  if (left == rank) {
    memcpy(incoming, outgoing, sizeof(int) * ELEMENTS);
  } else {
    pass_on(outgoing, incoming, ELEMENTS, right, left, rank % 2 == 0);
  }
}

static int sum_of_ranks(int rank, int size) {
  int passed = rank, next = 0, sum = rank;
  for (int i = 1; i < size; ++i) {
    pass_on(&passed, &next, 1, (rank + 1) % size, (rank + size - 1) % size, rank % 2 == 0);
    passed = next;
    sum += passed;
  }
  return sum;
}
#else
static void say_versions(char *text) {
  int version = 0, subversion = 0, length = 0;
  MPI_Get_library_version(text, &length);
  text[256] = '\0';
  say("library_version", text);
  MPI_Get_version(&version, &subversion);
  say_number("version", version);
  say_number("subversion", subversion);
}

static void start(int *argc, char ***argv) {
  int provided = -1;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  say("thread_level", provided == MPI_THREAD_MULTIPLE     ? "multiple"
                      : provided == MPI_THREAD_SERIALIZED ? "serialized"
                      : provided == MPI_THREAD_FUNNELED   ? "funneled"
                      : provided == MPI_THREAD_SINGLE     ? "single"
                                                          : "unknown");
}

static void shift(int *outgoing, int *incoming, int left, int right, int rank) {
  (void)rank;
  MPI_Sendrecv(outgoing, ELEMENTS, MPI_INT, right, 1, incoming, ELEMENTS, MPI_INT, left, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int sum_of_ranks(int rank, int size) {
  int sum = 0;
  (void)size;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
#endif

/* A ring of messages too long to be sent eagerly, and a sum over all ranks. */
static const char *exchange(int rank, int size) {
  int *outgoing = (int *)malloc(sizeof(int) * ELEMENTS);
  int *incoming = (int *)malloc(sizeof(int) * ELEMENTS);
  int left = (rank + size - 1) % size;
  int right = (rank + 1) % size;
  const char *verdict = "right";
  if (outgoing == NULL || incoming == NULL) {
    return "out of memory";
  }
  for (int i = 0; i < ELEMENTS; ++i) {
    outgoing[i] = rank * 7 + i;
    incoming[i] = -1;
  }
  shift(outgoing, incoming, left, right, rank);
  for (int i = 0; i < ELEMENTS; ++i) {
    if (incoming[i] != left * 7 + i) {
      verdict = "wrong message";
    }
  }
  if (sum_of_ranks(rank, size) != size * (size - 1) / 2) {
    verdict = "wrong sum";
  }
  free(outgoing);
  free(incoming);
  return verdict;
}

int main(int argc, char **argv) {
  char path[4096];
  static char text[16384]; /* some MPIs write more than MPI_MAX_LIBRARY_VERSION_STRING */
  int rank = -1, size = -1;
  if (argc < 3) {
    fprintf(stderr, "usage: %s FOLDER SECONDS\n", argv[0]);
    return 2;
  }
  snprintf(path, sizeof path, "%s/rank-XXXXXX", argv[1]);
  int file = mkstemp(path);
  report = file < 0 ? NULL : fdopen(file, "w");
  if (report == NULL) {
    perror(path);
    return 3;
  }
  alarm((unsigned)atoi(argv[2]));
  say_number("process", (long)getpid());
  if (gethostname(text, sizeof text - 1) == 0) {
    say("host", text);
  }
  say_built();
  say_library();
  say_loaded();
  say_environment();
  say("stage", "started");
  say_versions(text);
  say("stage", "identified");
  start(&argc, &argv);
  say("stage", "initialized");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  say_number("rank", rank);
  say_number("size", size);
  say_loaded();
  say("exchange", exchange(rank, size));
  say("stage", "exchanged");
  MPI_Finalize();
  say("stage", "finalized");
  fclose(report);
  return 0;
}
