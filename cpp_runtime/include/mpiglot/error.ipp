// Bodies of error.hpp.

#pragma once

#include <mpiglot/error.hpp>

namespace mpiglot {

[[gnu::cold]] MPIGLOT_INLINE const char* error::what() const noexcept {
  return *operation_ != '\0' || request_ >= 0 ? text_ : mpi::error::what();
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void error::locate(const char* operation,
                                                               mpi::comm_handle comm,
                                                               int rank) noexcept {
  if (*operation_ != '\0') return;
  char name[MPI_MAX_OBJECT_NAME] = "";
  int size = 0;
  const bool has_name =
      comm && MPIGLOT_MPI(MPI_Comm_get_name)(comm.native, name, &size) == MPI_SUCCESS && size > 0;
  comm_ = comm;
  locate(operation, !comm ? "a null communicator" : has_name ? name : "a communicator", rank);
}

namespace detail {

/// A rank, or another number that is not negative, as text.
struct rank_text {
  explicit rank_text(std::size_t rank) noexcept {
    do *--begin = static_cast<char>('0' + rank % 10);
    while ((rank /= 10) > 0);
  }
  explicit rank_text(int rank) noexcept : rank_text(static_cast<std::size_t>(rank)) {}
  char digits[24] = {};
  char* begin = digits + 23;
};

/// Writes texts one after the other, as much of them as there is room for.
template <std::size_t Capacity, std::size_t Pieces>
void join(char (&to)[Capacity], const char* const (&pieces)[Pieces]) noexcept {
  std::size_t length = 0;
  for (const char* piece : pieces)
    while (*piece != '\0' && length + 1 < Capacity) to[length++] = *piece++;
  to[length] = '\0';
}

}  // namespace detail

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void error::locate(const char* operation,
                                                               const char* where,
                                                               int rank) noexcept {
  if (*operation_ != '\0') return;
  operation_ = operation;
  rank_ = rank;
  const detail::rank_text digits(rank < 0 ? 0 : rank);
  const detail::rank_text from(source_ < 0 ? 0 : source_);
  const char* const pieces[] = {operation,
                                source_ < 0 ? "" : " from rank ",
                                source_ < 0 ? "" : from.begin,
                                rank < 0 ? "" : " on rank ",
                                rank < 0 ? "" : digits.begin,
                                rank < 0 ? " on " : " of ",
                                where,
                                ": ",
                                message()};
  detail::join(text_, pieces);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void error::name_source(int source) noexcept {
  if (source_ < 0 && *operation_ == '\0') source_ = source;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void error::name_request(std::size_t place,
                                                                     int source) noexcept {
  if (request_ >= 0) return;
  char rest[capacity];
  const char* const told[] = {what()};
  detail::join(rest, told);
  request_ = static_cast<std::ptrdiff_t>(place);
  const detail::rank_text number(place);
  const bool says_source = source >= 0 && source_ < 0;
  const detail::rank_text from(says_source ? source : 0);
  if (says_source) source_ = source;
  const char* const pieces[] = {
      "request ", number.begin, says_source ? " from rank " : "", says_source ? from.begin : "",
      ": ",       rest};
  detail::join(text_, pieces);
}

MPIGLOT_INLINE remote_failure::remote_failure(int failed_rank) noexcept
    : error(MPI_ERR_OTHER, mpi::error_class{MPI_ERR_OTHER}, "mpiglot",
            failed_rank == unknown
                ? "another rank failed before its data was ready; it throws the reason"
                : "another rank failed before its data was ready; the reason is thrown on rank ",
            failed_rank == unknown ? "" : detail::rank_text(failed_rank).begin),
      failed_rank_(failed_rank) {}

namespace detail {

/// "2: the reason".
struct place_and_reason {
  place_and_reason(int rank, const char* reason) noexcept {
    const rank_text digits(rank);
    const char* const pieces[] = {digits.begin, *reason == 0 ? "" : ": ", reason};
    join(text, pieces);
  }
  char text[120];
};

}  // namespace detail

MPIGLOT_INLINE function_failure::function_failure(int failed_rank, const char* reason) noexcept
    : error(MPI_ERR_OP, mpi::error_class{MPI_ERR_OP}, "mpiglot",
            "the function given to op threw on rank ",
            detail::place_and_reason(failed_rank, reason).text),
      failed_rank_(failed_rank) {}

namespace detail {

// By the names of the MPI's extension, or of the standard.
[[gnu::noinline]] MPIGLOT_INLINE bool is_process_failure(
    [[maybe_unused]] int error_class) noexcept {
#if defined(MPIX_ERR_PROC_FAILED)
  return error_class == MPIX_ERR_PROC_FAILED || error_class == MPIX_ERR_PROC_FAILED_PENDING;
#elif defined(MPI_ERR_PROC_FAILED)
  return error_class == MPI_ERR_PROC_FAILED || error_class == MPI_ERR_PROC_FAILED_PENDING;
#else
  return false;
#endif
}
[[gnu::noinline]] MPIGLOT_INLINE bool is_revocation([[maybe_unused]] int error_class) noexcept {
#if defined(MPIX_ERR_REVOKED)
  return error_class == MPIX_ERR_REVOKED;
#elif defined(MPI_ERR_REVOKED)
  return error_class == MPI_ERR_REVOKED;
#else
  return false;
#endif
}

[[gnu::noinline]] MPIGLOT_INLINE void fail_by_class(const error& failure) {
  const int error_class = static_cast<int>(failure.error_class());
  if (is_process_failure(error_class)) mpi::detail::fail(process_failed(failure));
  if (is_revocation(error_class)) mpi::detail::fail(revoked(failure));
  mpi::detail::fail(failure);
}

[[gnu::noinline]] MPIGLOT_INLINE void raise(int code, const char* operation) {
  fail_by_class(error(code, operation));
}

[[gnu::noinline]] MPIGLOT_INLINE void raise_at(mpi::comm_handle comm, int rank, int code,
                                               const char* operation) {
  error failure(code, operation);
  failure.locate(operation, comm, rank);
  fail_by_class(failure);
}

[[gnu::noinline]] MPIGLOT_INLINE void raise_start(int code, const char* operation) {
  if (code == MPI_ERR_UNSUPPORTED_OPERATION)
    mpi::detail::raise_unavailable(operation, "an MPI that has this form of it");
  raise(code, operation);
}

[[gnu::noinline]] MPIGLOT_INLINE error null_error(int error_class) noexcept {
  return error(error_class, mpi::error_class{error_class}, "mpiglot",
               error_class == MPI_ERR_COMM
                   ? "this process is not in it, or the object was moved from"
                   : "it was freed, moved from, or never made");
}

[[gnu::noinline]] MPIGLOT_INLINE void refuse_null(int error_class, const char* where,
                                                  const char* operation) {
  error failure = null_error(error_class);
  failure.locate(operation, where, -1);
  mpi::detail::fail(failure);
}

[[gnu::noinline]] MPIGLOT_INLINE void refuse_room(mpi::count_t room, mpi::count_t needed) {
  mpi::detail::fail(too_small(room, needed));
}

[[gnu::noinline]] MPIGLOT_INLINE void refuse_counts(const char* reason) {
  mpi::detail::fail(count_error(reason));
}

[[gnu::noinline]] MPIGLOT_INLINE void refuse_argument(int error_class, const char* reason) {
  mpi::detail::fail(error(error_class, mpi::error_class{error_class}, "mpiglot", reason));
}

[[gnu::noinline]] MPIGLOT_INLINE void refuse_bytes(const char* reason) {
  mpi::detail::fail(decode_error(reason));
}

[[gnu::noinline]] MPIGLOT_INLINE void tell_disagreement(const char* what_differs) {
  mpi::detail::fail(disagreement(what_differs));
}

[[gnu::noinline]] MPIGLOT_INLINE void tell_remote_failure(int rank) {
  mpi::detail::fail(remote_failure(rank));
}

}  // namespace detail
}  // namespace mpiglot
