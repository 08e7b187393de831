// A duplicate of a communicator for the messages of one algorithm, which thus meet no others.

#pragma once

#include <mpiglot/detail/base/cached.hpp>

namespace mpiglot::detail {

/// Made at the first use of an algorithm on a communicator (collective), the same for all its
/// wrappers, freed with it. `Algorithm` tells the owners apart.
template <class Algorithm>
class private_context {
 public:
  /// The context of a communicator. Collective at its first use.
  [[nodiscard]] static private_context& of(mpi::comm_handle comm) {
    return cached_on<private_context>(comm);
  }

  [[nodiscard]] mpi::comm_handle comm() const noexcept { return comm_.get(); }
  /// What the algorithm keeps from call to call; all ranks change it alike.
  unsigned round = 0;

  explicit private_context(mpi::comm_handle comm) {
    mpi::detail::check(MPIGLOT_MPI(MPI_Comm_dup)(comm.native, &comm_.native), "MPI_Comm_dup");
  }

 private:
  mpi::unique_comm comm_;
};

}  // namespace mpiglot::detail
