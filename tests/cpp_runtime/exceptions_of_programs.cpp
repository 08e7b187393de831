// Exceptions of the program itself: thrown beside a pending operation, and at each place where the
// library calls code of the program, except in functions of reductions (throwing_functions.cpp). The job
// goes on after each.

#include "catchable.hpp"

#include <array>
#include <functional>
#include <valarray>

#include <mpiglot/coroutine.hpp>
#include <mpiglot/flatten.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/wait.hpp>

using namespace catchable;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}
int next() { return (check::rank() + 1) % check::size(); }
int previous() { return (check::rank() + check::size() - 1) % check::size(); }
auto to_next() { return destination(next()); }
auto from_previous() { return source(previous()); }

// Uses memory that was freed again.
void use_memory() {
  for (std::size_t size : {16u, 64u, 400u, 4000u, 400000u}) {
    const std::vector<char> other(size, 'x');
    check::expect(other.back() == 'x');
  }
}

// An exception leaves the scope of what `start` gives.
template <class Start>
void leave(Start start, std::source_location where = std::source_location::current()) {
  caught<broken>(
      [&] {
        const auto pending = start();
        throw broken();
      },
      where);
  use_memory();
}
// The same in a pool.
template <class Start>
void leave_pool(Start start, std::source_location where = std::source_location::current()) {
  caught<broken>(
      [&] {
        request_pool pool;
        pool.add(start());
        pool.add(start(), [](auto&&...) { check::expect(false, "an action runs"); });
        throw broken();
      },
      where);
  use_memory();
}

constexpr std::size_t large = 100000;  // beyond what an MPI sends without its receiver

std::vector<int> numbers(std::size_t size = large) {
  std::vector<int> made(size);
  for (std::size_t i = 0; i < size; ++i) made[i] = check::rank() + static_cast<int>(i);
  return made;
}
void expect_numbers(std::size_t size = large) {
  const auto came = world().recv<int>(from_previous());
  check::equal(came.size(), size);
  for (std::size_t i = 0; i < size; ++i) check::equal(came[i], previous() + static_cast<int>(i));
}

}  // namespace

TEST(an_exception_leaves_a_send_that_owns_its_memory_to_be_completed_later) {
  leave([] { return world().issend(send_buf(numbers()), to_next()); });
  expect_numbers();
  leave([] { return world().issend(send_buf(numbers(3)), to_next()); });
  expect_numbers(3);
  leave([] {  // small values are copied
    const int one = check::rank();
    return world().issend(send_buf(one), to_next());
  });
  expect_numbers(1);
  leave([] {
    const std::array<int, 4> four{check::rank(), check::rank() + 1, check::rank() + 2,
                                  check::rank() + 3};
    return world().issend(send_buf(four), to_next());
  });
  expect_numbers(4);
  leave([] {
    return world().issend(send_buf(std::valarray<int>({check::rank(), check::rank() + 1})),
                          to_next());
  });
  expect_numbers(2);
  leave([] {
    const std::vector<std::vector<int>> nested{numbers(4)};
    return world().issend(send_buf(flattened(nested)), to_next());
  });
  expect_numbers(4);
  works_on();
}

TEST(an_exception_leaves_encoded_bytes_to_be_sent_later) {
  leave([] {
    const auto words = kinds::dictionary_of(check::rank());
    return world().issend(send_buf(as_serialized(words)), to_next());
  });
  check::equal(world().recv(recv_buf(as_serialized(kinds::dictionary())), from_previous()),
               kinds::dictionary_of(previous()));
  works_on();
}

TEST(an_exception_leaves_the_sends_of_a_pool_to_be_completed_later) {
  leave_pool([] { return world().issend(send_buf(numbers()), to_next()); });
  expect_numbers();
  expect_numbers();
  works_on();
}

TEST(an_exception_leaves_a_started_persistent_send_to_be_completed_later) {
  caught<broken>([] {
    auto prepared = world().ssend_init(send_buf(numbers()), to_next());
    prepared.start();
    throw broken();
  });
  use_memory();
  expect_numbers();
  works_on();
}

