// Pairs of functions that do the same: in plain C (`plain_...`) and with mpiglot (`named_...`).
// overhead.py counts the instructions and allocations of both.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <mpiglot/file.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/window.hpp>

using namespace mpiglot;

// The check level that is counted; plain C checks nothing.
#if defined(MPIGLOT_CHECKS_OFF)
template <>
inline constexpr checks mpiglot::detail::checking_of<communicator> = checks::off;
template <>
inline constexpr checks mpiglot::detail::checking_of<cartesian> = checks::off;
#endif

extern "C" long allocations;

// What the calls work on, as rank 1 of 4.
struct data {
  std::vector<int> mine = std::vector<int>(8);
  std::vector<int> all = std::vector<int>(32);
  std::vector<int> counts = std::vector<int>(4, 8);
  std::vector<int> displs = {0, 8, 16, 24};
  int one = 1, old = 0, wanted = 0;
  const communicator comm;
  const cartesian grid{mpi::comm_handle{MPI_COMM_WORLD}};
  const window win{mpi::win_handle{MPI_Win{}}};
  const file out{mpi::file_handle{reinterpret_cast<MPI_File>(8)}};  // not null; never used
};

inline int length(const std::vector<int>& v) { return static_cast<int>(v.size()); }

struct counted_call {
  const char* name;
  void (*call)(data&);
};
inline std::vector<counted_call>& counted_calls() {
  static std::vector<counted_call> all;
  return all;
}
struct registered {
  registered(const char* name, void (*call)(data&)) { counted_calls().push_back({name, call}); }
};

#define COUNTED(name)                              \
  extern "C" void name(data&);                     \
  static const registered name##_is(#name, &name); \
  extern "C" [[gnu::noinline]] void name([[maybe_unused]] data& d)
#define PLAIN(name) COUNTED(plain_##name)
#define NAMED(name) COUNTED(named_##name)

#define UNWRAP(...) __VA_ARGS__

// One operation in its forms, from MPI's arguments and ours: blocking; nonblocking and waited for;
// persistent, started and waited for.
#define NONBLOCKING(name, function, member, on, plain, named) \
  PLAIN(name) {                                               \
    MPI_Request request;                                      \
    function(UNWRAP plain, on.native(), &request);            \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                    \
  }                                                           \
  NAMED(name) { on.member(UNWRAP named).wait(); }
#define PERSISTENT(name, function, member, on, plain, named)     \
  PLAIN(name) {                                                  \
    static MPI_Request request = [&] {                           \
      MPI_Request made;                                          \
      function(UNWRAP plain, on.native(), MPI_INFO_NULL, &made); \
      return made;                                               \
    }();                                                         \
    MPI_Start(&request);                                         \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                       \
  }                                                              \
  NAMED(name) {                                                  \
    static auto request = on.member(UNWRAP named);               \
    request.start();                                             \
    request.wait();                                              \
  }
#define FORMS_AS(name, lower, upper, on, plain, named)           \
  PLAIN(name) { MPI_##upper(UNWRAP plain, on.native()); }        \
  NAMED(name) { on.lower(UNWRAP named); }                        \
  NONBLOCKING(i##name, MPI_I##lower, i##lower, on, plain, named) \
  PERSISTENT(name##_init, MPI_##upper##_init, lower##_init, on, plain, named)
#define FORMS(lower, upper, plain, named) FORMS_AS(lower, lower, upper, d.comm, plain, named)
