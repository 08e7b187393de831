/* Several threads at a time; the second argument is how many calls each makes. */
#include <pthread.h>

#include "say.h"

static int rounds = 40;

static void *work(void *of) {
  MPI_Comm comm = *(MPI_Comm *)of;
  int rank, size, sum = 0;
  long long total = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < rounds; ++i) {
    const int mine = rank + i;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    total += sum;
    MPI_Datatype type;
    MPI_Type_contiguous(i + 1, MPI_INT, &type);
    MPI_Type_size(type, &sum);
    total += sum;
    MPI_Type_free(&type);
    if (MPI_Comm_size(MPI_COMM_NULL, &sum) == MPI_SUCCESS) total = -1000000;
  }
  return (void *)(MPI_Aint)total;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &said_rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (argc > 1) rounds = atoi(argv[1]);
  const int threads = provided == MPI_THREAD_MULTIPLE ? 4 : 1;
  pthread_t ids[4];
  MPI_Comm comms[4];
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, work, &comms[i]);
  for (int i = 0; i < threads; ++i) {
    void *total;
    pthread_join(ids[i], &total);
    say("thread %d: %lld", i, (long long)(MPI_Aint)total);
    MPI_Comm_free(&comms[i]);
  }
  MPI_Finalize();
  return 0;
}
