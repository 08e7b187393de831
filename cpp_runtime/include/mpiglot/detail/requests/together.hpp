// What MPI is told of several requests that are completed together, and what becomes of what it says.

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/arguments/results.hpp>
#include <mpiglot/detail/requests/one_by_one.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot::detail {

/// Requests, persistent ones too, whatever they belong to.
template <class T>
concept waitable = requires(T& request, const mpi::status& status) {
  request.give_handle();
  request.take_status(status);
  request.complete(MPI_SUCCESS);
  request.settle(MPI_SUCCESS);
};

template <class Request>
using result_of = decltype(std::declval<Request&>().take());

/// No result, one, or a tuple of them.
template <class... T>
[[nodiscard]] auto unwrapped(std::tuple<T...>&& all) {
  if constexpr (sizeof...(T) == 0)
    return;
  else if constexpr (sizeof...(T) == 1)
    return (static_cast<T&&>(std::get<T>(all)), ...);
  else
    return static_cast<std::tuple<T...>&&>(all);
}

/// What MPI says of each of several operations that it was given together.
template <std::size_t N>
struct completion {
  mpi::request_handle handles[N];
  mpi::status statuses[N];
  int codes[N] = {};

  /// After a call that gave `code`. An operation that is still pending then is waited for.
  void read(int code) noexcept {
    if (code == MPI_SUCCESS) [[likely]]
      return;
    const bool each = mpi::nothrow::error_class_(code).value == MPI_ERR_IN_STATUS;
    for (std::size_t i = 0; i < N; ++i) {
      codes[i] = each ? statuses[i].error() : handles[i] ? MPI_ERR_PENDING : MPI_SUCCESS;
      if (codes[i] == MPI_SUCCESS || mpi::nothrow::error_class_(codes[i]).value != MPI_ERR_PENDING)
        continue;
      codes[i] = mpi::nothrow::wait(handles[i], statuses[i]).code;
    }
  }
};

/// Finishes a request that is complete, number `i` of `done`, which is number `place` of all. It
/// keeps its result.
template <std::size_t N, class Request>
void settle(Request& request, completion<N>& done, std::size_t i, std::size_t place) {
  if (!request.ended()) {
    request.take_status(done.statuses[i]);
    if constexpr (prepared<Request>) request.keep(done.handles[i]);
  } else if constexpr (of_file<Request>) {
    done.statuses[i] = request.told_status();
  }
  naming_request(request, place, done.statuses[i],
                 [&] { request.settle(done.codes[i], done.handles[i]); });
}
/// The result of a request that is finished, in a tuple.
template <class Request>
[[nodiscard]] auto taken(Request& request) {
  if constexpr (std::is_void_v<result_of<Request>>) {
    request.take();
    return std::tuple<>();
  } else {
    return std::tuple<result_of<Request>>(request.take());
  }
}

/// Tells a request that it is complete: its `wait()` gives the result then. `handle`: what MPI left.
template <class Request>
void tell_complete(Request& request, int code, const mpi::status& status,
                   mpi::request_handle handle) {
  static_cast<void>(request.give_handle());
  request.take_status(status);
  request.complete(code);
  if constexpr (prepared<Request>) request.keep(handle);
}

/// Finishes requests that are complete. All of them are before the first error is thrown, and those
/// that did not fail keep their results.
template <std::size_t N, class... Requests>
void settle_all(completion<N>& done, Requests&... requests) {
  kept_failure failure;
  std::size_t i = 0;
  const auto one = [&](auto& request) {
    failure.attempt([&] { settle(request, done, i, i); });
    ++i;
  };
  (one(requests), ...);
  failure.rethrow();
}
template <class... Requests>
[[nodiscard]] auto results_of(Requests&... requests) {
  return std::tuple_cat(taken(requests)...);
}

