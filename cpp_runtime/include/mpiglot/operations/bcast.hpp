// Copies the buffer of the root to all ranks. MPI-4.1, section 6.4.
//
//   comm.bcast(send_recv_buf(v), root(0));
//
// Members     bcast, ibcast, bcast_init
// Parameters  send_recv_buf: the same type and resize policy on all ranks, since these decide if
//             the length is sent; root (0); send_recv_count (the size of the buffer);
//             send_recv_type; lengths_first
// Asked for   send_recv_count_out
// Result      the buffer if it was moved in
// Messages    one if the receivers know the length; otherwise (resize_to_fit, grow_only, moved-in
//             and encoded buffers) one if the data is small, else two (docs/guide/messages.md)
// Allocates   nothing except what the buffer needs to grow, encode or pack
// Errors      an error of the root is thrown there and, if the length is sent, as remote_failure on
//             all other ranks

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

#include <mpiglot/operations/members/bcast.hpp>
