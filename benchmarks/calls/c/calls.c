/* What calls cost in C: a line each, name, tab, nanoseconds of the best of many blocks. Written once more in Java
 * (java_runtime/benchmarks/CallCost.java) and Go (go_runtime/internal/cost). */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { BLOCKS = 150, CALLS = 20000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static volatile double sum;

#define MEASURE(name, result, ...)           \
  do {                                       \
    double best = 1e9;                       \
    for (int b = 0; b < BLOCKS; b++) {       \
      double start = now();                  \
      for (int i = 0; i < CALLS; i++) {      \
        __VA_ARGS__;                         \
        sum = (double)(result);              \
      }                                      \
      double each = (now() - start) / CALLS; \
      best = each < best ? each : best;      \
    }                                        \
    printf("%s\t%.2f\n", name, best);        \
  } while (0)

int main(void) {
  int rank = 0, size = 0, flag = 0, index = 0;
  int extents[] = {1, 1}, periods[] = {1, 1}, coordinates[] = {0, 0};
  double time = 0;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm grid;
  MPI_Status status;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &size);
  MPI_Recv(&rank, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MEASURE("Comm_rank", rank, MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MEASURE("Type_size", size, MPI_Type_size(MPI_INT, &size));
  MEASURE("Get_count", size, MPI_Get_count(&status, MPI_INT, &size));
  MEASURE("Wtime", time, time = MPI_Wtime());
  MEASURE("Iprobe of nobody", flag,
          MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
  MEASURE("Test of nothing", flag, MPI_Test(&request, &flag, &status));
  MEASURE("Send to nobody", 0, MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  MPI_Cart_create(MPI_COMM_SELF, 2, extents, periods, 0, &grid);
  MEASURE("Cart_rank", rank, MPI_Cart_rank(grid, coordinates, &rank));
  MEASURE("Cart_coords", coordinates[1], MPI_Cart_coords(grid, 0, 2, coordinates));
  MEASURE("Testany of one", flag, MPI_Testany(1, &request, &index, &flag, &status));
  MEASURE("Comm_get_name", size, MPI_Comm_get_name(MPI_COMM_WORLD, name, &size));
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
