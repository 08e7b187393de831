// Combines the elements of all ranks and gives each rank its part. The parts may differ in length.
// MPI-4.1, section 6.10.
//
//   auto mine = comm.reduce_scatter(send_buf(all), recv_counts(counts), op(std::plus<>()));
//
// Members     reduce_scatter, ireduce_scatter, reduce_scatter_init
// Parameters  send_buf or send_buf_out: equal lengths on all ranks; send_type; op; recv_buf (a
//             vector by value); recv_type; recv_counts: the same on all ranks, with the length of
//             send_buf as their sum; or, in place, send_recv_buf: the part of this rank is then at
//             its beginning (a buffer that resizes keeps only that part)
// Result      the receive buffer if it was not given or was moved in
// Messages    one
// Allocates   the result, and memory to pack what is not contiguous
// Errors      too_small after completion if recv_buf is too small; function_failure if the function
//             of op(f, commutative, may_throw) threw; mpi::unavailable on MPICH and Intel MPI if the
//             operation does not commute and a datatype that the program made has a gap at its end

#pragma once

#include <mpiglot/detail/collectives/flagged.hpp>
#include <mpiglot/mpi/calls/reduce_scatter.hpp>

namespace mpiglot::operations {

struct reduce_scatter {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_type,
                    keys::recv_buf, keys::recv_type, keys::recv_counts, keys::op>;
  using needs = detail::names<keys::send_buf, keys::recv_counts, keys::op>;
  using length = keys::send_buf;
  using calls = mpi::calls::reduce_scatter;
  static constexpr const char* name = "reduce_scatter";
  static constexpr const char* in_place_defect = "reduce-scatter-in-place-aborts";
  static constexpr auto receives = detail::share::counts;

  template <class Arguments>
  using state = typename detail::state_of_reduction<reduce_scatter, Arguments>::type;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/reduce_scatter.hpp>
