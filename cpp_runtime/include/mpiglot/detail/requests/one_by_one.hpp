// Several requests at once. Some MPIs lose the errors of persistent operations then, or never return
// if one has failed: where they do, each is asked for alone.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot::detail {

template <class Request>
concept prepared = requires(Request& request) { request.start(); };

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
/// As MPI_Testall. An error, which MPI tells once, is told to its request at once.
template <class Many>
[[nodiscard]] mpi::result<bool> test_each(Many& all) {
  bool complete = true;
  all.each([&](auto& request, std::size_t i) {
    if (!request.pending()) return;
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

/// Asks for each of `all` alone that is pending, until one is complete if `wait`, else once. Tells those that are,
/// `most` of them: which, into the first statuses with what.
template <class Many>
[[nodiscard]] std::vector<std::size_t> told_each(bool wait, Many& all, std::size_t most) {
  std::vector<std::size_t> done;
  bool pending = false;
  do {
    pending = false;
    all.each([&](auto& request, std::size_t i) {
      if (!request.pending() || done.size() == most) return;
      pending = true;
      mpi::status& status = all.statuses[done.size()];
      const auto outcome = mpi::nothrow::test(all.handles[i], status);
      if (outcome.code == MPI_SUCCESS && !outcome.value) return;
      all.tell(i, outcome.code, status);
      done.push_back(i);
    });
  } while (wait && pending && done.empty());
  return done;
}

}  // namespace mpiglot::detail
