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

}  // namespace failing
