// Several requests of any types completed by one call.
//
//   auto [theirs, count] = wait_all(halo, sent, number);  // results of those that have one
//   while (const auto i = wait_any(a, b)) if (*i == 0) use(a.wait()); else use(b.wait());
//   for (const std::size_t i : wait_some(requests)) use(requests[i].wait());   // a std::vector of them
//   if (auto both = test_all(a, b)) ...
//
// Requests of several types that are many, or not known when compiled: request_pool.hpp.
// `statuses_out()` asks for the statuses, here and there.

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

/// What is wrong with arguments that none of the functions below takes.
template <class... Arguments>
anything<1> refuse_to_wait() {
  static_assert(
      is_for_waiting_or_refused<Arguments...>,
      "mpiglot: give variables that hold requests, such as isend and irecv return, or one "
      "range of them, and before them statuses_out() or status_out() if asked for");
  return {};
}

}  // namespace detail

/// Asks `wait_all` for the statuses of the operations, by value or into `statuses`.
template <class Array = std::vector<status>>
[[nodiscard]] parameter<keys::statuses_out, Array> statuses_out() {
  return {};
}
/// The same, into `statuses`.
template <resize_policy Policy = resize_policy::automatic, class Array>
[[nodiscard]] parameter<keys::statuses_out, Array, Policy> statuses_out(Array&& statuses) {
  return {static_cast<Array&&>(statuses)};
}

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
  return detail::unwrapped(detail::with_statuses(std::move(results), statuses, sizeof...(Requests),
                                                 [&](std::size_t i) { return done.statuses[i]; }));
}

/// As `wait_all` if all are complete by now (a std::optional of it, or true), else nothing, and all
/// are as they were.
template <detail::waitable... Requests>
[[nodiscard]] auto test_all(Requests&... requests) {
  return detail::test_together([&](auto& done) { return detail::conclude_all(done, requests...); },
                               requests...);
}
/// The same with the status of each.
template <class Array, resize_policy Policy, detail::waitable... Requests>
[[nodiscard]] auto test_all(parameter<keys::statuses_out, Array, Policy> statuses,
                            Requests&... requests) {
  return detail::test_together(
      [&](auto& done) {
        return detail::with_statuses(detail::conclude_all(done, requests...), statuses,
                                     sizeof...(Requests),
                                     [&](std::size_t i) { return done.statuses[i]; });
      },
      requests...);
}

/// Waits until one is complete: which, from 0. Its `wait()` gives the result then, or throws what went
/// wrong. Each request is told once; nothing if none is pending. `status_out(s)` before the requests
/// asks for its status, here and in `test_any`.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> wait_any(Requests&... requests) {
  return detail::told_any(true, detail::several(requests...));
}
/// The same with the status of the one.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> wait_any(parameter<keys::status_out, mpi::status&> to,
                                                  Requests&... requests) {
  return detail::told_any(true, detail::several(requests...), to.value);
}
/// The same if one is complete by now.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> test_any(Requests&... requests) {
  return detail::told_any(false, detail::several(requests...));
}
/// The same with the status of the one.
template <detail::waitable... Requests>
[[nodiscard]] std::optional<std::size_t> test_any(parameter<keys::status_out, mpi::status&> to,
                                                  Requests&... requests) {
  return detail::told_any(false, detail::several(requests...), to.value);
}

/// Waits until at least one is complete: a vector of those that are, from 0, in MPI's order; empty if
/// none is pending. Their `wait()` gives the results then. `statuses_out()` before the requests asks
/// for the statuses in the same order: the second result, if they are not borrowed.
template <detail::waitable... Requests>
[[nodiscard]] std::vector<std::size_t> wait_some(Requests&... requests) {
  detail::several all(requests...);
  return detail::told_some(true, all);
}
/// The same with the status of each that was completed.
template <class Array, resize_policy Policy, detail::waitable... Requests>
[[nodiscard]] auto wait_some(parameter<keys::statuses_out, Array, Policy> statuses,
                             Requests&... requests) {
  return detail::told_some(true, detail::several(requests...), statuses);
}
/// Those that are complete by now, in the same way.
template <detail::waitable... Requests>
[[nodiscard]] std::vector<std::size_t> test_some(Requests&... requests) {
  detail::several all(requests...);
  return detail::told_some(false, all);
}
/// The same with the status of each that was completed.
template <class Array, resize_policy Policy, detail::waitable... Requests>
[[nodiscard]] auto test_some(parameter<keys::statuses_out, Array, Policy> statuses,
                             Requests&... requests) {
  return detail::told_some(false, detail::several(requests...), statuses);
}

