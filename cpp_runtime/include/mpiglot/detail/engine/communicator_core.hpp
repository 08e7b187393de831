// A communicator without its operations: what they and all types of communicators share.

#pragma once

#include <cstddef>
#if defined(__GLIBCXX__)
#include <bits/stringfwd.h>
#else
#include <iosfwd>
#endif

#include <mpiglot/detail/base/attributed.hpp>
#include <mpiglot/detail/merged/learned.hpp>
#include <mpiglot/mpi/constants.hpp>

namespace mpiglot {

class group;

namespace detail {

// Not in every program: most communicators are borrowed.
template <>
void held<mpi::comm_handle>::free_owned() noexcept;

/// What a communicator is without its operations: a handle, perhaps owned, and what never changes.
/// A null communicator stands on ranks that took no part in a `split`.
class communicator_core : public attributed<mpi::comm_handle> {
 public:
  /// Borrows. Asks for rank and size once.
  explicit communicator_core(mpi::comm_handle borrowed) : attributed(borrowed) { ask(); }
  explicit communicator_core(MPI_Comm borrowed) : attributed(borrowed) { ask(); }
  /// Owns.
  explicit communicator_core(mpi::unique_comm owned)
      : attributed(static_cast<mpi::unique_comm&&>(owned)) {
    ask();
  }

  /// This process in the communicator; negative (MPI_UNDEFINED) where there is none.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }

  [[nodiscard]] mpi::comparison compare(mpi::comm_handle other) const;
  /// The group of its processes. Local. (Include <mpiglot/group.hpp>.)
  [[nodiscard]] mpiglot::group group() const;

  /// Its name, which tools show. Local; include <string>.
  template <class String = std::string>
  [[nodiscard]] String name() const {
    char text[MPI_MAX_OBJECT_NAME];
    return String(text, read_name(text));
  }
  void set_name(mpi::text name) const;

  /// The largest tag that a message can have.
  [[nodiscard]] int largest_tag() const;

  void set_errhandler(mpi::errhandler_handle handler) const;
  /// Ends the processes of the communicator, with most MPIs the whole job.
  [[noreturn]] void abort(int code = 1) const;

  /// What operations have learned about the communicator; looked up once for each wrapper.
  [[nodiscard]] detail::learned& learned() const {
    if (learned_ == nullptr) [[unlikely]]
      learned_ = &detail::learned_of(handle());
    return *learned_;
  }

 protected:
  /// Throws if these are two groups: roots, counts and lengths of collectives mean other things then.
  void require_one_group() const;
  // What `dup` and its like make.
  [[nodiscard]] mpi::unique_comm dup_handle() const;
  [[nodiscard]] mpi::unique_comm dup_handle(mpi::info_handle hints) const;
  [[nodiscard]] mpi::unique_comm split_handle(int color, int key) const;
  [[nodiscard]] mpi::unique_comm split_handle(int type, int key, mpi::info_handle hints) const;
  [[nodiscard]] mpi::unique_comm create_handle(mpi::group_handle group) const;
  [[nodiscard]] mpi::unique_comm create_handle(mpi::group_handle group, int tag) const;

 private:
  void ask();
  [[nodiscard]] std::size_t read_name(char* text) const;

  int rank_ = MPI_UNDEFINED;
  int size_ = 0;
  mutable detail::learned* learned_ = nullptr;
};

}  // namespace detail
}  // namespace mpiglot
