// Several requests at once. Some MPIs lose the errors of persistent operations then, or never return
// if one has failed: where they do, each is asked for alone.

#pragma once

#include <cstddef>
#include <span>

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot::detail {

template <class Request>
concept prepared = requires(Request& request) { request.start(); };

[[nodiscard]] inline bool loses_errors_of_several() noexcept {
  return library_defect("persistent-errors-lost-among-several") != nullptr;
}

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
    if (loses_errors_of_several()) return wait_each(handles, statuses);
  return mpi::nothrow::waitall(handles, {statuses}).code;
}
/// As MPI_Testall. `tell(request, index, code)` takes an error, which MPI tells once.
template <class Many, class Tell>
[[nodiscard]] mpi::result<bool> test_each(Many& all, Tell tell) {
  bool complete = true;
  all.each([&](auto& request, std::size_t i) {
    if (!request.pending()) return;
    const auto known = mpi::nothrow::request_get_status(all.handles[i]);
    if (known.code == MPI_SUCCESS) {
      complete = complete && known.value;
      return;
    }
    static_cast<void>(mpi::nothrow::wait(all.handles[i]));
    tell(request, i, known.code);
  });
  if (!complete) return {MPI_SUCCESS, false};
  return {wait_each(all.handles, all.statuses), true};
}

/// Asks for each of `all` alone that is pending, until one is complete if `wait`, else once. Calls
/// `found(index, code, status)` for those that are, `most` of them. Returns whether any was pending.
template <class Many, class Found>
bool ask_each(bool wait, Many& all, std::size_t most, Found found) {
  std::size_t pending = 0;
  std::size_t complete = 0;
  do {
    pending = 0;
    all.each([&](auto& request, std::size_t i) {
      if (!request.pending() || complete == most) return;
      ++pending;
      mpi::status status;
      const auto outcome = mpi::nothrow::test(all.handles[i], status);
      if (outcome.code == MPI_SUCCESS && !outcome.value) return;
      ++complete;
      found(i, outcome.code, status);
    });
  } while (wait && pending > 0 && complete == 0);
  return pending > 0;
}

}  // namespace mpiglot::detail
