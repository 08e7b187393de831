// Several requests at once. Some MPIs lose the errors of persistent operations then, never return if
// one has failed, or end the job if two are of files: where they do, each is asked for alone.

#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot::detail {

template <class Request>
concept prepared = requires(Request& request) { request.start(); };
/// A request of an access to a file.
template <class Request>
concept of_file = requires(const Request& request) { request.told_status(); };

/// As MPI_Waitall: an error of one is in its status.
[[nodiscard]] inline int wait_each(std::span<mpi::request_handle> handles,
                                   std::span<mpi::status> statuses) noexcept {
  int all = MPI_SUCCESS;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const int code = mpi::nothrow::wait(handles[i], statuses[i]).code;
    statuses[i].native.MPI_ERROR = code;
    if (code != MPI_SUCCESS) all = MPI_ERR_IN_STATUS;
  }
  return all;
}
/// As MPI_Waitall. `Prepared`: persistent operations are among them.
template <bool Prepared>
[[nodiscard]] int wait_for_all(std::span<mpi::request_handle> handles,
                               std::span<mpi::status> statuses) noexcept {
  if (waits_alone) [[unlikely]]
    return wait_each(handles, statuses);
  if constexpr (Prepared)
    if (loses_errors_of_several) return wait_each(handles, statuses);
  return mpi::nothrow::waitall(handles, {statuses}).code;
}
/// Whether each of `Requests` is asked for alone.
template <class... Requests>
[[nodiscard]] bool asks_alone() noexcept {
  if constexpr ((of_file<Requests> || ...))
    if (asks_files_alone) return true;
  if constexpr ((prepared<Requests> || ...)) return loses_errors_of_several;
  return false;
}

/// As MPI_Testall. What can be known of a request only by ending it is told to it at once: an error, which MPI
/// tells once, and that an access to a file is complete.
template <class Many>
[[nodiscard]] mpi::result<bool> test_each(Many& all) {
  bool complete = true;
  all.each([&](auto& request, std::size_t i) {
    if (!request.pending()) return;
    if constexpr (of_file<std::remove_cvref_t<decltype(request)>>) {
      mpi::status status;
      const auto outcome = mpi::nothrow::test(all.handles[i], status);
      if (outcome.value || outcome.code != MPI_SUCCESS)
        all.tell(i, outcome.code, status);
      else
        complete = false;
      return;
    }
    const auto known = mpi::nothrow::request_get_status(all.handles[i]);
    if (known.code == MPI_SUCCESS) {
      complete = complete && known.value;
      return;
    }
    static_cast<void>(mpi::nothrow::wait(all.handles[i]));
    all.tell(i, known.code, mpi::status());
  });
  if (!complete) return {MPI_SUCCESS, false};
  return {wait_each(all.handles, all.statuses), true};
}

/// As MPI_Waitsome if `wait`, else as MPI_Testsome, with room for as many as `indices` has. Asks for each alone
/// for which `active` is true. Returns how many are complete; the error of each is in its status.
template <class Active>
[[nodiscard]] std::size_t ask_each(bool wait, std::span<mpi::request_handle> handles,
                                   std::span<int> indices, std::span<mpi::status> statuses,
                                   Active active) {
  std::size_t count = 0;
  bool pending = false;
  do {
    pending = false;
    for (std::size_t i = 0; i < handles.size() && count < indices.size(); ++i) {
      if (!active(i)) continue;
      pending = true;
      const auto outcome = mpi::nothrow::test(handles[i], statuses[count]);
      if (outcome.code == MPI_SUCCESS && !outcome.value) continue;
      statuses[count].native.MPI_ERROR = outcome.code;
      indices[count++] = static_cast<int>(i);
    }
  } while (wait && pending && count == 0);
  return count;
}

}  // namespace mpiglot::detail
