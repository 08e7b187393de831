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
  for (const refusal& one : all) {
    try {
      const int found = thrown(one);
      expect(is_one_of(found, one.classes),
             std::string(one.call) + " throws " + std::to_string(found));
    } catch (const mpi::unavailable&) {
      continue;
    }
    const int given = mpi::error_class_(one.gives());
    expect(is_one_of(given, one.classes),
           std::string(one.call) + " gives " + std::to_string(given));
  }
}

}  // namespace conformance

// A call and the classes of which its error may be.
#define REFUSED(call, ...)                                                              \
  {#call, {__VA_ARGS__}, [] { static_cast<void>(mpi::call); },                          \
   [] { return mpi::nothrow::call.code; }}
