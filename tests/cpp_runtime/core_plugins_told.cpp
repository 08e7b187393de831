// What plugins are told of operations: names, forms, peers, bytes, waiting, failures.

#include <unistd.h>

#include <map>
#include <mpiglot/coroutine.hpp>
#include <mpiglot/plugin.hpp>
#include <mpiglot/plugins/auto_alltoall.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/plugins/ranges.hpp>
#include <mpiglot/plugins/reproducible.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <mpiglot/plugins/timers.hpp>
#include <mpiglot/raw.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/wait.hpp>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using ints = std::vector<int>;

template <class Base>
struct told : Base {
  using Base::Base;
  void before(const observed_call& call) const {
    begun += std::string(call.operation) + " ";
    check::expect(call.seconds == 0 && !call.failed && call.bytes == -1 && call.begun >= 0);
  }
  void completed(const observed_call& call) const noexcept { calls.push_back(call); }
  [[nodiscard]] observed_call last() const {
    check::expect(!calls.empty());
    return calls.back();
  }
  mutable std::string begun;
  mutable std::vector<observed_call> calls;
};
template <class Base>
struct told_the_end : Base {
  using Base::Base;
  void completed(const observed_call& call) const noexcept { calls.push_back(call); }
  mutable std::vector<observed_call> calls;
};
// The calls inside of each operation.
template <class Base>
struct told_inside : Base {
  using Base::Base;
  void before(const observed_call& call) const {
    if (call.within == nullptr)
      check::equal(open_inside, 0);
    else
      ++open_inside;
  }
  void completed(const observed_call& call) const noexcept {
    if (call.within != nullptr) --open_inside;
    (call.within == nullptr ? outer : inner).push_back(call);
  }
  mutable int open_inside = 0;
  mutable std::vector<observed_call> outer, inner;
};
template <class Base>
struct told_the_beginning : Base {
  using Base::Base;
  void before(const observed_call& call) const { begun += std::string(call.operation) + " "; }
  mutable std::string begun;
};

template <class Comm>
void expect_last(const Comm& comm, const char* name, call_form form, int peer, count_t bytes,
                 std::source_location where = std::source_location::current()) {
  const observed_call call = comm.last();
  check::equal(std::string(call.operation), std::string(name), where);
  check::expect(call.form == form, name, where);
  if (peer >= 0 || call.peer >= 0) check::equal(call.peer, peer, where);
  check::equal(call.bytes, bytes, where);
  check::expect(!call.failed && call.seconds >= 0, name, where);
}

task<int> awaited(request_pool& pool, const basic_communicator<told>& comm, int from) {
  static_cast<void>(pool);
  co_return co_await comm.irecv(recv_buf(0), source(from), tag(4));
}

}  // namespace

