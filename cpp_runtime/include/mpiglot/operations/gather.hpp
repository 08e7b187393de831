// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers have equal
// lengths. MPI-4.1, section 6.5.
//
//   auto all = comm.gather(send_buf(mine), root(0));
//
// Members     gather, igather, gather_init
// Parameters  send_buf or send_buf_out: equal lengths on all ranks, unless encoded; send_count;
//             send_type; recv_buf (at the root, a vector by value); recv_count; recv_type; root
//             (0); or, in place, send_recv_buf: at the root the whole buffer with the root's part
//             in its place, elsewhere the part
// Asked for   send_count_out, recv_count_out
// Result      the receive buffer if it was not given or was moved in; empty on other ranks
// Messages    one; if buffers are encoded, their lengths are gathered first
// Allocates   the result at the root, and what the buffers need to encode, decode, pack or unpack
// Errors      an error of one rank is thrown there and, as remote_failure, at the root

#pragma once

#include <mpiglot/detail/collectives/even_parts.hpp>
#include <mpiglot/detail/collectives/gathering.hpp>
#include <mpiglot/mpi/calls/gather.hpp>
#include <mpiglot/mpi/calls/gatherv.hpp>

namespace mpiglot::operations {

struct gather {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::recv_count, keys::recv_count_out, keys::root>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::send_buf;
  using calls = mpi::calls::gather;
  using unequal_calls = mpi::calls::gatherv;
  using lengths_by = mpi::calls::gather;
  static constexpr const char* name = "gather";
  static constexpr const char* persistent_defect = "persistent-gather";
  static constexpr bool varying = false;

  template <class Arguments>
  using state = detail::gathering<gather, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/gather.hpp>
