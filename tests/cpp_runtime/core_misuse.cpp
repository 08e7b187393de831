// What a newcomer does wrong, or at the edge of what is right: it ends with the result or with a typed
// error, never in a hang or a crash.

#include <array>
#include <cstdio>
#include <map>
#include <mpiglot/at_most.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/group.hpp>
#include <mpiglot/info.hpp>
#include <mpiglot/intercommunicator.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/wait.hpp>
#include <mpiglot/window.hpp>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using ints = std::vector<int>;
using words = std::map<std::string, int>;

// Where some MPIs see no error.
void ends(auto call) {
  try {
    call();
  } catch (const mpi::error&) {
  }
}

}  // namespace

TEST(operations_on_a_null_communicator_are_errors) {
  const communicator world;
  const communicator null = world.split(mpi::undefined);
  check::expect(!null && null.size() == 0 && null.rank() < 0);
  ints v(4, 1);
  const ints counts(1, 4);
  const auto refused = [](auto call) { check::thrown_by<mpi::error>(call); };
  refused([&] { null.barrier(); });
  refused([&] { null.bcast(send_recv_buf(v)); });
  refused([&] { null.bcast(send_recv_buf<resize_to_fit>(v)); });
  refused([&] { null.bcast(send_recv_buf(as_serialized(v))); });
  refused([&] { static_cast<void>(null.bcast_single(send_recv_buf(1))); });
  refused([&] { static_cast<void>(null.gather(send_buf(v))); });
  refused([&] { static_cast<void>(null.gatherv(send_buf(v))); });
  refused([&] { static_cast<void>(null.gatherv(send_buf(v), recv_counts(counts))); });
  refused([&] { static_cast<void>(null.allgather(send_buf(v))); });
  refused([&] { static_cast<void>(null.allgatherv(send_buf(v))); });
  refused([&] { static_cast<void>(null.scatter(send_buf(v))); });
  refused([&] { static_cast<void>(null.scatter(send_buf(v), recv_count(4))); });
  refused([&] { static_cast<void>(null.scatterv(send_buf(v), send_counts(counts))); });
  refused([&] { static_cast<void>(null.alltoall(send_buf(v))); });
  refused([&] { static_cast<void>(null.alltoall(send_recv_buf(v))); });
  refused([&] { static_cast<void>(null.alltoallv(send_buf(v), send_counts(ints()))); });
  refused([&] { static_cast<void>(null.reduce(send_buf(v), op(mpi::sum))); });
  refused([&] { static_cast<void>(null.allreduce(send_buf(v), op(mpi::sum))); });
  refused([&] { static_cast<void>(null.allreduce_single(send_buf(1), op(mpi::sum))); });
  refused([&] { static_cast<void>(null.scan(send_buf(v), op(mpi::sum))); });
  refused([&] { static_cast<void>(null.exscan(send_buf(v), op(mpi::sum))); });
  refused([&] { static_cast<void>(null.reduce_scatter_block(send_buf(v), op(mpi::sum))); });
  refused([&] {
    static_cast<void>(null.reduce_scatter(send_buf(v), op(mpi::sum), recv_counts(counts)));
  });
  refused([&] { null.send(send_buf(v), destination(0)); });
  refused([&] { null.recv(recv_buf(v), source(0)); });
  refused([&] { static_cast<void>(null.recv(recv_buf(ints()), source(0))); });
  refused([&] { auto r = null.irecv(recv_buf(v), source(0)); });
  refused([&] { auto r = null.iallreduce(send_buf(v), op(mpi::sum)); });
  refused([&] { null.sendrecv(send_buf(v), destination(0), recv_buf(v), source(0)); });
  refused([&] { static_cast<void>(null.probe(source(0))); });
  refused([&] { static_cast<void>(null.iprobe(source(0))); });
  refused([&] { static_cast<void>(null.dup()); });
  refused([&] { static_cast<void>(null.split(0)); });
  refused([&] { static_cast<void>(null.group()); });
  ends([&] { static_cast<void>(null.name()); });  // MPI 4 gives it one
  refused([&] { static_cast<void>(window::allocate<int>(null, 1)); });
  refused([&] { const file none(null, "/dev/null", mpi::access_mode::rdonly); });
}