template <class... Requests>
void wait_for(completion<sizeof...(Requests)>& done, Requests&... requests) {
  done.read(wait_for_all<(prepared<Requests> || ...)>(done.handles, done.statuses));
  settle_all(done, requests...);
}

/// Writes statuses to an array that asks for them, whose size follows its resize policy.
template <class Parameter, class At>
void deliver_statuses(Parameter& asked, std::size_t size, At at) {
  auto& to = asked.value;
  constexpr resize_policy policy =
      resolved(Parameter::policy, !std::is_reference_v<typename Parameter::type>);
  if constexpr (policy != no_resize) {
    if (std::size(to) < size || policy == resize_to_fit) to.resize(size);
  } else {
    require_room(static_cast<count_t>(std::size(to)), static_cast<count_t>(size));
  }
  for (std::size_t i = 0; i < size; ++i) static_cast<mpi::status&>(std::data(to)[i]) = at(i);
}

/// `results()`, and behind them an array of statuses that was asked for, unless it is borrowed. An
/// array without room is seen before any result is taken.
template <class Results, class Array, resize_policy Policy, class At>
[[nodiscard]] auto with_statuses(Results results,
                                 parameter<keys::statuses_out, Array, Policy>& asked,
                                 std::size_t size, At at) {
  deliver_statuses(asked, size, at);
  if constexpr (std::is_reference_v<Array>)
    return results();
  else
    return std::tuple_cat(results(), std::tuple<Array>(static_cast<Array&&>(asked.value)));
}

/// `tuple_of()` unwrapped if all are complete (nothing in it: true), else nothing.
template <class Function>
[[nodiscard]] auto if_complete(bool complete, Function tuple_of) {
  using result = decltype(unwrapped(tuple_of()));
  if constexpr (std::is_void_v<result>) {
    if (complete) tuple_of();
    return complete;
  } else {
    return complete ? std::optional<result>(unwrapped(tuple_of())) : std::nullopt;
  }
}

/// Tests until all of them are complete.
template <class Many>
[[nodiscard]] mpi::result<bool> tested_together(Many& all) {
  if (Many::alone()) return test_each(all);
  return mpi::nothrow::testall(all.handles, {std::span<mpi::status>(all.statuses)});
}

template <class Range>
concept requests = requires(Range& range) { range.begin(); } &&
                   waitable<std::remove_cvref_t<decltype(*std::declval<Range&>().begin())>>;

/// Many requests of one type: what MPI needs of each, and what it says.
template <class Range>
class many {
  using request = std::remove_cvref_t<decltype(*std::declval<Range&>().begin())>;
  using result = result_of<request>;

 public:
  [[nodiscard]] static bool alone() noexcept { return asks_alone<request>(); }

  explicit many(Range& range) : requests_(range) {
    for (auto& each : requests_) handles.push_back(each.handle());
    statuses.resize(handles.size());
  }

  [[nodiscard]] int wait() { return wait_for_all<prepared<request>>(handles, statuses); }
  [[nodiscard]] mpi::result<bool> test() { return tested_together(*this); }

  /// Finishes all, which MPI has completed with `code`; gives a tuple with a vector of their results,
  /// or without.
  auto conclude(int code) {
    settle_all(code);
    return results();
  }
  template <class Asked>
  auto conclude(int code, Asked& asked) {
    settle_all(code);
    return with_statuses([this] { return results(); }, asked, statuses.size(),
                         [this](std::size_t i) { return statuses[i]; });
  }

  /// Tells request `index` that it is complete.
  void tell(std::size_t index, int code, const mpi::status& status) {
    auto at = requests_.begin();
    for (std::size_t i = 0; i < index; ++i) ++at;
    tell_complete(*at, code, status, handles[index]);
  }
  /// Calls `act(request, index)` for all.
  template <class Act>
  void each(Act act) {
    std::size_t i = 0;
    for (auto& one : requests_) act(one, i++);
  }

  std::vector<mpi::request_handle> handles;
  std::vector<mpi::status> statuses;

