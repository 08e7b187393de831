// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int never = 0, cancelled = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&never, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  const int mine = 3;
  int theirs = 0;
  MPI_Sendrecv(&mine, 1, MPI_INT, 0, 5, &theirs, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return is_right(cancelled && theirs == 3);
}
