// ranks: 2
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Isendrecv
  const int mine = 7;
  int theirs = 0, count = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Isendrecv(&mine, 1, MPI_INT, 1 - rank, 4, &theirs, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD,
                &request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  return is_right(status.MPI_SOURCE == 1 - rank && status.MPI_TAG == 4 && count == 1);
#else
  return is_right(1);
#endif
}
