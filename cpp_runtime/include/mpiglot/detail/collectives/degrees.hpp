// How many neighbors a process has in the topology of its communicator.

#pragma once

#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/base/storage.hpp>
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

  /// The ranks of both, in the order of the parts.
  static void name(const group_view& group, block<int>& sources, block<int>& destinations);
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

inline void degrees::name(const group_view& group, block<int>& sources, block<int>& destinations) {
  const degrees many = degrees_of(group);
  sources.resize(static_cast<std::size_t>(many.sources));
  destinations.resize(static_cast<std::size_t>(many.destinations));
  switch (mpi::topo_test(group.comm)) {
    case mpi::topology::cart:
      for (std::size_t i = 0; i < sources.size(); i += 2) {
        const auto shifted = mpi::cart_shift(group.comm, static_cast<int>(i / 2), 1);
        sources.data()[i] = destinations.data()[i] = shifted.rank_source;
        sources.data()[i + 1] = destinations.data()[i + 1] = shifted.rank_dest;
      }
      break;
    case mpi::topology::graph:
      mpi::detail::check(MPIGLOT_MPI(MPI_Graph_neighbors)(group.comm.native, group.rank,
                                                          many.sources, sources.data()),
                         "MPI_Graph_neighbors");
      __builtin_memcpy(destinations.data(), sources.data(), sources.size() * sizeof(int));
      break;
    default: {
      block<int> weights(sources.size() + destinations.size());
      mpi::detail::check(
          MPIGLOT_MPI(MPI_Dist_graph_neighbors)(
              group.comm.native, many.sources, sources.data(), weights.data(), many.destinations,
              destinations.data(), weights.data() + sources.size()),
          "MPI_Dist_graph_neighbors");
    }
  }
}

}  // namespace mpiglot::detail
