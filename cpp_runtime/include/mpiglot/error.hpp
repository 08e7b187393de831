// Errors of operations: those that MPI reports and those that the runtime finds itself. All are
// `mpi::error`, with an error class of MPI, and know the operation, the communicator and the rank.

#pragma once

#include <mpiglot/mpi/error.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot {

/// An operation failed on this rank. `what()` says where ("allgatherv on rank 3 of MPI_COMM_WORLD")
/// and why.
class error : public mpi::error {
 public:
  using mpi::error::error;

  /// The operation of the program ("allgatherv"); empty if the error is from none.
  [[nodiscard]] const char* operation() const noexcept { return operation_; }
  /// The communicator it was called on, not owned.
  [[nodiscard]] mpi::comm_handle comm() const noexcept { return comm_; }
  /// The rank in it on which the error was found.
  [[nodiscard]] int rank() const noexcept { return rank_; }

  [[nodiscard]] const char* what() const noexcept override {
    return *operation_ != '\0' ? text_ : mpi::error::what();
  }

  /// Says where the error was found; the first one to say so is right.
  void locate(const char* operation, mpi::comm_handle comm, int rank) noexcept;

 private:
  static constexpr int capacity = 512;

  const char* operation_ = "";
  mpi::comm_handle comm_{};
  int rank_ = -1;
  char text_[capacity];
};

[[gnu::cold]] inline void error::locate(const char* operation, mpi::comm_handle comm, int rank) noexcept {
  if (*operation_ != '\0') return;
  operation_ = operation;
  comm_ = comm;
  rank_ = rank;
  int length = 0;
  const auto append = [&](const char* more) __attribute__((noinline, cold)) {
    while (*more != '\0' && length + 1 < capacity) text_[length++] = *more++;
    text_[length] = '\0';
  };
  append(operation);
  append(" on rank ");
  char digits[12];
  char* digit = digits + 11;
  *digit = '\0';
  do *--digit = static_cast<char>('0' + rank % 10);
  while ((rank /= 10) > 0);
  append(digit);
  append(" of ");
  char name[MPI_MAX_OBJECT_NAME] = "";
  int size = 0;
  if (MPIGLOT_MPI(MPI_Comm_get_name)(comm.native, name, &size) != MPI_SUCCESS || size == 0)
    append("a communicator");
  append(name);
  append(": ");
  append(message());
}

/// A buffer has less room than what is to be put there, and its resize policy does not let it grow
/// (or there are more bytes than `at_most` allows).
class too_small : public error {
 public:
  /// Both in wire elements of the buffer.
  too_small(mpi::count_t room, mpi::count_t needed) noexcept
      : error(MPI_ERR_TRUNCATE, mpi::error_class{MPI_ERR_TRUNCATE}, "mpiglot",
              "a buffer has less room than is needed; pass a larger one, resize_to_fit or a larger "
              "at_most"),
        room_(room),
        needed_(needed) {}

  [[nodiscard]] mpi::count_t room() const noexcept { return room_; }
  [[nodiscard]] mpi::count_t needed() const noexcept { return needed_; }

 private:
  mpi::count_t room_;
  mpi::count_t needed_;
};

/// Another rank failed before the last MPI call of a collective; that rank throws the reason.
class remote_failure : public error {
 public:
  static constexpr int unknown = -1;

  explicit remote_failure(int rank) noexcept
      : error(MPI_ERR_OTHER, mpi::error_class{MPI_ERR_OTHER}, "mpiglot",
              "another rank failed before its data was ready; it throws the reason"),
        rank_(rank) {}

  /// The rank that failed, or `unknown`.
  [[nodiscard]] int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

/// Received bytes are not what the codec of the receiving type writes.
class decode_error : public error {
 public:
  explicit decode_error(const char* reason) noexcept
      : error(MPI_ERR_CONVERSION, mpi::error_class{MPI_ERR_CONVERSION}, "mpiglot", reason) {}
};

/// Counts that cannot be meant: too few of them, negative ones, or more than MPI can be told.
class count_error : public error {
 public:
  explicit count_error(const char* reason) noexcept
      : error(MPI_ERR_COUNT, mpi::error_class{MPI_ERR_COUNT}, "mpiglot", reason) {}
};

/// Ranks gave different values where all must give the same (found at level `communication`).
class disagreement : public error {
 public:
  explicit disagreement(const char* what_differs) noexcept
      : error(MPI_ERR_ARG, mpi::error_class{MPI_ERR_ARG}, "mpiglot", what_differs) {}
};

namespace detail {

// Where errors are made: out of the way of the code that checks.

/// MPI gave this code in this operation of the program.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise(int code, const char* operation) {
  mpi::detail::fail(error(code, operation));
}

/// The same where an operation is only started, in a form that this MPI may not have.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise_start(int code, const char* operation) {
  if (code == MPI_ERR_UNSUPPORTED_OPERATION)
    mpi::detail::raise_unavailable(operation, "an MPI that has this form of it");
  raise(code, operation);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_room(mpi::count_t room,
                                                               mpi::count_t needed) {
  mpi::detail::fail(too_small(room, needed));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_counts(const char* reason) {
  mpi::detail::fail(count_error(reason));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_argument(int error_class,
                                                                   const char* reason) {
  mpi::detail::fail(error(error_class, mpi::error_class{error_class}, "mpiglot", reason));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_bytes(const char* reason) {
  mpi::detail::fail(decode_error(reason));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void tell_remote_failure(int rank) {
  mpi::detail::fail(remote_failure(rank));
}

}  // namespace detail
}  // namespace mpiglot
