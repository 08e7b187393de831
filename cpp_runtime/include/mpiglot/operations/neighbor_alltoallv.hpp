// Sends a part to each neighbor in the topology, and receives one from each. The parts may differ
// in length. MPI-4.1, section 8.6.
//
//   auto theirs = grid.neighbor_alltoallv(send_buf(mine), send_counts(counts));
//   auto request = grid.ineighbor_alltoallv(send_buf(mine), send_counts(counts),
//                                           recv_counts(counts));
//
// Members     neighbor_alltoallv, ineighbor_alltoallv, neighbor_alltoallv_init
// Parameters  those of alltoallv, except in place; a part for or from each neighbor, in the order
//             of MPI
// Asked for   send_counts_out
// Result      as alltoallv
// Messages    one; lengths that are not known are exchanged first. Either all ranks give recv_counts
//             or none does
// Allocates   as alltoallv
// Errors      an error of one rank is thrown there and, as remote_failure, on the ranks that needed
//             its data

#pragma once

#include <mpiglot/detail/collectives/degrees.hpp>
#include <mpiglot/detail/collectives/exchanging.hpp>
#include <mpiglot/mpi/calls/neighbor_alltoallv.hpp>

namespace mpiglot::operations {

struct neighbor_alltoallv {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_counts,
                                keys::send_counts_out, keys::send_displs, keys::send_displs_out,
                                keys::send_type, keys::recv_buf, keys::recv_type, keys::recv_counts,
                                keys::recv_displs, keys::recv_counts_out, keys::recv_displs_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::recv_counts;
  using lengths = keys::send_counts;
  using calls = mpi::calls::neighbor_alltoallv;
  static constexpr const char* name = "neighbor_alltoallv";
  static constexpr bool varying = true;
  static detail::degrees neighbors(const detail::group_view& group) {
    return detail::degrees_of(group);
  }

  template <class Arguments>
  using state = detail::exchanging<neighbor_alltoallv, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/neighbor_alltoallv.hpp>