TEST(roots_that_do_not_exist_are_errors_on_all_ranks) {
  const communicator comm;
  ints v(static_cast<std::size_t>(comm.size()), 1);
  const ints counts(v.size(), 1);
  for (const int bad : {-1, comm.size(), 77777}) {
    const auto refused = [](auto call) { check::thrown_by<mpi::error>(call); };
    refused([&] { comm.bcast(send_recv_buf(v), root(bad)); });
    refused([&] { comm.bcast(send_recv_buf<resize_to_fit>(v), root(bad)); });
    refused([&] { static_cast<void>(comm.gather(send_buf(v), root(bad))); });
    refused([&] { static_cast<void>(comm.gatherv(send_buf(v), root(bad))); });
    refused([&] { static_cast<void>(comm.scatter(send_buf(v), root(bad))); });
    refused([&] { static_cast<void>(comm.scatter(send_buf(v), recv_count(1), root(bad))); });
    refused([&] { static_cast<void>(comm.scatterv(send_buf(v), send_counts(counts), root(bad))); });
    refused([&] { static_cast<void>(comm.reduce(send_buf(v), op(mpi::sum), root(bad))); });
    if (!check::known_defect("ibcast-takes-any-root"))
      refused([&] { auto r = comm.ibcast(send_recv_buf(v), root(bad)); });
  }
}

TEST(messages_with_nobody_are_empty) {
  const communicator comm;
  ints v(3, 5);
  comm.send(send_buf(v), destination(mpi::proc_null));
  comm.ssend(send_buf(v), destination(mpi::proc_null));
  comm.send(send_buf(as_serialized(words{{"a", 1}})), destination(mpi::proc_null));
  comm.isend(send_buf(v), destination(mpi::proc_null)).wait();
  comm.recv(recv_buf(v), source(mpi::proc_null));
  check::equal(v, ints(3, 5));
  check::equal(comm.recv(recv_buf(ints()), source(mpi::proc_null)), ints());
  comm.irecv(recv_buf(v), source(mpi::proc_null)).wait();
  check::equal(comm.irecv(recv_buf(ints()), recv_count(4), source(mpi::proc_null)).wait(), ints());
  check::equal(comm.recv(recv_buf(v), source(mpi::proc_null), recv_count_out()), 0);
  check::expect(comm.probe(source(mpi::proc_null)).source() == mpi::proc_null);
  check::expect(comm.iprobe(source(mpi::proc_null)).has_value());
  check::equal(comm.mprobe(source(mpi::proc_null)).recv(recv_buf(ints())), ints());
  comm.sendrecv(send_buf(v), destination(mpi::proc_null), recv_buf(v), source(mpi::proc_null));
  check::equal(comm.sendrecv(send_buf(v), destination(mpi::proc_null), recv_buf(ints()),
                             source(mpi::proc_null)),
               ints());
  comm.sendrecv_replace(send_recv_buf(v), destination(mpi::proc_null), source(mpi::proc_null));
  check::equal(v, ints(3, 5));
  auto nothing = comm.send_init(send_buf(v), destination(mpi::proc_null));
  auto nobody = comm.recv_init(recv_buf(v), source(mpi::proc_null));
  for (int i = 0; i < 2; ++i) {
    start_all(nothing, nobody);
    wait_all(nothing, nobody);
  }
  check::equal(comm.recv(recv_buf(as_deserializable<words>()), source(mpi::proc_null)), words());
}

