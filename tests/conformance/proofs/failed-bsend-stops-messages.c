// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  static char room[64 + MPI_BSEND_OVERHEAD];
  static int large[1 << 16];
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Buffer_attach(room, sizeof room);
  MPI_Bsend(large, 1 << 16, MPI_INT, 1 - rank, 0, comm);  // has no room, and fails
  int theirs = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 1, &theirs, 1, MPI_INT, 1 - rank, 1, comm,
               MPI_STATUS_IGNORE);
  return is_right(theirs == 1 - rank);
}
