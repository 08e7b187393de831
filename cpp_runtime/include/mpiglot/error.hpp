// Errors that the runtime finds itself. All are `mpi::error`, with an error class of MPI.

#pragma once

#include <mpiglot/mpi/error.hpp>

namespace mpiglot {

/// A buffer has less room than what is to be put there, and its resize policy does not let it grow
/// (or there are more bytes than `at_most` allows).
class too_small : public mpi::error {
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
class remote_failure : public mpi::error {
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
class decode_error : public mpi::error {
 public:
  explicit decode_error(const char* reason) noexcept
      : error(MPI_ERR_CONVERSION, mpi::error_class{MPI_ERR_CONVERSION}, "mpiglot", reason) {}
};

/// Counts that cannot be meant: too few of them, negative ones, or more than MPI can be told.
class count_error : public mpi::error {
 public:
  explicit count_error(const char* reason) noexcept
      : error(MPI_ERR_COUNT, mpi::error_class{MPI_ERR_COUNT}, "mpiglot", reason) {}
};

namespace detail {

// Where errors are made: out of the way of the code that checks.

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_room(mpi::count_t room,
                                                               mpi::count_t needed) {
  mpi::detail::fail(too_small(room, needed));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_counts(const char* reason) {
  mpi::detail::fail(count_error(reason));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_bytes(const char* reason) {
  mpi::detail::fail(decode_error(reason));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void tell_remote_failure(int rank) {
  mpi::detail::fail(remote_failure(rank));
}

}  // namespace detail
}  // namespace mpiglot
