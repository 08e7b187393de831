// A duplicate of a communicator for the messages of one algorithm, which thus meet no others.

#pragma once

#include <mpiglot/detail/base/cached.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::detail {

/// Waits until all processes of a communicator have made another one of it. MPI's code. Null where one may go on before
/// the others (plugins/fault_tolerance.hpp).
using makers_wait = int(mpi::comm_handle) noexcept;
[[gnu::visibility("default")]] inline constinit makers_wait* waits_for_makers = nullptr;

/// A communicator that this process has made of another one, once all processes have, or the error of that.
[[nodiscard]] inline mpi::unique_comm once_all_made(mpi::comm_handle parent, mpi::comm_handle made,
                                                    int code = MPI_SUCCESS,
                                                    const char* function = "MPI_Barrier") {
  mpi::unique_comm owned(made);
  if (code == MPI_SUCCESS && waits_for_makers != nullptr) code = waits_for_makers(parent);
  if (code != MPI_SUCCESS) raise(code, function);
  return owned;
}

/// A duplicate. Collective.
[[nodiscard, gnu::cold]] inline mpi::unique_comm duplicate(mpi::comm_handle comm) {
  mpi::comm_handle made;
  const int code = MPIGLOT_WAITING(MPI_Comm_dup)(comm.native, &made.native);
  mpi::detail::inherited(code, made, comm);
  return once_all_made(comm, made, code, "MPI_Comm_dup");
}

/// Duplicates a communicator (collective), and frees the duplicate.
class private_context {
 public:
  explicit private_context(mpi::comm_handle comm) : comm_(duplicate(comm)) {}
  [[nodiscard]] mpi::comm_handle comm() const noexcept { return comm_.get(); }

 private:
  mpi::unique_comm comm_;
};

}  // namespace mpiglot::detail
