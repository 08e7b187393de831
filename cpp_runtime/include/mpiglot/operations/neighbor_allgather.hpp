// Sends the buffer of each rank to its neighbors in the topology. The buffers have equal lengths.
// MPI-4.1, section 8.6.
//
//   auto theirs = grid.neighbor_allgather(send_buf(mine));
//
// Members     neighbor_allgather, ineighbor_allgather, neighbor_allgather_init
// Parameters  those of allgather, except in place; a part for or from each neighbor, in the order
//             of MPI
// Asked for   send_count_out
// Result      as allgather
// Messages    one; lengths that are not known are exchanged first
// Allocates   as allgather
// Errors      an error of one rank is thrown there and, as remote_failure, on the ranks that needed
//             its data

#pragma once

#include <mpiglot/detail/collectives/degrees.hpp>
#include <mpiglot/detail/collectives/gathering.hpp>
#include <mpiglot/mpi/calls/neighbor_allgather.hpp>
#include <mpiglot/mpi/calls/neighbor_allgatherv.hpp>

namespace mpiglot::operations {

struct neighbor_allgather {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_count,
                                keys::send_count_out, keys::send_type, keys::recv_buf,
                                keys::recv_type, keys::recv_count, keys::recv_count_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::send_buf;
  using calls = mpi::calls::neighbor_allgather;
  using unequal_calls = mpi::calls::neighbor_allgatherv;
  using lengths_by = mpi::calls::neighbor_allgather;
  static constexpr const char* name = "neighbor_allgather";
  static constexpr bool varying = false;
  static detail::degrees neighbors(const detail::group_view& group) {
    return detail::degrees_of(group);
  }

  template <class Arguments>
  using state = detail::gathering<neighbor_allgather, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/neighbor_allgather.hpp>
