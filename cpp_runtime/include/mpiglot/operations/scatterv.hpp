// Sends a part of the root's buffer to each rank. The parts may differ in length. MPI-4.1, section
// 6.6.
//
//   auto mine = comm.scatterv(send_buf(all), send_counts(counts), root(0));
//   auto mine = comm.scatterv<int>(root(0));  // on a rank that has nothing to send
//   auto request = comm.iscatterv(send_buf(all), send_counts(counts), recv_count(3), root(0));
//   auto request = comm.iscatterv<int>(recv_count(3), root(0));
//
// Members     scatterv, iscatterv, scatterv_init; also with the element type in angle brackets
// Parameters  send_buf (or send_buf_out) and send_counts: read at the root only; other ranks may
//             leave them out if recv_buf or the type in angle brackets tells the element type; an
//             encoded range has one element for each rank and needs no counts; send_displs (one
//             part after another); send_type; recv_buf (a vector by value); recv_count (sent by the
//             root); recv_type; root (0); lengths_first; or, in place, send_recv_buf: at the root
//             all parts, of which its own stays, elsewhere the part
// Asked for   send_counts_out, recv_count_out, send_displs_out
// Result      the receive buffer if it was not given or was moved in, then what was asked for
// Messages    one with recv_count (on all ranks or on none), send_type or recv_type, of single
//             values and raw memory, and of the nonblocking and persistent forms; otherwise the
//             length is sent: in one message with the parts if these are small, else in two
//             (docs/guide/messages.md)
// Allocates   the result; at the root the displacements that are not given; what the buffers need
//             to encode, decode, pack or unpack
// Errors      an error of the root, such as a missing send_buf, is thrown there and, if the length
//             is sent, as remote_failure on all other ranks; otherwise they wait for the root

#pragma once

#include <mpiglot/detail/collectives/scattering.hpp>
#include <mpiglot/mpi/calls/scatterv.hpp>

namespace mpiglot::operations {

struct scatterv {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_counts,
                    keys::send_counts_out, keys::send_displs, keys::send_displs_out,
                    keys::send_type, keys::recv_buf, keys::recv_type, keys::recv_count,
                    keys::recv_count_out, keys::root, keys::lengths_first>;
  using needs_one_of = detail::names<keys::send_buf, keys::recv_buf>;
  using length = keys::recv_count;
  using lengths = keys::send_counts;
  using calls = mpi::calls::scatterv;
  static constexpr const char* name = "scatterv";
  static constexpr bool varying = true;

  template <class Arguments>
  using state = detail::scattering<scatterv, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/scatterv.hpp>
