// Sends a part from each rank to each rank. The parts may differ in length. MPI-4.1, section 6.8.
//
//   auto theirs = comm.alltoallv(send_buf(parts), send_counts(counts));
//   auto request = comm.ialltoallv(send_buf(parts), send_counts(counts), recv_counts(counts));
//
// Members     alltoallv, ialltoallv, alltoallv_init
// Parameters  send_buf or send_buf_out; send_counts (an encoded range has one element for each rank
//             and needs none); send_displs (one part after another); send_type; recv_buf (a vector
//             by value); recv_counts (exchanged); recv_displs (one part after another); recv_type;
//             or, in place, send_recv_buf with recv_counts; lengths_first
// Asked for   send_counts_out, recv_counts_out, recv_displs_out, send_displs_out
// Result      the receive buffer if it was not given or was moved in, then what was asked for
// Messages    one; without recv_counts one if all parts are small, else two
//             (docs/guide/messages.md). Either all ranks give recv_counts or none does
// Allocates   the result; 16 bytes for each rank for counts and displacements that are not given;
//             what the buffers need to encode, decode, pack or unpack
// Errors      an error of one rank is thrown there and, as remote_failure, on the ranks that needed
//             its data

#pragma once

#include <mpiglot/detail/collectives/exchanging.hpp>
#include <mpiglot/mpi/calls/alltoall.hpp>
#include <mpiglot/mpi/calls/alltoallv.hpp>

namespace mpiglot::operations {

struct alltoallv {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf,
                                keys::send_counts, keys::send_counts_out, keys::send_displs,
                                keys::send_displs_out, keys::send_type, keys::recv_buf,
                                keys::recv_type, keys::recv_counts, keys::recv_displs,
                                keys::recv_counts_out, keys::recv_displs_out, keys::lengths_first>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::recv_counts;
  using lengths = keys::send_counts;
  using calls = mpi::calls::alltoallv;
  using lengths_by = mpi::calls::alltoall;
  static constexpr const char* name = "alltoallv";
  static constexpr bool varying = true;

  template <class Arguments>
  using state = detail::exchanging<alltoallv, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/alltoallv.hpp>
