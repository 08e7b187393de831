// Nonblocking and persistent forms, and what becomes of their buffers.

#include <mpiglot/request_pool.hpp>
#include <mpiglot/wait.hpp>

#include "kinds.hpp"

using namespace kinds;

TEST(requests_give_the_data_when_it_is_there) {
  const communicator comm;
  const int to = (comm.rank() + 1) % comm.size();
  const int from = (comm.rank() + comm.size() - 1) % comm.size();
  auto numbers = comm.irecv(recv_buf(std::vector<int>()), recv_count(10), source(from), tag(1));
  auto one = comm.irecv(recv_buf(particle()), source(from), tag(2));
  auto words =
      comm.irecv(recv_buf(at_most(4000, as_deserializable<dictionary>())), source(from), tag(3));
  forest trees;
  auto deeply = comm.irecv(recv_buf(at_most(4000, deep(trees))), source(from), tag(4));

  std::vector<int> mine = vector(comm.rank(), 4);
  auto sent = comm.isend(send_buf_out(std::move(mine)), destination(to), tag(1));
  auto sent_one = comm.isend(send_buf(particle_of(comm.rank())), destination(to), tag(2));
  auto sent_words =
      comm.isend(send_buf(as_serialized(dictionary_of(comm.rank()))), destination(to), tag(3));
  auto sent_trees = comm.isend(send_buf(deep(forest_of(comm.rank()))), destination(to), tag(4));

  // Addresses survive moves of the requests.
  auto moved_words = std::move(words);
  auto moved_one = std::move(one);
  auto moved_sent = std::move(sent_trees);
  check::equal(numbers.wait(), vector(from, 4));
  check::equal(moved_one.wait(), particle_of(from));
  check::equal(moved_words.wait(), dictionary_of(from));
  deeply.wait();
  check::expect(same(trees, forest_of(from)));
  check::equal(sent.wait(), vector(comm.rank(), 4));
  sent_one.wait();
  sent_words.wait();
  moved_sent.wait();
}

TEST(test_gives_the_result_once_it_is_there) {
  const communicator comm;
  auto received = comm.irecv(recv_buf(std::vector<int>()), recv_count(3), source(comm.rank()));
  check::expect(!received.test());
  comm.isend(send_buf(vector(1, 3)), destination(comm.rank())).wait();
  auto values = received.test();
  while (!values) values = received.test();
  check::equal(*values, vector(1, 3));
  check::expect(!received.pending());
}

TEST(ibcast_carries_every_kind) {
  const communicator comm;
  for (int from = 0; from < comm.size(); ++from) {
    const bool mine = comm.rank() == from;
    std::vector<int> fixed = mine ? vector(from, 5) : std::vector<int>(5);
    matrix all(mine ? from : 50);
    auto numbers = comm.ibcast(send_recv_buf(fixed), root(from));
    auto words = comm.ibcast(
        send_recv_buf(at_most(4000, as_serialized(dictionary_of(mine ? from : 7)))), root(from));
    auto rectangle = comm.ibcast(send_recv_buf(all.rectangle()), root(from));
    auto trees =
        comm.ibcast(send_recv_buf(at_most(4000, deep(forest_of(mine ? from : 0)))), root(from));
    auto some = comm.ibcast(root(from), send_recv_buf(at_most(400, mine ? vector(from, 7 * from)
                                                                        : std::vector<int>())));
    // Waited for in another order on every second rank.
    if (comm.rank() % 2 == 0) {
      check::expect(same(trees.wait(), forest_of(from)));
      check::equal(words.wait(), dictionary_of(from));
    } else {
      check::equal(words.wait(), dictionary_of(from));
      check::expect(same(trees.wait(), forest_of(from)));
    }
    check::equal(some.wait(), vector(from, 7 * from));
    numbers.wait();
    rectangle.wait();
    check::equal(fixed, vector(from, 5));
    check::expect(all.is(from));
  }
}

