// What the programs share: random numbers of npb, and the line that tells the CPU time of all processes.
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FACTOR 1220703125ULL
#define SCALE 0x1p-46

static inline uint64_t after(uint64_t x, uint64_t factor) {
  return x * factor & ((1ULL << 46) - 1);
}

static inline uint64_t power(uint64_t factor, uint64_t count) {
  uint64_t result = 1;
  for (; count > 0; count >>= 1) {
    if (count & 1) result = after(result, factor);
    factor = after(factor, factor);
  }
  return result;
}

static int rank_, ranks_;

static void start(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  if (*argc != 2 || strlen((*argv)[1]) != 1 || !strchr("SWA", (*argv)[1][0])) {
    fprintf(stderr, "usage: %s S|W|A\n", (*argv)[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void finish(const char* name, const char* size, double spent, int right) {
  MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (!right) {
    fprintf(stderr, "%s of class %s has another result than the known one.\n", name, size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank_ == 0)
    printf("%s %s on %d ranks: right, CPU seconds\t%.2f\n", name, size, ranks_, spent);
  MPI_Finalize();
}
