// Coroutines that await requests: results, order, failures, and what is left behind.

#include <algorithm>
#include <string>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/coroutine.hpp>
#include <mpiglot/serialized.hpp>

#include "kinds.hpp"

using namespace kinds;

namespace {

int next(const communicator& comm) { return (comm.rank() + 1) % comm.size(); }
int previous(const communicator& comm) { return (comm.rank() + comm.size() - 1) % comm.size(); }

task<int> shifted(request_pool& pool, const communicator& comm, int value, int tag_of_it) {
  pool.add(comm.isend(send_buf(value), destination(next(comm)), tag(tag_of_it)));
  co_return co_await comm.irecv(recv_buf(0), source(previous(comm)), tag(tag_of_it));
}

// Sends on what arrives: each round needs the one before.
task<int> rounds(request_pool& pool, const communicator& comm, int count, int tag_of_it) {
  int value = comm.rank();
  for (int i = 0; i < count; ++i) value = co_await shifted(pool, comm, value, tag_of_it);
  co_return value;
}

// The rank whose value is here after so many shifts by one.
int origin(const communicator& comm, int count) {
  return ((comm.rank() - count) % comm.size() + comm.size()) % comm.size();
}

struct counted {
  static inline int alive = 0;
  counted() { ++alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }
};

}  // namespace

TEST(a_coroutine_awaits_a_request_and_returns_its_result) {
  const communicator comm;
  request_pool pool;
  auto task = shifted(pool, comm, 10 + comm.rank(), 1);
  pool.wait_all();
  check::expect(!task.pending());
  check::equal(task.wait(), 10 + previous(comm));
}

TEST(waiting_for_a_task_drives_the_pool) {
  const communicator comm;
  request_pool pool;
  check::equal(rounds(pool, comm, 5, 1).wait(), origin(comm, 5));
  pool.wait_all();
}

TEST(many_coroutines_are_on_their_way_at_once) {
  const communicator comm;
  request_pool pool;
  std::vector<task<int>> all;
  for (int i = 0; i < 100; ++i) all.push_back(rounds(pool, comm, 3, i));
  pool.wait_all();
  for (task<int>& each : all) check::equal(each.wait(), origin(comm, 3));
}

TEST(test_some_resumes_coroutines_while_the_program_computes) {
  const communicator comm;
  request_pool pool;
  auto task = rounds(pool, comm, 4, 1);
  long computed = 0;
  while (task.pending()) {
    ++computed;
    static_cast<void>(pool.test_some());
  }
  check::expect(computed > 0 || !task.pending());
  check::equal(task.wait(), origin(comm, 4));
  pool.wait_all();
}

TEST(a_coroutine_awaits_operations_that_a_pool_has_already) {
  const communicator comm;
  request_pool pool;
  auto both = [](request_pool& of, const communicator& on) -> task<int> {
    auto first = of.add(on.irecv(recv_buf(0), source(previous(on)), tag(1)));
    auto second = of.add(on.irecv(recv_buf(0), source(previous(on)), tag(2)));
    of.add(on.isend(send_buf(20 + on.rank()), destination(next(on)), tag(2)));
    of.add(on.isend(send_buf(10 + on.rank()), destination(next(on)), tag(1)));
    const int last = co_await second;
    const int sum = last + co_await std::move(first);
    co_return sum;
  };
  check::equal(both(pool, comm).wait(), 30 + 2 * previous(comm));
  pool.wait_all();
}

namespace {
struct solver {
  const communicator& comm;
  task<> step(request_pool&) {
    total = (co_await comm.iallreduce(send_buf(comm.rank()), op(mpi::sum))).front();
    co_await comm.ibarrier();
  }
  int total = -1;
};
}  // namespace

TEST(a_member_function_is_a_coroutine) {
  const communicator comm;
  request_pool pool;
  solver solving{comm};
  auto task = solving.step(pool);
  task.wait();
  check::equal(solving.total, comm.size() * (comm.size() - 1) / 2);
}

// The failure is the decoder's: after a truncated message in MPI_Waitsome, a process of Intel MPI
// 2021.14 receives nothing from itself any more, in plain C as well.
TEST(a_failure_is_thrown_where_it_is_awaited) {
  const communicator comm;
  request_pool pool;
  auto failing = [](request_pool& of, const communicator& on, bool& caught) -> task<int> {
    const std::vector<std::byte> no_text{std::byte{200}};
    of.add(on.isend(send_buf(no_text), destination(next(on))));
    try {
      co_await on.irecv(recv_buf(at_most(100, as_deserializable<std::string>())),
                        source(previous(on)));
    } catch (const decode_error&) {
      caught = true;
      throw;
    }
    co_return 1;
  };
  bool caught = false;
  auto task = failing(pool, comm, caught);
  pool.wait_all();  // does not throw: the failure belongs to the coroutine
  check::expect(caught);
  check::thrown_by<decode_error>([&] { task.wait(); });
}

