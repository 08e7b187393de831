// Accesses to files that are made at once where an MPI goes wrong with those that have begun: by a
// blocking function of this rank alone. Their requests are complete.

#pragma once

#include <new>
#include <utility>

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/external.hpp>
#include <mpiglot/mpi/handles.hpp>
#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

/// True if several threads may call MPI. A session alone does not say whether they may.
[[nodiscard, gnu::cold, gnu::noinline]] inline bool threads_may_call() noexcept {
  const auto initialized = mpi::nothrow::initialized();
  if (initialized.code == MPI_SUCCESS && !initialized.value) return true;
  const auto level = mpi::nothrow::query_thread();
  return level.code != MPI_SUCCESS || level.value == mpi::thread_level::multiple;
}

/// Whether a read (or a write) of a file must not begin: it might never end, or crash.
[[nodiscard, gnu::noinline]] inline bool is_made_at_once(bool reads) noexcept {
  static const bool threads_crash =
      library_defect("file-requests-of-threads") != nullptr && threads_may_call();
  static const bool reads_hang = library_defect("iread-beyond-the-end") != nullptr;
  return threads_crash || (reads && reads_hang);
}

/// A request that is complete, with a status and MPI's code, once `complete` was called. What can fail
/// is done before.
class complete_request {
 public:
  /// Makes the request. Its error is in `code`, and nothing is made then.
  explicit complete_request(int& code) noexcept : status_(new(std::nothrow) MPI_Status()) {
    code = status_ == nullptr
               ? MPI_ERR_NO_MEM
               : MPIGLOT_MPI(MPI_Grequest_start)(&query, &release, &cancel, status_, &request_);
    if (code != MPI_SUCCESS) delete std::exchange(status_, nullptr);
  }
  complete_request(const complete_request&) = delete;
  complete_request& operator=(const complete_request&) = delete;
  ~complete_request() = default;  // the request has the status

  /// The place of the status that the request gives.
  [[nodiscard]] MPI_Status* status() noexcept { return status_; }
  /// The request, whose wait gives this code.
  [[nodiscard]] mpi::request_handle complete(int code) noexcept {
    status_->MPI_ERROR = code;
    MPIGLOT_MPI(MPI_Grequest_complete)(request_);
    return mpi::request_handle{request_};
  }

 private:
  static int query(void* kept, MPI_Status* status) noexcept {
    *status = *static_cast<const MPI_Status*>(kept);
    return status->MPI_ERROR;
  }
  static int release(void* kept) noexcept {
    delete static_cast<MPI_Status*>(kept);
    return MPI_SUCCESS;
  }
  static int cancel(void* /*kept*/, int /*complete*/) noexcept { return MPI_SUCCESS; }

  MPI_Status* status_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace mpiglot::detail
