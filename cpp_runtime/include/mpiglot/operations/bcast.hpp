// Copies the buffer of the root to all ranks. MPI-4.1, section 6.4.
//
//   comm.bcast(send_recv_buf(v), root(0));
//
// Members     bcast, ibcast, bcast_init
// Parameters  send_recv_buf; root (0); send_recv_count (the length; given on all ranks or on none);
//             send_recv_type; lengths_first
// Asked for   send_recv_count_out
// Result      the buffer if it was moved in
// Messages    one with send_recv_count or send_recv_type, of a single value, of raw memory, and of
//             ibcast and bcast_init; otherwise the length is sent: in one message with the data if
//             that is small, else in two, and from 2^20 elements on there is an MPI_Allreduce
//             between them (docs/guide/messages.md); of encoded values, each run of elements of 64
//             KiB or more is a message of its own, after an MPI_Allreduce, and what exceeds 512
//             KiB follows in messages of that size
// Allocates   nothing except what the buffer needs to grow, encode or pack
// Errors      if the length is sent: too_small or count_error on a rank whose buffer cannot change
//             its length and has another one; an error of the root is thrown there, and as
//             remote_failure on all other ranks

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
