// A communicator without its operations: what they and all types of communicators share.

#pragma once

#include <cstddef>
#include <utility>
#if defined(__GLIBCXX__)
#include <bits/stringfwd.h>
#else
#include <iosfwd>
#endif

#include <mpiglot/datatype.hpp>
#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/base/attributed.hpp>
#include <mpiglot/detail/base/private_context.hpp>
#include <mpiglot/detail/merged/learned.hpp>
#include <mpiglot/mpi/constants.hpp>

namespace mpiglot {

class group;

namespace detail {

// Not in every program: most communicators are borrowed.
template <>
void held<mpi::comm_handle>::free_owned() noexcept;

/// Whether a file of the program is compiled without NDEBUG, which asks for the local checks of level
/// `normal`; MPIGLOT_CHECKS overrules.
inline constinit bool compiled_for_debugging = false;
#ifndef NDEBUG
[[maybe_unused]] static const bool asks_for_local_checks = (compiled_for_debugging = true);
#endif

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

  /// Leaves a null communicator behind.
  communicator_core(communicator_core&& other) noexcept
      : attributed(static_cast<attributed&&>(other)),
        rank_(std::exchange(other.rank_, MPI_UNDEFINED)),
        size_(std::exchange(other.size_, 0)),
        direct_(std::exchange(other.direct_, false)),
        looks_(std::exchange(other.looks_, false)),
        compares_(std::exchange(other.compares_, false)),
        learned_(std::exchange(other.learned_, nullptr)) {}
  communicator_core& operator=(communicator_core&& other) noexcept {
    if (this == &other) return *this;
    attributed::operator=(static_cast<attributed&&>(other));
    rank_ = std::exchange(other.rank_, MPI_UNDEFINED);
    size_ = std::exchange(other.size_, 0);
    direct_ = std::exchange(other.direct_, false);
    looks_ = std::exchange(other.looks_, false);
    compares_ = std::exchange(other.compares_, false);
    learned_ = std::exchange(other.learned_, nullptr);
    return *this;
  }

  /// This process in the communicator; negative (MPI_UNDEFINED) where there is none.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// Whether operations need not look: there are ranks, nothing is checked but what the type says, and no
  /// known defect of the MPI depends on the communicator.
  [[nodiscard]] bool direct() const noexcept { return direct_; }
  /// Whether operations make the local checks of level `normal`, though the type does not say so.
  [[nodiscard]] bool looks() const noexcept { return looks_; }
  /// Whether collective operations compare what ranks give, though the type does not say so: MPIGLOT_CHECKS
  /// is `communication`.
  [[nodiscard]] bool compares() const noexcept { return compares_; }
  /// This rank plus `distance`, which may be negative; MPI_PROC_NULL if there is no such rank. A
  /// message to or from MPI_PROC_NULL does nothing. Local.
  [[nodiscard]] int rank_shifted(mpi::count_t distance) const;
  /// This rank plus `distance`, which may be negative; behind the last rank comes rank 0. Local.
  [[nodiscard]] int rank_shifted_cyclic(mpi::count_t distance) const;

  /// True on all ranks if all give the same value, false on all otherwise. Compares bytes: of a
  /// number, or of a class of integers without padding; lengths and elements of a vector, a string
  /// or another contiguous range of these; any other value as `as_serialized(value)`. A NaN equals
  /// a NaN with the same bytes; 0.0 and -0.0 differ. Collective: one message; one more for
  /// each MiB of ranges of one length that have more than 56 bytes.
  ///
  ///     if (!comm.is_same_on_all_ranks(steps)) comm.abort();
  template <class T>
  [[nodiscard]] bool is_same_on_all_ranks(const T& value) const {
    if constexpr (requires { value.encoded(); }) {
      const auto encoded = value.encoded();
      return same_bytes(encoded.data(), encoded.size());
    } else if constexpr (requires { value.data()[value.size()]; }) {
      static_assert(bytes_say_the_value<std::remove_cvref_t<decltype(*value.data())>>,
                    "mpiglot: equal elements of this type may have different bytes (padding, an "
                    "address); give as_serialized(value)");
      return same_bytes(value.data(), value.size() * sizeof(*value.data()));
    } else {
      static_assert(bytes_say_the_value<std::remove_all_extents_t<T>>,
                    "mpiglot: equal values of this type may have different bytes (padding, an "
                    "address); give as_serialized(value)");
      return same_bytes(__builtin_addressof(value), sizeof(T));
    }
  }

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
  [[nodiscard]] bool same_bytes(const void* value, std::size_t size) const;
  [[nodiscard]] std::size_t read_name(char* text) const;
  [[nodiscard]] mpi::unique_comm split_by(int type, int key, mpi::info_handle hints) const;

  int rank_ = MPI_UNDEFINED;
  int size_ = 0;
  bool direct_ = false;
  bool looks_ = false;
  bool compares_ = false;
  mutable detail::learned* learned_ = nullptr;
};

inline bool asked_to_compare(const group_view& group) noexcept {
  return group.core != nullptr && group.core->compares();
}
inline bool asked_to_look(const group_view& group) noexcept {
  return group.core != nullptr && group.core->looks();
}

}  // namespace detail
}  // namespace mpiglot
