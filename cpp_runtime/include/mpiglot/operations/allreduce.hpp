// allreduce: everybody's elements combined, on everybody. MPI-4.1, section 6.9.6.
//
//   auto sums = comm.allreduce(send_buf(mine), op(std::plus<>()));
//
// Parameters  send_buf (or send_buf_out), equally long on all ranks, send_count, send_type; op;
//             recv_buf (a vector by value), recv_type; or send_recv_buf
// Asked for   send_count_out
// Result      the received buffer if it was not given or was moved in
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what it should

#pragma once

#include <mpiglot/detail/collectives/reducing.hpp>
#include <mpiglot/mpi/calls/allreduce.hpp>

namespace mpiglot::operations {

struct allreduce {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_count,
                    keys::send_count_out, keys::send_type, keys::recv_buf, keys::recv_type,
                    keys::op>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::allreduce;
  static constexpr const char* name = "allreduce";
  static constexpr auto receives = detail::share::all;

  template <class Arguments>
  using state = detail::reducing<allreduce, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION allreduce
#define MPIGLOT_STARTS iallreduce
#define MPIGLOT_PREPARES allreduce_init
#include <mpiglot/detail/members.hpp>