 private:
  void settle_all(int code) {
    kept_failure failure;
    std::size_t i = 0;
    for (auto& each : requests_) {
      static_cast<void>(each.give_handle());
      completion<1> done{{handles[i]}, {statuses[i]}, {}};
      done.read(code);
      failure.attempt([&] { settle(each, done, 0, i); });
      statuses[i] = done.statuses[0];
      ++i;
    }
    failure.rethrow();
  }
  auto results() {
    if constexpr (std::is_void_v<result>) {
      for (auto& each : requests_) each.take();
      return std::tuple<>();
    } else {
      std::vector<result> all;
      all.reserve(handles.size());
      for (auto& each : requests_) all.push_back(each.take());
      return std::tuple(std::move(all));
    }
  }

  Range& requests_;
};

/// Several requests of any types in the same way.
template <class... Requests>
class several {
 public:
  static constexpr bool may_be_alone = ((prepared<Requests> || of_file<Requests>) || ...);
  [[nodiscard]] static bool alone() noexcept { return asks_alone<Requests...>(); }

  explicit several(Requests&... requests) : requests_(requests...) {
    std::size_t i = 0;
    ((handles[i++] = requests.handle()), ...);
  }

  void tell(std::size_t index, int code, const mpi::status& status) {
    each([&](auto& request, std::size_t i) {
      if (i == index) tell_complete(request, code, status, handles[i]);
    });
  }
  template <class Act>
  void each(Act act) {
    std::size_t i = 0;
    std::apply([&](auto&... request) { (act(request, i++), ...); }, requests_);
  }

  std::array<mpi::request_handle, sizeof...(Requests)> handles;
  std::array<mpi::status, sizeof...(Requests)> statuses;

 private:
  std::tuple<Requests&...> requests_;
};

/// As `ask_each` for those of `all` that are pending.
template <class Many>
[[nodiscard]] std::size_t ask_each(bool wait, Many& all, std::span<int> indices) {
  std::vector<char> pending(all.handles.size());
  all.each([&](auto& request, std::size_t i) { pending[i] = request.pending() ? 1 : 0; });
  return ask_each(wait, all.handles, indices, all.statuses,
                  [&](std::size_t i) { return pending[i] != 0; });
}

/// What MPI says when it is asked for one of several operations.
struct completed_one {
  int code;
  std::optional<std::size_t> index;  // nothing: none is complete by now, or
  bool all_inactive;                 // none was on its way (a null handle, or not started)
};

/// Waits or tests until one is complete. Throws what is not the error of one operation.
[[nodiscard]] inline completed_one complete_one_of(bool wait,
                                                   std::span<mpi::request_handle> handles,
                                                   mpi::status& status) {
  int code = MPI_SUCCESS;
  std::optional<int> index;
  if (wait) {
    const auto outcome = mpi::nothrow::waitany(handles, status);
    code = outcome.code;
    index = outcome.value;
  } else {
    const auto outcome = mpi::nothrow::testany(handles, status);
    code = outcome.code;
    index = outcome.value;
  }
  if (index && *index >= 0 && static_cast<std::size_t>(*index) < handles.size())
    return {code, static_cast<std::size_t>(*index), false};
  if (code != MPI_SUCCESS) raise(code, wait ? "MPI_Waitany" : "MPI_Testany");
  return {code, std::nullopt, index.has_value()};
}

/// The first request that is lost and was not reported yet.
template <class Many>
[[nodiscard]] std::optional<std::size_t> first_lost(Many& all) {
  std::optional<std::size_t> first;
  all.each([&](auto& request, std::size_t i) {
    if (!first && request.is_lost()) first = i;
  });
  return first;
}
/// After an error: those whose handles MPI has freed without telling are lost.
template <class Many>
void lose_untold(Many& all) {
  all.each([&](auto& request, std::size_t i) {
    if (!all.handles[i] && request.pending()) request.lose();
  });
}

