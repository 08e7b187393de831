// exscan: elements of the ranks before this one combined. MPI-4.1, section 6.11.
//
//   auto sums = comm.exscan(send_buf(mine), op(std::plus<>()), values_on_rank_0(0));
//
// Parameters  send_buf (or send_buf_out), equally long on all ranks, send_count, send_type; op;
//             recv_buf (a vector by value), recv_type; or send_recv_buf; values_on_rank_0, one
//             value or one for each element (without it rank 0 gets what the buffer held: zeros by
//             value)
// Asked for   send_count_out
// Result      the received buffer if it was not given or was moved in
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
#include <mpiglot/mpi/calls/exscan.hpp>

namespace mpiglot::operations {

struct exscan {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::op, keys::values_on_rank_0>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::exscan;
  static constexpr const char* name = "exscan";
  static constexpr auto receives = detail::share::all;

  template <class Arguments>
  using state = detail::reducing<exscan, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION exscan
#define MPIGLOT_STARTS iexscan
#define MPIGLOT_PREPARES exscan_init
#include <mpiglot/detail/members.hpp>
