// Errors of operations: those that MPI reports and those that the runtime finds itself. All are
// `mpi::error`, with an error class of MPI, and know the operation, the communicator and the rank.

#pragma once

#include <mpiglot/mpi/error.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot {

/// An operation failed on this rank. `what()` says where ("allgatherv on rank 3 of MPI_COMM_WORLD")
/// and why.
class [[gnu::visibility("default")]] error : public mpi::error {
 public:
  using mpi::error::error;

  /// The operation of the program ("allgatherv"); empty if the error is from none.
  [[nodiscard]] const char* operation() const noexcept { return operation_; }
  /// The communicator it was called on, not owned.
  [[nodiscard]] mpi::comm_handle comm() const noexcept { return comm_; }
  /// The rank in it on which the error was found.
  [[nodiscard]] int rank() const noexcept { return rank_; }

  /// The operation, the reason that MPI gives, the communicator and the rank.
  [[nodiscard]] const char* what() const noexcept override;

  /// Says where the error was found; the first one to say so is right.
  void locate(const char* operation, mpi::comm_handle comm, int rank) noexcept;
  /// The same for what is no communicator: `where` names it.
  void locate(const char* operation, const char* where, int rank) noexcept;

 private:
  static constexpr int capacity = 512;

  const char* operation_ = "";
  mpi::comm_handle comm_{};
  int rank_ = -1;
  char text_[capacity];
};

/// A buffer has less room than what is to be put there, and its resize policy does not let it grow
/// (or there are more bytes than `at_most` allows).
class [[gnu::visibility("default")]] too_small : public error {
 public:
  /// Both in wire elements of the buffer.
  too_small(mpi::count_t room, mpi::count_t needed) noexcept
      : error(MPI_ERR_TRUNCATE, mpi::error_class{MPI_ERR_TRUNCATE}, "mpiglot",
              "a buffer has less room than is needed; pass a larger one, resize_to_fit or a larger "
              "at_most"),
        room_(room),
        needed_(needed) {}

  /// The number of elements that fit.
  [[nodiscard]] mpi::count_t room() const noexcept { return room_; }
  /// The number of elements that arrived.
  [[nodiscard]] mpi::count_t needed() const noexcept { return needed_; }

 private:
  mpi::count_t room_;
  mpi::count_t needed_;
};

/// Another rank failed before the last MPI call of a collective; that rank throws the reason.
class [[gnu::visibility("default")]] remote_failure : public error {
 public:
  /// The value of `failed_rank()` if it is not known which rank failed.
  static constexpr int unknown = -1;

  explicit remote_failure(int failed_rank) noexcept;

  /// The rank that failed, or `unknown`; `rank()` is the one that was told.
  [[nodiscard]] int failed_rank() const noexcept { return failed_rank_; }

 private:
  int failed_rank_;
};

/// Received bytes are not what the codec of the receiving type writes.
class [[gnu::visibility("default")]] decode_error : public error {
 public:
  explicit decode_error(const char* reason) noexcept
      : error(MPI_ERR_CONVERSION, mpi::error_class{MPI_ERR_CONVERSION}, "mpiglot", reason) {}
};

/// Counts that cannot be meant: too few of them, negative ones, or more than MPI can be told.
class [[gnu::visibility("default")]] count_error : public error {
 public:
  explicit count_error(const char* reason) noexcept
      : error(MPI_ERR_COUNT, mpi::error_class{MPI_ERR_COUNT}, "mpiglot", reason) {}
};

/// Ranks gave different values where all must give the same (found at level `communication`).
class [[gnu::visibility("default")]] disagreement : public error {
 public:
  explicit disagreement(const char* what_differs) noexcept
      : error(MPI_ERR_ARG, mpi::error_class{MPI_ERR_ARG}, "mpiglot", what_differs) {}
};

namespace detail {

// Where errors are made: out of the way of the code that checks.

/// MPI gave this code in this operation of the program.
[[noreturn, gnu::cold]] void raise(int code, const char* operation);
/// The same on a rank of a communicator.
[[noreturn, gnu::cold]] void raise_at(mpi::comm_handle comm, int rank, int code,
                                      const char* operation);
/// The same where an operation is only started, in a form that this MPI may not have.
[[noreturn, gnu::cold]] void raise_start(int code, const char* operation);

[[noreturn, gnu::cold]] void refuse_room(mpi::count_t room, mpi::count_t needed);
[[noreturn, gnu::cold]] void refuse_counts(const char* reason);
[[noreturn, gnu::cold]] void refuse_argument(int error_class, const char* reason);
[[noreturn, gnu::cold]] void refuse_bytes(const char* reason);
[[noreturn, gnu::cold]] void tell_disagreement(const char* what_differs);
[[noreturn, gnu::cold]] void tell_remote_failure(int rank);

}  // namespace detail
}  // namespace mpiglot

#if MPIGLOT_BODIES
#include <mpiglot/error.ipp>
#endif
