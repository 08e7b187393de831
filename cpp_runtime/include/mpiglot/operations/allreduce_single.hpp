// allreduce_single: a value of everybody combined, on everybody. MPI-4.1, section 6.9.6.
//
//   const auto sum = comm.allreduce_single(send_buf(x), op(std::plus<>()));
//
// Parameters  send_buf, one value; op
// Result      the combined value
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
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
  using state = detail::reducing<allreduce_single, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION allreduce_single
#define MPIGLOT_STARTS iallreduce_single
#define MPIGLOT_PREPARES allreduce_single_init
#include <mpiglot/detail/members.hpp>