/// Any other arguments: an error that says what can be given.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto wait_all(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// Any other arguments: an error that says what can be given.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto test_all(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// Any other arguments: an error that says what can be given.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto wait_any(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// Any other arguments: an error that says what can be given.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto test_any(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// Any other arguments: an error that says what can be given.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto wait_some(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}
/// Any other arguments: an error that says what can be given.
template <class... Arguments>
  requires(!detail::is_for_waiting<Arguments...>)
auto test_some(Arguments&&...) {
  return detail::refuse_to_wait<Arguments...>();
}

// The same of a range of requests of one type, for example a std::vector. The results of all are a
// vector, or nothing. Allocates for MPI what it needs of each.

template <detail::requests Range>
auto wait_all(Range&& requests) {
  detail::many all(requests);
  return detail::unwrapped(all.conclude(all.wait()));
}
/// The same with the status of each.
template <class Array, resize_policy Policy, detail::requests Range>
auto wait_all(parameter<keys::statuses_out, Array, Policy> statuses, Range&& requests) {
  detail::many all(requests);
  return detail::unwrapped(all.conclude(all.wait(), statuses));
}
/// The same with the status of each.
template <detail::requests Range>
[[nodiscard]] auto test_all(Range&& requests) {
  detail::many all(requests);
  const auto done = all.test();
  return detail::if_complete(done.value || done.code != MPI_SUCCESS,
                             [&] { return all.conclude(done.code); });
}
/// The same with the status of each.
template <class Array, resize_policy Policy, detail::requests Range>
[[nodiscard]] auto test_all(parameter<keys::statuses_out, Array, Policy> statuses,
                            Range&& requests) {
  detail::many all(requests);
  const auto done = all.test();
  return detail::if_complete(done.value || done.code != MPI_SUCCESS,
                             [&] { return all.conclude(done.code, statuses); });
}
/// The same with the status of the one.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> wait_any(Range&& requests) {
  return detail::told_any(true, detail::many(requests));
}
/// The same with the status of the one.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> wait_any(parameter<keys::status_out, mpi::status&> to,
                                                  Range&& requests) {
  return detail::told_any(true, detail::many(requests), to.value);
}
/// The same with the status of the one.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> test_any(Range&& requests) {
  return detail::told_any(false, detail::many(requests));
}
/// The same with the status of the one.
template <detail::requests Range>
[[nodiscard]] std::optional<std::size_t> test_any(parameter<keys::status_out, mpi::status&> to,
                                                  Range&& requests) {
  return detail::told_any(false, detail::many(requests), to.value);
}
/// The same with the status of each that was completed.
template <detail::requests Range>
[[nodiscard]] std::vector<std::size_t> wait_some(Range&& requests) {
  detail::many all(requests);
  return detail::told_some(true, all);
}
/// The same with the status of each that was completed.
template <class Array, resize_policy Policy, detail::requests Range>
[[nodiscard]] auto wait_some(parameter<keys::statuses_out, Array, Policy> statuses,
                             Range&& requests) {
  return detail::told_some(true, detail::many(requests), statuses);
}
/// The same with the status of each that was completed.
template <detail::requests Range>
[[nodiscard]] std::vector<std::size_t> test_some(Range&& requests) {
  detail::many all(requests);
  return detail::told_some(false, all);
}
/// The same with the status of each that was completed.
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
/// Borrowed, the statuses are as many as is said; by value, there are as many as were completed.
template <class Array, resize_policy Policy>
auto request_pool::wait_some(parameter<keys::statuses_out, Array, Policy> statuses) {
  return with_statuses(statuses, [this] { wait_some(); });
}
/// The same with the status of each that was completed.
template <class Array, resize_policy Policy>
auto request_pool::test_some(parameter<keys::statuses_out, Array, Policy> statuses) {
  return with_statuses(statuses, [this] { test_some(); });
}

}  // namespace mpiglot
