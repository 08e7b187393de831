// A program for one defect of an MPI: `is_right(...)` ends it with 0 (the MPI does it right) or 1 (the
// defect is there); so does a crash or a hang. Its first line says on how many ranks it runs.

#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static inline void begin(void) {
  int level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

// The name of a file in the folder that the runner removes, however the proof ends.
static inline void name_file(char *path, size_t length) {
  const char *scratch = getenv("MPIGLOT_SCRATCH");
  snprintf(path, length, "%s/mpiglot-defect-%ld", scratch ? scratch : "/tmp", (long)getpid());
}

// One rank that is wrong is enough; nothing collective is asked of an MPI that may be in disorder.
static inline int is_right(int right) {
  if (!right) {
    fflush(stdout);
    _Exit(1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
