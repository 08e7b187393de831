// scan_single: a value of the ranks up to this one combined. MPI-4.1, section 6.11.
//
//   const auto sum = comm.scan_single(send_buf(x), op(std::plus<>()));
//
// Parameters  send_buf, one value; op
// Result      the combined value
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
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
  using state = detail::reducing<scan_single, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION scan_single
#define MPIGLOT_STARTS iscan_single
#define MPIGLOT_PREPARES scan_single_init
#include <mpiglot/detail/members.hpp>
