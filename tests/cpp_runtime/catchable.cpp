// A failure at each stage of each operation, in its blocking, nonblocking and persistent form: it can
// be caught on the rank on which it was made, and the rest of the job goes on.

#include "catchable.hpp"

#include <mpiglot/flatten.hpp>

using namespace catchable;

TEST(a_count_that_cannot_be_meant_is_caught_in_every_receive) {
  const communicator comm;
  for (const count_t n : {count_t{-1}, count_t{-5}, count_t{-1} << 40, count_t{1} << 61}) {
    std::vector<int> three(3);
    std::span<int> view(three);
    int one = 0;
    const auto from = source(comm.rank());
    caught<count_error>([&] { comm.recv(recv_buf(three), recv_count(n), from); });
    caught<count_error>([&] { static_cast<void>(comm.recv<int>(recv_count(n), from)); });
    caught<count_error>([&] { comm.recv(recv_buf(view), recv_count(n), from); });
    caught<count_error>([&] { comm.recv(recv_buf(one), recv_count(n), from); });
    caught<count_error>([&] { comm.irecv(recv_buf(three), recv_count(n), from).wait(); });
    caught<count_error>([&] { static_cast<void>(comm.irecv<int>(recv_count(n), from).wait()); });
    caught<count_error>([&] { persistent(comm.recv_init(recv_buf(three), recv_count(n), from)); });
    caught<count_error>([&] { comm.send(send_buf(three), send_count(n), destination(0)); });
    caught<count_error>([&] { comm.isend(send_buf(three), send_count(n), destination(0)).wait(); });
    caught<count_error>(
        [&] { persistent(comm.send_init(send_buf(three), send_count(n), destination(0))); });
    if (n < 0) caught<count_error>([&] { static_cast<void>(at_most(n, three)); });
  }
  works_on();
}

TEST(a_count_beyond_the_borrowed_buffer_is_caught_in_every_receive) {
  const communicator comm;
  std::vector<int> three(3);
  std::span<int> view(three);
  int one = 0;
  const auto from = source(comm.rank());
  caught<too_small>([&] { comm.recv(recv_buf(three), recv_count(4), from); });
  caught<too_small>([&] { comm.recv(recv_buf(view), recv_count(4), from); });
  caught<too_small>([&] { comm.recv(recv_buf(one), recv_count(2), from); });
  caught<too_small>([&] { comm.recv(recv_buf(raw(&one, 1, mpi::int_)), recv_count(2), from); });
  caught<too_small>([&] { comm.irecv(recv_buf(three), recv_count(4), from).wait(); });
  caught<too_small>([&] { comm.irecv(recv_buf(view), recv_count(4), from).wait(); });
  caught<too_small>([&] { persistent(comm.recv_init(recv_buf(three), recv_count(4), from)); });
  caught<too_small>([&] { comm.send(send_buf(three), send_count(4), destination(0)); });
  caught<too_small>([&] { comm.isend(send_buf(three), send_count(4), destination(0)).wait(); });
  works_on();
}

TEST(a_container_that_makes_no_room_is_caught_in_every_receive) {
  const communicator comm;
  const auto from = source(comm.rank());
  full none;
  stingy<int> poor;
  const poverty armed;
  caught<broken>([&] { comm.recv(recv_buf<resize_to_fit>(none), recv_count(9), from); });
  caught<broken>([&] { comm.irecv(recv_buf<resize_to_fit>(none), recv_count(9), from).wait(); });
  caught<broken>(
      [&] { persistent(comm.recv_init(recv_buf<resize_to_fit>(none), recv_count(9), from)); });
  caught<std::bad_alloc>([&] { comm.recv(recv_buf<grow_only>(poor), recv_count(9), from); });
  caught<std::bad_alloc>(
      [&] { static_cast<void>(comm.irecv(recv_buf(stingy<int>()), recv_count(9), from).wait()); });
  works_on();
}

TEST(a_probed_message_that_finds_no_room_is_caught_and_gone) {
  const communicator comm;
  const auto to_self = [&] {
    return comm.isend(send_buf({1, 2, 3, 4, 5, 6}), destination(comm.rank()));
  };
  const auto from = source(comm.rank());
  full none;
  auto first = to_self();
  caught<broken>([&] { comm.recv(recv_buf<resize_to_fit>(none), from); });
  first.wait();
  {
    auto second = to_self();
    const poverty armed;
    caught<std::bad_alloc>([&] { static_cast<void>(comm.recv(recv_buf(stingy<int>()), from)); });
    second.wait();
  }
  auto third = to_self();
  caught<broken>([&] { comm.mprobe(from).recv(recv_buf<resize_to_fit>(none)); });
  third.wait();
  works_on();
}

