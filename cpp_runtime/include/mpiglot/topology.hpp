// Process topologies: grids, graphs and distributed graphs as communicators. MPI-4.1, chapter 8.
//
//   const cartesian grid(world, dims_create(world.size(), 2), {false, true});
//   const auto [from, to] = grid.shift(1, 1);
//
// Creating one is collective over the old communicator, asking is local. On ranks that have no
// place in the topology the new communicator is null. `basic_cartesian<Plugins...>` and its like
// have plugins.

#pragma once

#include <initializer_list>
#include <mpiglot/communicator.hpp>
#include <mpiglot/mpi/topologies.hpp>
#include <mpiglot/operations/neighborhood.hpp>
#include <span>
#include <vector>

namespace mpiglot {

/// Divides `ranks` into a grid of `dimensions` as even as possible. Local.
[[nodiscard]] inline std::vector<int> dims_create(int ranks, int dimensions) {
  std::vector<int> dims(static_cast<std::size_t>(dimensions), 0);
  mpi::dims_create(ranks, dims);
  return dims;
}
/// The same where some sizes are given: only those that are 0 are chosen.
[[nodiscard]] inline std::vector<int> dims_create(int ranks, std::vector<int> dims) {
  mpi::dims_create(ranks, dims);
  return dims;
}

/// What a rank receives from and sends to; `mpi::proc_null` past an edge.
struct shifted {
  int source;
  int destination;
};

namespace detail {
/// Numbers for MPI to fill in; some MPIs want an address even for none.
[[nodiscard]] inline std::vector<int> numbers(int n) {
  std::vector<int> made;
  made.reserve(static_cast<std::size_t>(n) + 1);
  made.resize(static_cast<std::size_t>(n));
  return made;
}
}  // namespace detail

/// A communicator whose ranks are the points of a grid, row after row. Owned, or borrowed from a
/// handle that has such a topology.
template <template <class> class... Plugins>
class basic_cartesian : public basic_communicator<Plugins...>,
                        public detail::neighborhood_members<basic_cartesian<Plugins...>> {
  using base = basic_communicator<Plugins...>;

 public:
  using base::base;
  /// `periodic`: for each dimension whether it is a ring. `reorder`: ranks may change.
  basic_cartesian(mpi::comm_handle old, std::span<const int> dims, std::span<const int> periodic,
                  bool reorder = false)
      : base(mpi::unique_comm(mpi::cart_create(old, dims, periodic, reorder))) {}
  basic_cartesian(mpi::comm_handle old, std::span<const int> dims,
                  std::initializer_list<int> periodic, bool reorder = false)
      : basic_cartesian(old, dims, {periodic.begin(), periodic.size()}, reorder) {}
  basic_cartesian(mpi::comm_handle old, std::initializer_list<int> dims,
                  std::initializer_list<int> periodic, bool reorder = false)
      : basic_cartesian(old, {dims.begin(), dims.size()}, {periodic.begin(), periodic.size()},
                        reorder) {}

  /// The number of dimensions. Local.
  [[nodiscard]] int dimensions() const { return mpi::cartdim_get(this->handle()); }
  /// How long each dimension is.
  [[nodiscard]] std::vector<int> dims() const { return grid().dims; }
  /// For each dimension whether it is a ring (0 or 1).
  [[nodiscard]] std::vector<int> periodic() const { return grid().periodic; }
  /// Where this process is.
  [[nodiscard]] std::vector<int> coords() const { return grid().coords; }
  /// Where `rank` is.
  [[nodiscard]] std::vector<int> coords(int rank) const {
    std::vector<int> place = detail::numbers(dimensions());
    mpi::cart_coords(this->handle(), rank, place);
    return place;
  }
  /// Who is at `coords`. In a ring every number is a place; elsewhere one outside is an error.
  [[nodiscard]] int rank_at(std::span<const int> coords) const {
    return mpi::cart_rank(this->handle(), coords);
  }
  /// The same for coordinates in braces.
  [[nodiscard]] int rank_at(std::initializer_list<int> coords) const {
    return rank_at(std::span<const int>(coords.begin(), coords.size()));
  }
  /// The neighbours `by` steps away in one dimension.
  [[nodiscard]] shifted shift(int dimension, int by = 1) const {
    const auto found = mpi::cart_shift(this->handle(), dimension, by);
    return {found.rank_source, found.rank_dest};
  }
  /// The neighbours in the order of neighbourhood collectives: for each dimension the one before
  /// and the one after.
  [[nodiscard]] std::vector<int> neighbors() const {
    std::vector<int> ranks;
    for (int dimension = 0, n = dimensions(); dimension < n; ++dimension) {
      const shifted next = shift(dimension);
      ranks.push_back(next.source);
      ranks.push_back(next.destination);
    }
    return ranks;
  }
  /// Grids of fewer dimensions: those that are kept (not 0). Collective.
  [[nodiscard]] basic_cartesian sub(std::span<const int> keep) const {
    return basic_cartesian(mpi::unique_comm(mpi::cart_sub(this->handle(), keep)));
  }
  /// The same for dimensions in braces.
  [[nodiscard]] basic_cartesian sub(std::initializer_list<int> keep) const {
    return sub(std::span<const int>(keep.begin(), keep.size()));
  }

 private:
  struct whole_grid {
    std::vector<int> dims, periodic, coords;
  };
  [[nodiscard]] whole_grid grid() const {
    const int n = dimensions();
    whole_grid found{detail::numbers(n), detail::numbers(n), detail::numbers(n)};
    mpi::cart_get(this->handle(), found.dims, found.periodic, found.coords);
    return found;
  }
};
/// A Cartesian communicator without plugins.
using cartesian = basic_cartesian<>;

/// A communicator whose ranks are the nodes of a graph that every rank knows as a whole.
template <template <class> class... Plugins>
class basic_graph : public basic_communicator<Plugins...>,
                    public detail::neighborhood_members<basic_graph<Plugins...>> {
  using base = basic_communicator<Plugins...>;

 public:
  using base::base;
  /// `neighbors[i]`: those of node i. The same on all ranks.
  basic_graph(mpi::comm_handle old, const std::vector<std::vector<int>>& neighbors,
              bool reorder = false)
      : base(create(old, neighbors, reorder)) {}

  /// The neighbours of a rank, this one by default. Local.
  [[nodiscard]] std::vector<int> neighbors() const { return neighbors(this->rank()); }
  /// The neighbours of a rank, this one by default. Local.
  [[nodiscard]] std::vector<int> neighbors(int rank) const {
    std::vector<int> ranks = detail::numbers(mpi::graph_neighbors_count(this->handle(), rank));
    mpi::graph_neighbors(this->handle(), rank, ranks);
    return ranks;
  }
  /// The whole graph, as it was given.
  [[nodiscard]] std::vector<std::vector<int>> adjacency() const {
    std::vector<std::vector<int>> all;
    for (int rank = 0; rank < this->size(); ++rank) all.push_back(neighbors(rank));
    return all;
  }

 private:
  [[nodiscard]] static mpi::unique_comm create(mpi::comm_handle old,
                                               const std::vector<std::vector<int>>& neighbors,
                                               bool reorder) {
    std::vector<int> ends, edges;  // where the edges of each node end in `edges`
    edges.reserve(1);              // MPI wants an address even for none
    for (const std::vector<int>& some : neighbors) {
      edges.insert(edges.end(), some.begin(), some.end());
      ends.push_back(static_cast<int>(edges.size()));
    }
    return mpi::unique_comm(mpi::graph_create(old, ends, edges, reorder));
  }
};
/// A graph communicator without plugins.
using graph = basic_graph<>;

/// Neighbours of one rank and, where the graph has weights, those of the edges.
struct neighborhood {
  std::vector<int> sources;
  std::vector<int> destinations;
  std::vector<int> source_weights{};
  std::vector<int> destination_weights{};
};

/// A communicator whose ranks are the nodes of a graph of which each knows a part.
template <template <class> class... Plugins>
class basic_distributed_graph
    : public basic_communicator<Plugins...>,
      public detail::neighborhood_members<basic_distributed_graph<Plugins...>> {
  using base = basic_communicator<Plugins...>;

 public:
  using base::base;
  /// Every rank says whom it receives from and sends to; with weights on all ranks, or on none.
  basic_distributed_graph(mpi::comm_handle old, const neighborhood& mine, bool reorder = false,
                          mpi::info_handle hints = {})
      : base(mpi::unique_comm(mpi::dist_graph_create_adjacent(
            old, mine.sources, weights(mine, mine.source_weights), mine.destinations,
            weights(mine, mine.destination_weights), hints, reorder))) {}

  /// Any rank names any edges: `degrees[i]` of them from `sources[i]`, to the next `destinations`.
  [[nodiscard]] static basic_distributed_graph from_edges(
      mpi::comm_handle old, std::span<const int> sources, std::span<const int> degrees,
      std::span<const int> destinations, std::span<const int> weights = mpi::unweighted,
      bool reorder = false, mpi::info_handle hints = {}) {
    return basic_distributed_graph(mpi::unique_comm(
        mpi::dist_graph_create(old, sources, degrees, destinations, weights, hints, reorder)));
  }

  /// The neighbours of this rank in the order of neighbourhood collectives.
  [[nodiscard]] neighborhood neighbors() const {
    const auto count = mpi::dist_graph_neighbors_count(this->handle());
    neighborhood found{detail::numbers(count.indegree), detail::numbers(count.outdegree),
                       detail::numbers(count.indegree), detail::numbers(count.outdegree)};
    mpi::dist_graph_neighbors(this->handle(), found.sources, found.source_weights,
                              found.destinations, found.destination_weights);
    if (!count.weighted) {
      found.source_weights.clear();
      found.destination_weights.clear();
    }
    return found;
  }

 private:
  // A rank without edges in one direction has weights all the same if it has some in the other.
  [[nodiscard]] static std::span<const int> weights(const neighborhood& mine,
                                                    const std::vector<int>& given) {
    if (mine.source_weights.empty() && mine.destination_weights.empty()) return mpi::unweighted;
    if (given.empty()) return mpi::weights_empty;
    return given;
  }
};
/// A communicator with a distributed graph, without plugins.
using distributed_graph = basic_distributed_graph<>;

}  // namespace mpiglot
