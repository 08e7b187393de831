// ranks: 4
#include "defect.h"

// A persistent message to nobody, then a persistent exchange with the neighbors in a ring.
int main(void) {
  begin();
#ifdef HAVE_MPI_Neighbor_alltoallw_init
  int one = 1, periodic = 1, theirs[2] = {-1, -1}, mine[2] = {rank, rank};
  MPI_Request request;
  MPI_Send_init(&one, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  const int ones[2] = {1, 1};
  const MPI_Aint places[2] = {0, sizeof one};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Neighbor_alltoallw_init(mine, ones, places, types, theirs, ones, places, types, ring,
                              MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return is_right(theirs[0] == (rank + size - 1) % size && theirs[1] == (rank + 1) % size);
#else
  return is_right(1);
#endif
}
