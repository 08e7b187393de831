// gatherv: everybody's buffer on the root, buffers of different length. MPI-4.1, section 6.5.
//
//   auto all = comm.gatherv(send_buf(mine), root(0));
//
// Parameters  send_buf (or send_buf_out), send_count, send_type; on the root recv_buf (a vector by
//             value), recv_type, recv_counts (gathered), recv_displs (one part after another); root
//             (0); or send_recv_buf with recv_counts; lengths_first (they are anyway)
// Asked for   send_count_out, recv_counts_out, recv_displs_out (on the root)
// Result      the received buffer if it was not given or was moved in, then what was asked for;
//             empty on other ranks
// Messages    one; without recv_counts the lengths are gathered first. All ranks give recv_counts
//             (an empty array will do; only the root's are looked at) or none does. recv_buf and what
//             is asked for may stand on the root alone
// Allocates   the result on the root; without recv_counts one array of 16 bytes per rank there;
//             what the buffers need to encode, decode, pack or unpack
// Errors      of one rank are thrown there and, as remote_failure, on the root

#pragma once

#include <mpiglot/detail/collectives/gathering.hpp>
#include <mpiglot/mpi/calls/gather.hpp>
#include <mpiglot/mpi/calls/gatherv.hpp>

namespace mpiglot::operations {

struct gatherv {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::recv_counts, keys::recv_displs, keys::recv_counts_out,
                    keys::recv_displs_out, keys::root, keys::lengths_first>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::recv_counts;
  using lengths = keys::recv_counts;
  using calls = mpi::calls::gatherv;
  using lengths_by = mpi::calls::gather;
  static constexpr const char* name = "gatherv";
  static constexpr bool varying = true;

  template <class Arguments>
  using state = detail::gathering<gatherv, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION gatherv
#define MPIGLOT_STARTS igatherv
#define MPIGLOT_PREPARES gatherv_init
#include <mpiglot/detail/members.hpp>
