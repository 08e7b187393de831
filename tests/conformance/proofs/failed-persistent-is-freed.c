// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  int values[] = {1, 2, 3};
  if (rank == 1) {
    MPI_Send(values, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return is_right(1);
  }
  MPI_Request request;
  MPI_Recv_init(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  const int failed = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (!failed) return is_right(1);
  if (request == MPI_REQUEST_NULL) return is_right(0);
  MPI_Request_free(&request);
  return is_right(1);
}
