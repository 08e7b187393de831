// Sends a part to each neighbor in the topology and receives one from each, each part with its own
// datatype. MPI-4.1, section 8.6.
//
//   grid.neighbor_alltoallw(send_buf(field), send_counts(ones), send_displs(edges), send_types(t),
//                           recv_buf(halo), recv_counts(ones), recv_displs(to), recv_types(u));
//
// Members     neighbor_alltoallw, ineighbor_alltoallw, neighbor_alltoallw_init
// Parameters  those of alltoallw, except in place; the arrays have one element for each neighbor,
//             in the order of MPI
// Result      as alltoallw
// Messages    one
// Allocates   nothing except copies of arrays whose integers are not those of MPI (`int` or
//             MPI_Count as counts, MPI_Aint as displacements)
// Errors      count_error at once if an array does not have one element for each neighbor

#pragma once

#include <mpiglot/detail/collectives/degrees.hpp>
#include <mpiglot/detail/collectives/exchanging_typed.hpp>
#include <mpiglot/mpi/calls/neighbor_alltoallw.hpp>

namespace mpiglot::operations {

struct neighbor_alltoallw {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_counts,
                                keys::send_displs, keys::send_types, keys::recv_buf,
                                keys::recv_counts, keys::recv_displs, keys::recv_types>;
  using needs =
      detail::names<keys::send_buf, keys::send_counts, keys::send_displs, keys::send_types,
                    keys::recv_buf, keys::recv_counts, keys::recv_displs, keys::recv_types>;
  using length = keys::recv_counts;
  using lengths = keys::send_counts;
  using calls = mpi::calls::neighbor_alltoallw;
  using place = mpi::aint_t;
  static constexpr const char* name = "neighbor_alltoallw";
  static constexpr bool takes_wide = mpi::has_neighbor_alltoallw_c;
  static detail::degrees neighbors(const detail::group_view& group) {
    return detail::degrees_of(group);
  }

  template <class Arguments>
  using state = detail::exchanging_typed<neighbor_alltoallw, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/neighbor_alltoallw.hpp>
