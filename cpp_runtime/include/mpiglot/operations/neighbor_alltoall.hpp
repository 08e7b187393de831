// Sends a part of equal length to each neighbor in the topology, and receives one from each.
// MPI-4.1, section 8.6.
//
//   auto theirs = grid.neighbor_alltoall(send_buf(mine));
//
// Members     neighbor_alltoall, ineighbor_alltoall, neighbor_alltoall_init
// Parameters  those of alltoall, except in place; a part for or from each neighbor, in the order of
//             MPI
// Asked for   send_count_out, recv_count_out
// Result      as alltoall
// Messages    one; lengths that are not known are exchanged first
// Allocates   as alltoall
// Errors      an error of one rank is thrown there and, as remote_failure, on the ranks that needed
//             its data

#pragma once

#include <mpiglot/detail/collectives/degrees.hpp>
#include <mpiglot/detail/collectives/exchanging.hpp>
#include <mpiglot/mpi/calls/neighbor_alltoall.hpp>
#include <mpiglot/mpi/calls/neighbor_alltoallv.hpp>

namespace mpiglot::operations {

struct neighbor_alltoall {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_count,
                                keys::send_count_out, keys::send_type, keys::recv_buf,
                                keys::recv_type, keys::recv_count, keys::recv_count_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::send_buf;
  using calls = mpi::calls::neighbor_alltoall;
  using unequal_calls = mpi::calls::neighbor_alltoallv;
  static constexpr const char* name = "neighbor_alltoall";
  static constexpr bool varying = false;
  static detail::degrees neighbors(const detail::group_view& group) {
    return detail::degrees_of(group);
  }

  template <class Arguments>
  using state = detail::exchanging<neighbor_alltoall, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/neighbor_alltoall.hpp>
