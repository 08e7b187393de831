// alltoallv in hops over a grid of the ranks: for many small messages on many ranks. In d hops a rank
// exchanges with about d size^(1/d) ranks instead of all, and each byte travels d times.
//
//   basic_communicator<grid_alltoall> comm;
//   auto theirs = comm.alltoallv_grid(send_buf(parts), send_counts(counts));
//
// Members     alltoallv_grid, ialltoallv_grid
// Parameters  send_buf or send_buf_out; send_counts (an encoded range has one element for each rank
//             and needs none); send_displs; send_type; recv_buf (a vector by value); recv_displs;
//             recv_type; dimensions (2: the number of hops, the same on all ranks; no more are made
//             than halve the ranks)
// Asked for   send_counts_out, recv_counts_out (which tells the sources), recv_displs_out,
//             send_displs_out
// Result      that of alltoallv: parts in the order of their sources
// Messages    for each hop an alltoall of about 1 KiB a rank, which brings small parts, and an
//             alltoallv of large ones, each on a part of the ranks; then for each hop an allgather of
//             one integer. The first call with a number of dimensions makes the communicators
// Later       these are stages, which whoever waits drives. Several may be in flight, completed in any
//             order. send_buf stays as it is until the end
// Allocates   copies of what is forwarded and received, and of what is sent if it has gaps or another
//             order than the ranks
// Limits      where MPI has no functions for large counts (Open MPI 4): 2^31 elements sent or received
//             by a rank in one hop
// Errors      those of alltoallv; a rank that fails takes part in all hops, and all learn of it

#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <mpiglot/plugin.hpp>
#include <vector>

namespace mpiglot {

namespace keys {
struct dimensions {};
}  // namespace keys

/// In how many hops the parts travel.
[[nodiscard]] inline parameter<keys::dimensions, int> dimensions(int hops) { return {hops}; }

namespace operations {

struct alltoallv_grid : plugin::alltoallv_by_route<alltoallv_grid, keys::dimensions> {
  static constexpr const char* name = "alltoallv_grid";
  template <class T>
  using route = plugin::route_in_hops<T>;

  /// The hops of this rank. The ranks for which it has parts, at first all, are divided into groups of consecutive
  /// ranks. Each rank has a place in its group, and exchanges with those that have it in the others; the last rank of
  /// a larger group shares that of another one, to which the others send.
  struct grid : plugin::hops_context {
    grid(mpi::comm_handle comm, int dimensions) : hops_context(comm) {
      const plugin::stage_communicator all(comm);
      const int self = all.rank();
      std::vector<int> sources{self};
      count_t first = 0, ranks = all.size();
      const int halved = std::max(1, static_cast<int>(std::bit_width(std::size_t(ranks))) - 1);
      for (int left = std::min(dimensions, halved); left > 0; --left) {
        const count_t groups = std::lround(std::pow(ranks, 1.0 / left)), places = ranks / groups;
        const auto begin = [=](count_t group) { return first + ranks * group / groups; };
        const auto size = [=](count_t group) { return begin(group + 1) - begin(group); };
        const auto group_of = [=](count_t r) { return ((r - first + 1) * groups - 1) / ranks; };
        const auto shares = [=](count_t r) { return r - begin(group_of(r)) == places; };
        const auto place_of = [=](count_t r) {
          return shares(r) ? group_of(r) % places : r - begin(group_of(r));
        };
        std::vector<int> targets;
        for (count_t r = first; r < first + ranks; ++r)
          if (place_of(r) == place_of(self)) {
            const bool here = group_of(r) == group_of(self);
            const bool sends = here ? r == self : !shares(r);
            targets.push_back(sends ? static_cast<int>(size(group_of(r))) : 0);
          }
        hops.emplace_back(all.split(static_cast<int>(first + place_of(self))), sources, targets);
        sources = hops.back().sources;
        const count_t own = group_of(self);
        std::tie(first, ranks) = std::pair(begin(own), size(own));
      }
      if (hops.size() > 1)
        for (const plugin::hop& each : hops) verdict_hops.push_back(each.lengths.dup());
    }
  };
  /// One for each number of dimensions.
  struct kept : std::map<int, grid> {
    explicit kept(mpi::comm_handle comm) : on(comm) {}
    mpi::comm_handle on;
  };
  static constexpr const char* what_differs = "ranks give different dimensions";
  [[nodiscard]] static int alike(auto& given) {
    return given.template value_or<keys::dimensions>(2);
  }
  [[nodiscard]] static grid& context(kept& grids, auto& given) {
    const int dimensions = alike(given);
    if (dimensions < 1) plugin::fail(MPI_ERR_DIMS, name);
    return grids.try_emplace(dimensions, grids.on, dimensions).first->second;
  }
};

}  // namespace operations

/// A plugin that adds `alltoallv_grid` to a communicator.
template <class Base>
class grid_alltoall : public Base {
 public:
  using Base::Base;

  /// Sends a part from each rank to each rank in two hops. The comment at the top of this header
  /// lists the parameters. Collective.
  template <class... A>
  auto alltoallv_grid(A&&... a) const {
    return plugin::perform<operations::alltoallv_grid>(*this, static_cast<A&&>(a)...);
  }
  /// The same while the program goes on: returns a request. Whoever waits drives its stages. Several may
  /// be in flight, and each rank may complete them in its own order. Collective.
  template <class... A>
  auto ialltoallv_grid(A&&... a) const {
    return plugin::perform_later<operations::alltoallv_grid>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
