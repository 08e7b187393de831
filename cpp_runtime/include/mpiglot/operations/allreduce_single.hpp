// Combines one value of each rank; the result is on every rank. MPI-4.1, section 6.9.6.
//
//   const auto sum = comm.allreduce_single(send_buf(x), op(std::plus<>()));
//
// Members     allreduce_single, iallreduce_single, allreduce_single_init
// Parameters  send_buf, one value; op
// Result      the combined value
// Messages    one
// Allocates   nothing except memory to pack what is not contiguous
// Errors      function_failure if the function of op(f, commutative, may_throw) threw

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/allreduce.hpp>

namespace mpiglot::operations {

struct allreduce_single {
  using accepts = detail::names<keys::send_buf, keys::op>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::allreduce;
  static constexpr const char* name = "allreduce_single";
  static constexpr auto receives = detail::share::all;
  static constexpr bool single = true;

  template <class Arguments>
  using state = typename detail::state_of_reduction<allreduce_single, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/allreduce_single.hpp>
