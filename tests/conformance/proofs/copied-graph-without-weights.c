// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  MPI_Comm ring, copy;
  const int other = 1 - rank;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Comm_dup(ring, &copy);
  int in, out, weighted = -1;
  MPI_Dist_graph_neighbors_count(copy, &in, &out, &weighted);
  if (in != 1 || out != 1 || weighted) return is_right(0);
  int source = -1, destination = -1;
  MPI_Dist_graph_neighbors(copy, 1, &source, MPI_UNWEIGHTED, 1, &destination, MPI_UNWEIGHTED);
  if (source != other || destination != other) return is_right(0);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&ring);
  return is_right(1);
}
