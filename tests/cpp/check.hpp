// Tests of the C++ layer: every rank runs every test, and a rank that fails ends the job.

#pragma once

#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <mpiglot/environment.hpp>
#include <mpiglot/mpi.hpp>

namespace mpi = mpiglot::mpi;

namespace check {

struct test {
  const char* name;
  const char* file;
  void (*run)();
};

inline std::vector<test>& tests() {
  static std::vector<test> all;
  return all;
}

struct registered {
  registered(const char* name, const char* file, void (*run)()) {
    tests().push_back({name, file, run});
  }
};

[[noreturn]] void fail(const std::string& what, std::source_location where);

inline void expect(bool condition, const std::string& what = "",
                   std::source_location where = std::source_location::current()) {
  if (!condition) fail(what, where);
}

template <class A, class B>
void equal(const A& found, const B& wanted,
           std::source_location where = std::source_location::current()) {
  if (!(found == wanted)) fail("the values differ", where);
}

// The error that `call` throws; no error, or one of another type, is a failure.
template <class Error = mpi::error, class Call>
Error thrown_by(Call call, std::source_location where = std::source_location::current()) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  fail("no error was thrown", where);
}

// Whether the MPI is known to have a defect (provision/matrix.json; ci/test and `ci/mpi env --ci` say so).
inline bool known_defect(std::string_view id) {
  const char* const ids = std::getenv("MPIGLOT_DEFECTS");
  const std::string all = ids != nullptr ? "," + std::string(ids) + "," : "";
  return all.find("," + std::string(id) + ",") != std::string::npos;
}

inline int rank() { return mpi::comm_rank(mpi::comm_world); }
inline int size() { return mpi::comm_size(mpi::comm_world); }

}  // namespace check

#define TEST(name)                                                          \
  static void name();                                                       \
  static const check::registered registered_##name{#name, __FILE__, &name}; \
  static void name()
