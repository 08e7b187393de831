// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers may differ
// in length. MPI-4.1, section 6.7.
//
//   auto all = comm.allgatherv(send_buf(mine));
//   auto request = comm.iallgatherv(send_buf(mine), recv_counts(counts));
//
// Members     allgatherv, iallgatherv, allgatherv_init
// Parameters  send_buf or send_buf_out; send_count; send_type; recv_buf (a vector by value);
//             recv_type; recv_counts (exchanged); recv_displs (one part after another); or, in
//             place, send_recv_buf with the part of each rank in its place, and recv_counts;
//             lengths_first
// Asked for   send_count_out, recv_counts_out, recv_displs_out
// Result      the receive buffer if it was not given or was moved in, then what was asked for
// Messages    one; without recv_counts one if all parts are small, else two
//             (docs/guide/messages.md). Either all ranks give recv_counts or none does
// Allocates   the result; without recv_counts 16 bytes for each rank if there are two messages or
//             counts are asked for; displacements if only recv_counts are given; what the buffers
//             need to encode, decode, pack or unpack
// Errors      an error of one rank is thrown after completion: there, and as remote_failure on all
//             other ranks

#pragma once

#include <mpiglot/detail/collectives/gathering.hpp>
#include <mpiglot/mpi/calls/allgather.hpp>
#include <mpiglot/mpi/calls/allgatherv.hpp>

namespace mpiglot::operations {

struct allgatherv {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::recv_counts, keys::recv_displs, keys::recv_counts_out,
                    keys::recv_displs_out, keys::lengths_first>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::recv_counts;
  using lengths = keys::recv_counts;
  using calls = mpi::calls::allgatherv;
  using lengths_by = mpi::calls::allgather;
  static constexpr const char* name = "allgatherv";
  static constexpr bool varying = true;

  template <class Arguments>
  using state = detail::gathering<allgatherv, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/allgatherv.hpp>
