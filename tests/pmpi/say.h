/* What a test program says: lines with the rank before them, compared sorted, with and without the
   library; each process has a file of its own in the folder that SAY_TO names (else standard output).
   Only what is the same in every run may be said (error classes, not codes; no addresses). */

#ifndef SAY_H
#define SAY_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int said_rank = -1;

static void say(const char *format, ...) {
  char line[2048];
  static FILE *to = NULL;
  va_list arguments;
  if (to == NULL) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%ld", getenv("SAY_TO") ? getenv("SAY_TO") : "", (long)getpid());
    to = getenv("SAY_TO") ? fopen(path, "w") : stdout;
  }
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(to, "%d: %s\n", said_rank, line);
  fflush(to);
}

/* What a call came to: the class of its code. */
static int outcome(int code) {
  int number = -1;
  if (code == MPI_SUCCESS) return 0;
  PMPI_Error_class(code, &number);
  return number;
}

static void say_status(const char *what, const MPI_Status *status) {
  int count = -1, cancelled = -1;
  PMPI_Get_count(status, MPI_INT, &count);
  PMPI_Test_cancelled(status, &cancelled);
  say("%s: source %d tag %d count %d cancelled %d", what, status->MPI_SOURCE, status->MPI_TAG,
      count, cancelled);
}

#endif
