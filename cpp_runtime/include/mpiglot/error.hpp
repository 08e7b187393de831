// Errors of operations, found by MPI or by the runtime. All of them derive from `mpi::error`, have
// an MPI error class, and name the operation, the communicator and the rank.

#pragma once

#include <mpiglot/mpi/error.hpp>
#include <mpiglot/mpi/handles.hpp>

static_assert(
    sizeof(mpiglot::mpi::count_t) == 8,
    "mpiglot: the operations need an MPI_Count of 64 bits; the layer mpiglot::mpi does not");

namespace mpiglot {

/// An operation failed on this rank. `what()` gives the place ("allgatherv on rank 3 of
/// MPI_COMM_WORLD") and the reason.
class [[gnu::visibility("default")]] error : public mpi::error {
 public:
  using mpi::error::error;

  /// The name of the operation ("allgatherv"). Empty if the error belongs to no operation.
  [[nodiscard]] const char* operation() const noexcept { return operation_; }
  /// The communicator of the operation, not owned.
  [[nodiscard]] mpi::comm_handle comm() const noexcept { return comm_; }
  /// The rank in that communicator on which the error was found.
  [[nodiscard]] int rank() const noexcept { return rank_; }

  /// The error message: operation, rank, communicator, and the reason given by MPI or the runtime.
  [[nodiscard]] const char* what() const noexcept override;

  /// Sets the place of the error. Only the first call has an effect.
  void locate(const char* operation, mpi::comm_handle comm, int rank) noexcept;
  /// Says which rank the failed receive is from; a negative number says nothing. Comes before
  /// `locate`.
  void name_source(int source) noexcept;
  /// The rank that the failed receive is from, as far as it is known; else a negative number.
  [[nodiscard]] int source() const noexcept { return source_; }
  /// Says which of several requests failed: its place among them, counted from 0, and for a receive
  /// the rank that it receives from (or a negative number). Only the first call has an effect.
  void name_request(std::size_t place, int source) noexcept;
  /// The place of the failed request among those that were completed together, counted from 0; in a
  /// pool, its number. -1 if the request was alone.
  [[nodiscard]] std::ptrdiff_t request() const noexcept { return request_; }
  /// As above, for an object that is not a communicator; `where` is its description.
  void locate(const char* operation, const char* where, int rank) noexcept;

 private:
  static constexpr int capacity = 512;

  const char* operation_ = "";
  mpi::comm_handle comm_{};
  int rank_ = -1;
  int source_ = -1;
  std::ptrdiff_t request_ = -1;
  char text_[capacity];
};

/// A buffer is too small for the data, and its resize policy does not allow it to grow; or the data
/// has more bytes than `at_most` allows.
class [[gnu::visibility("default")]] too_small : public error {
 public:
  /// Both arguments count elements of the buffer's datatype.
  too_small(mpi::count_t room, mpi::count_t needed) noexcept
      : error(MPI_ERR_TRUNCATE, mpi::error_class{MPI_ERR_TRUNCATE}, "mpiglot",
              "a buffer has less room than is needed; pass a larger one, a std::vector with "
              "resize_to_fit, or a larger at_most"),
        room_(room),
        needed_(needed) {}

  /// The number of elements that fit.
  [[nodiscard]] mpi::count_t room() const noexcept { return room_; }
  /// The number of elements that the data has.
  [[nodiscard]] mpi::count_t needed() const noexcept { return needed_; }

 private:
  mpi::count_t room_;
  mpi::count_t needed_;
};

/// Another rank failed before the last MPI call of a collective. The error on that rank gives the
/// reason.
class [[gnu::visibility("default")]] remote_failure : public error {
 public:
  /// The value of `failed_rank()` if the failing rank is not known.
  static constexpr int unknown = -1;

  explicit remote_failure(int failed_rank) noexcept;

  /// The rank that failed, or `unknown`. (`rank()` is the rank that throws this error.)
  [[nodiscard]] int failed_rank() const noexcept { return failed_rank_; }

 private:
  int failed_rank_;
};

/// The function of a reduction, given as `op(f, commutative, may_throw)`, threw, and the result of this rank depends
/// on what it was to return.
class [[gnu::visibility("default")]] function_failure : public error {
 public:
  /// `reason` is copied: what the exception says, or nothing.
  function_failure(int failed_rank, const char* reason) noexcept;

  /// The rank on which the function threw. (`rank()` is the rank that throws this error.)
  [[nodiscard]] int failed_rank() const noexcept { return failed_rank_; }

 private:
  int failed_rank_;
};

/// The received bytes are not a valid encoding of the receiving type.
class [[gnu::visibility("default")]] decode_error : public error {
 public:
  explicit decode_error(const char* reason) noexcept
      : error(MPI_ERR_CONVERSION, mpi::error_class{MPI_ERR_CONVERSION}, "mpiglot", reason) {}
};

/// Invalid counts: too few of them, a negative one, one that is larger than MPI's functions accept, or
/// one that not all ranks give.
class [[gnu::visibility("default")]] count_error : public error {
 public:
  explicit count_error(const char* reason) noexcept
      : error(MPI_ERR_COUNT, mpi::error_class{MPI_ERR_COUNT}, "mpiglot", reason) {}
};

/// The ranks gave different values for an argument that must be the same on all of them. Found at
/// check level `communication`.
class [[gnu::visibility("default")]] disagreement : public error {
 public:
  explicit disagreement(const char* what_differs) noexcept
      : error(MPI_ERR_ARG, mpi::error_class{MPI_ERR_ARG}, "mpiglot", what_differs) {}
};

/// A process of the communicator has failed. Only where MPI goes on behind that (plugins/fault_tolerance.hpp).
class [[gnu::visibility("default")]] process_failed : public error {
 public:
  explicit process_failed(const error& failure) noexcept : error(failure) {}
};

/// The communicator was revoked, by this rank or another one (plugins/fault_tolerance.hpp).
class [[gnu::visibility("default")]] revoked : public error {
 public:
  explicit revoked(const error& failure) noexcept : error(failure) {}
};

namespace detail {

/// Whether an error class says that a process has failed, or that a communicator was revoked.
[[nodiscard, gnu::cold]] bool is_process_failure(int error_class) noexcept;
[[nodiscard, gnu::cold]] bool is_revocation(int error_class) noexcept;
/// Whether it says one of these: a process has failed, perhaps as another rank has noticed.
[[nodiscard]] inline bool tells_of_failure(int error_class) noexcept {
  return is_process_failure(error_class) || is_revocation(error_class);
}

// Functions that throw errors. They are out of line, so that the code of the checks stays small.

/// Throws the error as the type that its class has.
[[noreturn, gnu::cold]] void fail_by_class(const error& failure);
/// Throws the error for `code`, which MPI returned in `operation`.
[[noreturn, gnu::cold]] void raise(int code, const char* operation);
/// As above, with the communicator and the rank.
[[noreturn, gnu::cold]] void raise_at(mpi::comm_handle comm, int rank, int code,
                                      const char* operation);
/// As above, for the start of a nonblocking or persistent operation, which this MPI may not have.
[[noreturn, gnu::cold]] void raise_start(int code, const char* operation);

/// The error of an operation on a null handle, not located yet.
[[nodiscard, gnu::cold]] error null_error(int error_class) noexcept;
/// Throws the error of an operation on an object whose handle is null.
[[noreturn, gnu::cold]] void refuse_null(int error_class, const char* where, const char* operation);
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