TEST(accesses_to_nobody_do_nothing) {
  const communicator comm;
  const window win = window::allocate<int>(comm, 4);
  for (int& each : win.memory<int>()) each = 3;
  mpi::barrier(comm);
  const int one = 1, zero = 0;
  int back = 7;
  {
    const fence_epoch epoch = win.fence();
    win.put(send_buf(one), target_rank(mpi::proc_null));
    win.get(recv_buf(back), target_rank(mpi::proc_null));
    win.accumulate(send_buf(one), target_rank(mpi::proc_null));
    win.get_accumulate(send_buf(one), recv_buf(back), target_rank(mpi::proc_null));
    win.fetch_and_op(send_buf(one), recv_buf(back), target_rank(mpi::proc_null));
    win.fetch_and_op(recv_buf(back), target_rank(mpi::proc_null));
    win.compare_and_swap(send_buf(one), compare_buf(zero), recv_buf(back),
                         target_rank(mpi::proc_null));
  }
  {
    const lock_all_epoch epoch = win.lock_all();
    win.rput(send_buf(ints(3)), target_rank(mpi::proc_null)).wait();
    win.rget(recv_buf(ints()), target_count(2), target_rank(mpi::proc_null)).wait();
  }
  check::equal(back, 7);
  for (int each : win.memory<int>()) check::equal(each, 3);
}

TEST(accesses_outside_of_an_epoch_or_of_the_ranks_end) {
  const communicator comm;
  const window win = window::allocate<int>(comm, 1);
  const int one = 1;
  int back = 0;
  ends([&] { win.put(send_buf(one), target_rank(comm.rank())); });
  ends([&] { win.get(recv_buf(back), target_rank(comm.rank())); });
  {
    const lock_all_epoch epoch = win.lock_all();
    check::thrown_by<error>([&] { win.put(send_buf(one), target_rank(-9)); });
    check::thrown_by<error>([&] { win.accumulate(send_buf(one), target_rank(comm.size())); });
  }
  mpi::barrier(comm);
}

TEST(neighbors_beyond_the_edge_send_nothing) {
  const communicator world;
  const cartesian line(world, {world.size()}, {false});
  const bool first = line.rank() == 0, last = line.rank() == line.size() - 1;
  const ints mine{line.rank(), 9};
  // What does not come from anybody stays as it was.
  ints got(4, -1);
  line.neighbor_allgather(send_buf(mine), recv_buf(got));
  check::equal(got[0], first ? -1 : line.rank() - 1);
  check::equal(got[2], last ? -1 : line.rank() + 1);
  std::fill(got.begin(), got.end(), -1);
  const ints both{1, 2, 3, 4};
  line.neighbor_alltoall(send_buf(both), recv_buf(got));
  check::equal(got[0], first ? -1 : 3);
  check::equal(got[2], last ? -1 : 1);

  // Lengths that travel are 0 then.
  auto [parts, counts] = line.neighbor_allgatherv(send_buf(mine), recv_counts_out());
  check::equal(counts, ints{first ? 0 : 2, last ? 0 : 2});
  check::equal(parts.size(), static_cast<std::size_t>(counts[0] + counts[1]));
  if (!first) check::equal(parts[0], line.rank() - 1);
  const ints to_each{1, 3};
  auto [theirs, lengths] =
      line.neighbor_alltoallv(send_buf(both), send_counts(to_each), recv_counts_out());
  check::equal(lengths, ints{first ? 0 : 3, last ? 0 : 1});
  check::equal(theirs.size(), static_cast<std::size_t>(lengths[0] + lengths[1]));
}

