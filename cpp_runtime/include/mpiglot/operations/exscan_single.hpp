// exscan_single: a value of the ranks before this one combined. MPI-4.1, section 6.11.
//
//   const auto before = comm.exscan_single(send_buf(x), op(std::plus<>()));
//
// Parameters  send_buf, one value; op; values_on_rank_0 (a value-initialised one)
// Result      the combined value
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
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
  using state = detail::reducing<exscan_single, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION exscan_single
#define MPIGLOT_STARTS iexscan_single
#define MPIGLOT_PREPARES exscan_single_init
#include <mpiglot/detail/members.hpp>
