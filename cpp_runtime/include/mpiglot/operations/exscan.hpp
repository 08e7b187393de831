// Combines the elements of the ranks before this one. MPI-4.1, section 6.11.
//
//   auto sums = comm.exscan(send_buf(mine), op(std::plus<>()), values_on_rank_0(0));
//
// Members     exscan, iexscan, exscan_init
// Parameters  send_buf or send_buf_out: equal lengths on all ranks; send_count; send_type; op;
//             recv_buf (a vector by value); recv_type; or, in place, send_recv_buf;
//             values_on_rank_0: one value, or one for each element (without it the buffer of rank 0
//             is unchanged, and zero if it is returned by value)
// Asked for   send_count_out
// Result      the receive buffer if it was not given or was moved in
// Messages    one
// Allocates   the result, and memory to pack what is not contiguous
// Errors      too_small after completion if recv_buf is too small; function_failure if the function
//             of op(f, commutative, may_throw) threw

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/exscan.hpp>

namespace mpiglot::operations {

struct exscan {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf,
                                keys::send_count, keys::send_count_out, keys::send_type,
                                keys::recv_buf, keys::recv_type, keys::op, keys::values_on_rank_0>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::exscan;
  static constexpr const char* name = "exscan";
  static constexpr auto receives = detail::share::all;

  template <class Arguments>
  using state = typename detail::state_of_reduction<exscan, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/exscan.hpp>