TEST(an_exchange_that_finds_no_room_is_caught_on_its_rank) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1;
  const int next = (comm.rank() + 1) % comm.size(),
            previous = (comm.rank() + comm.size() - 1) % comm.size();
  const std::vector<int> sent(6, comm.rank());
  full none;
  std::vector<int> room(6);
  const auto exchange = [&](auto&& into) {
    comm.sendrecv(send_buf(sent), destination(next), into, source(previous));
  };
  fails_on(here, [&] {
    if (here)
      exchange(recv_buf<resize_to_fit>(none));
    else
      exchange(recv_buf(room));
  });
  fails_on(here, [&] {
    const poverty armed(here);
    static_cast<void>(comm.sendrecv(send_buf(sent), destination(next), recv_buf(stingy<int>()),
                                    source(previous)));
  });
  fails_on(true, [&] {
    comm.sendrecv(send_buf(sent), destination(comm.rank()), recv_buf(room), recv_count(-3),
                  source(comm.rank()));
  });
  fails_on(true, [&] {
    comm.sendrecv(send_buf(sent), destination(comm.rank()), recv_buf(room), recv_count(7),
                  source(comm.rank()));
  });
}

// The collectives: `here` is the rank that fails, the others get their result or are told.

TEST(a_buffer_without_room_is_caught_in_every_collective) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool here = comm.rank() == comm.size() - 1, root_here = comm.rank() == 0;
  const std::vector<int> mine(4, 1), all(4 * ranks, 1), counts(ranks, 4);
  std::vector<int> four(here ? 2 : 4), many(here ? 1 : 4 * ranks), at_root(root_here ? 1 : 0);
  std::vector<int> displs(ranks);
  for (std::size_t i = 0; i < ranks; ++i) displs[i] = static_cast<int>(4 * i);

  IN_EVERY_FORM(here, bcast, send_recv_buf(four), send_recv_count(4));
  IN_EVERY_FORM(root_here, gather, send_buf(mine), recv_buf(at_root));
  IN_EVERY_FORM(root_here, gatherv, send_buf(mine), recv_buf(at_root), recv_counts(counts));
  IN_EVERY_FORM(here, allgather, send_buf(mine), recv_buf(many));
  IN_EVERY_FORM(here, allgatherv, send_buf(mine), recv_buf(many), recv_counts(counts));
  IN_EVERY_FORM(here, allgatherv, send_buf(mine), recv_buf(many), recv_counts(counts),
                recv_displs(displs));
  IN_EVERY_FORM(here, alltoall, send_buf(all), recv_buf(many));
  IN_EVERY_FORM(here, alltoallv, send_buf(all), send_counts(counts), recv_buf(many),
                recv_counts(counts));
  IN_EVERY_FORM(here, scatter, send_buf(all), recv_buf(four), recv_count(4));
  IN_EVERY_FORM(here, scatterv, send_buf(all), send_counts(counts), recv_buf(four), recv_count(4));
  IN_EVERY_FORM(root_here, reduce, send_buf(mine), recv_buf(at_root), op(mpi::sum));
  IN_EVERY_FORM(here, allreduce, send_buf(mine), recv_buf(four), op(mpi::sum));
  IN_EVERY_FORM(here, scan, send_buf(mine), recv_buf(four), op(mpi::sum));
  IN_EVERY_FORM(here, exscan, send_buf(mine), recv_buf(four), op(mpi::sum));
  IN_EVERY_FORM(here, reduce_scatter_block, send_buf(all), recv_buf(four), op(mpi::sum));
  IN_EVERY_FORM(here, reduce_scatter, send_buf(all), recv_buf(four), recv_counts(counts),
                op(mpi::sum));
  fails_on(here, [&] { comm.allgatherv(send_buf(mine), recv_buf(many)); });
  fails_on(root_here, [&] { comm.gatherv(send_buf(mine), recv_buf(at_root)); });
  fails_on(here, [&] { comm.alltoallv(send_buf(all), send_counts(counts), recv_buf(many)); });
  fails_on(here, [&] { comm.allgatherv(send_buf(mine), recv_buf(many), lengths_first()); });
}

TEST(a_container_that_makes_no_room_is_caught_in_every_collective) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool here = comm.rank() == comm.size() - 1, root_here = comm.rank() == 0;
  const std::vector<int> mine(40, 1), all(40 * ranks, 1), counts(ranks, 40);
  // The root makes no room in a bcast: it has the elements already.
  stingy<int> values(root_here ? 40 : 0);
