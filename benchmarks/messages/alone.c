/* What messages of a process to itself, and a collective operation of it alone, cost in C: a line each, name, tab,
 * nanoseconds of the best of many blocks. Written once more in Java (java_runtime/benchmarks/MessageCost.java). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

#define MEASURE(name, blocks, calls, ...)      \
  do {                                         \
    double best = 1e18;                        \
    for (int b = 0; b < (blocks); b++) {       \
      double start = now();                    \
      for (int n = 0; n < (calls); n++) {      \
        __VA_ARGS__;                           \
      }                                        \
      double each = (now() - start) / (calls); \
      best = each < best ? each : best;        \
    }                                          \
    printf("%s\t%.2f\n", name, best);          \
  } while (0)

static void exchange(void* received, const void* sent, int bytes) {
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(received, bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
  MPI_Send(sent, bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request, &status);
}

int main(void) {
  const int large[] = {2, 8};
  int level = 0;
  double sum = 1;
  MPI_Status status;
  char* sent = malloc(8 << 20);
  char* received = malloc(8 << 20);
  memset(sent, 1, 8 << 20);
  memset(received, 0, 8 << 20);
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  MEASURE(
      "sendrecv of 8 B", 150, 20000,
      MPI_Sendrecv(sent, 8, MPI_BYTE, 0, 0, received, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF, &status));
  MEASURE("allreduce of a double", 150, 20000,
          MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF));
  MEASURE("bcast of 8 B", 150, 20000, MPI_Bcast(sent, 8, MPI_BYTE, 0, MPI_COMM_SELF));
  MEASURE("irecv send wait of 8 B", 150, 20000, exchange(received, sent, 8));
  for (int i = 0; i < 2; i++) {
    char name[40];
    snprintf(name, sizeof name, "irecv send wait of %d MiB", large[i]);
    MEASURE(name, 40, 5, exchange(received, sent, large[i] << 20));
  }
  MPI_Finalize();
  free(sent);
  free(received);
  return 0;
}
