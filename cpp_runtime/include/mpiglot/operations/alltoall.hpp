// Sends a part of equal length from each rank to each rank. MPI-4.1, section 6.8.
//
//   auto theirs = comm.alltoall(send_buf(parts));
//
// Members     alltoall, ialltoall, alltoall_init
// Parameters  send_buf or send_buf_out: the same length on all ranks, divisible by the number of
//             ranks (an encoded range: one element for each rank); send_count (for each rank);
//             send_type; recv_buf (a vector by value); recv_count; recv_type; or, in place,
//             send_recv_buf
// Asked for   send_count_out, recv_count_out
// Result      the receive buffer if it was not given or was moved in
// Messages    one; if buffers are encoded, their lengths are exchanged first
// Allocates   the result, and what the buffers need to encode, decode, pack or unpack
// Errors      an error of one rank is thrown there and, as remote_failure, on the ranks that needed
//             its data

#pragma once

#include <mpiglot/detail/collectives/exchanging.hpp>
#include <mpiglot/mpi/calls/alltoall.hpp>
#include <mpiglot/mpi/calls/alltoallv.hpp>

namespace mpiglot::operations {

struct alltoall {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::recv_count, keys::recv_count_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::send_buf;
  using calls = mpi::calls::alltoall;
  using unequal_calls = mpi::calls::alltoallv;
  using lengths_by = mpi::calls::alltoall;
  static constexpr const char* name = "alltoall";
  static constexpr bool varying = false;

  template <class Arguments>
  using state = detail::exchanging<alltoall, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/alltoall.hpp>
