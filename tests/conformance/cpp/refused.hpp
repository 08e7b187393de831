// Mistakes that an MPI finds: one layer throws the error, the other gives its code back.

#pragma once

#include "conformance.hpp"

namespace conformance {

struct refusal {
  const char* call;
  std::initializer_list<int> classes;
  void (*throws)();
  int (*gives)();
};

inline bool is_one_of(int error_class, std::initializer_list<int> classes) {
  for (const int one : classes)
    if (one == error_class) return true;
  return false;
}

inline int thrown(const refusal& one) {
  try {
    one.throws();
  } catch (const mpi::unavailable&) {
    throw;
  } catch (const mpi::error& error) {
    return static_cast<int>(error.error_class());
  }
  return MPI_SUCCESS;
}

inline void all_refused(std::initializer_list<refusal> all) {
  std::string wrong;
  const auto look = [&wrong](const refusal& one, const char* how, int found) {
    if (!is_one_of(found, one.classes))
      wrong += std::string(one.call) + how + std::to_string(found) + "; ";
  };
  for (const refusal& one : all) {
    try {
      look(one, " throws ", thrown(one));
    } catch (const mpi::unavailable&) {
      continue;
    }
    look(one, " gives ", mpi::error_class_(one.gives()));
  }
  expect(wrong.empty(), wrong);
}

}  // namespace conformance

// A call and the classes of which its error may be.
#define REFUSED(call, ...)               \
  {#call,                                \
   {__VA_ARGS__},                        \
   [] { static_cast<void>(mpi::call); }, \
   [] { return mpi::nothrow::call.code; }}
