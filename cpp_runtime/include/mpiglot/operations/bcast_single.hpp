// bcast_single: one value of the root on all ranks. MPI-4.1, section 6.4.
//
//   const int n = comm.bcast_single(send_recv_buf(rank_0_knows));
//
// Parameters  send_recv_buf, one value, on all ranks (only the root's is looked at; it is not
//             changed); root (0)
// Result      the root's value
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

#define MPIGLOT_OPERATION bcast_single
#define MPIGLOT_STARTS ibcast_single
#define MPIGLOT_PREPARES bcast_single_init
#include <mpiglot/detail/members.hpp>
