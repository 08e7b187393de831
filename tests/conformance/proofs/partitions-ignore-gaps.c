// ranks: 1
#include "defect.h"

// Two partitions of two numbers, each beside two that stay: extent 16, size 8.
int main(void) {
  begin();
#ifdef HAVE_MPI_Psend_init
  const int sent[] = {1, 2, 9, 9, 3, 4, 9, 9};
  int received[8] = {0};
  MPI_Datatype pair, type;
  MPI_Request requests[2];
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, 4 * (MPI_Aint)sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_Psend_init(sent, 2, 1, type, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(received, 2, 1, type, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Pready_range(0, 1, requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Type_free(&type);
  MPI_Type_free(&pair);
  const int wanted[] = {1, 2, 0, 0, 3, 4, 0, 0};
  return is_right(memcmp(received, wanted, sizeof wanted) == 0);
#else
  return is_right(1);
#endif
}