TEST(collectives_of_known_length_have_nonblocking_forms) {
  const communicator comm;
  auto gathered = comm.igather(send_buf(at_most(4000, as_serialized(dictionary_of(comm.rank())))));
  auto everywhere = comm.iallgatherv(send_buf(at_most(400, vector(comm.rank(), comm.rank() + 2))));
  std::vector<dictionary> words;
  for (int rank = 0; rank < comm.size(); ++rank) words.push_back(dictionary_of(rank));
  auto scattered = comm.iscatterv(send_buf(at_most(4000, as_serialized(words))));
  auto sum = comm.iallreduce(send_buf(comm.rank()), op(mpi::sum));

  check::equal(sum.wait(), std::vector<int>{comm.size() * (comm.size() - 1) / 2});
  check::equal(scattered.wait(), dictionary_of(comm.rank()));
  const auto dictionaries = gathered.wait();
  if (comm.rank() == 0) check::equal(dictionaries, words);
  std::vector<int> wanted;
  for (int rank = 0; rank < comm.size(); ++rank)
    for (const int value : vector(rank, rank + 2)) wanted.push_back(value);
  check::equal(everywhere.wait(), wanted);
}

TEST(persistent_operations_carry_what_the_buffers_hold_at_each_start) {
  const communicator comm;
  if constexpr (mpi::has_bcast_init || mpi::has_mpix_bcast_init) {
    dictionary words;
    forest trees;
    auto send_words = comm.bcast_init(send_recv_buf(at_most(4000, as_serialized(words))));
    auto send_trees = comm.bcast_init(send_recv_buf(at_most(4000, deep(trees))));
    for (int round = 0; round < 4; ++round) {
      if (comm.rank() == 0) {
        words = dictionary_of(round);
        trees = forest_of(3 - round);
      }
      send_words.start();
      send_trees.start();
      send_trees.wait();
      send_words.wait();
      check::equal(words, dictionary_of(round));
      check::expect(same(trees, forest_of(3 - round)));
    }
  } else {
    std::vector<int> values(1);
    check::thrown_by<mpi::unavailable>([&] { auto r = comm.bcast_init(send_recv_buf(values)); });
  }
}

TEST(persistent_messages_are_started_again) {
  const communicator comm;
  std::vector<int> out(3);
  std::vector<int> in(3);
  auto receiving = comm.recv_init(recv_buf(in), source(comm.rank()));
  auto sending = comm.send_init(send_buf(out), destination(comm.rank()));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 3; ++i) out[static_cast<std::size_t>(i)] = 1000 * round + i;
    receiving.start();
    sending.start();
    sending.wait();
    while (!receiving.test()) {
    }
    check::equal(in, vector(round, 3));
  }
}

TEST(a_dropped_request_completes_first) {
  const communicator comm;
  std::vector<int> values(3);
  {
    auto received = comm.irecv(recv_buf(values), source(comm.rank()));
    comm.send(send_buf(vector(2, 3)), destination(comm.rank()));
  }
  check::equal(values, vector(2, 3));
}

TEST(an_exception_cancels_a_receive_that_is_pending) {
  const communicator comm;
  std::vector<int> values(3);
  try {
    auto received = comm.irecv(recv_buf(values), source(comm.rank()), tag(77));
    throw 5;
  } catch (int) {
  }
  // The cancelled receive does not take the next message.
  auto sent = comm.isend(send_buf(vector(4, 3)), destination(comm.rank()), tag(77));
  check::equal(comm.recv(recv_buf(std::vector<int>()), source(comm.rank()), tag(77)), vector(4, 3));
  sent.wait();
}

TEST(a_small_value_that_is_sent_may_change_before_the_operation_is_complete) {
  const communicator comm;
  const int self = comm.rank();
  std::vector<decltype(comm.issend(send_buf(std::declval<int&>()), destination(0)))> sends;
  for (int i = 0; i < 20; ++i) sends.push_back(comm.issend(send_buf(i), destination(self)));
  for (int i = 0; i < 20; ++i) check::equal(comm.recv(recv_buf(int()), source(self)), i);
  for (auto& each : sends) each.wait();

  int mine = 1;
  auto sum = comm.iallreduce(send_buf(mine), op(mpi::sum));
  mine = 1000;
  check::equal(sum.wait().front(), comm.size());
}

TEST(a_persistent_operation_sends_what_its_variable_is_when_it_starts) {
  const communicator comm;
  const int self = comm.rank();
  int value = 0;
  auto sending = comm.send_init(send_buf(value), destination(self));
  for (value = 3; value < 6; ++value) {
    sending.start();
    check::equal(comm.recv(recv_buf(int()), source(self)), value);
    sending.wait();
  }
}

