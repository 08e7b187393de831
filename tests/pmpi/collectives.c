/* Collectives: in place, with counts for each rank, user operations, nonblocking, on neighbours. */
#include "say.h"

static int calls = 0;

static void affine(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)type;
  int(*a)[2] = in, (*b)[2] = inout;
  ++calls;
  for (int i = 0; i < *length; ++i) {
    const int x = a[i][0] * b[i][0] % 10007, y = (a[i][1] * b[i][0] + b[i][1]) % 10007;
    b[i][0] = x, b[i][1] = y;
  }
}

static void show(const char *what, const int *values, int count) {
  char line[1024] = "";
  for (int i = 0; i < count; ++i)
    snprintf(line + strlen(line), sizeof line - strlen(line), " %d", values[i]);
  say("%s:%s", what, line);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  said_rank = rank;
  MPI_Comm world = MPI_COMM_WORLD;
  const int root = size - 1;
  int a[64], b[64], counts[8], displacements[8], lengths[8], zeros[8];
  MPI_Datatype types[8];
  MPI_Request request;
#define FRESH \
  for (int i = 0; i < 64; ++i) a[i] = 1000 * rank + i, b[i] = -1

  FRESH;
  MPI_Bcast(a, 3, MPI_INT, root, world);
  show("bcast", a, 4);
  FRESH;
  MPI_Gather(rank == root ? MPI_IN_PLACE : a, 2, MPI_INT, rank == root ? b : NULL, 2, MPI_INT, root,
             world);
  show("gather in place", b, 2 * size);
  FRESH;
  for (int i = 0; i < size; ++i) counts[i] = i + 1, displacements[i] = i * (i + 1) / 2 + i;
  MPI_Gatherv(a, rank + 1, MPI_INT, b, counts, displacements, MPI_INT, root, world);
  show("gatherv", b, 16);
  FRESH;
  MPI_Scatter(a, 2, MPI_INT, rank == root ? MPI_IN_PLACE : b, 2, MPI_INT, root, world);
  show("scatter", b, 3);
  FRESH;
  MPI_Scatterv(rank == root ? a : NULL, rank == root ? counts : NULL,
               rank == root ? displacements : NULL, MPI_INT, b, rank + 1, MPI_INT, root, world);
  show("scatterv", b, 5);
  FRESH;
  b[rank] = rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INT, world);
  show("allgather in place", b, size + 1);
  FRESH;
  MPI_Allgatherv(a, rank + 1, MPI_INT, b, counts, displacements, MPI_INT, world);
  show("allgatherv", b, 16);
  FRESH;
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, a, 1, MPI_INT, world);
  show("alltoall in place", a, size + 1);
  FRESH;
  for (int i = 0; i < size; ++i) lengths[i] = 1, zeros[i] = i, types[i] = MPI_INT;
  MPI_Alltoallv(a, lengths, zeros, MPI_INT, b, lengths, zeros, MPI_INT, world);
  show("alltoallv", b, size + 1);
  FRESH;
  for (int i = 0; i < size; ++i) zeros[i] = 4 * i;
  MPI_Alltoallw(a, lengths, zeros, types, b, lengths, zeros, types, world);
  show("alltoallw", b, size + 1);
  FRESH;
  MPI_Reduce(rank == root ? MPI_IN_PLACE : a, rank == root ? a : NULL, 3, MPI_INT, MPI_MAX, root,
             world);
  show("reduce", a, 3);
  FRESH;
  MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_INT, MPI_SUM, world);
  show("allreduce in place", a, 3);
  FRESH;
  MPI_Reduce_scatter(a, b, lengths, MPI_INT, MPI_SUM, world);
  MPI_Reduce_scatter_block(a, b + 1, 1, MPI_INT, MPI_SUM, world);
  show("reduce_scatter", b, 3);
  FRESH;
  MPI_Scan(MPI_IN_PLACE, a, 2, MPI_INT, MPI_SUM, world);
  b[0] = 0;
  MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, world);
  if (rank) show("scan and exscan", b, 2);

  /* an operation that does not commute, freed while it is in use */
  MPI_Datatype pair;
  MPI_Op op;
  int commutes = 77;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(affine, 0, &op);
  MPI_Op_commutative(op, &commutes);
  say("commutes %d, sum commutes %d", commutes, (MPI_Op_commutative(MPI_SUM, &commutes), commutes));
  FRESH;
  MPI_Iallreduce(a, b, 2, pair, op, world, &request);
  MPI_Op_free(&op);
  say("op gone %d", op == MPI_OP_NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  show("own operation", b, 5);
  say("was called %d", calls > 0 || size == 1);
  MPI_Op_create(affine, 1, &op);
  MPI_Reduce_local(a, b, 1, pair, op);
  MPI_Op_free(&op);
  show("reduce_local", b, 2);
  MPI_Type_free(&pair);

  /* nonblocking */
  FRESH;
  MPI_Ibcast(a, 2, MPI_INT, 0, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Iallgatherv(a, rank + 1, MPI_INT, b, counts, displacements, MPI_INT, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  show("iallgatherv", b, 16);
  FRESH;
  for (int i = 0; i < size; ++i) zeros[i] = i;
  MPI_Ialltoallv(a, lengths, zeros, MPI_INT, b, lengths, zeros, MPI_INT, world, &request);
  int flag = 0;
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  show("ialltoallv", b, size + 1);
  MPI_Ibarrier(world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm copy;
  MPI_Comm_idup(world, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int same;
  MPI_Comm_compare(world, copy, &same);
  say("idup: congruent %d", same == MPI_CONGRUENT);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);

  /* neighbours: a ring, and a graph in which some rank may have no neighbours */
  MPI_Comm ring, graph;
  const int dimension = size, periodic = 1;
  MPI_Cart_create(world, 1, &dimension, &periodic, 0, &ring);
  FRESH;
  MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, ring);
  show("neighbours", b, 3);
  MPI_Ineighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  show("neighbours, all to all", b, 3);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Dist_graph_create_adjacent(world, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  int in = 77, out = 77, weighted = 77;
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  say("graph: %d %d %d", in, out, weighted);
  int sources[1] = {77}, targets[1] = {77}, weights[1] = {77};
  MPI_Dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED);
  say("from %d to %d", sources[0], targets[0]);
  FRESH;
  MPI_Aint where[1] = {4};
  const int one[1] = {1};
  MPI_Datatype type[1] = {MPI_INT};
  MPI_Neighbor_alltoallw(a, one, where, type, b, one, where, type, graph);
  show("neighbor_alltoallw", b, 3);
  MPI_Comm_free(&graph);
  weights[0] = 5;
  MPI_Dist_graph_create(world, 1, &rank, one, &next, weights, MPI_INFO_NULL, 0, &graph);
  weights[0] = 77;
  int more[1] = {77};
  MPI_Dist_graph_neighbors(graph, 1, sources, more, 1, targets, weights);
  say("weights %d %d", more[0], weights[0]);
  MPI_Comm_free(&graph);
  MPI_Dist_graph_create_adjacent(world, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY,
                                 MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  say("nobody: %d %d %d", in, out, weighted);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&ring);

#if MPI_VERSION >= 4
  FRESH;
  MPI_Allreduce_init(a, b, 2, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("persistent", b, 2);
  }
  MPI_Request_free(&request);
  MPI_Count large_counts[8];
  MPI_Aint large_displacements[8];
  for (int i = 0; i < size; ++i)
    large_counts[i] = counts[i], large_displacements[i] = displacements[i];
  FRESH;
  MPI_Allgatherv_c(a, rank + 1, MPI_INT, b, large_counts, large_displacements, MPI_INT, world);
  show("allgatherv, large", b, 16);
  MPI_Allreduce_c(MPI_IN_PLACE, a, 2, MPI_INT, MPI_MIN, world);
  show("allreduce, large", a, 2);
#endif

  MPI_Finalize();
  return 0;
}
