// scatter_single: one element of the root's buffer to each rank. MPI-4.1, section 6.6.
//
//   const int mine = comm.scatter_single(send_buf(all), root(0));
//   const int mine = comm.scatter_single<int>(root(0));   // on a rank that has nothing to send
//
// Parameters  send_buf, one element for each rank (only looked at on the root; elsewhere it can be
//             left out where recv_buf or the type in angle brackets says what travels); recv_buf,
//             one value (by value); root (0)
// Result      this rank's element, unless recv_buf is an lvalue
// Messages    one
// Allocates   nothing
// Errors      on the root, if send_buf is missing or has another length; the others get a zero then

#pragma once

#include <mpiglot/detail/collectives/scattering.hpp>
#include <mpiglot/mpi/calls/scatter.hpp>
#include <mpiglot/mpi/calls/scatterv.hpp>

namespace mpiglot::operations {

struct scatter_single {
  using accepts = detail::names<keys::send_buf, keys::recv_buf, keys::root>;
  using needs_one_of = detail::names<keys::send_buf, keys::recv_buf>;
  using length = keys::send_buf;
  using calls = mpi::calls::scatter;
  using unequal_calls = mpi::calls::scatterv;
  static constexpr const char* name = "scatter_single";
  static constexpr bool varying = false;
  static constexpr bool single = true;

  template <class Arguments>
  using state = detail::scattering<scatter_single, Arguments>;
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION scatter_single
#define MPIGLOT_STARTS iscatter_single
#define MPIGLOT_PREPARES scatter_single_init
#define MPIGLOT_NAMES_TYPE
#include <mpiglot/detail/members.hpp>