TEST(an_exception_leaves_a_send_from_a_coroutine_to_be_completed_later) {
  const auto sending = [](request_pool& pool) -> task<> {
    co_await world().issend(send_buf(numbers()), to_next());
    static_cast<void>(pool);
  };
  caught<broken>([&] {
    request_pool pool;
    const auto pending = sending(pool);
    throw broken();
  });
  use_memory();
  expect_numbers();
  works_on();
}

// Rank 0 leaves the operation; the others get their result.
#define LEFT_BY_RANK_0(expected, operation, ...)                           \
  if (check::rank() == 0)                                                  \
    leave([] { return world().i##operation(__VA_ARGS__); });               \
  else                                                                     \
    check::expect(world().i##operation(__VA_ARGS__).wait() == (expected)); \
  works_on()

TEST(an_exception_leaves_a_collective_to_be_completed_later) {
  using ints = std::vector<int>;
  const int ranks = check::size();
  const auto all = static_cast<std::size_t>(ranks);
  const auto parts = [] { return ints(static_cast<std::size_t>(check::size()), 7); };
  const auto ones = [] { return ints(static_cast<std::size_t>(check::size()), 1); };

  LEFT_BY_RANK_0(ints(3, ranks), allreduce, send_buf(ints(3, 1)), op(mpi::sum));
  LEFT_BY_RANK_0(ints(large, ranks), allreduce, send_buf(ints(large, 1)), op(mpi::sum));
  LEFT_BY_RANK_0(ints(3, ranks), allreduce, send_buf(ints(3, 1)),
                 op([](int a, int b) { return a + b; }, commutative));
  LEFT_BY_RANK_0(ints(all, 7), allgather, send_buf(7));
  LEFT_BY_RANK_0(ints(3, 5), bcast, send_recv_buf(ints(3, 5)), send_recv_count(3));
  leave([&] { return world().ialltoall(send_buf(parts())); });
  leave([&] {
    return world().ireduce_scatter(send_buf(parts()), recv_counts(ones()), op(mpi::sum));
  });
  leave([&] { return world().iallgatherv(send_buf(7), recv_counts(ones())); });
  leave([&] { return world().igather(send_buf(7)); });
  leave([&] { return world().iscan(send_buf(7), op(mpi::sum)); });
  leave([] {  // packed
    std::vector<int> matrix(9, check::rank());
    return world().iallgather(send_buf(strided_view<int>{matrix.data(), 3, 1, 3}));
  });
  leave([] {  // encoded
    auto words = kinds::dictionary_of(check::rank());
    return world().ibcast(send_recv_buf(at_most(500, as_serialized(words))));
  });
  leave([] { return world().ibarrier(); });
  leave_pool([&] { return world().ialltoall(send_buf(parts())); });
  works_on();
}

TEST(an_exception_leaves_an_operation_that_is_complete_with_memory_of_the_caller) {
  const std::vector<int> one(1, check::rank());
  leave([&] {
    auto sent = world().isend(send_buf(one), to_next());
    expect_numbers(1);
    world().barrier();  // the message of this rank was received, too
    return sent;
  });
  works_on();
}

namespace {

struct in_action {
  static void run(auto start) {
    request_pool pool;
    int ran = 0;
    pool.add(start(), [&](auto&&...) {
      ++ran;
      throw broken();
    });
    pool.add(start(), [&](auto&&...) { ++ran; });
    try {
      pool.wait_all();
    } catch (const broken&) {
      check::equal(ran, 2);
      throw;
    }
  }
  static void blocking() {
    run([] { return world().ibarrier(); });
  }
  static void nonblocking() {
    run([] { return world().iallreduce(send_buf(1), op(mpi::sum)); });
  }
};

struct in_encoding {
  static inline const fragile bad{1, 1};
  static void blocking() { world().send(send_buf(as_serialized(bad)), to_next()); }
  static void nonblocking() { world().isend(send_buf(as_serialized(bad)), to_next()).wait(); }
};
// Decodes what `before` sends. The state that arrives is 1, and the code throws when it has it.
struct decoded_badly {
  int value = 0;
  static void fields(auto& self, auto&& visit) {
    visit(self.value);
    if (self.value == 13) throw broken();
  }
};
struct in_decoding {
  static void send() {
    leave([] {
      std::vector<int> bytes{13};
      return world().issend(send_buf(std::move(bytes)), to_next());
    });
  }
  static void blocking() {
    send();
    static_cast<void>(world().recv(recv_buf(as_serialized(decoded_badly())), from_previous()));
  }
  static void nonblocking() {
    auto coming =
        world().irecv(recv_buf(at_most(100, as_serialized(decoded_badly()))), from_previous());
    send();
    static_cast<void>(coming.wait());
  }
};

struct in_allocator {
  static void blocking() {
    leave([] { return world().issend(send_buf(numbers(9)), to_next()); });
    const poverty armed;
    try {
      static_cast<void>(world().recv(recv_buf(stingy<int>()), from_previous()));
    } catch (const std::bad_alloc&) {
      throw broken();
    }
  }
  static void nonblocking() {
    const poverty armed;
    try {
      static_cast<void>(
          world().irecv(recv_buf(stingy<int>()), recv_count(9), from_previous()).wait());
    } catch (const std::bad_alloc&) {
      throw broken();
    }
  }
};

template <class Base>
struct throwing_hook : Base {
  using Base::Base;
  static void on_error(const error&) { throw broken(); }
};
struct in_hook {
  static void blocking() {
    const basic_communicator<throwing_hook> comm;
    std::vector<int> three(3);
    comm.send(send_buf(three), send_count(4), to_next());
  }
  static void nonblocking() {
    const basic_communicator<throwing_hook> comm;
    std::vector<int> three(3);
    comm.irecv(recv_buf(three), recv_count(4), from_previous()).wait();
  }
};

// A view that cannot say where its elements are.
struct lost_view {
  std::vector<int>* of = nullptr;
};

}  // namespace

template <>
struct mpiglot::view_traits<lost_view> {
  static constexpr std::size_t rank = 1;
  static int* data(const lost_view& view) {
    if (view.of == nullptr) throw broken();
    return view.of->data();
  }
  static long extent(const lost_view&, std::size_t) { return 3; }
  static long stride(const lost_view&, std::size_t) { return 2; }
};

namespace {

struct in_view {
  static void blocking() { world().send(send_buf(lost_view()), to_next()); }
  static void nonblocking() { world().isend(send_buf(lost_view()), to_next()).wait(); }
};

// Copying it throws: an element that is copied out of its range.
struct in_copy {
  struct costly {
    costly() = default;
    costly(const costly&) { throw broken(); }
    costly(costly&&) noexcept {}
    int operator()(int a, int b) const { return a + b; }
  };
  static inline const costly original;
  static void blocking() {
    static_cast<void>(world().allreduce(send_buf(1), op(costly(original), commutative)));
  }
  static void nonblocking() {
    request_pool pool;
    pool.add(world().ibarrier(), [kept = costly(original)] { static_cast<void>(kept); });
  }
};

struct in_coroutine {
  static task<int> body(request_pool& pool, bool late) {
    if (late) co_await world().ibarrier();
    static_cast<void>(pool);
    throw broken();
    co_return 0;
  }
  static void blocking() {
    request_pool pool;
    static_cast<void>(body(pool, false).wait());
  }
  static void nonblocking() {
    request_pool pool;
    auto late = body(pool, true);
    pool.wait_all();
    static_cast<void>(late.wait());
  }
};

// Calls on all ranks.
void throws_here(void (*call)(), const char* name) {
  bool thrown = false;
  try {
    call();
  } catch (const broken&) {
    thrown = true;
  }
  check::expect(thrown, name);
  works_on();
}
template <class Place>
void at(const char* name) {
  throws_here(&Place::blocking, name);
  throws_here(&Place::nonblocking, name);
}

}  // namespace

TEST(an_exception_is_caught_at_each_place_where_code_of_the_program_runs) {
  at<in_action>("action of a pool");
  at<in_encoding>("encoding");
  at<in_decoding>("decoding");
  at<in_allocator>("allocator");
  at<in_hook>("hook");
  at<in_view>("view");
  at<in_copy>("copy");
  at<in_coroutine>("coroutine");
}
