/* What large messages between two processes, and sums over both, cost in C: a line each, name, tab, nanoseconds of the
 * best of many blocks, from rank 0. Written once more in Java (java_runtime/benchmarks/ArrayCost.java). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int rank, count;
static double *sent, *received;

static void ping_pong(void) {
  if (rank == 0) {
    MPI_Send(sent, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(received, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(received, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(sent, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
}

static void exchange(void) {
  MPI_Sendrecv(sent, count, MPI_DOUBLE, 1 - rank, 0, received, count, MPI_DOUBLE, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void combine(void) {
  MPI_Allreduce(sent, received, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void measure(const char* name, int calls, void (*call)(void)) {
  double best = 1e18;
  for (int b = 0; b < 12; b++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (int n = 0; n < calls; n++) {
      call();
    }
    double each = (now() - start) / calls;
    best = each < best ? each : best;
  }
  if (rank == 0) {
    printf("%s of %d KiB\t%.2f\n", name, count / 128, best);
  }
}

int main(void) {
  static const int sizes[] = {32, 64, 2048}; /* KiB */
  int level = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sent = malloc(8 << 20);
  received = malloc(8 << 20);
  for (int i = 0; i < 1 << 20; i++) {
    sent[i] = 1;
    received[i] = 0;
  }
  for (int i = 0; i < 3; i++) {
    count = 128 * sizes[i];
    int calls = 4096 / sizes[i] + 2;
    measure("send and recv", calls, ping_pong);
    measure("sendrecv", calls, exchange);
    measure("allreduce", calls, combine);
  }
  MPI_Finalize();
  free(sent);
  free(received);
  return 0;
}
