// A communicator and what can be done with it.

#pragma once

#include <mpiglot/mpi/groups.hpp>
#include <mpiglot/operations/allgatherv.hpp>
#include <mpiglot/operations/allreduce.hpp>
#include <mpiglot/operations/bcast.hpp>
#include <mpiglot/operations/gather.hpp>
#include <mpiglot/operations/recv.hpp>
#include <mpiglot/operations/scatterv.hpp>
#include <mpiglot/operations/send.hpp>

namespace mpiglot {

/// A communicator, borrowed or owned. It remembers rank and size, which never change.
///
///   communicator world;                         // MPI_COMM_WORLD, borrowed
///   communicator theirs{raw};                   // any MPI_Comm, borrowed
///   communicator mine = world.split(color);     // owned: freed with the object
///
/// Errors of MPI are thrown if the communicator returns them (MPI_ERRORS_RETURN), as those do that
/// come from `mpiglot::environment`.
class communicator : public operations::bcast_members<communicator>,
                     public operations::send_members<communicator>,
                     public operations::recv_members<communicator>,
                     public operations::gather_members<communicator>,
                     public operations::allgatherv_members<communicator>,
                     public operations::scatterv_members<communicator>,
                     public operations::allreduce_members<communicator> {
 public:
  /// MPI_COMM_WORLD.
  communicator() : communicator(mpi::comm_handle(mpi::comm_world)) {}

  /// Borrows. Asks for rank and size once.
  explicit communicator(mpi::comm_handle borrowed)
      : handle_(borrowed), rank_(mpi::comm_rank(borrowed)), size_(mpi::comm_size(borrowed)) {}

  /// Owns.
  explicit communicator(mpi::unique_comm owned)
      : communicator(mpi::comm_handle(owned.get())) {
    owned_ = static_cast<mpi::unique_comm&&>(owned);
  }

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] mpi::comm_handle handle() const noexcept { return handle_; }
  /// MPI's handle, still owned by whoever owned it.
  [[nodiscard]] MPI_Comm native() const noexcept { return handle_.native; }
  [[nodiscard]] bool owns() const noexcept { return static_cast<bool>(owned_); }

  /// A duplicate with a context of its own. Collective.
  [[nodiscard]] communicator dup() const {
    return communicator(mpi::unique_comm(mpi::comm_dup(handle_)));
  }
  /// The ranks with the same color, ordered by key. Collective.
  [[nodiscard]] communicator split(int color, int key = 0) const {
    return communicator(mpi::unique_comm(mpi::comm_split(handle_, color, key)));
  }

 private:
  mpi::comm_handle handle_;
  mpi::unique_comm owned_;
  int rank_;
  int size_;
};

}  // namespace mpiglot
