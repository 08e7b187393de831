// What goes wrong on one rank before the last MPI call: the collective completes, those who are
// concerned throw, and the next collective works. Every test here hung in some design.

#include "kinds.hpp"

#include <mpiglot/topology.hpp>

using namespace kinds;

namespace {

// An object that cannot be encoded.
struct unencodable {
  int value = 0;
  bool broken = false;
};

struct broken : std::exception {};

}  // namespace

template <>
struct mpiglot::fields_of<unencodable> {
  static void fields(auto& self, auto&& visit) {
    if (self.broken) throw broken();
    visit(self.value);
  }
};

namespace {

// Throws `Expected` on the ranks where it must, and nothing elsewhere; then a collective works.
template <class Expected>
void fails_where(bool here, auto call) {
  if (here)
    check::thrown_by<Expected>(call);
  else
    call();
  const communicator comm;
  check::equal(comm.allreduce(send_buf(1), op(mpi::sum)).front(), comm.size());
}

}  // namespace

TEST(an_encoder_that_throws_on_the_root_of_a_bcast_throws_everywhere) {
  const communicator comm;
  unencodable value{1, comm.rank() == 0};
  const auto call = [&] { comm.bcast(send_recv_buf(as_serialized(value))); };
  if (comm.rank() == 0)
    fails_where<broken>(true, call);
  else
    fails_where<remote_failure>(true, call);
}

TEST(an_encoder_that_throws_on_the_root_of_an_ibcast_throws_everywhere) {
  const communicator comm;
  unencodable value{1, comm.rank() == 0};
  const auto call = [&] { comm.ibcast(send_recv_buf(at_most(100, as_serialized(value)))).wait(); };
  if (comm.rank() == 0)
    fails_where<broken>(true, call);
  else
    fails_where<remote_failure>(true, call);
}

TEST(a_value_longer_than_at_most_throws_everywhere) {
  const communicator comm;
  dictionary words = dictionary_of(comm.rank() == 0 ? 9 : 0);
  fails_where<too_small>(
      true, [&] { comm.ibcast(send_recv_buf(at_most(20, as_serialized(words)))).wait(); });
}

TEST(an_encoder_that_throws_in_a_gather_concerns_its_rank_and_the_root) {
  const communicator comm;
  const int last = comm.size() - 1;
  unencodable value{1, comm.rank() == last};
  const auto call = [&] { static_cast<void>(comm.gather(send_buf(as_serialized(value)))); };
  if (comm.rank() == last)
    fails_where<broken>(true, call);
  else
    fails_where<remote_failure>(comm.rank() == 0, call);
}

TEST(an_encoder_that_throws_in_an_allgatherv_throws_everywhere) {
  const communicator comm;
  const int last = comm.size() - 1;
  unencodable value{1, comm.rank() == last};
  const auto call = [&] { static_cast<void>(comm.allgatherv(send_buf(as_serialized(value)))); };
  if (comm.rank() == last) {
    fails_where<broken>(true, call);
  } else {
    fails_where<remote_failure>(true, [&] {
      try {
        call();
      } catch (const remote_failure& told) {
        check::equal(told.failed_rank(), last);
        check::equal(static_cast<const error&>(told).rank(), comm.rank());
        check::expect(std::string(told.what()).ends_with("rank " + std::to_string(last)));
        throw;
      }
    });
  }
}

TEST(the_first_rank_that_failed_is_told) {
  const communicator comm;
  const int first = comm.size() / 2, last = comm.size() - 1;
  const bool here = comm.rank() == first || comm.rank() == last;
  const unencodable value{1, here};
  const std::vector<unencodable> values(static_cast<std::size_t>(comm.size()), value);
  const auto told = [&](auto call) {
    if (here) {
      fails_where<broken>(true, call);
    } else {
      const auto found = check::thrown_by<remote_failure>(call);
      check::equal(found.failed_rank(), first);
      fails_where<remote_failure>(false, [] {});
    }
  };
  told([&] { static_cast<void>(comm.allgatherv(send_buf(as_serialized(value)))); });
  told(
      [&] { static_cast<void>(comm.allgatherv(send_buf(as_serialized(value)), lengths_first())); });
  told([&] { static_cast<void>(comm.alltoallv(send_buf(as_serialized(values)))); });
  told(
      [&] { static_cast<void>(comm.alltoallv(send_buf(as_serialized(values)), lengths_first())); });
  told([&] {
    static_cast<void>(comm.iallgather(send_buf(at_most(100, as_serialized(value)))).wait());
  });
}

