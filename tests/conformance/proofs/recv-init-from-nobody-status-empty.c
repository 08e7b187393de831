// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int nothing = 0, count = -1;
  MPI_Request request;
  MPI_Status status;
  status.MPI_SOURCE = status.MPI_TAG = 77;
  MPI_Recv_init(&nothing, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Request_free(&request);
  return is_right(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG &&
                  count == 0);
}
