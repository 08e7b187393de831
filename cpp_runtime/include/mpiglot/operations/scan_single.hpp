// Combines one value of each rank up to and including this one. MPI-4.1, section 6.11.
//
//   const auto sum = comm.scan_single(send_buf(x), op(std::plus<>()));
//
// Members     scan_single, iscan_single, scan_single_init
// Parameters  send_buf, one value; op
// Result      the combined value
// Messages    one
// Allocates   nothing except memory to pack what is not contiguous
// Errors      function_failure if the function of op(f, commutative, may_throw) threw

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/scan.hpp>

namespace mpiglot::operations {

struct scan_single {
  using accepts = detail::names<keys::send_buf, keys::op>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::scan;
  static constexpr const char* name = "scan_single";
  static constexpr auto receives = detail::share::all;
  static constexpr bool single = true;

  template <class Arguments>
  using state = typename detail::state_of_reduction<scan_single, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/scan_single.hpp>
