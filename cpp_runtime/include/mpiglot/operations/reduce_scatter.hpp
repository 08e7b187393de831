// reduce_scatter: everybody's elements combined, to each rank its part. MPI-4.1, section 6.10.
//
//   auto mine = comm.reduce_scatter(send_buf(all), recv_counts(counts), op(std::plus<>()));
//
// Parameters  send_buf (or send_buf_out), equally long on all ranks, send_type; op; recv_buf (a
//             vector by value), recv_type; recv_counts, the same on all ranks, whose sum is
//             the length of send_buf; or send_recv_buf, in place: this rank's part ends up at its
//             beginning, all that is left of one that resizes
// Result      the received buffer if it was not given or was moved in
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
#include <mpiglot/mpi/calls/reduce_scatter.hpp>

namespace mpiglot::operations {

struct reduce_scatter {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_type,
                    keys::recv_buf, keys::recv_type, keys::recv_counts, keys::op>;
  using needs = detail::names<keys::send_buf, keys::recv_counts, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::reduce_scatter;
  static constexpr const char* name = "reduce_scatter";
  static constexpr auto receives = detail::share::counts;

  template <class Arguments>
  using state = detail::reducing<reduce_scatter, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION reduce_scatter
#define MPIGLOT_STARTS ireduce_scatter
#define MPIGLOT_PREPARES reduce_scatter_init
#include <mpiglot/detail/members.hpp>