TEST(plugins_are_told_name_form_peer_and_bytes_of_each_call) {
  const basic_communicator<told> comm;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool root_here = comm.rank() == 0;
  constexpr auto now = call_form::blocking;
  constexpr auto later = call_form::nonblocking;
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{40000}}) {
    const auto bytes = static_cast<count_t>(n * sizeof(int));
    const auto all_bytes = bytes * comm.size();
    ints mine(n, 7), all(n * ranks, 8), got(n), many(n * ranks);
    auto coming = comm.irecv(recv_buf(got), source(before), tag(3));
    comm.send(send_buf(mine), destination(next), tag(3));
    expect_last(comm, "send", now, next, bytes);
    coming.wait();
    expect_last(comm, "irecv", later, before, bytes);
    std::vector<double> larger(n / 2 + 9);
    auto shorter = comm.isend(send_buf(mine), destination(next), tag(5));
    comm.recv(recv_buf(raw(larger.data(), static_cast<count_t>(n) + 1, mpi::int_)), source(before),
              tag(5));
    expect_last(comm, "recv", now, before, bytes);
    shorter.wait();
    auto leaving = comm.isend(send_buf(mine), destination(next));
    check::equal(comm.recv(recv_buf(ints()), source(before)).size(), n);
    expect_last(comm, "recv", now, before, bytes);
    leaving.wait();
    expect_last(comm, "isend", later, next, bytes);
    comm.sendrecv(send_buf(mine), destination(next), recv_buf(got), source(before));
    expect_last(comm, "sendrecv", now, next, bytes);
    comm.bcast(send_recv_buf(mine));
    expect_last(comm, "bcast", now, 0, bytes);
    comm.ibcast(send_recv_buf(mine)).wait();
    expect_last(comm, "ibcast", later, 0, bytes);
    static_cast<void>(comm.gather(send_buf(mine)));
    expect_last(comm, "gather", now, 0, bytes);
    static_cast<void>(comm.gatherv(send_buf(mine)));
    expect_last(comm, "gatherv", now, 0, bytes);
    static_cast<void>(comm.scatter(send_buf(all)));
    expect_last(comm, "scatter", now, 0, root_here ? all_bytes : bytes);
    static_cast<void>(comm.allgather(send_buf(mine)));
    expect_last(comm, "allgather", now, -1, bytes);
    static_cast<void>(comm.allgatherv(send_buf(mine)));
    expect_last(comm, "allgatherv", now, -1, bytes);
    static_cast<void>(comm.iallgather(send_buf(mine)).wait());
    expect_last(comm, "iallgather", later, -1, bytes);
    static_cast<void>(comm.alltoall(send_buf(all)));
    expect_last(comm, "alltoall", now, -1, all_bytes);
    const ints counts(ranks, static_cast<int>(n) / 2);
    static_cast<void>(comm.alltoallv(send_buf(all), send_counts(counts)));
    expect_last(comm, "alltoallv", now, -1, counts[0] * comm.size() * count_t{sizeof(int)});
    static_cast<void>(
        comm.ialltoallv(send_buf(all), send_counts(counts), recv_counts(counts)).wait());
    expect_last(comm, "ialltoallv", later, -1, counts[0] * comm.size() * count_t{sizeof(int)});
    static_cast<void>(comm.reduce(send_buf(mine), op(mpi::sum)));
    expect_last(comm, "reduce", now, 0, bytes);
    static_cast<void>(comm.allreduce(send_buf(mine), op(mpi::sum)));
    expect_last(comm, "allreduce", now, -1, bytes);
    comm.allreduce(send_recv_buf(mine), op(mpi::sum));
    expect_last(comm, "allreduce", now, -1, bytes);
    static_cast<void>(comm.iallreduce(send_buf(mine), op(mpi::sum)).wait());
    expect_last(comm, "iallreduce", later, -1, bytes);
    auto prepared = comm.send_init(send_buf(mine), destination(next), tag(9));
    const std::size_t told_before = comm.calls.size();
    for (int i = 0; i < 2; ++i) {
      auto other = comm.irecv(recv_buf(got), source(before), tag(9));
      prepared.start();
      prepared.wait();
      expect_last(comm, "send_init", call_form::persistent, next, bytes);
      other.wait();
    }
    check::equal(comm.calls.size(), told_before + 4);
  }
  comm.barrier();
  expect_last(comm, "barrier", now, -1, 0);
  static_cast<void>(comm.gather(send_buf(as_serialized(std::string(100, 'x')))));
  check::expect(comm.last().bytes > 100);
}

