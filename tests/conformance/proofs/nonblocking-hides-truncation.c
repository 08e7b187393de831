// ranks: 2
#include "defect.h"

static int refused(int code, MPI_Request *request) {
  int error_class = code;
  if (code == MPI_SUCCESS) code = MPI_Wait(request, MPI_STATUS_IGNORE);
  MPI_Error_class(code, &error_class);
  return error_class == MPI_ERR_TRUNCATE;
}

// A part that is longer than what is expected must be an error where it arrives.
int main(void) {
  begin();
  int sent[8] = {1, 2, 3, 4, 5, 6, 7, 8}, received[16];
  MPI_Request request;
  int right = 1;
  int code = MPI_Igather(sent, rank == 0 ? 2 : 3, MPI_INT, received, 2, MPI_INT, 0, MPI_COMM_WORLD,
                         &request);
  if (rank == 0)
    right = refused(code, &request);
  else
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  code = MPI_Iscatter(sent, 2, MPI_INT, received, rank == 0 ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD,
                      &request);
  if (rank != 0)
    right = refused(code, &request);
  else
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  return is_right(right);
}
