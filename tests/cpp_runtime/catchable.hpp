// Buffers that fail, and what must hold after a failure.

#pragma once

#include <new>
#include <span>

#include <mpiglot/raw.hpp>

#include "kinds.hpp"

namespace catchable {

using namespace mpiglot;

struct broken : std::exception {};

// Cannot be encoded or decoded while `state` is 1.
struct fragile {
  int value = 0;
  int state = 0;

  static void fields(auto& self, auto&& visit) {
    if (self.state == 1) throw broken();
    visit(self.value, self.state);
  }
};

// Claims to have no room.
struct full : std::vector<int> {
  void resize(std::size_t) { throw broken(); }
};

// Memory runs out while this lives.
inline int poor_ones = 0;
struct poverty {
  explicit poverty(bool here = true) : mine_(here ? 1 : 0) { poor_ones += mine_; }
  poverty(const poverty&) = delete;
  ~poverty() { poor_ones -= mine_; }
  int mine_;
};
template <class T>
struct stingy_allocator {
  using value_type = T;
  stingy_allocator() = default;
  template <class Other>
  stingy_allocator(const stingy_allocator<Other>&) {}
  T* allocate(std::size_t n) {
    if (poor_ones > 0) throw std::bad_alloc();
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) { std::allocator<T>().deallocate(memory, n); }
  bool operator==(const stingy_allocator&) const = default;
};
template <class T>
using stingy = std::vector<T, stingy_allocator<T>>;

inline void works_on() {
  const communicator comm;
  check::equal(comm.allreduce(send_buf(1), op(mpi::sum)).front(), comm.size());
  check::expect(!comm.iprobe(), "a message is left");
  mpi::barrier(comm);
}

template <class Error, class Call>
void caught(Call call, std::source_location where = std::source_location::current()) {
  check::thrown_by<Error>(call, where);
}

// Calls on all ranks what throws where `here` is true; the others get their result or an error. Then
// a collective works.
template <class Call>
void fails_on(bool here, Call call, std::source_location where = std::source_location::current()) {
  try {
    call();
    check::expect(!here, "no error was thrown", where);
  } catch (const mpi::unavailable&) {
  } catch (const std::exception& error) {
    check::expect(here || dynamic_cast<const mpi::error*>(&error) != nullptr, error.what(), where);
  }
  works_on();
}

// Makes, starts and ends a persistent operation.
template <class Request>
void persistent(Request request) {
  request.start();
  request.wait();
}

}  // namespace catchable

// Each form of a collective as above; persistent ones where the MPI has them right.
#define IN_EVERY_FORM(here, operation, ...)                                          \
  fails_on(here, [&] { static_cast<void>(comm.operation(__VA_ARGS__)); });           \
  fails_on(here, [&] { static_cast<void>(comm.i##operation(__VA_ARGS__).wait()); }); \
  if (!check::known_defect("persistent-" #operation))                                \
  fails_on(here, [&] { persistent(comm.operation##_init(__VA_ARGS__)); })

// An operation in each form, about whose arguments ranks disagree.
#define DIFFERS_IN_EVERY_FORM(operation, ...)                                              \
  caught<disagreement>([&] { static_cast<void>(comm.operation(__VA_ARGS__)); });           \
  works_on();                                                                              \
  caught<disagreement>([&] { static_cast<void>(comm.i##operation(__VA_ARGS__).wait()); }); \
  works_on();                                                                              \
  try {                                                                                    \
    static_cast<void>(comm.operation##_init(__VA_ARGS__));                                 \
    check::expect(false, "the persistent form throws nothing");                            \
  } catch (const disagreement&) {                                                          \
  } catch (const mpi::unavailable&) {                                                      \
  }                                                                                        \
  works_on()
