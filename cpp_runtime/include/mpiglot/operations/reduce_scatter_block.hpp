// reduce_scatter_block: everybody's elements combined, to each rank an equal part. MPI-4.1,
// section 6.10.
//
//   auto mine = comm.reduce_scatter_block(send_buf(all), op(std::plus<>()));
//
// Parameters  send_buf (or send_buf_out), equally long on all ranks, send_type; op; recv_buf (a
//             vector by value), recv_type; send_buf is a multiple of the number of ranks
//             long; or send_recv_buf, in place: this rank's part ends up at its beginning, all that
//             is left of one that resizes
// Result      the received buffer if it was not given or was moved in
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
#include <mpiglot/mpi/calls/reduce_scatter_block.hpp>

namespace mpiglot::operations {

struct reduce_scatter_block {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_type,
                    keys::recv_buf, keys::recv_type, keys::op>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::reduce_scatter_block;
  static constexpr const char* name = "reduce_scatter_block";
  static constexpr auto receives = detail::share::block;

  template <class Arguments>
  using state = detail::reducing<reduce_scatter_block, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION reduce_scatter_block
#define MPIGLOT_STARTS ireduce_scatter_block
#define MPIGLOT_PREPARES reduce_scatter_block_init
#include <mpiglot/detail/members.hpp>
