// scatter_single: one element of the root's buffer to each rank. MPI-4.1, section 6.6.
//
//   const int mine = comm.scatter_single(send_buf(all), root(0));
//
// Parameters  send_buf, one element for each rank (only looked at on the root); root (0)
// Result      this rank's element
// Messages    one
// Allocates   nothing
// Errors      count_error on the root, if send_buf has another length

#pragma once

#include <mpiglot/detail/collectives/scattering.hpp>
#include <mpiglot/mpi/calls/scatter.hpp>
#include <mpiglot/mpi/calls/scatterv.hpp>

namespace mpiglot::operations {

struct scatter_single {
  using accepts = detail::names<keys::send_buf, keys::root>;
  using needs = detail::names<keys::send_buf>;
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
#include <mpiglot/detail/members.hpp>