TEST(an_encoder_that_throws_on_the_root_of_a_scatterv_throws_everywhere) {
  const communicator comm;
  std::vector<unencodable> values(static_cast<std::size_t>(comm.size()));
  values.back().broken = true;
  const auto call = [&] { static_cast<void>(comm.scatterv(send_buf(as_serialized(values)))); };
  if (comm.rank() == 0)
    fails_where<broken>(true, call);
  else
    fails_where<remote_failure>(true, call);
}

TEST(counts_that_do_not_fit_the_root_of_a_scatterv_throw_everywhere) {
  const communicator comm;
  const std::vector<int> values(4);
  const std::vector<int> too_few(static_cast<std::size_t>(comm.size() - 1), 1);
  const std::vector<int> too_many(static_cast<std::size_t>(comm.size()), 5);
  const auto few = [&] {
    static_cast<void>(comm.scatterv(send_buf(values), send_counts(too_few)));
  };
  const auto many = [&] {
    static_cast<void>(comm.scatterv(send_buf(values), send_counts(too_many)));
  };
  if (comm.rank() == 0) {
    fails_where<count_error>(true, few);
    fails_where<too_small>(true, many);
  } else {
    fails_where<remote_failure>(true, few);
    fails_where<remote_failure>(true, many);
  }
}

TEST(a_buffer_that_is_too_small_on_one_rank_throws_there) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1;
  const std::vector<int> mine = vector(comm.rank(), 2000);
  std::vector<int> all(here ? 5 : 2000 * static_cast<std::size_t>(comm.size()));
  fails_where<too_small>(here, [&] { comm.allgatherv(send_buf(mine), recv_buf(all)); });

  std::vector<int> few(comm.rank() == 0 ? 1 : 0);
  fails_where<too_small>(comm.rank() == 0, [&] { comm.gather(send_buf(mine), recv_buf(few)); });

  std::vector<int> result(here ? 3 : 2000);
  fails_where<too_small>(here,
                         [&] { comm.allreduce(send_buf(mine), recv_buf(result), op(mpi::max)); });
}

TEST(a_root_without_room_for_its_own_part_does_not_keep_the_others) {
  const communicator comm;
  const bool here = comm.rank() == 0;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<int> all(3 * ranks, 7), counts(ranks, 3);
  std::vector<int> mine(here ? 1 : 3);
  fails_where<too_small>(here, [&] { comm.scatter(send_buf(all), recv_buf(mine)); });
  fails_where<too_small>(
      here, [&] { comm.scatterv(send_buf(all), send_counts(counts), recv_buf(mine)); });
  fails_where<too_small>(here, [&] { comm.iscatter(send_buf(all), recv_buf(mine)).wait(); });
  fails_where<too_small>(
      here, [&] { comm.scatter(send_buf(all), recv_buf(mine), recv_count(here ? 1 : 3)); });
  check::equal(mine, std::vector<int>(mine.size(), here ? 0 : 7));
}

TEST(a_bcast_of_a_count_that_one_buffer_has_no_room_for_throws_there) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1;
  std::vector<int> values(here ? 3 : 4000);
  fails_where<too_small>(here, [&] { comm.bcast(send_recv_buf(values), send_recv_count(4000)); });
}

