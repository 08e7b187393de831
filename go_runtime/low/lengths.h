// How long arrays must be whose length no argument tells, and how large elements are. MPI is asked by PMPI names, so that tools do
// not see calls that the program did not make; what cannot be asked needs nothing.

static int64_t mpg_length_local_size(MPI_Comm comm) {
  int n = 0;
  if (mpg.comm_size) ((int (*)(MPI_Comm, void *))mpg.comm_size)(comm, &n);
  return n;
}

static int64_t mpg_length_comm_size(MPI_Comm comm) {
  int inter = 0, n = 0;
  if (mpg.comm_test_inter) ((int (*)(MPI_Comm, void *))mpg.comm_test_inter)(comm, &inter);
  if (!inter) return mpg_length_local_size(comm);
  if (mpg.comm_remote_size) ((int (*)(MPI_Comm, void *))mpg.comm_remote_size)(comm, &n);
  return n;
}

// Whether this process is the root, whose arrays count. Between two groups the root says so itself, and ranks are others'.
static int mpg_at_root(MPI_Comm comm, int64_t root) {
  int inter = 0, rank = -1;
  if (mpg.comm_test_inter) ((int (*)(MPI_Comm, void *))mpg.comm_test_inter)(comm, &inter);
  if (!inter && mpg.comm_rank) ((int (*)(MPI_Comm, void *))mpg.comm_rank)(comm, &rank);
  return rank >= 0 && rank == root;
}

static int64_t mpg_length_cartdim(MPI_Comm comm) {
  int n = 0;
  if (mpg.cartdim_get) ((int (*)(MPI_Comm, void *))mpg.cartdim_get)(comm, &n);
  return n;
}

// Neighbours in each kind of topology: in[0], out[0].
static void mpg_neighbours(MPI_Comm comm, int *in, int *out) {
  int kind = 0, rank = 0, weighted = 0;
  *in = *out = 0;
  if (!mpg.topo_test || ((int (*)(MPI_Comm, void *))mpg.topo_test)(comm, &kind)) return;
  if (kind == mpg.cart) {
    *in = *out = 2 * (int)mpg_length_cartdim(comm);
  } else if (kind == mpg.graph && mpg.comm_rank && mpg.graph_neighbors_count) {
    ((int (*)(MPI_Comm, void *))mpg.comm_rank)(comm, &rank);
    ((int (*)(MPI_Comm, int, void *))mpg.graph_neighbors_count)(comm, rank, in);
    *out = *in;
  } else if (kind == mpg.dist_graph && mpg.dist_graph_neighbors_count) {
    ((int (*)(MPI_Comm, void *, void *, void *))mpg.dist_graph_neighbors_count)(comm, in, out,
                                                                                &weighted);
  }
}

static int64_t mpg_length_indegree(MPI_Comm comm) {
  int in, out;
  mpg_neighbours(comm, &in, &out);
  return in;
}

static int64_t mpg_length_outdegree(MPI_Comm comm) {
  int in, out;
  mpg_neighbours(comm, &in, &out);
  return out;
}

int64_t MPG_F(size_of)(uint64_t datatype) {
  int n = 0;
  if (mpg.type_size) ((int (*)(MPI_Datatype, void *))mpg.type_size)(MPI_Datatype_in(datatype), &n);
  return n;
}
