// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  char mine[3] = "ab", theirs[4] = "";
  MPI_Request request;
  MPI_Message message;
  MPI_Isend(mine, 3, MPI_CHAR, 0, 0, MPI_COMM_SELF, &request);
  MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(theirs, 1, MPI_INT, &message, MPI_STATUS_IGNORE);  // three bytes are no whole number
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return is_right(1);
}
