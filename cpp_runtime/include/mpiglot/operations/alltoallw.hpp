// Sends a part from each rank to each rank, each part with its own datatype. MPI-4.1, section 6.8.
//
//   comm.alltoallw(send_buf(a), send_counts(n), send_displs(from), send_types(t),
//                  recv_buf(b), recv_counts(m), recv_displs(to), recv_types(u));
//
// Members     alltoallw, ialltoallw, alltoallw_init
// Parameters  send_buf (or send_buf_out) and recv_buf: contiguous ranges or raw memory; for each
//             rank send_counts, send_displs, recv_counts, recv_displs (any integers; displacements
//             in bytes), send_types, recv_types (committed); nothing is inferred; or, in place,
//             send_recv_buf with the recv_ arrays
// Result      the buffers that were moved in, the receive buffer first
// Messages    one
// Allocates   nothing except copies of arrays whose integers are not those of MPI (`int`, or
//             MPI_Count with MPI_Aint if the MPI has the large-count function)
// Errors      count_error at once if an array does not have one element for each rank

#pragma once

#include <mpiglot/detail/collectives/exchanging_typed.hpp>
#include <mpiglot/mpi/calls/alltoallw.hpp>

namespace mpiglot::operations {

struct alltoallw {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_recv_buf, keys::send_counts,
                    keys::send_displs, keys::send_types, keys::recv_buf, keys::recv_counts,
                    keys::recv_displs, keys::recv_types>;
  using needs = detail::names<keys::send_buf, keys::recv_buf, keys::recv_counts, keys::recv_displs,
                              keys::recv_types>;
  using length = keys::recv_counts;
  using lengths = keys::send_counts;
  using calls = mpi::calls::alltoallw;
  using place = int;
  static constexpr const char* name = "alltoallw";
  static constexpr bool takes_wide = mpi::has_large_counts;

  template <class Arguments>
  using state = detail::exchanging_typed<alltoallw, Arguments>;
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/alltoallw.hpp>
