// reduce_single: a value of everybody combined, on the root. MPI-4.1, section 6.9.1.
//
//   const auto sum = comm.reduce_single(send_buf(x), op(std::plus<>()), root(0));
//
// Parameters  send_buf, one value; op; root (0)
// Result      the combined value; on other ranks a value that means nothing
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
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
  using state = detail::reducing<reduce_single, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION reduce_single
#define MPIGLOT_STARTS ireduce_single
#define MPIGLOT_PREPARES reduce_single_init
#include <mpiglot/detail/members.hpp>
