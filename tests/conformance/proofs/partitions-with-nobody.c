// ranks: 1
#include "defect.h"

// Messages in partitions to MPI_PROC_NULL and from it, twice.
int main(void) {
  begin();
#ifdef HAVE_MPI_Psend_init
  int data[4] = {1, 2, 3, 4}, there = 0;
  MPI_Request requests[2];
  MPI_Psend_init(data, 2, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &requests[0]);
  MPI_Precv_init(data, 2, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &requests[1]);
  for (int round = 0; round < 2; ++round) {
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 1, requests[0]);
    MPI_Parrived(requests[1], 1, &there);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  return is_right(there);
#else
  return is_right(1);
#endif
}
