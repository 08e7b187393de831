// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const int many[4] = {1, 2, 3, 4};
  int few[1] = {0};
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Irecv(few, 1, MPI_INT, 0, 0, copy, &request);
  MPI_Send(many, 4, MPI_INT, 0, 0, copy);
  MPI_Comm_free(&copy);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return is_right(request == MPI_REQUEST_NULL);
}