TEST(a_container_that_cannot_grow_on_one_rank_throws_there) {
  const communicator comm;
  // Claims to have room for no more than 10 elements.
  struct limited : std::vector<int> {
    void resize(std::size_t n) {
      if (n > 10) throw broken();
      std::vector<int>::resize(n);
    }
  };
  const bool here = comm.rank() == comm.size() - 1;
  limited small;
  std::vector<int> large(comm.rank() == 0 ? 5000 : 0);
  if (here && comm.rank() != 0)
    fails_where<broken>(true, [&] { comm.bcast(send_recv_buf<resize_to_fit>(small)); });
  else
    fails_where<broken>(false, [&] { comm.bcast(send_recv_buf<resize_to_fit>(large)); });
}

TEST(corrupt_input_is_a_decode_error) {
  const communicator comm;
  const int self = comm.rank();
  const auto refused = [&](const std::vector<std::byte>& bytes) {
    auto sent = comm.isend(send_buf(bytes), destination(self), tag(9));
    check::thrown_by<decode_error>([&] {
      static_cast<void>(comm.recv(recv_buf(as_deserializable<dictionary>()), source(self), tag(9)));
    });
    sent.wait();
  };
  refused({});
  refused(std::vector<std::byte>(8, std::byte{255}));  // a length beyond everything
  refused(std::vector<std::byte>(9, std::byte{0}));    // an empty map, and a byte too much
  refused(std::vector<std::byte>(7, std::byte{0}));
}

TEST(a_message_that_does_not_fit_is_an_error_and_gone) {
  const communicator comm;
  const int self = comm.rank();
  auto sent = comm.isend(send_buf(vector(1, 8)), destination(self), tag(5));
  struct limited : std::vector<int> {
    void resize(std::size_t) { throw broken(); }
  };
  limited none;
  check::thrown_by<broken>([&] { comm.recv(recv_buf<resize_to_fit>(none), source(self), tag(5)); });
  sent.wait();
  check::expect(!mpi::iprobe(self, 5, mpi::comm_world));
}

// A staged nonblocking collective would wait for its peers here.
TEST(a_blocking_receive_between_a_nonblocking_collective_and_its_wait) {
  const communicator comm;
  auto pending = comm.iallgatherv(send_buf(at_most(64, vector(comm.rank(), comm.rank()))));
  if (comm.rank() == 0) {
    for (int rank = 1; rank < comm.size(); ++rank)
      check::equal(comm.recv(recv_buf(int()), source(rank)), rank);
    static_cast<void>(pending.wait());
  } else {
    static_cast<void>(pending.wait());
    comm.send(send_buf(comm.rank()), destination(0));
  }
}

// A receive by deferred probe would be matched after the large messages, which wait for it.
TEST(large_messages_both_ways_before_the_wait_of_a_small_receive) {
  const communicator comm;
  if (comm.size() < 2 || comm.rank() > 1) return;
  const int peer = 1 - comm.rank();
  const std::vector<int> large(1u << 20, comm.rank());
  std::vector<int> theirs(1u << 20);
  auto words = comm.irecv(recv_buf(at_most(1000, as_deserializable<dictionary>())), source(peer));
  auto numbers = comm.irecv(recv_buf(theirs), source(peer));
  comm.send(send_buf(as_serialized(dictionary_of(comm.rank()))), destination(peer));
  comm.send(send_buf(large), destination(peer));
  numbers.wait();
  check::equal(words.wait(), dictionary_of(peer));
  check::equal(theirs.back(), peer);
}

TEST(send_counts_that_cannot_be_meant_on_one_rank_of_an_alltoallv_throw_everywhere) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool here = comm.rank() == comm.size() - 1;
  const std::vector<int> values(3 * ranks, 1);
  const std::vector<int> right(ranks, 3);
  const auto refused = [&]<class Error, class Count>(const Error*, const std::vector<Count>& wrong,
                                                     const std::vector<int>& places, auto... how) {
    const auto call = [&] {
      if (here)
        static_cast<void>(
            comm.alltoallv(send_buf(values), send_counts(wrong), send_displs(places), how...));
      else
        static_cast<void>(comm.alltoallv(send_buf(values), send_counts(right), how...));
    };
    if (here)
      fails_where<Error>(true, call);
    else
      fails_where<remote_failure>(true, call);
  };
  const std::vector<int> at(ranks, 0);
  const count_error* const counts = nullptr;
  const too_small* const room = nullptr;
  refused(counts, std::vector<int>(ranks - 1, 3), at);
  refused(counts, std::vector<int>(ranks, -3), at);
  refused(counts, std::vector<long long>(ranks, -1), at);
  refused(counts, right, std::vector<int>(ranks, -1000000));
  refused(room, std::vector<int>(ranks, 1000), at);
  refused(counts, std::vector<int>(ranks - 1, 3), at, lengths_first());
  refused(room, std::vector<count_t>(ranks, 1000), std::vector<int>(ranks, 0), lengths_first());
}

