// A failure at each allocation and at each call of the program's own code, one after the other: what the
// library and the program allocate is counted, and so are the events of a class. Everything but MPI.

#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>

#include "../cpp/check.hpp"

namespace failing {

using namespace mpiglot;

/// What the program's own code throws.
struct planted {};

inline bool armed = false;  // whether events are counted
inline long events = 0;     // how many there were
inline long planned = 0;    // the one that fails
inline bool fired = false;
inline long live = 0;  // allocations that are not freed

inline bool fails_now() {
  if (!armed) return false;
  if (events++ != planned) return false;
  return fired = true;
}
/// Code of the program, which throws if it is its turn.
inline void event() {
  if (fails_now()) throw planted();
}

inline char doing[200];
[[noreturn]] inline void too_long(int) {
  static_cast<void>(!write(2, doing, std::strlen(doing)));
  sleep(1);
  _exit(3);
}

enum class seen { value, error };

/// `make()` gives what the call takes, `call(input)` the result and `right(input, result)` whether that is
/// right. Rank after rank, and then all at once, event after event fails in `call`. No rank waits; those that get a value get
/// the right one, unless the failed rank cannot tell them (`untold`), and then all works once more.
template <class Make, class Call, class Right>
void at_each_event(const std::string& name, bool untold, Make make, Call call, Right right,
                   std::source_location where = std::source_location::current()) {
  std::signal(SIGALRM, too_long);
  long all = 0;
  try {  // what a communicator learns stays with it
    auto input = make();
    static_cast<void>(call(input));
  } catch (const mpi::unavailable&) {  // not every MPI has every form
    return;
  }
  for (int poor = 0; poor <= check::size(); ++poor) {
    for (planned = 0;; ++planned) {
      std::snprintf(doing, sizeof doing, "rank %d waits: %s, event %ld of rank %d\n", check::rank(),
                    name.c_str(), planned, poor);
      alarm(60);
      detail::free_kept_memory();
      const long before = live;
      seen found = seen::error;
      bool value_is_right = true;
      fired = false;
      char told[120] = "";
      {
        auto input = make();
        events = 0;
        armed = check::rank() == poor || poor == check::size();
        try {
          auto result = call(input);
          armed = false;
          found = seen::value;
          value_is_right = right(input, result);
        } catch (const std::bad_alloc&) {
          armed = false;
          std::strcpy(told, "bad_alloc");
        } catch (const planted&) {
          armed = false;
          std::strcpy(told, "planted");
        } catch (const std::exception& error) {
          armed = false;
          std::snprintf(told, sizeof told, "%s", error.what());
        }
      }
      int any = fired;
      MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      detail::free_kept_memory();
      const long after = live;
      const std::string at = std::string(doing) + told;
      check::expect(any || found == seen::value, "an error without a cause: " + at, where);
      check::expect((any && untold) || value_is_right, "a wrong value: " + at, where);
      if (after > before) check::fail("memory is left: " + at, where);
      if (!any) break;
      ++all;
      auto input = make();
      auto result = call(input);
      check::expect(right(input, result), "the next value is wrong: " + at, where);
    }
  }
  alarm(0);
  if (std::getenv("FAILING_TELLS") && check::rank() == 0)
    std::fprintf(stderr, "%s: %ld events\n", name.c_str(), all);
}

inline const communicator& world() {
  static const communicator comm;
  return comm;
}
inline int rank() { return world().rank(); }
inline int size() { return world().size(); }
inline std::size_t ranks() { return static_cast<std::size_t>(size()); }

// A value whose construction, copies and description are code of the program.
struct thing {
  int number = 0;
  std::string text;

  thing() { event(); }
  thing(int n, std::size_t length) : number(n), text(length, static_cast<char>('a' + n % 26)) {}
  thing(const thing& other) : number(other.number), text(other.text) { event(); }
  thing(thing&&) noexcept = default;
  thing& operator=(const thing& other) {
    event();
    number = other.number;
    text = other.text;
    return *this;
  }
  thing& operator=(thing&&) noexcept = default;
  static void fields(auto& self, auto&& visit) {
    event();
    visit(self.number, self.text);
  }
  friend bool operator==(const thing&, const thing&) = default;
};

using ints = std::vector<int>;
using things = std::vector<thing>;

inline ints ints_of(int from, std::size_t n) {
  ints made;
  for (std::size_t i = 0; i < n; ++i) made.push_back(1000 * from + static_cast<int>(i));
  return made;
}
inline things things_of(int from, std::size_t n) {
  things made;
  for (std::size_t i = 0; i < n; ++i) made.emplace_back(100 * from + static_cast<int>(i), 20 * i);
  return made;
}
template <class T>
std::vector<T> joined(std::vector<T> (*of)(int, std::size_t), std::size_t n) {
  std::vector<T> all;
  for (int from = 0; from < size(); ++from)
    for (T& each : of(from, n)) all.push_back(std::move(each));
  return all;
}

// A strided half of memory.
struct gapped {
  std::vector<int> memory;
  explicit gapped(const ints& values = {}) : memory(2 * values.size(), -1) {
    for (std::size_t i = 0; i < values.size(); ++i) memory[2 * i] = values[i];
  }
  [[nodiscard]] auto view() {
    return strided_view<int>(memory.data(), static_cast<long>(memory.size() / 2), 1, 2);
  }
  [[nodiscard]] bool is(const ints& values) const { return memory == gapped(values).memory; }
};
inline std::vector<things> lists() {
  std::vector<things> all;
  for (int from = 0; from < size(); ++from) all.push_back(things_of(from, 2));
  return all;
}
// What the root alone has.
template <class T>
T at_root(const T& value) {
  return rank() == 0 ? value : T();
}
/// Runs a persistent operation once.
inline constexpr auto once = [](auto request) {
  request.start();
  request.wait();
  return 0;
};
inline constexpr bool told = false;
inline constexpr bool untold = true;

}  // namespace failing

#define AT_EACH(name, untold, make, result_is_right, ...)                              \
  at_each_event(                                                                       \
      name, untold, make, [&]([[maybe_unused]] auto& input) { return (__VA_ARGS__); }, \
      [&]([[maybe_unused]] auto& input, [[maybe_unused]] auto& result) -> bool {       \
        return result_is_right;                                                        \
      })
