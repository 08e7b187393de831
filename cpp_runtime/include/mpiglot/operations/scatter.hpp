// scatter: to each rank an equal part of the root's buffer. MPI-4.1, section 6.6.
//
//   auto mine = comm.scatter(send_buf(all), root(0));
//   auto mine = comm.scatter<int>(root(0));            // on a rank that has nothing to send
//
// Parameters  send_buf or send_buf_out (only looked at on the root; elsewhere it can be left out
//             where recv_buf or the type in angle brackets says what travels; a coded range gives
//             one element to each rank), send_count (what there is, divided by the ranks),
//             send_type; recv_buf (a vector by value), recv_count (told by the root), recv_type;
//             root (0); or send_recv_buf: on the root all parts, its own stays in place, elsewhere
//             the part
// Asked for   send_count_out, recv_count_out
// Result      the received buffer if it was not given or was moved in
// Messages    one; where the length is unknown (no recv_count, and the buffer resizes or is coded)
//             one if the parts are small, else two (docs/messages.md)
// Allocates   the result; what the buffers need to encode, decode, pack or unpack
// Errors      of the root, a missing send_buf too, are thrown there and, where a length travels, as
//             remote_failure everywhere; elsewhere the others get zeros

#pragma once

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
  static constexpr bool varying = false;

  template <class Arguments>
  using state = detail::scattering<scatter, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION scatter
#define MPIGLOT_STARTS iscatter
#define MPIGLOT_PREPARES scatter_init
#define MPIGLOT_NAMES_TYPE
#include <mpiglot/detail/members.hpp>