TEST(empty_buffers_travel) {
  const communicator comm;
  const ints none;
  const ints zeros(static_cast<std::size_t>(comm.size()), 0);
  ints room;
  comm.bcast(send_recv_buf(room));
  check::equal(comm.bcast(send_recv_buf(ints())), none);
  check::equal(comm.gather(send_buf(none)), none);
  check::equal(comm.gatherv(send_buf(none)), none);
  check::equal(comm.allgather(send_buf(none)), none);
  check::equal(comm.allgatherv(send_buf(none)), none);
  check::equal(comm.scatter(send_buf(none)), none);
  check::equal(comm.scatterv(send_buf(none), send_counts(zeros)), none);
  check::equal(comm.alltoall(send_buf(none)), none);
  check::equal(comm.alltoallv(send_buf(none), send_counts(zeros)), none);
  check::equal(comm.allreduce(send_buf(none), op(mpi::sum)), none);
  check::equal(comm.reduce(send_buf(none), op(mpi::sum)), none);
  check::equal(comm.scan(send_buf(none), op(mpi::sum)), none);
  check::equal(comm.exscan(send_buf(none), op(mpi::sum)), none);
  check::equal(comm.reduce_scatter_block(send_buf(none), op(mpi::sum)), none);
  auto received = comm.irecv(recv_buf(ints()), recv_count(0), source(comm.rank()));
  comm.send(send_buf(none), destination(comm.rank()));
  check::equal(received.wait(), none);
  const window nothing = window::allocate<int>(comm, 0);
  check::expect(nothing.memory<int>().empty());
  const fence_epoch epoch = nothing.fence();
  nothing.put(send_buf(none), target_rank(0));
}

TEST(requests_that_were_given_or_moved_away_say_so) {
  const communicator comm;
  auto first = comm.ibarrier();
  auto second = std::move(first);
  check::thrown_by<error>([&] { first.wait(); });
  check::thrown_by<error>([&] { static_cast<void>(first.test()); });
  second.wait();
  check::thrown_by<error>([&] { second.wait(); });
  ints v(1);
  auto persistent = comm.send_init(send_buf(v), destination(mpi::proc_null));
  auto taken = std::move(persistent);
  check::thrown_by<error>([&] { persistent.start(); });
  persistent.wait();
  check::expect(persistent.test());
  taken.start();
  check::thrown_by<error>([&] { taken.start(); });
  taken.wait();
  taken.wait();
  request_pool empty;
  empty.wait_all();
  check::expect(!empty.wait_any() && empty.test_all() && empty.wait_some() == 0);
  auto ticket = empty.add(comm.ibarrier());
  ticket.wait();
  check::thrown_by<error>([&] { ticket.wait(); });
}

TEST(requests_outlive_their_communicator_and_are_replaced) {
  const communicator world;
  ints in(1);
  const ints out{world.rank()};
  auto received = [&] {
    const communicator own = world.dup();
    auto pending = own.irecv(recv_buf(in), source(own.rank()));
    own.isend(send_buf(out), destination(own.rank())).wait();
    return pending;
  }();
  received.wait();
  check::equal(in, out);
  // Assigning completes what was there.
  auto barrier = world.ibarrier();
  for (int i = 0; i < 3; ++i) barrier = world.ibarrier();
  barrier.wait();
}

TEST(texts_groups_and_colors_that_cannot_be) {
  const communicator world;
  info hints;
  check::thrown_by<mpi::error>([&] { hints.set(std::string(5000, 'k'), "value"); });
  const group all = world.group();
  check::thrown_by<mpi::error>([&] { static_cast<void>(all.include({world.size()})); });
  for (const int nobody : {-7, world.size()}) {
    check::thrown_by<mpi::error>([&] { static_cast<void>(all.translate(nobody, all)); });
    check::thrown_by<mpi::error>(
        [&] { static_cast<void>(all.translate(std::array{0, nobody}, all)); });
  }
  check::expect(!all.translate(mpi::proc_null, all).has_value() ||
                all.translate(mpi::proc_null, all) == mpi::proc_null);
  ends([&] { const cartesian big(world, {world.size() + 1}, {true}); });
  check::thrown_by<mpi::error>(
      [&] { const file missing(world, "/nonexistent/file", mpi::access_mode::rdonly); });
  const cartesian line(world, {world.size()}, {false});
  ends([&] { static_cast<void>(line.coords(world.size())); });
  ends([&] { static_cast<void>(line.shift(3)); });
  ends([&] { static_cast<void>(line.rank_at({world.size()})); });
}
