// Every function of MPI through the generated C++ layer, its result checked: what the tests share.

#pragma once

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace conformance {

/// Whether the layer shall take the `_c` twin although the small function would do.
inline bool large = false;

}  // namespace conformance

#define MPIGLOT_LARGE() ::conformance::large
#include "../../cpp/check.hpp"

namespace conformance {

using check::equal;
using check::expect;
using check::rank;
using check::size;
using check::thrown_by;

/// Array element types of the small functions.
struct small_form {
  using count = int;
  using place = int;            // displacements in elements
  using address = mpi::aint_t;  // displacements in bytes
};

/// Array element types of the `_c` functions.
struct large_form {
  using count = mpi::count_t;
  using place = mpi::aint_t;
  using address = mpi::count_t;
};

/// Takes the `_c` twins as long as it lives.
class only_large {
 public:
  only_large() noexcept { large = true; }
  only_large(const only_large&) = delete;
  only_large& operator=(const only_large&) = delete;
  ~only_large() { large = false; }
};

/// The same test, with the same data and results, through the small functions and their twins.
template <bool Twins = mpi::has_send_c, class Test>
void both(Test test) {
  test(small_form{});
  if constexpr (Twins) {
    const only_large twins;
    test(large_form{});
  }
}

/// What threads may do in this program.
inline mpi::thread_level provided{};

/// Whether this MPI has a defect (provision/matrix.json).
inline bool known(const char* id) {
  const char* all = std::getenv("MPIGLOT_DEFECTS");
  const std::size_t length = std::strlen(id);
  for (const char* at = all; at != nullptr && *at != '\0';) {
    const char* comma = std::strchr(at, ',');
    const std::size_t part =
        comma != nullptr ? static_cast<std::size_t>(comma - at) : std::strlen(at);
    if (part == length && std::strncmp(at, id, length) == 0) return true;
    at = comma != nullptr ? comma + 1 : nullptr;
  }
  return false;
}

/// Why the test that runs is skipped; the defect that says so.
inline const char* skipped = nullptr;

/// Whether this MPI has a defect; the test that asks ends there.
inline bool defect(const char* id) {
  if (!known(id)) return false;
  skipped = id;
  return true;
}

/// Whether this MPI has a defect; the test that asks leaves out a part.
bool without(const char* id);

/// A name of a file that all ranks agree on and that nobody else has, nor an earlier test: a file that is
/// deleted on close may be deleted when the first rank opens the next.
std::string common_name();

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The class of the error that `call` throws.
template <class Call>
int class_of(Call call, std::source_location where = std::source_location::current()) {
  return static_cast<int>(thrown_by<mpi::error>(call, where).error_class());
}

/// An error of one of these classes is right: standards and MPIs differ in which they name.
template <class Call>
void refused(Call call, std::initializer_list<int> classes,
             std::source_location where = std::source_location::current()) {
  const int found = class_of(call, where);
  for (const int one : classes)
    if (one == found) return;
  check::fail("another error class: " + std::to_string(found), where);
}

/// What a C call through layer 0 says, which a test compares with layer 2.
inline void succeeded(int code, std::source_location where = std::source_location::current()) {
  expect(code == MPI_SUCCESS, "a C call failed", where);
}

/// A persistent request, used twice and freed.
template <class Reset, class Verify>
void twice(mpi::request_handle request, Reset reset, Verify verify) {
  for (int time = 0; time < 2; ++time) {
    reset();
    mpi::start(request);
    mpi::wait(request);
    verify();
  }
  mpi::request_free(request);
  equal(request, mpi::request_handle{});
}

}  // namespace conformance

using namespace conformance;

// The blocking, the nonblocking and the persistent form of an operation with the same arguments.
#define THREE_FORMS(name, reset, verify, ...)                                                     \
  do {                                                                                            \
    reset();                                                                                      \
    mpi::name(__VA_ARGS__);                                                                       \
    verify();                                                                                     \
    if (mpi::has_i##name) {                                                                       \
      reset();                                                                                    \
      mpi::request_handle later = mpi::i##name(__VA_ARGS__);                                      \
      mpi::wait(later);                                                                           \
      verify();                                                                                   \
    }                                                                                             \
    if ((mpi::has_##name##_init || mpi::has_mpix_##name##_init) && !without("persistent-" #name)) \
      twice(mpi::name##_init(__VA_ARGS__, mpi::info_null), reset, verify);                        \
  } while (false)
