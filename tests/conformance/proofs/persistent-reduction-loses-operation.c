// ranks: 2
#include "defect.h"

#if defined(HAVE_MPI_Allreduce_init) || defined(HAVE_MPIX_Allreduce_init)
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}
#endif

int main(void) {
  begin();
#if defined(HAVE_MPI_Allreduce_init) || defined(HAVE_MPIX_Allreduce_init)
  int one = 1, sum = 0;
  MPI_Op op;
  MPI_Request request;
  MPI_Op_create(add, 1, &op);
#ifdef HAVE_MPI_Allreduce_init
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#else
  MPIX_Allreduce_init(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
  MPI_Op_free(&op);
  for (int time = 0; time < 3; ++time) {
    sum = 0;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (sum != size) return is_right(0);
  }
  MPI_Request_free(&request);
#endif
  return is_right(1);
}
