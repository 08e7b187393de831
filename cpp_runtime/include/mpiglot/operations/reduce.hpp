// Combines the elements of all ranks; the result is at the root. MPI-4.1, section 6.9.1.
//
//   auto sums = comm.reduce(send_buf(mine), op(std::plus<>()), root(0));
//
// Members     reduce, ireduce, reduce_init
// Parameters  send_buf or send_buf_out: equal lengths on all ranks; send_count; send_type; op;
//             recv_buf (a vector by value); recv_type; or, in place, send_recv_buf; root (0)
// Asked for   send_count_out
// Result      the receive buffer if it was not given or was moved in; empty on other ranks
// Messages    one
// Allocates   the result, and memory to pack what is not contiguous
// Errors      too_small after completion if recv_buf is too small; function_failure if the function
//             of op(f, commutative, may_throw) threw

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/reduce.hpp>

namespace mpiglot::operations {

struct reduce {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf,
                                keys::send_count, keys::send_count_out, keys::send_type,
                                keys::recv_buf, keys::recv_type, keys::op, keys::root>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::reduce;
  static constexpr const char* name = "reduce";
  static constexpr const char* in_place_defect = "reduce-in-place-on-other-roots";
  static constexpr auto receives = detail::share::all;

  template <class Arguments>
  using state = typename detail::state_of_reduction<reduce, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/reduce.hpp>
