// Sends an equal part of the root's buffer to each rank. MPI-4.1, section 6.6.
//
//   auto mine = comm.scatter(send_buf(all), root(0));
//   auto mine = comm.scatter<int>(root(0));  // on a rank that has nothing to send
//   auto request = comm.iscatter(send_buf(all), recv_count(3), root(0));
//   auto request = comm.iscatter<int>(recv_count(3), root(0));
//
// Members     scatter, iscatter, scatter_init; also with the element type in angle brackets
// Parameters  send_buf or send_buf_out: read at the root only; other ranks may leave it out if
//             recv_buf or the type in angle brackets tells the element type; an encoded range has
//             one element for each rank; send_count (the length divided by the number of ranks);
//             send_type; recv_buf (a vector by value); recv_count (sent by the root); recv_type;
//             root (0); or, in place, send_recv_buf: at the root all parts, of which its own stays,
//             elsewhere the part
// Asked for   send_count_out, recv_count_out
// Result      the receive buffer if it was not given or was moved in
// Messages    one with recv_count (on all ranks or on none), send_type or recv_type, of single
//             values and raw memory, and of the nonblocking and persistent forms; otherwise the
//             length is sent: in one message with the parts if these are small, else in two
//             (docs/guide/messages.md)
// Allocates   the result, and what the buffers need to encode, decode, pack or unpack
// Errors      an error of the root, such as a missing send_buf, is thrown there and, if the length
//             is sent, as remote_failure on all other ranks; otherwise they receive zeros

#pragma once

#include <mpiglot/detail/collectives/even_parts.hpp>
#include <mpiglot/detail/collectives/scattering.hpp>
#include <mpiglot/mpi/calls/scatter.hpp>
#include <mpiglot/mpi/calls/scatterv.hpp>

namespace mpiglot::operations {

struct scatter {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::recv_count, keys::recv_count_out, keys::root>;
  using needs_one_of = detail::names<keys::send_buf, keys::recv_buf>;
  using length = keys::recv_count;
  using calls = mpi::calls::scatter;
  using unequal_calls = mpi::calls::scatterv;
  static constexpr const char* name = "scatter";
  static constexpr const char* persistent_defect = "persistent-scatter";
  static constexpr bool varying = false;

  template <class Arguments>
  using state = detail::scattering<scatter, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/scatter.hpp>