TEST(negative_counts_on_the_root_of_a_scatterv_throw_everywhere) {
  const communicator comm;
  const std::vector<int> values(4);
  const std::vector<int> negative(static_cast<std::size_t>(comm.size()), -4);
  const auto counts = [&] {
    static_cast<void>(comm.scatterv(send_buf(values), send_counts(negative)));
  };
  const auto count = [&] { static_cast<void>(comm.scatter(send_buf(values), send_count(-4))); };
  if (comm.rank() == 0) {
    fails_where<count_error>(true, counts);
    fails_where<count_error>(true, count);
  } else {
    fails_where<remote_failure>(true, counts);
    fails_where<remote_failure>(true, count);
  }
}

// No length travels: the others get zeros from the rank that throws.
TEST(a_buffer_shorter_than_its_count_on_one_rank_throws_there) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<int> five(here ? 4 : 5, 1);
  fails_where<too_small>(here,
                         [&] { static_cast<void>(comm.allgather(send_buf(five), send_count(5))); });
  fails_where<too_small>(
      here, [&] { static_cast<void>(comm.iallgather(send_buf(five), send_count(5)).wait()); });
  fails_where<too_small>(here, [&] {
    const auto sums = comm.allreduce(send_buf(five), send_count(5), op(mpi::sum));
    check::equal(sums, std::vector<int>(5, comm.size() - 1));
  });
  fails_where<count_error>(here, [&] {
    static_cast<void>(comm.allgather(send_buf(std::vector<int>(5, 1)), send_count(here ? -5 : 5)));
  });
  const std::vector<int> blocks(5 * ranks - (here ? 1 : 0), 1);
  if (ranks > 1)  // one rank divides everything
    fails_where<count_error>(
        here, [&] { static_cast<void>(comm.alltoall(send_buf(blocks), recv_count(5))); });
  fails_where<count_error>(here, [&] {
    static_cast<void>(comm.reduce_scatter(send_buf(blocks), recv_counts(std::vector<int>(ranks, 5)),
                                          op(mpi::sum)));
  });
  auto placed = blocks;
  fails_where<count_error>(here, [&] {
    comm.reduce_scatter(send_recv_buf(placed), recv_counts(std::vector<int>(ranks, 5)),
                        op(mpi::sum));
  });
}

TEST(a_root_with_too_few_elements_to_scatter_throws_and_the_others_go_on) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  if (ranks == 1) return;  // which divides everything
  const bool here = comm.rank() == 0;
  const std::vector<int> values(2 * ranks + 1, 1);
  fails_where<count_error>(here, [&] { check::equal(comm.scatter_single(send_buf(values)), 0); });
  std::vector<int> two(2, 7);
  // Where the length travels the others are told; else they get zeros.
  const auto everywhere = [&](auto call) {
    if (here)
      fails_where<count_error>(true, call);
    else
      fails_where<remote_failure>(true, call);
  };
  everywhere([&] { comm.scatter(send_buf(values), recv_buf(two)); });
  fails_where<count_error>(here, [&] {
    comm.iscatter(send_buf(values), recv_buf(two)).wait();
    check::equal(two, std::vector<int>(2, 0));
  });
  auto placed = here ? values : two;
  everywhere([&] { comm.scatter(send_recv_buf(placed)); });
  everywhere([&] { comm.scatter(send_recv_buf<resize_to_fit>(placed)); });
}

