// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  MPI_Comm pair;  // rank 0 sends to rank 1, which sends to nobody
  const int other = 1 - rank, none = 0;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank, rank ? &other : &none, MPI_UNWEIGHTED,
                                 1 - rank, rank ? &none : &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &pair);
  int sent = 7, got = -1;
  MPI_Neighbor_allgather(&sent, 1, MPI_INT, &got, rank, MPI_INT, pair);
  if (rank == 1 && got != 7) return is_right(0);
  got = -1;
  MPI_Neighbor_alltoall(&sent, 1 - rank, MPI_INT, &got, rank, MPI_INT, pair);
  if (rank == 1 && got != 7) return is_right(0);
  MPI_Comm_free(&pair);
  return is_right(1);
}
