// ranks: 2
#include "defect.h"

// A persistent message to nobody, then a persistent sum.
int main(void) {
  begin();
#ifdef HAVE_MPI_Allreduce_init
  int one = 1, sum = 0;
  MPI_Request request;
  MPI_Send_init(&one, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return is_right(sum == size);
#else
  return is_right(1);
#endif
}