#define INTO recv_buf(stingy<int>())
  {
    const poverty armed(here);
    IN_EVERY_FORM(here && !root_here, bcast, send_recv_buf<resize_to_fit>(values),
                  send_recv_count(40));
    fails_on(here && !root_here, [&] { comm.bcast(send_recv_buf<resize_to_fit>(values)); });
    IN_EVERY_FORM(here, allgather, send_buf(mine), INTO);
    IN_EVERY_FORM(here, allgatherv, send_buf(mine), INTO, recv_counts(counts));
    IN_EVERY_FORM(here, alltoall, send_buf(all), INTO);
    IN_EVERY_FORM(here, alltoallv, send_buf(all), send_counts(counts), INTO, recv_counts(counts));
    IN_EVERY_FORM(here, scatter, send_buf(all), INTO, recv_count(40));
    IN_EVERY_FORM(here, scatterv, send_buf(all), send_counts(counts), INTO, recv_count(40));
    IN_EVERY_FORM(here, allreduce, send_buf(mine), INTO, op(mpi::sum));
    IN_EVERY_FORM(here, scan, send_buf(mine), INTO, op(mpi::sum));
    IN_EVERY_FORM(here, exscan, send_buf(mine), INTO, op(mpi::sum));
    IN_EVERY_FORM(here, reduce_scatter_block, send_buf(all), INTO, op(mpi::sum));
    IN_EVERY_FORM(here, reduce_scatter, send_buf(all), INTO, recv_counts(counts), op(mpi::sum));
    fails_on(here, [&] { static_cast<void>(comm.allgatherv(send_buf(mine), INTO)); });
    fails_on(here, [&] { static_cast<void>(comm.scatter(send_buf(all), INTO)); });
    fails_on(here,
             [&] { static_cast<void>(comm.scatterv(send_buf(all), send_counts(counts), INTO)); });
    fails_on(here,
             [&] { static_cast<void>(comm.alltoallv(send_buf(all), send_counts(counts), INTO)); });
  }
  const poverty armed(root_here);
  IN_EVERY_FORM(root_here, gather, send_buf(mine), INTO);
  IN_EVERY_FORM(root_here, gatherv, send_buf(mine), INTO, recv_counts(counts));
  IN_EVERY_FORM(root_here, reduce, send_buf(mine), INTO, op(mpi::sum));
  fails_on(root_here, [&] { static_cast<void>(comm.gatherv(send_buf(mine), INTO)); });
#undef INTO
}

TEST(a_count_that_cannot_be_meant_is_caught_in_every_collective) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool here = comm.rank() == comm.size() - 1, root_here = comm.rank() == 0;
  const std::vector<int> mine(4, 1), all(4 * ranks, 1);
  std::vector<int> four(4), many(4 * ranks);
  for (const count_t wrong : {count_t{-1}, count_t{-1} << 40, count_t{1} << 61}) {
    const count_t n = here ? wrong : 4, at_root = root_here ? wrong : 4;
    IN_EVERY_FORM(here, bcast, send_recv_buf(four), send_recv_count(n));
    IN_EVERY_FORM(root_here, gather, send_buf(mine), recv_buf(many), recv_count(at_root));
    IN_EVERY_FORM(root_here, gather, send_buf(mine), recv_count(at_root));
    IN_EVERY_FORM(here, allgather, send_buf(mine), recv_buf(many), recv_count(n));
    IN_EVERY_FORM(here, allgather, send_buf(mine), recv_count(n));
    IN_EVERY_FORM(here, alltoall, send_buf(all), recv_buf(many), recv_count(n));
    IN_EVERY_FORM(here, alltoall, send_buf(all), recv_count(n));
    IN_EVERY_FORM(here, alltoall, send_buf(all), send_count(n));
    IN_EVERY_FORM(here, scatter, send_buf(all), recv_buf(four), recv_count(n));
    IN_EVERY_FORM(here, allgather, send_buf(mine), send_count(n));
    IN_EVERY_FORM(here, allreduce, send_buf(mine), send_count(n), op(mpi::sum));
  }
}

