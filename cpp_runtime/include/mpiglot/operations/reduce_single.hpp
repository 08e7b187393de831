// Combines one value of each rank; the result is at the root. MPI-4.1, section 6.9.1.
//
//   const auto sum = comm.reduce_single(send_buf(x), op(std::plus<>()), root(0));
//
// Members     reduce_single, ireduce_single, reduce_single_init
// Parameters  send_buf, one value; op; root (0)
// Result      the combined value; unspecified on other ranks
// Messages    one
// Allocates   nothing except memory to pack what is not contiguous
// Errors      function_failure if the function of op(f, commutative, may_throw) threw

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/reduce.hpp>

namespace mpiglot::operations {

struct reduce_single {
  using accepts = detail::names<keys::send_buf, keys::op, keys::root>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::reduce;
  static constexpr const char* name = "reduce_single";
  static constexpr auto receives = detail::share::all;
  static constexpr bool single = true;

  template <class Arguments>
  using state = typename detail::state_of_reduction<reduce_single, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/reduce_single.hpp>
