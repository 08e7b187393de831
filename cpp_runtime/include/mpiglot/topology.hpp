// Process topologies: grids, graphs and distributed graphs as communicators. MPI-4.1, chapter 8.
//
//   const cartesian grid(world, dims_create(world.size(), 2), {false, true});
//   const auto [from, to] = grid.shift(1, 1);
// Constructors are collective over the old communicator; queries are local. On ranks that are not
// part of the topology, the new communicator is null. `basic_cartesian<Plugins...>`,
// `basic_graph<Plugins...>` and `basic_distributed_graph<Plugins...>` have plugins.

#pragma once

#include <initializer_list>
#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/topologies.hpp>
#include <mpiglot/operations/neighborhood.hpp>
#include <span>
#include <vector>

namespace mpiglot {

/// Divides `ranks` into a grid with `dimensions` dimensions of similar sizes; only sizes that are 0 are
/// chosen. Local. Throws `mpi::unavailable` for more than 46340 * 46340 ranks where MPI would divide by
/// zero (MPICH, Intel MPI).
[[nodiscard]] inline std::vector<int> dims_create(int ranks, std::vector<int> dims) {
  constexpr int most = 46340 * 46340;
  if (ranks > most)
    detail::require_without_defect(detail::library_defect("dims-of-large-numbers"), "dims_create");
  mpi::dims_create(ranks, dims);
  return dims;
}
/// As above; all sizes are chosen.
[[nodiscard]] inline std::vector<int> dims_create(int ranks, int dimensions) {
  return dims_create(ranks, std::vector<int>(static_cast<std::size_t>(dimensions), 0));
}

/// The source and the destination of a shift; `mpi::proc_null` beyond an edge.
struct shifted {
  int source;
  int destination;
};

namespace detail {
/// An array that MPI fills in. Some MPIs need a valid address even for length 0.
[[nodiscard]] inline std::vector<int> numbers(int n) {
  std::vector<int> made;
  made.reserve(static_cast<std::size_t>(n) + 1);
  made.resize(static_cast<std::size_t>(n));
  return made;
}
}  // namespace detail

/// A communicator with a Cartesian topology: its ranks are the points of a grid in row-major order.
/// Owned, or borrowed from a handle that has such a topology.
template <template <class> class... Plugins>
class basic_cartesian : public basic_communicator<Plugins...>,
                        public detail::neighborhood_members<basic_cartesian<Plugins...>> {
  using base = basic_communicator<Plugins...>;

 public:
  using base::base;
  /// Creates a grid. `periodic` says for each dimension whether it is periodic. With `reorder`, MPI
  /// may number the ranks anew.
  basic_cartesian(mpi::comm_handle old, std::span<const int> dims, std::span<const int> periodic,
                  bool reorder = false)
      : base(detail::once_all_made(old, mpi::cart_create(old, dims, periodic, reorder))) {}
  basic_cartesian(mpi::comm_handle old, std::span<const int> dims,
                  std::initializer_list<int> periodic, bool reorder = false)
      : basic_cartesian(old, dims, {periodic.begin(), periodic.size()}, reorder) {}
  basic_cartesian(mpi::comm_handle old, std::initializer_list<int> dims,
                  std::initializer_list<int> periodic, bool reorder = false)
      : basic_cartesian(old, {dims.begin(), dims.size()}, {periodic.begin(), periodic.size()},
                        reorder) {}

  /// The number of dimensions. Local.
  [[nodiscard]] int dimensions() const { return mpi::cartdim_get(this->present("dimensions")); }
  /// The size of each dimension.
  [[nodiscard]] std::vector<int> dims() const { return grid("dims").dims; }
  /// For each dimension, 1 if it is periodic, else 0.
  [[nodiscard]] std::vector<int> periodic() const { return grid("periodic").periodic; }
  /// The coordinates of this process.
  [[nodiscard]] std::vector<int> coords() const { return grid("coords").coords; }
  /// The coordinates of `rank`.
  [[nodiscard]] std::vector<int> coords(int rank) const {
    std::vector<int> place = detail::numbers(mpi::cartdim_get(this->present("coords")));
    mpi::cart_coords(this->handle(), rank, place);
    return place;
  }
  /// The rank at `coords`. In a periodic dimension, any coordinate is valid; in the others, one
  /// outside of the grid is an error.
  [[nodiscard]] int rank_at(std::span<const int> coords) const {
    return mpi::cart_rank(this->present("rank_at"), coords);
  }
  /// As above, for coordinates in braces.
  [[nodiscard]] int rank_at(std::initializer_list<int> coords) const {
    return rank_at(std::span<const int>(coords.begin(), coords.size()));
  }
  /// The source and the destination of a shift by `by` steps in one dimension.
  [[nodiscard]] shifted shift(int dimension, int by = 1) const {
    const auto found = mpi::cart_shift(this->present("shift"), dimension, by);
    return {found.rank_source, found.rank_dest};
  }
  /// The neighbours in the order of neighbourhood collectives: for each dimension, the rank before
  /// and the rank after this one.
  [[nodiscard]] std::vector<int> neighbors() const {
    std::vector<int> ranks;
    for (int dimension = 0, n = mpi::cartdim_get(this->present("neighbors")); dimension < n;
         ++dimension) {
      const shifted next = shift(dimension);
      ranks.push_back(next.source);
      ranks.push_back(next.destination);
    }
    return ranks;
  }
  /// Splits the grid into grids of fewer dimensions; `keep` is not 0 for the dimensions that they
  /// keep. Collective.
  [[nodiscard]] basic_cartesian sub(std::span<const int> keep) const {
    const mpi::comm_handle whole = this->present("sub");
    return basic_cartesian(detail::once_all_made(whole, mpi::cart_sub(whole, keep)));
  }
  /// As above, for dimensions in braces.
  [[nodiscard]] basic_cartesian sub(std::initializer_list<int> keep) const {
    return sub(std::span<const int>(keep.begin(), keep.size()));
  }

 private:
  struct whole_grid {
    std::vector<int> dims, periodic, coords;
  };
  [[nodiscard]] whole_grid grid(const char* asked) const {
    const int n = mpi::cartdim_get(this->present(asked));
    whole_grid found{detail::numbers(n), detail::numbers(n), detail::numbers(n)};
    mpi::cart_get(this->handle(), found.dims, found.periodic, found.coords);
    return found;
  }
};
/// A Cartesian communicator without plugins.
using cartesian = basic_cartesian<>;

/// A communicator with a graph topology: its ranks are the nodes of a graph, which every rank gives
/// completely.
template <template <class> class... Plugins>
class basic_graph : public basic_communicator<Plugins...>,
                    public detail::neighborhood_members<basic_graph<Plugins...>> {
  using base = basic_communicator<Plugins...>;

 public:
  using base::base;
  /// Creates a graph. `neighbors[i]` are the neighbours of node i. All ranks give the same graph.
  basic_graph(mpi::comm_handle old, const std::vector<std::vector<int>>& neighbors,
              bool reorder = false)
      : base(create(old, neighbors, reorder)) {}

  /// The neighbours of this rank, or of the given one. Local.
  [[nodiscard]] std::vector<int> neighbors() const { return neighbors(this->rank()); }
  /// The neighbours of this rank, or of the given one. Local.
  [[nodiscard]] std::vector<int> neighbors(int rank) const {
    std::vector<int> ranks =
        detail::numbers(mpi::graph_neighbors_count(this->present("neighbors"), rank));
    mpi::graph_neighbors(this->handle(), rank, ranks);
    return ranks;
  }
  /// The neighbours of every node, as given to the constructor.
  [[nodiscard]] std::vector<std::vector<int>> adjacency() const {
    std::vector<std::vector<int>> all;
    for (int rank = 0; rank < this->size(); ++rank) all.push_back(neighbors(rank));
    return all;
  }

 private:
  [[nodiscard]] static mpi::unique_comm create(mpi::comm_handle old,
                                               const std::vector<std::vector<int>>& neighbors,
                                               bool reorder) {
    std::vector<int> ends, edges;  // the index in `edges` after the last edge of each node
    edges.reserve(1);              // MPI needs a valid address even for no edges
    for (const std::vector<int>& some : neighbors) {
      edges.insert(edges.end(), some.begin(), some.end());
      ends.push_back(static_cast<int>(edges.size()));
    }
    return detail::once_all_made(old, mpi::graph_create(old, ends, edges, reorder));
  }
};
/// A graph communicator without plugins.
using graph = basic_graph<>;

/// The neighbours of one rank, and the weights of the edges if the graph has weights.
struct neighborhood {
  std::vector<int> sources;
  std::vector<int> destinations;
  std::vector<int> source_weights{};
  std::vector<int> destination_weights{};
};

/// A communicator with a distributed graph topology: its ranks are the nodes of a graph, of which
/// each rank gives a part.
template <template <class> class... Plugins>
class basic_distributed_graph
    : public basic_communicator<Plugins...>,
      public detail::neighborhood_members<basic_distributed_graph<Plugins...>> {
  using base = basic_communicator<Plugins...>;

 public:
  using base::base;
  /// Every rank gives the ranks from which it receives and to which it sends. Either all ranks give
  /// weights or none does.
  basic_distributed_graph(mpi::comm_handle old, const neighborhood& mine, bool reorder = false,
                          mpi::info_handle hints = {})
      : base(detail::once_all_made(
            old, mpi::dist_graph_create_adjacent(
                     old, mine.sources, weights(mine, mine.source_weights), mine.destinations,
                     weights(mine, mine.destination_weights), hints, reorder))) {}

  /// Every rank may give any edges of the graph: `degrees[i]` edges from `sources[i]`, to the next
  /// `degrees[i]` elements of `destinations`.
  [[nodiscard]] static basic_distributed_graph from_edges(
      mpi::comm_handle old, std::span<const int> sources, std::span<const int> degrees,
      std::span<const int> destinations, std::span<const int> weights = mpi::unweighted,
      bool reorder = false, mpi::info_handle hints = {}) {
    return basic_distributed_graph(detail::once_all_made(
        old, mpi::dist_graph_create(old, sources, degrees, destinations, weights, hints, reorder)));
  }

  /// The neighbours of this rank in the order of neighbourhood collectives.
  [[nodiscard]] neighborhood neighbors() const {
    const auto count = mpi::dist_graph_neighbors_count(this->present("neighbors"));
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
  // A rank that has no edges in one direction counts as weighted if it has weights in the other.
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
