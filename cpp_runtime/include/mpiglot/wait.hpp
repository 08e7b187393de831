// Several requests of any types completed by one call.
//
//   auto [theirs, count] = wait_all(halo, sent, number);  // results of those that have one
//   while (const auto i = wait_any(a, b)) if (*i == 0) use(a.wait()); else use(b.wait());
//   if (auto both = test_all(a, b)) ...
//
// Requests that are many, or not known when compiled: request_pool.hpp. `statuses_out()` asks for the
// statuses, here and there.

#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpiglot/detail/failure.hpp>
#include <mpiglot/detail/results.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/status.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/mpi/environment.hpp>

namespace mpiglot {

/// Asks `wait_all` for the statuses of the operations, by value or into `statuses`.
template <class Array = std::vector<status>>
[[nodiscard]] parameter<keys::statuses_out, Array> statuses_out() {
  return {};
}
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::statuses_out, Array, Policy> statuses_out(Array&& statuses) {
  return {static_cast<Array&&>(statuses)};
}

namespace detail {

/// Requests, persistent ones too, whatever they belong to.
template <class T>
concept waitable = requires(T& request, const mpi::status& status) {
  request.give_handle();
  request.take_status(status);
  request.complete(MPI_SUCCESS);
  request.conclude(MPI_SUCCESS);
};

template <class Request>
using result_of = decltype(std::declval<Request&>().conclude(MPI_SUCCESS));

/// The result of one of several requests until all of them are there.
template <class T>
struct awaited {
  std::optional<T> value;
  template <class Give>
  void take(Give give) {
    value.emplace(give());
  }
  [[nodiscard]] std::tuple<T> give() { return {static_cast<T&&>(*value)}; }
};
template <>
struct awaited<void> {
  template <class Give>
  static void take(Give give) {
    give();
  }
  [[nodiscard]] static std::tuple<> give() noexcept { return {}; }
};

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
    if (code == MPI_SUCCESS) [[likely]] return;
    const bool each = mpi::nothrow::error_class_(code).value == MPI_ERR_IN_STATUS;
    for (std::size_t i = 0; i < N; ++i) {
      codes[i] = each ? statuses[i].error() : handles[i] ? MPI_ERR_PENDING : MPI_SUCCESS;
      if (codes[i] == MPI_SUCCESS ||
          mpi::nothrow::error_class_(codes[i]).value != MPI_ERR_PENDING)
        continue;
      codes[i] = mpi::nothrow::wait(handles[i], statuses[i]).code;
    }
  }
};

/// The results of requests that are complete. All of them are finished before the first error is
/// thrown.
template <std::size_t N, class... Requests>
auto conclude_all(completion<N>& done, Requests&... requests) {
  kept_failure failure;
  std::tuple<awaited<result_of<Requests>>...> results;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto take = [&](auto& result, auto& request, std::size_t i) {
      failure.attempt([&] {
        if (request.ended()) return result.take([&] { return request.wait(); });
        request.take_status(done.statuses[i]);
        result.take([&] { return request.conclude(done.codes[i], done.handles[i]); });
      });
    };
    (take(std::get<I>(results), requests, I), ...);
    failure.rethrow();
  }(std::index_sequence_for<Requests...>());
  return std::apply([](auto&... each) { return std::tuple_cat(each.give()...); }, results);
}

template <class... Requests>
[[nodiscard]] auto wait_for(completion<sizeof...(Requests)>& done, Requests&... requests) {
  done.read(mpi::nothrow::waitall(done.handles, {std::span<mpi::status>(done.statuses)}).code);
  return conclude_all(done, requests...);
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

}  // namespace detail

/// Completes all. Their results in the order of the requests, those that have none left out: nothing,
/// one value, or a tuple. If some fail, the others are finished all the same, and the first error is
/// thrown. Nothing is allocated.
template <detail::waitable... Requests>
auto wait_all(Requests&... requests) {
  static_assert(sizeof...(Requests) > 0);
  detail::completion<sizeof...(Requests)> done{{requests.give_handle()...}, {}, {}};
  return detail::unwrapped(detail::wait_for(done, requests...));
}
/// The same with the status of each: the last result, if they are not borrowed.
template <class Array, resize_policy Policy, detail::waitable... Requests>
auto wait_all(parameter<keys::statuses_out, Array, Policy> statuses, Requests&... requests) {
  detail::completion<sizeof...(Requests)> done{{requests.give_handle()...}, {}, {}};
  auto results = detail::wait_for(done, requests...);
  detail::deliver_statuses(statuses, sizeof...(Requests),
                           [&](std::size_t i) { return done.statuses[i]; });
  if constexpr (std::is_reference_v<Array>)
    return detail::unwrapped(std::move(results));
  else
    return detail::unwrapped(
        std::tuple_cat(std::move(results), std::tuple<Array>(std::move(statuses.value))));
}

