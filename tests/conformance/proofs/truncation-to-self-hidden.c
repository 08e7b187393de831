// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const int many[4] = {1, 2, 3, 4};
  int few[4] = {0};
  MPI_Request request;
  MPI_Irecv(few, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Send(many, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  return is_right(MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS);
}
