// Copies one value of the root to all ranks. MPI-4.1, section 6.4.
//
//   const int n = comm.bcast_single(send_recv_buf(rank_0_knows));
//
// Members     bcast_single, ibcast_single, bcast_single_init
// Parameters  send_recv_buf: one value on all ranks, read at the root only and changed nowhere;
//             root (0)
// Result      the value of the root
// Messages    one
// Allocates   nothing
// Errors      those of MPI

#pragma once

#include <mpiglot/detail/collectives/broadcasting.hpp>
#include <mpiglot/mpi/calls/bcast.hpp>

namespace mpiglot::operations {

struct bcast_single {
  using accepts = detail::names<keys::send_recv_buf, keys::root>;
  using needs = detail::names<keys::send_recv_buf>;
  using length = keys::send_recv_buf;
  using calls = mpi::calls::bcast;
  static constexpr const char* name = "bcast_single";
  static constexpr bool single = true;

  template <class Arguments>
  using state = detail::broadcasting<bcast_single, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/bcast_single.hpp>
