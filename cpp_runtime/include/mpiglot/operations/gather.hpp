// gather: everybody's buffer on the root, one after another. MPI-4.1, section 6.5.
//
//   auto all = comm.gather(send_buf(mine), root(0));
//
// Parameters  send_buf (or send_buf_out), equally long on all ranks unless it is coded, send_count,
//             send_type; recv_buf (on the root, a vector by value), recv_count, recv_type; root
//             (0); or send_recv_buf: on the root with its own part in place, elsewhere the part
// Asked for   send_count_out, recv_count_out
// Result      the received buffer if it was not given or was moved in; empty on other ranks
// Messages    one; coded buffers: the lengths are gathered first
// Allocates   the result on the root; what the buffers need to encode, decode, pack or unpack
// Errors      of one rank are thrown there and, as remote_failure, on the root

#pragma once

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
  static constexpr bool varying = false;

  template <class Arguments>
  using state = detail::gathering<gather, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION gather
#define MPIGLOT_STARTS igather
#define MPIGLOT_PREPARES gather_init
#include <mpiglot/detail/members.hpp>
