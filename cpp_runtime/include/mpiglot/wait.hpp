// Functions that complete several requests of any types by one MPI call.
//
//   auto [theirs, count] = wait_all(halo, sent, number);  // results of those that have one
//   while (const auto i = wait_any(a, b)) if (*i == 0) use(a.wait()); else use(b.wait());
//   for (const std::size_t i : wait_some(requests)) use(requests[i].wait());   // a std::vector of them
//   if (auto both = test_all(a, b)) ...
// For a number of requests of several types that is large or not known at compile time, use
// request_pool.hpp. `statuses_out()` asks for the statuses, both here and there.

#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <mpiglot/detail/requests/together.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot {

namespace detail {

template <class T>
inline constexpr bool is_variable_to_wait_for =
    std::is_lvalue_reference_v<T> && waitable<std::remove_reference_t<T>>;
template <class T>
inline constexpr bool asks_for_status = false;
template <class Key, class T, resize_policy Policy>
inline constexpr bool asks_for_status<parameter<Key, T, Policy>> =
    __is_same(Key, keys::statuses_out) || __is_same(Key, keys::status_out);

template <class... Requests>
inline constexpr bool is_for_waiting = (is_variable_to_wait_for<Requests> && ...);
template <class Range>
  requires requests<std::remove_reference_t<Range>>
inline constexpr bool is_for_waiting<Range> = true;
template <class First, class... Rest>
  requires(asks_for_status<std::remove_cvref_t<First>>)
inline constexpr bool is_for_waiting<First, Rest...> = is_for_waiting<Rest...>;

template <class... Arguments>
inline constexpr bool is_for_waiting_or_refused = (refused_already<Arguments> || ...);

/// Describes the mistake in arguments that no function below accepts.
template <class... Arguments>
anything<1> refuse_to_wait() {
  static_assert(
      is_for_waiting_or_refused<Arguments...>,
      "mpiglot: give variables that hold requests, such as isend and irecv return, or one "
      "range of them, and before them statuses_out() or status_out() if asked for");
  return {};
}

}  // namespace detail

/// Asks for the statuses of the operations. They are part of the result.
template <class Array = std::vector<status>>
[[nodiscard]] parameter<keys::statuses_out, Array> statuses_out() {
  return {};
}
/// As above, and stores the statuses in `statuses`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::statuses_out, Array, Policy> statuses_out(Array&& statuses) {
  return {static_cast<Array&&>(statuses)};
}

/// Completes all requests. Returns the results in the order of the requests, without those of
/// operations that have no result: nothing, one value, or a tuple. If operations fail, all others
/// are completed nevertheless, and the first error is thrown; its `request()` is the place of the
/// request that failed. No result is lost then: the `wait()` of each other request returns it, or
/// throws the error of that request. Allocates nothing.
template <detail::waitable... Requests>
auto wait_all(Requests&... requests) {
  static_assert(sizeof...(Requests) > 0);
  detail::completion<sizeof...(Requests)> done{{requests.give_handle()...}, {}, {}};
  detail::wait_for(done, requests...);
  return detail::unwrapped(detail::results_of(requests...));
}
/// As above, with the status of each operation. The statuses are the last element of the result,
/// unless they are stored in a variable.
template <class Array, resize_policy Policy, detail::waitable... Requests>
auto wait_all(parameter<keys::statuses_out, Array, Policy> statuses, Requests&... requests) {
  detail::completion<sizeof...(Requests)> done{{requests.give_handle()...}, {}, {}};
  detail::wait_for(done, requests...);
  return detail::unwrapped(detail::with_statuses([&] { return detail::results_of(requests...); },
                                                 statuses, sizeof...(Requests),
                                                 [&](std::size_t i) { return done.statuses[i]; }));
}

/// If all operations are complete, does what `wait_all` does and returns its result in a
/// std::optional, or true if there is no result. Otherwise it changes no request and returns an
/// empty optional or false. After an error, the other requests keep their results as after
/// `wait_all`.
template <detail::waitable... Requests>
[[nodiscard]] auto test_all(Requests&... requests) {
  return detail::test_together([&](auto&) { return detail::results_of(requests...); }, requests...);
}
/// As above, with the status of each operation.
template <class Array, resize_policy Policy, detail::waitable... Requests>
[[nodiscard]] auto test_all(parameter<keys::statuses_out, Array, Policy> statuses,
                            Requests&... requests) {
  return detail::test_together(
      [&](auto& done) {
        return detail::with_statuses([&] { return detail::results_of(requests...); }, statuses,
                                     sizeof...(Requests),
                                     [&](std::size_t i) { return done.statuses[i]; });
      },
      requests...);
}

/// Waits until one operation is complete, and returns the index of its request, from 0. The
/// `wait()` of that request then returns the result or throws the error. Each request is reported
/// once. Returns an empty optional if no request is pending. `status_out(s)` before the requests
/// asks for its status, here and in `test_any`.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> wait_any(Requests&... requests) {
  return detail::told_any(true, detail::several(requests...));
}
/// As above, and stores the status of the completed operation.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> wait_any(parameter<keys::status_out, mpi::status&> to,
                                                  Requests&... requests) {
  return detail::told_any(true, detail::several(requests...), to.value);
}
/// As `wait_any` if an operation is complete; otherwise returns an empty optional.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> test_any(Requests&... requests) {
  return detail::told_any(false, detail::several(requests...));
}
/// As above, and stores the status of the completed operation.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> test_any(parameter<keys::status_out, mpi::status&> to,
                                                  Requests&... requests) {
  return detail::told_any(false, detail::several(requests...), to.value);
}