TEST(waiting_is_seen_wherever_the_program_waits) {
  const basic_communicator<told> comm;
  const basic_communicator<told_the_end> end;
  if (comm.size() == 1) return;
  constexpr double pause = 0.05;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  const auto slow_message = [&](int tag_of_it) {
    usleep(static_cast<unsigned>(pause * 1e6));
    comm.isend(send_buf(1), destination(next), tag(tag_of_it)).wait();
  };
  const auto waited = [&](const std::vector<observed_call>& calls) {
    double all = 0;
    for (const observed_call& call : calls)
      if (std::string(call.operation) != "isend") all += call.seconds;
    return all;
  };
  for (int way = 0; way < 7; ++way) {
    comm.calls.clear();
    end.calls.clear();
    comm.ibarrier().wait();
    comm.calls.clear();
    if (comm.rank() % 2 == 0) {
      slow_message(4);
      comm.recv(recv_buf(0), source(before), tag(4));
      continue;
    }
    switch (way) {
      case 0:
        static_cast<void>(comm.irecv(recv_buf(0), source(before), tag(4)).wait());
        break;
      case 1: {
        auto one = comm.irecv(recv_buf(0), source(before), tag(4));
        while (!one.test()) {
        }
        break;
      }
      case 2: {
        request_pool pool;
        pool.add(comm.irecv(recv_buf(0), source(before), tag(4)));
        pool.wait_all();
        break;
      }
      case 3: {
        request_pool pool;
        check::equal(awaited(pool, comm, before).wait(), 1);
        break;
      }
      case 4: {
        auto one = comm.irecv(recv_buf(0), source(before), tag(4));
        auto two = comm.isend(send_buf(1), destination(comm.rank()), tag(5));
        comm.irecv(recv_buf(0), source(comm.rank()), tag(5)).wait();
        static_cast<void>(wait_all(one, two));
        break;
      }
      case 5:
        static_cast<void>(comm.recv(recv_buf(0), source(before), tag(4)));
        break;
      default: {
        auto one = end.irecv(recv_buf(0), source(before), tag(4));
        static_cast<void>(one.wait());
        check::expect(waited(end.calls) > 0.6 * pause && waited(end.calls) < 20 * pause);
      }
    }
    // What a loop of tests does between them is no wait.
    const double least = way == 1 ? 0.1 * pause : 0.6 * pause;
    if (way < 6) check::expect(waited(comm.calls) > least && waited(comm.calls) < 20 * pause);
    slow_message(4);
  }
}

TEST(failures_and_what_is_left_are_told) {
  const basic_communicator<told, grid_alltoall> comm;
  check::thrown_by<error>([&] { comm.send(send_buf(1), destination(comm.size())); });
  check::expect(comm.last().failed && comm.last().peer == comm.size());
  const basic_communicator<told, with_outcomes> quiet;
  check::expect(!quiet.send(send_buf(1), destination(comm.size())));
  check::expect(quiet.last().failed);
  auto never = quiet.isend(send_buf(1), destination(comm.size()));
  check::expect(!never.wait());
  check::expect(quiet.last().failed);
  const ints ones(static_cast<std::size_t>(comm.size()), 1);
  auto later = comm.ialltoallv_grid(send_buf(ones), send_counts(ones));
  check::equal(later.wait(), ones);
  expect_last(comm, "ialltoallv_grid", call_form::nonblocking, -1,
              comm.size() * count_t{sizeof(int)});
  check::equal(comm.alltoallv_grid(send_buf(ones), send_counts(ones)), ones);
  expect_last(comm, "alltoallv_grid", call_form::blocking, -1, comm.size() * count_t{sizeof(int)});
  {
    auto dropped = comm.iallgather(send_buf(1));
    auto moved = std::move(dropped);
  }
  expect_last(comm, "iallgather", call_form::nonblocking, -1, sizeof(int));
  const std::size_t count = comm.calls.size();
  try {
    const auto left = comm.iallgather(send_buf(ints(1, 1)));
    throw 1;
  } catch (int) {
  }
  check::equal(comm.calls.size(), count + 1);
  check::expect(comm.last().failed);
  comm.ibarrier().wait();
  const basic_communicator<told_the_beginning> beginning;
  beginning.barrier();
  beginning.ibarrier().wait();
  check::equal(beginning.begun, std::string("barrier ibarrier "));
}

