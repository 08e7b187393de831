// Combines the elements of all ranks; the result is on every rank. MPI-4.1, section 6.9.6.
//
//   auto sums = comm.allreduce(send_buf(mine), op(std::plus<>()));
//
// Members     allreduce, iallreduce, allreduce_init
// Parameters  send_buf or send_buf_out: equal lengths on all ranks; send_count; send_type; op;
//             recv_buf (a vector by value); recv_type; or, in place, send_recv_buf
// Asked for   send_count_out
// Result      the receive buffer if it was not given or was moved in
// Messages    one
// Allocates   the result, and memory to pack what is not contiguous
// Errors      too_small after completion if recv_buf is too small; function_failure if the function
//             of op(f, commutative, may_throw) threw

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/allreduce.hpp>

namespace mpiglot::operations {

struct allreduce {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf,
                                keys::send_count, keys::send_count_out, keys::send_type,
                                keys::recv_buf, keys::recv_type, keys::op>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::allreduce;
  static constexpr const char* name = "allreduce";
  static constexpr auto receives = detail::share::all;

  template <class Arguments>
  using state = typename detail::state_of_reduction<allreduce, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/allreduce.hpp>