/// Waits or tests until one is complete, and tells it: which. None is if all are inactive.
template <class Many>
[[nodiscard]] std::optional<std::size_t> told_any(bool wait, Many all, mpi::status& status) {
  if (const auto known = first_lost(all)) {
    all.tell(*known, lost_error, status);
    return known;
  }
  if (Many::alone()) {
    int index = 0;
    if (ask_each(wait, all, {&index, 1}) == 0) return std::nullopt;
    status = all.statuses[0];
    all.tell(static_cast<std::size_t>(index), status.error(), status);
    return static_cast<std::size_t>(index);
  }
  const auto done = complete_one_of(wait, all.handles, status);
  if (done.index) all.tell(*done.index, done.code, status);
  if (done.code != MPI_SUCCESS) lose_untold(all);
  return done.index;
}
template <class Many>
[[nodiscard]] std::optional<std::size_t> told_any(bool wait, Many all) {
  mpi::status status;
  return told_any(wait, static_cast<Many&&>(all), status);
}

/// Waits or tests until some are complete, and tells them: which, into `statuses` with what.
template <class Many>
[[nodiscard]] std::vector<std::size_t> told_some(bool wait, Many& all) {
  const bool waits = wait && !first_lost(all).has_value();
  std::vector<int> indices(all.handles.size());
  mpi::statuses_out out{std::span<mpi::status>(all.statuses)};
  const auto outcome =
      Many::alone()
          ? mpi::result<int>{MPI_ERR_IN_STATUS, static_cast<int>(ask_each(waits, all, indices))}
      : waits ? mpi::nothrow::waitsome(all.handles, indices, out)
              : mpi::nothrow::testsome(all.handles, indices, out);
  const bool each = outcome.code != MPI_SUCCESS &&
                    mpi::nothrow::error_class_(outcome.code).value == MPI_ERR_IN_STATUS;
  if (outcome.code != MPI_SUCCESS && !each)
    raise(outcome.code, wait ? "MPI_Waitsome" : "MPI_Testsome");
  const auto count = static_cast<std::size_t>(outcome.value < 0 ? 0 : outcome.value);
  std::vector<std::size_t> complete(indices.begin(),
                                    indices.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t k = 0; k < count; ++k)
    all.tell(complete[k], each ? all.statuses[k].error() : MPI_SUCCESS, all.statuses[k]);
  if (each) lose_untold(all);
  while (const auto known = first_lost(all)) {
    all.tell(*known, lost_error, all.statuses[complete.size()]);
    complete.push_back(*known);
  }
  return complete;
}
template <class Many, class Asked>
[[nodiscard]] auto told_some(bool wait, Many all, Asked& asked) {
  auto complete = told_some(wait, all);
  const std::size_t count = complete.size();
  return unwrapped(with_statuses([&] { return std::tuple(std::move(complete)); }, asked, count,
                                 [&](std::size_t k) { return all.statuses[k]; }));
}

/// `results(done)`, a tuple, if all are complete by now.
template <class Results, class... Requests>
[[nodiscard]] auto test_together(Results results, Requests&... requests) {
  completion<sizeof...(Requests)> done{{requests.handle()...}, {}, {}};
  mpi::result<bool> outcome;
  if constexpr (several<Requests...>::may_be_alone) {
    several all(requests...);
    outcome = tested_together(all);
    std::copy(all.handles.begin(), all.handles.end(), done.handles);
    std::copy(all.statuses.begin(), all.statuses.end(), done.statuses);
  } else {
    outcome = mpi::nothrow::testall(done.handles, {std::span<mpi::status>(done.statuses)});
  }
  const bool complete = outcome.value || outcome.code != MPI_SUCCESS;
  if (complete) {
    (static_cast<void>(requests.give_handle()), ...);
    done.read(outcome.code);
    settle_all(done, requests...);
  }
  return if_complete(complete, [&] { return results(done); });
}

}  // namespace mpiglot::detail
