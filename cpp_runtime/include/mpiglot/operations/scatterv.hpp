// scatterv: to each rank its part of the root's buffer. MPI-4.1, section 6.6.
//
//   auto mine = comm.scatterv(send_buf(all), send_counts(counts), root(0));
//   auto mine = comm.scatterv<int>(root(0));           // on a rank that has nothing to send
//
// Parameters  send_buf (or send_buf_out), send_counts (both only looked at on the root; elsewhere
//             they can be left out where recv_buf or the type in angle brackets says what travels;
//             coded ranges give one element to each rank and need no counts), send_displs (one part
//             after another), send_type; recv_buf (a vector by value), recv_count (told by the
//             root), recv_type; root (0); lengths_first; or send_recv_buf: on the root all parts,
//             its own stays in place, elsewhere the part
// Asked for   send_counts_out, recv_count_out, send_displs_out
// Result      the received buffer if it was not given or was moved in, then what was asked for
// Messages    one; where the length is unknown (no recv_count, and the buffer resizes or is coded)
//             one if all parts are small, else two (docs/messages.md)
// Allocates   the result; on the root displacements, unless given; what the buffers need to encode,
//             decode, pack or unpack
// Errors      of the root, a missing send_buf too, are thrown there and, where a length travels, as
//             remote_failure everywhere; else the others wait for a root that throws

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

#define MPIGLOT_OPERATION scatterv
#define MPIGLOT_STARTS iscatterv
#define MPIGLOT_PREPARES scatterv_init
#define MPIGLOT_NAMES_TYPE
#include <mpiglot/detail/members.hpp>
