// Sends the buffer of each rank to its neighbors in the topology. The buffers may differ in length.
// MPI-4.1, section 8.6.
//
//   auto theirs = grid.neighbor_allgatherv(send_buf(mine));
//   auto request = grid.ineighbor_allgatherv(send_buf(mine), recv_counts(counts));
//
// Members     neighbor_allgatherv, ineighbor_allgatherv, neighbor_allgatherv_init
// Parameters  those of allgatherv, except in place; a part for or from each neighbor, in the order
//             of MPI
// Asked for   send_count_out
// Result      as allgatherv
// Messages    one; lengths that are not known are exchanged first. Either all ranks give recv_counts
//             or none does
// Allocates   as allgatherv
// Errors      an error of one rank is thrown there and, as remote_failure, on the ranks that needed
//             its data

#pragma once

#include <mpiglot/detail/collectives/degrees.hpp>
#include <mpiglot/detail/collectives/gathering.hpp>
#include <mpiglot/mpi/calls/neighbor_allgather.hpp>
#include <mpiglot/mpi/calls/neighbor_allgatherv.hpp>

namespace mpiglot::operations {

struct neighbor_allgatherv {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_count, keys::send_count_out,
                    keys::send_type, keys::recv_buf, keys::recv_type, keys::recv_counts,
                    keys::recv_displs, keys::recv_counts_out, keys::recv_displs_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::recv_counts;
  using lengths = keys::recv_counts;
  using calls = mpi::calls::neighbor_allgatherv;
  using lengths_by = mpi::calls::neighbor_allgather;
  static constexpr const char* name = "neighbor_allgatherv";
  static constexpr bool varying = true;
  static detail::degrees neighbors(const detail::group_view& group) {
    return detail::degrees_of(group);
  }

  template <class Arguments>
  using state = detail::gathering<neighbor_allgatherv, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/neighbor_allgatherv.hpp>