// One operation of the program, and calls inside of it that carry its name, also where it fails.
TEST(plugins_are_told_of_the_calls_inside_of_an_operation) {
  const basic_communicator<told_inside, sorter, ranges, reproducible, grid_alltoall, auto_alltoall,
                           sparse_alltoall>
      comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const std::size_t n : {std::size_t{0}, std::size_t{3}, std::size_t{5000}}) {
    const std::vector<double> mine(n, comm.rank());
    const std::vector<double> all(n * ranks, 1);
    const std::vector<std::size_t> counts(ranks, n);
    const auto inside = [&](const char* name, call_form form, count_t bytes, auto&& call) {
      comm.outer.clear();
      comm.inner.clear();
      call();
      check::equal(comm.open_inside, 0);
      check::equal(comm.outer.size(), std::size_t{1});
      check::equal(std::string(comm.outer[0].operation), std::string(name));
      check::expect(comm.outer[0].form == form, name);
      check::equal(comm.outer[0].bytes, bytes);
      check::expect(!comm.inner.empty(), name);
      for (const observed_call& one : comm.inner) {
        check::equal(std::string(one.within), std::string(name));
        check::expect(!one.failed && one.bytes >= 0 && one.seconds >= 0, one.operation);
      }
    };
    const auto now = call_form::blocking;
    const auto own = static_cast<count_t>(n * sizeof(double));
    const auto sent = own * comm.size();
    inside("sort", now, own, [&] { static_cast<void>(comm.sort(send_buf(mine))); });
    inside("stable_sort", now, own, [&] { static_cast<void>(comm.stable_sort(send_buf(mine))); });
    inside("is_sorted", now, own, [&] { static_cast<void>(comm.is_sorted(send_buf(mine))); });
    inside("unique", now, own, [&] { static_cast<void>(comm.unique(send_buf(mine))); });
    inside("redistribute", now, own, [&] { static_cast<void>(comm.redistribute(send_buf(mine))); });
    inside("shift_left", now, own, [&] { static_cast<void>(comm.shift_left(send_buf(mine))); });
    inside("shift_right", now, own, [&] { static_cast<void>(comm.shift_right(send_buf(mine))); });
    if (n != 0) {
      inside("nth_element", now, own,
             [&] { static_cast<void>(comm.nth_element(send_buf(mine), nth(0))); });
      inside("reproducible_allreduce", now, own, [&] {
        static_cast<void>(comm.reproducible_allreduce(send_buf(mine), op(std::plus<>())));
      });
    }
    inside("alltoallv_grid", now, sent,
           [&] { static_cast<void>(comm.alltoallv_grid(send_buf(all), send_counts(counts))); });
    inside("alltoallv_auto", now, sent,
           [&] { static_cast<void>(comm.alltoallv_auto(send_buf(all), send_counts(counts))); });
    inside("ialltoallv_grid", call_form::nonblocking, sent, [&] {
      static_cast<void>(comm.ialltoallv_grid(send_buf(all), send_counts(counts)).wait());
    });
    const int next = (comm.rank() + 1) % comm.size();
    const std::vector<std::pair<int, std::vector<double>>> messages{{next, mine}};
    inside("alltoall_sparse", now, own,
           [&] { static_cast<void>(comm.alltoall_sparse(sparse_send_buf(messages))); });
    check::equal(comm.inner.size(), std::size_t{2});
    for (const observed_call& one : comm.inner) {
      const bool leaves = std::string(one.operation) == "issend";
      check::equal(one.peer, leaves ? next : (comm.rank() + comm.size() - 1) % comm.size());
      check::equal(one.bytes, own);
    }
  }
  // A call of a sort is allgathers, allreduces, and one exchange that has all values.
  comm.inner.clear();
  static_cast<void>(comm.sort(send_buf(std::vector<int>(100, comm.rank()))));
  std::map<std::string, count_t> bytes;
  for (const observed_call& one : comm.inner) bytes[one.operation] += one.bytes;
  check::equal(bytes["alltoallv"], 100 * count_t{sizeof(int)});
  check::expect(bytes["allreduce"] > 0);

  comm.outer.clear();
  comm.inner.clear();
  check::thrown_by<std::exception>([&] {
    static_cast<void>(comm.sort(send_buf(std::vector<int>(3, 1)),
                                comparator([](int, int) -> bool { throw std::bad_alloc(); })));
  });
  check::equal(comm.open_inside, 0);
  check::expect(comm.outer.at(0).failed && !comm.inner.empty());
  comm.barrier();
  check::equal(comm.outer.size(), std::size_t{2});
  check::expect(comm.outer[1].within == nullptr);

  // Two in flight, each with its own communicator, and completed in the other order.
  const basic_communicator<told_inside, grid_alltoall> other;
  const ints ones(ranks, 1);
  comm.outer.clear();
  comm.inner.clear();
  auto first = comm.ialltoallv_grid(send_buf(ones), send_counts(ones));
  auto second = other.ialltoallv_grid(send_buf(ones), send_counts(ones));
  check::equal(second.wait(), ones);
  check::equal(first.wait(), ones);
  check::equal(comm.inner.size(), other.inner.size());
  check::expect(comm.outer.size() == 1 && other.outer.size() == 1);
}
