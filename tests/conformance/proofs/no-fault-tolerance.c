// ranks: 2
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPIX_Comm_revoke
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return is_right(MPIX_Comm_failure_ack(comm) == MPI_SUCCESS &&
                  MPIX_Comm_revoke(comm) == MPI_SUCCESS);
#else
  return is_right(1);
#endif
}