TEST(an_encoder_that_throws_is_caught_in_every_collective) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1, root_here = comm.rank() == 0;
  const fragile value{1, here ? 1 : 0}, at_root{1, root_here ? 1 : 0};
  const std::vector<fragile> values(static_cast<std::size_t>(comm.size()), value);
  const std::vector<fragile> of_root(static_cast<std::size_t>(comm.size()), at_root);
  const auto bounded = [](const auto& x) { return send_buf(at_most(200, as_serialized(x))); };
  fails_on(root_here, [&] {
    fragile copy = at_root;
    comm.bcast(send_recv_buf(as_serialized(copy)));
  });
  fails_on(root_here, [&] {
    fragile copy = at_root;
    comm.ibcast(send_recv_buf(at_most(200, as_serialized(copy)))).wait();
  });
  fails_on(here, [&] { static_cast<void>(comm.gather(send_buf(as_serialized(value)))); });
  fails_on(here, [&] { static_cast<void>(comm.igather(bounded(value)).wait()); });
  fails_on(here, [&] { static_cast<void>(comm.allgather(send_buf(as_serialized(value)))); });
  fails_on(here, [&] { static_cast<void>(comm.iallgather(bounded(value)).wait()); });
  fails_on(here, [&] { static_cast<void>(comm.allgatherv(send_buf(as_serialized(value)))); });
  fails_on(here, [&] { static_cast<void>(comm.iallgatherv(bounded(value)).wait()); });
  fails_on(here, [&] { static_cast<void>(comm.alltoall(send_buf(as_serialized(values)))); });
  fails_on(here, [&] { static_cast<void>(comm.ialltoall(bounded(values)).wait()); });
  fails_on(here, [&] { static_cast<void>(comm.alltoallv(send_buf(as_serialized(values)))); });
  fails_on(here, [&] { static_cast<void>(comm.ialltoallv(bounded(values)).wait()); });
  fails_on(root_here, [&] { static_cast<void>(comm.scatter(send_buf(as_serialized(of_root)))); });
  fails_on(root_here, [&] { static_cast<void>(comm.iscatter(bounded(of_root)).wait()); });
  fails_on(root_here, [&] { static_cast<void>(comm.scatterv(send_buf(as_serialized(of_root)))); });
}

TEST(a_decoder_that_throws_is_caught_in_every_collective) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1, root_here = comm.rank() == 0;
  const std::pair<int, int> good(1, 0);
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<std::pair<int, int>> goods(ranks, good);
  std::vector<fragile> into(ranks, fragile{0, here ? 1 : 0});
  std::vector<fragile> at_root(ranks, fragile{0, root_here ? 1 : 0});
  fails_on(here && !root_here, [&] {
    fragile value{0, here && !root_here ? 1 : 0};
    comm.bcast(send_recv_buf(as_serialized(value)));
  });
  fails_on(root_here, [&] {
    static_cast<void>(
        comm.gather(send_buf(as_serialized(good)), recv_buf(as_deserializable(at_root))));
  });
  fails_on(here, [&] {
    static_cast<void>(
        comm.allgatherv(send_buf(as_serialized(good)), recv_buf(as_deserializable(into))));
  });
  fails_on(here, [&] {
    static_cast<void>(
        comm.alltoallv(send_buf(as_serialized(goods)), recv_buf(as_deserializable(into))));
  });
  fails_on(here, [&] {
    static_cast<void>(
        comm.scatterv(send_buf(as_serialized(goods)), recv_buf(as_deserializable(into[0]))));
  });
}

TEST(an_item_for_a_rank_that_does_not_exist_is_caught) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1;
  const std::vector<std::pair<int, std::vector<int>>> to{{here ? 1000 : 0, {1, 2}}};
  fails_on(here, [&] { static_cast<void>(comm.alltoallv(send_buf(flattened(to)))); });
}

TEST(an_array_that_is_asked_for_and_has_no_room_is_caught) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1;
  std::vector<int> counts(here ? 0 : static_cast<std::size_t>(comm.size()));
  const std::vector<int> mine(3, 1);
  fails_on(here,
           [&] { static_cast<void>(comm.allgatherv(send_buf(mine), recv_counts_out(counts))); });
}

TEST(a_function_of_a_reduction_that_cannot_be_kept_is_caught_and_takes_no_place) {
  const communicator comm;
  struct unmovable_function {
    explicit unmovable_function(bool breaks) : breaks_(breaks) {}
    unmovable_function(const unmovable_function& other)
        : breaks_(other.breaks_), moves_(other.moves_ + 1) {
      if (breaks_ && moves_ > 0) throw broken();
    }
    int operator()(int a, int b) const { return a + b; }
    bool breaks_;
    int moves_ = 0;
  };
  const unmovable_function breaks(true);
  for (int i = 0; i < 200; ++i)
    caught<broken>(
        [&] { static_cast<void>(comm.allreduce(send_buf(1), op(breaks, commutative))); });
  int more = 0;  // not constant: a function with state
  const auto add = [&more](int a, int b) { return a + b + more; };
  check::equal(comm.allreduce(send_buf(1), op(add, commutative)).front(), comm.size());
}