TEST(a_root_without_send_buf_lets_nobody_wait) {
  const communicator comm;
  const bool here = comm.rank() == 0;
  const auto everywhere = [&](auto call) {
    if (here)
      fails_where<error>(true, call);
    else
      fails_where<remote_failure>(true, call);
  };
  everywhere([&] { static_cast<void>(comm.scatter<int>()); });
  everywhere([&] { static_cast<void>(comm.scatterv<int>()); });
  everywhere([&] { static_cast<void>(comm.scatterv<int>(lengths_first())); });
  everywhere([&] { comm.scatterv(recv_buf(as_deserializable<dictionary>())); });
  everywhere(
      [&] { comm.iscatterv(recv_buf(at_most(100, as_deserializable<dictionary>()))).wait(); });
  fails_where<error>(here, [&] { check::equal(comm.scatter_single<int>(), 0); });
  std::vector<int> two(2, 7);
  fails_where<error>(here, [&] { comm.iscatter(recv_buf(two)).wait(); });
}

// What was told to the others is sent, whatever fails on the receiving side.
TEST(a_rank_without_room_sends_what_it_has_told) {
  const communicator comm;
  struct limited : std::vector<int> {
    void resize(std::size_t n) {
      if (n > 4) throw broken();
      std::vector<int>::resize(n);
    }
  };
  const bool here = comm.rank() == comm.size() - 1;
  const auto ranks = static_cast<std::size_t>(comm.size());
  limited small;
  std::vector<int> all;
  const auto gather = [&](auto& into) {
    comm.allgatherv(send_buf(std::vector<int>(20, 1)), send_count(20),
                    recv_buf<resize_to_fit>(into), lengths_first());
  };
  fails_where<broken>(here, [&] { here ? gather(small) : gather(all); });
  if (!here) check::equal(all, std::vector<int>(20 * ranks, 1));
}

TEST(nobody_sends_no_encoded_value) {
  const communicator comm;
  const dictionary before = dictionary_of(3);
  dictionary words = before;
  comm.recv(recv_buf(as_serialized(words)), source(mpi::proc_null));
  check::equal(words, before);
  comm.sendrecv(send_buf(as_serialized(before)), destination(mpi::proc_null),
                recv_buf(as_serialized(words)), source(mpi::proc_null));
  comm.sendrecv_replace(send_recv_buf(as_serialized(words)), destination(mpi::proc_null),
                        source(mpi::proc_null));
  check::equal(words, before);
  auto pending =
      comm.irecv(recv_buf(at_most(100, as_deserializable<dictionary>())), source(mpi::proc_null));
  check::equal(pending.wait(), dictionary());
}

TEST(beyond_the_edge_of_a_grid_there_are_no_encoded_values) {
  const communicator comm;
  const cartesian line(comm, {comm.size()}, {false});
  const dictionary mine = dictionary_of(line.rank() + 1);
  const auto expected = [&](int rank) {
    return rank < 0 || rank >= line.size() ? dictionary() : dictionary_of(rank + 1);
  };
  const std::vector<dictionary> both(2, mine);
  const std::vector<dictionary> wanted{expected(line.rank() - 1), expected(line.rank() + 1)};
  check::equal(line.neighbor_allgather(send_buf(as_serialized(mine))), wanted);
  check::equal(line.neighbor_alltoall(send_buf(as_serialized(both))), wanted);
  check::equal(line.ineighbor_allgather(send_buf(at_most(500, as_serialized(mine)))).wait(),
               wanted);
}

// Only the neighbors of a rank know that it failed.
TEST(an_encoder_that_throws_concerns_its_rank_and_its_neighbors) {
  const communicator comm;
  const cartesian line(comm, {comm.size()}, {false});
  const int last = line.size() - 1;
  const unencodable value{1, line.rank() == last};
  const auto call = [&] {
    static_cast<void>(line.neighbor_allgather(send_buf(as_serialized(value))));
  };
  if (line.rank() == last)
    fails_where<broken>(true, call);
  else
    fails_where<remote_failure>(line.rank() == last - 1, call);
}
