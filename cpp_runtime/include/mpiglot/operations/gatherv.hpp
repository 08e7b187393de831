// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers may differ
// in length. MPI-4.1, section 6.5.
//
//   auto all = comm.gatherv(send_buf(mine), root(0));
//   auto request = comm.igatherv(send_buf(mine), recv_counts(counts), root(0));
//
// Members     gatherv, igatherv, gatherv_init
// Parameters  send_buf or send_buf_out; send_count; send_type; at the root recv_buf (a vector by
//             value), recv_type, recv_counts (gathered) and recv_displs (one part after another);
//             root (0); or, in place, send_recv_buf with recv_counts; lengths_first (always so
//             here)
// Asked for   send_count_out; recv_counts_out and recv_displs_out (at the root)
// Result      the receive buffer if it was not given or was moved in, then what was asked for;
//             empty on other ranks
// Messages    one; without recv_counts the lengths are gathered first. Either all ranks give
//             recv_counts (read at the root only; others may give an empty array) or none does.
//             recv_buf and what is asked for may be given at the root only
// Allocates   the result at the root; without recv_counts 16 bytes for each rank there; what the
//             buffers need to encode, decode, pack or unpack
// Errors      an error of one rank is thrown there and, as remote_failure, at the root

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

#include <mpiglot/operations/members/gatherv.hpp>
