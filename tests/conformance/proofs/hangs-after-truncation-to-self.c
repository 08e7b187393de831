// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  const int many[4] = {1, 2, 3, 4};
  int few[4] = {0}, theirs = -1;
  MPI_Request send;
  MPI_Isend(many, 4, MPI_INT, rank, 0, MPI_COMM_WORLD, &send);
  MPI_Recv(few, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 1, &theirs, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return is_right(theirs == 1 - rank);
}
