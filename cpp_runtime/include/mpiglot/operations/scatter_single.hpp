// Sends one element of the root's buffer to each rank. MPI-4.1, section 6.6.
//
//   const int mine = comm.scatter_single(send_buf(all), root(0));
//   const int mine = comm.scatter_single<int>(root(0));  // on a rank that has nothing to send
//
// Members     scatter_single, iscatter_single, scatter_single_init; also with the element type in
//             angle brackets
// Parameters  send_buf: one element for each rank, read at the root only; other ranks may leave it
//             out if recv_buf or the type in angle brackets tells the element type; recv_buf, one
//             value (by value); root (0)
// Result      the element of this rank, unless recv_buf is an lvalue
// Messages    one
// Allocates   nothing
// Errors      at the root if send_buf is missing or has another length; the others then receive a
//             zero

#pragma once

#include <mpiglot/detail/collectives/even_parts.hpp>
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
  static constexpr const char* persistent_defect = "persistent-scatter";
  static constexpr bool varying = false;
  static constexpr bool single = true;

  template <class Arguments>
  using state = detail::scattering<scatter_single, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/scatter_single.hpp>
