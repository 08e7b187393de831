// Combines one value of each rank before this one. MPI-4.1, section 6.11.
//
//   const auto before = comm.exscan_single(send_buf(x), op(std::plus<>()));
//
// Members     exscan_single, iexscan_single, exscan_single_init
// Parameters  send_buf, one value; op; values_on_rank_0 (a value-initialized value)
// Result      the combined value; on rank 0 that of values_on_rank_0
// Messages    one
// Allocates   nothing except memory to pack what is not contiguous
// Errors      function_failure if the function of op(f, commutative, may_throw) threw

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/exscan.hpp>

namespace mpiglot::operations {

struct exscan_single {
  using accepts = detail::names<keys::send_buf, keys::op, keys::values_on_rank_0>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::exscan;
  static constexpr const char* name = "exscan_single";
  static constexpr auto receives = detail::share::all;
  static constexpr bool single = true;

  template <class Arguments>
  using state = typename detail::state_of_reduction<exscan_single, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/exscan_single.hpp>
