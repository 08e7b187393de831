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

// The error of an operation on a null object has the name that was called and says what is wrong; a
// request has that name, too.
void refused_as(const std::string& name, const std::string& where, const std::string& why,
                auto call) {
  const auto found = check::thrown_by<error>([&] { static_cast<void>(call()); });
  const std::string said = found.what();
  check::expect(found.operation() == name && said == name + " on a null " + where + ": " + why,
                said);
  using result = decltype(call());
  if constexpr (requires { result::cancellable; } || requires(result& r) { r.start(); })
    check::equal(std::string(result::name), name);
}
constexpr const char* no_member = "this process is not in it, or the object was moved from";
constexpr const char* freed = "it was freed, moved from, or never made";

#define REFUSED(on, op, ...) refused_as(#op, where, why, [&] { return (on).op(__VA_ARGS__); })
#define REFUSED_LATER(on, op, ...) \
  refused_as("i" #op, where, why, [&] { return (on).i##op(__VA_ARGS__); })
#define REFUSED_IN_ALL_FORMS(on, op, ...) \
  REFUSED(on, op, __VA_ARGS__);           \
  REFUSED_LATER(on, op, __VA_ARGS__);     \
  refused_as(#op "_init", where, why, [&] { return (on).op##_init(__VA_ARGS__); })

void every_operation_is_refused(const cartesian& null) {
  const std::string where = "communicator", why = no_member;
  check::expect(!null && null.size() == 0 && null.rank() < 0);
  ints v(4, 1), in(4);
  int one = 1;
  const ints counts(1, 4), places(1, 0);
  const std::vector<mpi::datatype_handle> types{mpi::int_};
  const std::vector<mpi::aint_t> nowhere{0};

  REFUSED_IN_ALL_FORMS(null, barrier);
  REFUSED_IN_ALL_FORMS(null, bcast, send_recv_buf(v));
  REFUSED_IN_ALL_FORMS(null, bcast_single, send_recv_buf(one));
  REFUSED_IN_ALL_FORMS(null, gather, send_buf(v), recv_buf(in));
  REFUSED_IN_ALL_FORMS(null, gatherv, send_buf(v), recv_buf(in), recv_counts(counts));
  REFUSED_IN_ALL_FORMS(null, allgather, send_buf(v), recv_buf(in));
  REFUSED_IN_ALL_FORMS(null, allgatherv, send_buf(v), recv_buf(in), recv_counts(counts));
  REFUSED_IN_ALL_FORMS(null, scatter, send_buf(v), recv_buf(in));
  REFUSED_IN_ALL_FORMS(null, scatter_single, send_buf(v), recv_buf(one));
  REFUSED_IN_ALL_FORMS(null, scatterv, send_buf(v), send_counts(counts), recv_buf(in));
  REFUSED_IN_ALL_FORMS(null, alltoall, send_buf(v), recv_buf(in));
  REFUSED_IN_ALL_FORMS(null, alltoallv, send_buf(v), send_counts(counts), recv_buf(in),
                       recv_counts(counts));
  REFUSED_IN_ALL_FORMS(null, alltoallw, send_buf(v), send_counts(counts), send_displs(places),
                       send_types(types), recv_buf(in), recv_counts(counts), recv_displs(places),
                       recv_types(types));
  REFUSED_IN_ALL_FORMS(null, reduce, send_buf(v), recv_buf(in), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, reduce_single, send_buf(one), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, allreduce, send_buf(v), recv_buf(in), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, allreduce_single, send_buf(one), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, scan, send_buf(v), recv_buf(in), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, scan_single, send_buf(one), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, exscan, send_buf(v), recv_buf(in), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, exscan_single, send_buf(one), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, reduce_scatter_block, send_buf(v), recv_buf(in), op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, reduce_scatter, send_buf(v), recv_buf(in), recv_counts(counts),
                       op(mpi::sum));
  REFUSED_IN_ALL_FORMS(null, neighbor_allgather, send_buf(v), recv_buf(in));
  REFUSED_IN_ALL_FORMS(null, neighbor_allgatherv, send_buf(v), recv_buf(in), recv_counts(counts));
  REFUSED_IN_ALL_FORMS(null, neighbor_alltoall, send_buf(v), recv_buf(in));
  REFUSED_IN_ALL_FORMS(null, neighbor_alltoallv, send_buf(v), send_counts(counts), recv_buf(in),
                       recv_counts(counts));
  REFUSED_IN_ALL_FORMS(null, neighbor_alltoallw, send_buf(v), send_counts(counts),
                       send_displs(nowhere), send_types(types), recv_buf(in), recv_counts(counts),
                       recv_displs(nowhere), recv_types(types));
  REFUSED_IN_ALL_FORMS(null, send, send_buf(v), destination(0));
  REFUSED_IN_ALL_FORMS(null, recv, recv_buf(v), source(0));
  const auto send_modes = [&](auto to) {
    REFUSED(null, bsend, send_buf(v), to);
    refused_as("ibsend", where, why, [&] { return null.ibsend(send_buf(v), to); });
    refused_as("bsend_init", where, why, [&] { return null.bsend_init(send_buf(v), to); });
    REFUSED(null, ssend, send_buf(v), to);
    refused_as("issend", where, why, [&] { return null.issend(send_buf(v), to); });
    refused_as("ssend_init", where, why, [&] { return null.ssend_init(send_buf(v), to); });
    REFUSED(null, rsend, send_buf(v), to);
    refused_as("irsend", where, why, [&] { return null.irsend(send_buf(v), to); });
    refused_as("rsend_init", where, why, [&] { return null.rsend_init(send_buf(v), to); });
  };
  send_modes(destination(0));
  REFUSED(null, psend_init, send_buf(v), destination(0), partitions(2));
  REFUSED(null, precv_init, recv_buf(v), source(0), partitions(2));
  REFUSED(null, sendrecv, send_buf(v), destination(0), recv_buf(in), source(0));
  REFUSED_LATER(null, sendrecv, send_buf(v), destination(0), recv_buf(in), source(0));
  REFUSED(null, sendrecv_replace, send_recv_buf(v), destination(0), source(0));
  REFUSED_LATER(null, sendrecv_replace, send_recv_buf(v), destination(0), source(0));
  REFUSED(null, probe, source(0));
  REFUSED(null, iprobe, source(0));
  REFUSED(null, mprobe, source(0));
  REFUSED(null, improbe, source(0));

  // The same in the forms that first exchange lengths.
  REFUSED(null, bcast, send_recv_buf<resize_to_fit>(v));
  REFUSED(null, bcast, send_recv_buf(as_serialized(v)));
  REFUSED(null, gather, send_buf(v));
  REFUSED(null, gatherv, send_buf(v));
  REFUSED(null, allgatherv, send_buf(v));
  REFUSED(null, scatter, send_buf(v));
  REFUSED(null, scatterv, send_buf(v), send_counts(counts));
  REFUSED(null, alltoall, send_recv_buf(v));
  REFUSED(null, alltoallv, send_buf(v), send_counts(ints()));
  REFUSED(null, recv, recv_buf(ints()), source(0));

  REFUSED(null, dup);
  REFUSED(null, dup, mpi::info_handle());
  REFUSED(null, split, 0);
  REFUSED(null, split_type, mpi::comm_type_shared);
  REFUSED(null, create, mpi::group_handle(mpi::group_empty));
  REFUSED(null, create_group, mpi::group_handle(mpi::group_empty));
  REFUSED(null, compare, null);
  REFUSED(null, group);
  REFUSED(null, name);
  REFUSED(null, set_name, "nobody");
  REFUSED(null, largest_tag);
  REFUSED(null, set_errhandler, mpi::errors_return);
  REFUSED(null, is_same_on_all_ranks, 1);
  REFUSED(null, rank_shifted, 1);
  REFUSED(null, rank_shifted_cyclic, 1);
  REFUSED(null, dimensions);
  REFUSED(null, dims);
  REFUSED(null, periodic);
  REFUSED(null, coords);
  REFUSED(null, coords, 0);
  REFUSED(null, rank_at, {0});
  REFUSED(null, shift, 0);
  REFUSED(null, neighbors);
  REFUSED(null, sub, {0});
}

}  // namespace

TEST(operations_on_a_null_communicator_are_errors) {
  const communicator world;
  every_operation_is_refused(cartesian(mpi::comm_handle()));
  cartesian moved(world, {world.size()}, {0});
  const cartesian mine = std::move(moved);
  check::equal(mine.size(), world.size());
  every_operation_is_refused(moved);
  moved = cartesian(world, {world.size()}, {0});
  check::equal(moved.size(), world.size());

  const communicator null = world.split(mpi::undefined);
  const auto refused = [](auto call) { check::thrown_by<mpi::error>(call); };
  refused([&] { static_cast<void>(window::allocate<int>(null, 1)); });
  refused([&] { const file none(null, "/dev/null", mpi::access_mode::rdonly); });
  refused([&] { const cartesian none(null, {1}, {0}); });
  refused([&] { const distributed_graph none(null, {{0}, {0}}); });
  refused([&] { const intercommunicator none(null, 0, world, 0); });
  const std::string where = "communicator", why = no_member;
  const distributed_graph graph{mpi::comm_handle()};
  REFUSED(graph, neighbors);
  const intercommunicator others{mpi::comm_handle()};
  ints v(1);
  REFUSED(others, send, send_buf(v), destination(0));
  REFUSED_LATER(others, recv, recv_buf(v), source(0));
  REFUSED(others, remote_size);
  REFUSED(others, remote_group);
  REFUSED(others, merge);
}

TEST(windows_files_and_groups_that_are_not_there_are_errors) {
  const communicator comm;
  int one = 1, other = 0;
  ints v(1);
  const auto no_window = [&](const window& null) {
    const std::string where = "window", why = freed;
    REFUSED(null, put, send_buf(one), target_rank(0));
    REFUSED(null, rput, send_buf(one), target_rank(0));
    REFUSED(null, get, recv_buf(one), target_rank(0));
    REFUSED(null, get, recv_buf(v), target_count(1), target_rank(0));
    REFUSED(null, rget, recv_buf(one), target_rank(0));
    REFUSED(null, accumulate, send_buf(one), target_rank(0));
    REFUSED(null, raccumulate, send_buf(one), target_rank(0));
    REFUSED(null, get_accumulate, send_buf(one), recv_buf(other), target_rank(0));
    REFUSED(null, rget_accumulate, send_buf(one), recv_buf(other), target_rank(0));
    REFUSED(null, fetch_and_op, send_buf(one), recv_buf(other), target_rank(0));
    REFUSED(null, compare_and_swap, send_buf(one), compare_buf(one), recv_buf(other),
            target_rank(0));
    REFUSED(null, attach, v);
    refused_as("memory", where, why, [&] { return null.memory<int>(); });
    refused_as("shared_memory", where, why, [&] { return null.shared_memory<int>(0); });
    REFUSED(null, flavor);
    REFUSED(null, model);
    REFUSED(null, fence);
    REFUSED(null, start, mpi::group_handle(mpi::group_empty));
    REFUSED(null, post, mpi::group_handle(mpi::group_empty));
    REFUSED(null, lock, 0);
    REFUSED(null, lock_exclusive, 0);
    REFUSED(null, lock_all);
    REFUSED(null, sync);
    REFUSED(null, group);
    REFUSED(null, name);
    REFUSED(null, set_name, "none");
    REFUSED(null, set_errhandler, mpi::errors_return);
  };
  window moved = window::allocate<int>(comm, 1);
  window owned = std::move(moved);
  no_window(moved);
  owned.free();
  no_window(owned);
  owned.free();

  const auto no_file = [&](const file& null) {
    const std::string where = "file", why = freed;
    REFUSED(null, read, recv_buf(v));
    REFUSED(null, read, recv_buf(v), collectively());
    REFUSED(null, read, recv_buf(ints()), recv_count(1));
    REFUSED(null, iread, recv_buf(v));
    REFUSED(null, read_split, recv_buf(v));
    REFUSED(null, write, send_buf(v));
    REFUSED(null, iwrite, send_buf(v), at(0));
    REFUSED(null, write_split, send_buf(v));
    refused_as("set_view", where, why, [&] { null.set_view<int>(); });
    REFUSED(null, view);
    REFUSED(null, size);
    REFUSED(null, resize, 0);
    REFUSED(null, preallocate, 0);
    REFUSED(null, position);
    REFUSED(null, seek, 0);
    REFUSED(null, shared_position);
    REFUSED(null, seek_shared, 0);
    REFUSED(null, byte_offset, 0);
    REFUSED(null, atomic);
    REFUSED(null, set_atomic, true);
    REFUSED(null, sync);
    REFUSED(null, modes);
    REFUSED(null, group);
    REFUSED(null, set_errhandler, mpi::errors_return);
  };
  no_file(file(mpi::file_handle()));
  file closed(comm, "/dev/null", mpi::access_mode::rdonly);
  closed.close();
  no_file(closed);
  closed.close();

  const std::string where = "group", why = freed;
  mpiglot::group members = comm.group();
  const mpiglot::group mine = std::move(members);
  REFUSED(members, size);
  REFUSED(members, rank);
  REFUSED(members, compare, mine);
  REFUSED(members, include, {0});
  REFUSED(members, exclude, {0});
  REFUSED(members, include_ranges, {{0, 0, 1}});
  REFUSED(members, exclude_ranges, {{0, 0, 1}});
  REFUSED(members, translate, 0, mine);
  refused_as("operator|", where, why, [&] { return mine | members; });
  refused_as("operator&", where, why, [&] { return members & mine; });
  refused_as("operator-", where, why, [&] { return mine - members; });
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
