// bcast: the root's buffer on all ranks. MPI-4.1, section 6.4.
//
//   comm.bcast(send_recv_buf(v), root(0));
//
// Parameters  send_recv_buf, on all ranks of one type and policy, which say whether a length
//             travels; root (0); send_recv_count (what the buffer holds),
//             send_recv_type; lengths_first
// Asked for   send_recv_count_out
// Result      the buffer if it was moved in
// Messages    one; where the length is unknown to the receivers (resize_to_fit, grow_only, moved-in
//             and coded buffers) one if it is small, else two (docs/messages.md)
// Allocates   nothing, but what the buffer needs to make room, encode or pack
// Errors      of the root are thrown there and, where a length travels, as remote_failure
//             everywhere

#pragma once

#include <mpiglot/detail/collectives/broadcasting.hpp>
#include <mpiglot/mpi/calls/bcast.hpp>

namespace mpiglot::operations {

struct bcast {
  using accepts =
      detail::names<keys::send_recv_buf, keys::send_recv_count, keys::send_recv_count_out,
                    keys::send_recv_type, keys::root, keys::lengths_first>;
  using needs = detail::names<keys::send_recv_buf>;
  using length = keys::send_recv_count;
  using calls = mpi::calls::bcast;
  static constexpr const char* name = "bcast";
  static constexpr bool single = false;

  template <class Arguments>
  using state = detail::broadcasting<bcast, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION bcast
#define MPIGLOT_STARTS ibcast
#define MPIGLOT_PREPARES bcast_init
#include <mpiglot/detail/members.hpp>