/// As `wait_all` if all are complete by now (a std::optional of it, or true), else nothing, and all
/// are as they were.
template <detail::waitable... Requests>
[[nodiscard]] auto test_all(Requests&... requests) {
  detail::completion<sizeof...(Requests)> done{{requests.handle()...}, {}, {}};
  const auto outcome =
      mpi::nothrow::testall(done.handles, {std::span<mpi::status>(done.statuses)});
  using result = decltype(detail::unwrapped(detail::conclude_all(done, requests...)));
  const bool complete = outcome.value || outcome.code != MPI_SUCCESS;
  if (complete) {
    (static_cast<void>(requests.give_handle()), ...);
    done.read(outcome.code);
  }
  if constexpr (std::is_void_v<result>) {
    if (complete) detail::conclude_all(done, requests...);
    return complete;
  } else {
    return complete ? std::optional<result>(
                          detail::unwrapped(detail::conclude_all(done, requests...)))
                    : std::nullopt;
  }
}

namespace detail {

template <class... Requests>
[[nodiscard]] std::optional<std::size_t> told_complete(int index, int code,
                                                       const mpi::status& status,
                                                       Requests&... requests) {
  if (index < 0) {
    if (code != MPI_SUCCESS) raise(code, "MPI_Waitany");
    return std::nullopt;
  }
  int i = 0;
  const auto tell = [&](auto& request) {
    if (i++ != index) return;
    static_cast<void>(request.give_handle());
    request.take_status(status);
    request.complete(code);
  };
  (tell(requests), ...);
  return static_cast<std::size_t>(index);
}

}  // namespace detail

/// Waits until one is complete: which, from 0. Its `wait()` gives the result then, or throws what went
/// wrong. Each request is told once; nothing if none is pending.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> wait_any(Requests&... requests) {
  mpi::request_handle handles[] = {requests.handle()...};
  mpi::status status;
  const auto outcome = mpi::nothrow::waitany(handles, status);
  return detail::told_complete(outcome.value, outcome.code, status, requests...);
}
/// The same if one is complete by now.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> test_any(Requests&... requests) {
  mpi::request_handle handles[] = {requests.handle()...};
  mpi::status status;
  const auto outcome = mpi::nothrow::testany(handles, status);
  return detail::told_complete(outcome.value.value_or(-1), outcome.code, status, requests...);
}

/// A range of requests of one type, for example a std::vector: a vector of their results, or nothing.
/// Allocates for MPI what it needs of each.
template <class Range>
  requires detail::waitable<std::remove_cvref_t<decltype(*std::begin(std::declval<Range&>()))>>
auto wait_all(Range&& requests) {
  using result = detail::result_of<std::remove_cvref_t<decltype(*std::begin(requests))>>;
  std::vector<mpi::request_handle> handles;
  for (auto& each : requests) handles.push_back(each.give_handle());
  std::vector<mpi::status> statuses(handles.size());
  const int code =
      mpi::nothrow::waitall(handles, {std::span<mpi::status>(statuses)}).code;
  std::vector<std::conditional_t<std::is_void_v<result>, char, result>> results;
  detail::kept_failure failure;
  std::size_t i = 0;
  for (auto& each : requests) {
    detail::completion<1> done{{handles[i]}, {statuses[i]}, {}};
    done.read(code);
    failure.attempt([&] {
      const auto end = [&] {
        if (each.ended()) return each.wait();
        each.take_status(done.statuses[0]);
        return each.conclude(done.codes[0], done.handles[0]);
      };
      if constexpr (std::is_void_v<result>)
        end();
      else
        results.push_back(end());
    });
    ++i;
  }
  failure.rethrow();
  if constexpr (!std::is_void_v<result>) return results;
}

template <class Array, resize_policy Policy, class Complete>
auto request_pool::with_statuses(parameter<keys::statuses_out, Array, Policy>& statuses,
                                 Complete complete) {
  detail::block<told> all;
  struct listening {
    request_pool& to;
    ~listening() { to.told_ = nullptr; }
  } const until_the_end{*this};
  told_ = &all;
  complete();
  std::sort(all.data(), all.data() + all.size(),
            [](const told& a, const told& b) { return a.number < b.number; });
  detail::deliver_statuses(statuses, all.size(), [&](std::size_t i) { return all[i].status; });
  if constexpr (std::is_reference_v<Array>)
    return all.size();
  else
    return static_cast<Array&&>(statuses.value);
}

template <class Array, resize_policy Policy>
auto request_pool::wait_all(parameter<keys::statuses_out, Array, Policy> statuses) {
  if constexpr (std::is_reference_v<Array>)
    static_cast<void>(with_statuses(statuses, [this] { wait_all(); }));
  else
    return with_statuses(statuses, [this] { wait_all(); });
}
/// Borrowed, the statuses are as many as is said; by value, there are as many as were completed.
template <class Array, resize_policy Policy>
auto request_pool::wait_some(parameter<keys::statuses_out, Array, Policy> statuses) {
  return with_statuses(statuses, [this] { wait_some(); });
}
template <class Array, resize_policy Policy>
auto request_pool::test_some(parameter<keys::statuses_out, Array, Policy> statuses) {
  return with_statuses(statuses, [this] { test_some(); });
}

}  // namespace mpiglot
