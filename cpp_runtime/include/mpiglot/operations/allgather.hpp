// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers have equal
// lengths. MPI-4.1, section 6.7.
//
//   auto all = comm.allgather(send_buf(mine));
//
// Members     allgather, iallgather, allgather_init
// Parameters  send_buf or send_buf_out: equal lengths on all ranks, unless encoded; send_count;
//             send_type; recv_buf (a vector by value); recv_count; recv_type; or, in place,
//             send_recv_buf with the part of each rank in its place
// Asked for   send_count_out, recv_count_out
// Result      the receive buffer if it was not given or was moved in
// Messages    one; if buffers are encoded, their lengths are gathered first
// Allocates   the result, and what the buffers need to encode, decode, pack or unpack
// Errors      an error of one rank is thrown there and, as remote_failure, on the ranks that needed
//             its data

#pragma once

#include <mpiglot/detail/collectives/even_parts.hpp>
#include <mpiglot/detail/collectives/gathering.hpp>
#include <mpiglot/mpi/calls/allgather.hpp>
#include <mpiglot/mpi/calls/allgatherv.hpp>

namespace mpiglot::operations {

struct allgather {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::recv_count, keys::recv_count_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::send_buf;
  using calls = mpi::calls::allgather;
  using unequal_calls = mpi::calls::allgatherv;
  using lengths_by = mpi::calls::allgather;
  static constexpr const char* name = "allgather";
  static constexpr const char* persistent_defect = "persistent-allgather";
  static constexpr bool varying = false;

  template <class Arguments>
  using state = detail::gathering<allgather, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/allgather.hpp>