/// Waits until at least one operation is complete, and returns the indices of all complete ones,
/// from 0, in the order that MPI reports. The vector is empty if no request is pending. The
/// `wait()` of these requests then returns the results. `statuses_out()` before the requests asks
/// for the statuses in the same order; they are the second result, unless they are stored in a
/// variable.
template <detail::waitable... Requests>
[[nodiscard]] std::vector<std::size_t> wait_some(Requests&... requests) {
  detail::several all(requests...);
  return detail::told_some(true, all);
}
/// As above, with the status of each completed operation.
template <class Array, resize_policy Policy, detail::waitable... Requests>
[[nodiscard]] auto wait_some(parameter<keys::statuses_out, Array, Policy> statuses,
                             Requests&... requests) {
  return detail::told_some(true, detail::several(requests...), statuses);
}
/// Returns the indices of the operations that are complete, as `wait_some` does, without waiting.
template <detail::waitable... Requests>
[[nodiscard]] std::vector<std::size_t> test_some(Requests&... requests) {
  detail::several all(requests...);
  return detail::told_some(false, all);
}
/// As above, with the status of each completed operation.
template <class Array, resize_policy Policy, detail::waitable... Requests>
[[nodiscard]] auto test_some(parameter<keys::statuses_out, Array, Policy> statuses,
                             Requests&... requests) {
  return detail::told_some(false, detail::several(requests...), statuses);
}

/// For any other arguments: a compile error that lists the accepted ones.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto wait_all(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// For any other arguments: a compile error that lists the accepted ones.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto test_all(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// For any other arguments: a compile error that lists the accepted ones.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto wait_any(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// For any other arguments: a compile error that lists the accepted ones.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto test_any(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// For any other arguments: a compile error that lists the accepted ones.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto wait_some(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// For any other arguments: a compile error that lists the accepted ones.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto test_some(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}

// The same functions for a range of requests of one type, for example a std::vector. `wait_all`
// returns a vector of the results, or nothing. These functions allocate the arrays that MPI needs.

template <detail::requests Range>
auto wait_all(Range&& requests) {
  detail::many all(requests);
  return detail::unwrapped(all.conclude(all.wait()));
}
/// As above, with the status of each operation.
template <class Array, resize_policy Policy, detail::requests Range>
auto wait_all(parameter<keys::statuses_out, Array, Policy> statuses, Range&& requests) {
  detail::many all(requests);
  return detail::unwrapped(all.conclude(all.wait(), statuses));
}
/// As above, with the status of each operation.
template <detail::requests Range>
[[nodiscard]] auto test_all(Range&& requests) {
  detail::many all(requests);
  const auto done = all.test();
  return detail::if_complete(done.value || done.code != MPI_SUCCESS,
                             [&] { return all.conclude(done.code); });
}
/// As above, with the status of each operation.
template <class Array, resize_policy Policy, detail::requests Range>
[[nodiscard]] auto test_all(parameter<keys::statuses_out, Array, Policy> statuses,
                            Range&& requests) {
  detail::many all(requests);
  const auto done = all.test();
  return detail::if_complete(done.value || done.code != MPI_SUCCESS,
                             [&] { return all.conclude(done.code, statuses); });
}
/// As above, and stores the status of the completed operation.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> wait_any(Range&& requests) {
  return detail::told_any(true, detail::many(requests));
}
/// As above, and stores the status of the completed operation.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> wait_any(parameter<keys::status_out, mpi::status&> to,
                                                  Range&& requests) {
  return detail::told_any(true, detail::many(requests), to.value);
}
/// As above, and stores the status of the completed operation.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> test_any(Range&& requests) {
  return detail::told_any(false, detail::many(requests));
}
/// As above, and stores the status of the completed operation.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> test_any(parameter<keys::status_out, mpi::status&> to,
                                                  Range&& requests) {
  return detail::told_any(false, detail::many(requests), to.value);
}
/// As above, with the status of each completed operation.
template <detail::requests Range>
[[nodiscard]] std::vector<std::size_t> wait_some(Range&& requests) {
  detail::many all(requests);
  return detail::told_some(true, all);
}
/// As above, with the status of each completed operation.
template <class Array, resize_policy Policy, detail::requests Range>
[[nodiscard]] auto wait_some(parameter<keys::statuses_out, Array, Policy> statuses,
                             Range&& requests) {
  return detail::told_some(true, detail::many(requests), statuses);
}
/// As above, with the status of each completed operation.
template <detail::requests Range>
[[nodiscard]] std::vector<std::size_t> test_some(Range&& requests) {
  detail::many all(requests);
  return detail::told_some(false, all);
}
/// As above, with the status of each completed operation.
template <class Array, resize_policy Policy, detail::requests Range>
[[nodiscard]] auto test_some(parameter<keys::statuses_out, Array, Policy> statuses,
                             Range&& requests) {
  return detail::told_some(false, detail::many(requests), statuses);
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
/// Statuses in a variable of the caller keep their number; statuses in the result are as many as
/// operations were completed.
template <class Array, resize_policy Policy>
auto request_pool::wait_some(parameter<keys::statuses_out, Array, Policy> statuses) {
  return with_statuses(statuses, [this] { wait_some(); });
}
/// As above, with the status of each completed operation.
template <class Array, resize_policy Policy>
auto request_pool::test_some(parameter<keys::statuses_out, Array, Policy> statuses) {
  return with_statuses(statuses, [this] { test_some(); });
}

}  // namespace mpiglot
