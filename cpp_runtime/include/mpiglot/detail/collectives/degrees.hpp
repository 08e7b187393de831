// How many neighbors a process has in the topology of its communicator.

#pragma once

#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/topologies.hpp>

namespace mpiglot::detail {

/// How many ranks send to this one, and how many it sends to.
struct degrees {
  int sources;
  int destinations;

  /// How many of the sources are MPI_PROC_NULL, beyond the edge of a grid.
  [[nodiscard, gnu::cold, gnu::noinline]] static int missing_sources(const group_view& group) {
    if (mpi::topo_test(group.comm) != mpi::topology::cart) return 0;
    int missing = 0;
    const int dimensions = mpi::cartdim_get(group.comm);
    for (int i = 0; i < dimensions; ++i) {
      const auto shifted = mpi::cart_shift(group.comm, i, 1);
      missing += (shifted.rank_source == MPI_PROC_NULL ? 1 : 0) +
                 (shifted.rank_dest == MPI_PROC_NULL ? 1 : 0);
    }
    return missing;
  }
};

/// Local. MPI_ERR_TOPOLOGY if the communicator has none.
[[nodiscard]] inline degrees degrees_of(const group_view& group) {
  switch (mpi::topo_test(group.comm)) {
    case mpi::topology::cart: {
      const int both = 2 * mpi::cartdim_get(group.comm);
      return {both, both};
    }
    case mpi::topology::graph: {
      const int all = mpi::graph_neighbors_count(group.comm, group.rank);
      return {all, all};
    }
    case mpi::topology::dist_graph: {
      const auto counted = mpi::dist_graph_neighbors_count(group.comm);
      return {counted.indegree, counted.outdegree};
    }
    case mpi::topology::undefined:
      break;
  }
  refuse_argument(MPI_ERR_TOPOLOGY, "this communicator has no topology");
}

}  // namespace mpiglot::detail