TEST(a_vector_that_is_moved_in_brings_the_room_for_what_arrives) {
  const communicator comm;
  const int self = comm.rank();
  auto receiving = comm.irecv(recv_buf(std::vector<int>(10)), source(self));
  comm.send(send_buf({1, 2, 3}), destination(self));
  check::equal(receiving.wait(), std::vector<int>{1, 2, 3});

  const std::vector<int> all(4u * static_cast<unsigned>(comm.size()), 7);
  check::equal(comm.iscatter(send_buf(all), recv_buf(std::vector<int>(4))).wait(),
               std::vector<int>(4, 7));
  const auto refused = check::thrown_by<count_error>(
      [&] { static_cast<void>(comm.irecv(recv_buf(std::vector<int>()), source(self))); });
  check::expect(std::string(refused.what()).find("without recv_count") != std::string::npos);
}

TEST(a_reduction_of_one_bool_is_a_bool) {
  const communicator comm;
  const bool here = comm.rank() == 0;
  static_assert(
      std::is_same_v<decltype(comm.allreduce_single(send_buf(here), op(mpi::lor))), bool>);
  check::expect(comm.allreduce_single(send_buf(here), op(std::logical_or<>())));
  check::equal(comm.allreduce_single(send_buf(here), op(std::logical_and<>())), comm.size() == 1);
  check::expect(comm.scan_single(send_buf(here), op(mpi::lor)));
  check::equal(comm.iallreduce_single(send_buf(here), op(mpi::lxor)).wait(), true);
}

// A request whose lengths do not fit has its state elsewhere than one whose lengths fit. All ranks make the same mistake
// and take part; each gets its error however the request ends, once, and the next operation is right.
TEST(requests_whose_lengths_do_not_fit_end_in_every_way) {
  const communicator comm;
  const auto n = static_cast<std::size_t>(comm.size());
  const auto in_turn = [&](auto begin) {
    static_cast<void>(check::thrown_by([&] { begin().wait(); }));
    static_cast<void>(check::thrown_by([&] {
      auto request = begin();
      auto moved = std::move(request);
      auto again = std::move(moved);
      again.wait();
    }));
    static_cast<void>(check::thrown_by([&] {
      auto request = begin();
      while (!request.test()) {
      }
    }));
    static_cast<void>(check::thrown_by([&] {
      auto first = begin();
      auto second = comm.ibarrier();
      wait_all(first, second);
    }));
    static_cast<void>(check::thrown_by([&] {
      auto request = begin();
      try {
        wait_all(request);
      } catch (const mpi::error&) {
        request.wait();  // once more
      }
    }));
    static_cast<void>(check::thrown_by([&] {
      request_pool together;
      together.add(begin());
      together.add(comm.ibarrier());
      together.wait_all();
    }));
    std::vector<int> got(1);
    static_cast<void>(check::thrown_by([&] {
      comm.iallreduce(send_buf(std::vector<int>(2)), recv_buf(got), op(mpi::sum)).wait();
    }));
  };
  std::vector<int> odd(3 * n + 1, comm.rank());
  std::vector<int> room(4 * n, -1);
  std::vector<int> small(2);
  if (n > 1) in_turn([&] { return comm.ialltoall(send_buf(odd), recv_buf(room)); });
  in_turn([&] {
    return comm.igather(send_buf(odd), send_count(static_cast<count_t>(odd.size() + 1)),
                        recv_buf(room));
  });
  in_turn([&] { return comm.iallgather(send_buf(odd), recv_buf(small)); });
  in_turn([&] { return comm.ibcast(send_recv_buf(small), send_recv_count(3)); });
  in_turn([&] { return comm.iscatter(send_buf(room), recv_buf(small), recv_count(3)); });
  std::vector<int> sent(n);
  for (std::size_t to = 0; to < n; ++to) sent[to] = 10 * comm.rank() + static_cast<int>(to);
  std::vector<int> received(n);
  auto right = comm.ialltoall(send_buf(sent), recv_buf(received));
  auto moved = std::move(right);
  moved.wait();
  for (std::size_t from = 0; from < n; ++from)
    check::equal(received[from], 10 * static_cast<int>(from) + comm.rank());
}
