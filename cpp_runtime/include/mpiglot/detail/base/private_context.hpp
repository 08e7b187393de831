// A duplicate of a communicator for the messages of one algorithm, which thus meet no others.

#pragma once

#include <mpiglot/detail/base/cached.hpp>

namespace mpiglot::detail {

/// Duplicates a communicator (collective), and frees the duplicate.
class private_context {
 public:
  explicit private_context(mpi::comm_handle comm) {
    const int code = MPIGLOT_WAITING(MPI_Comm_dup)(comm.native, &comm_.native);
    mpi::detail::inherited(code, comm_.get(), comm);
    mpi::detail::check(code, "MPI_Comm_dup");
  }
  [[nodiscard]] mpi::comm_handle comm() const noexcept { return comm_.get(); }

 private:
  mpi::unique_comm comm_;
};

}  // namespace mpiglot::detail