TEST(a_task_that_nobody_waits_for_completes_before_it_is_destroyed) {
  const communicator comm;
  request_pool pool;
  const int before = counted::alive;
  int arrived = -1;
  {
    auto dropped = [](request_pool& of, const communicator& on, int& to) -> task<> {
      const counted local;
      int mine = on.rank();  // lent to MPI from the coroutine's own memory
      of.add(on.isend(send_buf(mine), destination(next(on))));
      to = co_await on.irecv(recv_buf(0), source(previous(on)));
      co_await on.ibarrier();
    }(pool, comm, arrived);
  }
  check::equal(arrived, previous(comm));
  check::equal(counted::alive, before);
  pool.wait_all();
}

TEST(only_one_coroutine_awaits_an_operation) {
  const communicator comm;
  request_pool pool;
  auto ticket = pool.add(comm.irecv(recv_buf(0), source(previous(comm))));
  auto awaiting = [](request_pool&, pooled_request<int>& of) -> task<int> {
    co_return co_await of;
  };
  auto first = awaiting(pool, ticket);
  auto second = awaiting(pool, ticket);
  comm.barrier();  // nothing was sent before
  check::expect(!second.pending());
  check::thrown_by([&] { second.wait(); });
  pool.add(comm.isend(send_buf(comm.rank()), destination(next(comm))));
  check::equal(first.wait(), previous(comm));
  pool.wait_all();
}

TEST(a_coroutine_that_is_gone_is_not_resumed) {
  const communicator comm;
  request_pool pool;
  auto ticket = pool.add(comm.irecv(recv_buf(0), source(previous(comm))));
  // A coroutine of another kind, which its handle destroys.
  struct bare {
    struct promise_type {
      bare get_return_object() {
        return {std::coroutine_handle<promise_type>::from_promise(*this)};
      }
      static std::suspend_never initial_suspend() noexcept { return {}; }
      static std::suspend_always final_suspend() noexcept { return {}; }
      static void return_void() noexcept {}
      static void unhandled_exception() noexcept { std::terminate(); }
    };
    std::coroutine_handle<> frame;
  };
  bool resumed = false;
  const bare gone = [](pooled_request<int>& of, bool& told) -> bare {
    co_await of;
    told = true;
  }(ticket, resumed);
  comm.barrier();  // nothing was sent before
  gone.frame.destroy();
  pool.add(comm.isend(send_buf(comm.rank()), destination(next(comm))));
  pool.wait_all();
  check::expect(!resumed);
  check::equal(ticket.wait(), previous(comm));
}

TEST(a_long_loop_does_not_fill_the_stack) {
  const communicator comm(mpi::comm_self);
  request_pool pool;
  auto echo = [](request_pool& of, const communicator& on, int rounds_of_it) -> task<int> {
    int sum = 0;
    for (int i = 0; i < rounds_of_it; ++i) {
      of.add(on.isend(send_buf(i), destination(0)));
      sum += co_await on.irecv(recv_buf(0), source(0));
    }
    co_return sum;
  };
  check::equal(echo(pool, comm, 20000).wait(), 20000 / 2 * 19999);
  pool.wait_all();
}

TEST(coroutines_are_resumed_one_after_another) {
  const communicator comm(mpi::comm_self);
  request_pool pool;
  int inside = 0;
  int most = 0;
  auto twice = [&](request_pool&, pooled_request<int>& first,
                   pooled_request<int>& second) -> task<int> {
    const int one = co_await first;
    most = std::max(most, ++inside);
    const int two = co_await second;  // there already: others could be resumed in here
    --inside;
    co_return one + two;
  };
  std::vector<pooled_request<int>> tickets;
  for (int i = 0; i < 200; ++i)
    tickets.push_back(pool.add(comm.irecv(recv_buf(0), source(0), tag(i))));
  std::vector<task<int>> all;
  for (std::size_t i = 0; i < 100; ++i) all.push_back(twice(pool, tickets[i], tickets[199 - i]));
  for (int i = 0; i < 200; ++i) pool.add(comm.isend(send_buf(i), destination(0), tag(199 - i)));
  pool.wait_all();
  for (task<int>& each : all) check::equal(each.wait(), 199);
  check::equal(inside, 0);
  check::equal(most, 1);
}

TEST(a_pool_that_ends_first_leaves_its_coroutines_suspended) {
  const communicator self(mpi::comm_self);
  const int before = counted::alive;
  {
    std::optional<request_pool> pool(std::in_place);
    auto task = [](request_pool&, const communicator& on) -> mpiglot::task<> {
      const counted local;
      co_await on.irecv(recv_buf(0), source(0));
    }(*pool, self);
    check::expect(task.pending());
    auto sending = self.isend(send_buf(1), destination(0));
    pool.reset();  // receives the message
    sending.wait();
    check::expect(task.pending());
    check::thrown_by([&] { task.wait(); });
  }
  check::equal(counted::alive, before);
}

TEST(a_pool_with_a_limit_resumes_coroutines_to_make_room) {
  const communicator comm;
  request_pool pool(2);
  std::vector<task<int>> all;
  for (int i = 0; i < 10; ++i) {
    pool.add([&, i] { return comm.isend(send_buf(i), destination(next(comm)), tag(i)); });
    all.push_back([](request_pool&, const communicator& on, int of) -> task<int> {
      co_return co_await on.irecv(recv_buf(0), source(previous(on)), tag(of));
    }(pool, comm, i));
  }
  pool.wait_all();
  for (int i = 0; i < 10; ++i) check::equal(all[static_cast<std::size_t>(i)].wait(), i);
}
