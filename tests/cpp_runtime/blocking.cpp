// Every kind of buffer through every blocking operation.

#include <mpiglot/raw.hpp>

#include "kinds.hpp"

using namespace kinds;

namespace {

// From each rank to the next one, around the ring; `other` received what rank `from` sent.
struct ring {
  communicator comm;
  int to = (comm.rank() + 1) % comm.size();
  int from = (comm.rank() + comm.size() - 1) % comm.size();

  // Even ranks send first, so that large messages pass.
  void pass(auto send, auto receive) const {
    if (comm.size() == 1) return;
    if (comm.rank() % 2 == 0) {
      send();
      receive();
    } else {
      receive();
      send();
    }
  }
};

std::vector<int> ragged(int rank) { return vector(rank, 3 * rank + 1); }

}  // namespace

TEST(messages_carry_vectors) {
  const ring ring;
  std::vector<int> known(static_cast<std::size_t>(3 * ring.from + 1));
  ring.pass([&] { ring.comm.send(send_buf(ragged(ring.comm.rank())), destination(ring.to)); },
            [&] {
              ring.comm.recv(recv_buf(known), source(ring.from));
              check::expect(known == ragged(ring.from));
            });
  ring.pass(
      [&] { ring.comm.send(send_buf(ragged(ring.comm.rank())), destination(ring.to), tag(3)); },
      [&] {
        auto [values, n, status] = ring.comm.recv(recv_buf(std::vector<int>()), recv_count_out(),
                                                  source(ring.from), tag(3), status_out());
        check::expect(values == ragged(ring.from));
        check::equal(n, static_cast<count_t>(3 * ring.from + 1));
        check::equal(status.source(), ring.from);
        check::equal(status.tag(), 3);
      });
}

TEST(values_in_braces_are_a_buffer) {
  const communicator comm;
  const int me = comm.rank();
  check::expect(comm.allreduce(send_buf({me, 1}), op(std::plus<>())) ==
                std::vector<int>{comm.size() * (comm.size() - 1) / 2, comm.size()});
  check::expect(comm.bcast(send_recv_buf({me, 7}), root(0)) == std::vector<int>{0, 7});
  auto pending = comm.iallgather(send_buf({2.5, me + 0.5}));  // the copy lives in the request
  const auto all = pending.wait();
  check::equal(all.size(), static_cast<std::size_t>(2 * comm.size()));
  check::expect(all[static_cast<std::size_t>(2 * me)] == 2.5);
  check::expect(all[static_cast<std::size_t>(2 * me + 1)] == me + 0.5);
  if (comm.size() == 2) {
    const auto mine = comm.alltoallv(send_buf({10 * me, 10 * me + 1, 10 * me + 2}),
                                     send_counts({1, 2}), send_displs({0, 1}));
    check::expect(mine == (me == 0 ? std::vector<int>{0, 10} : std::vector<int>{1, 2, 11, 12}));
  }
}

TEST(messages_carry_single_structs) {
  const ring ring;
  const particle mine = particle_of(ring.comm.rank());
  ring.pass([&] { ring.comm.send(send_buf(mine), destination(ring.to)); },
            [&] {
              check::equal(ring.comm.recv(recv_buf(particle()), source(ring.from)),
                           particle_of(ring.from));
            });
}

TEST(messages_carry_maps_and_trees) {
  const ring ring;
  ring.pass(
      [&] {
        ring.comm.send(send_buf(as_serialized(dictionary_of(ring.comm.rank()))),
                       destination(ring.to));
        ring.comm.send(send_buf(deep(forest_of(ring.comm.rank()))), destination(ring.to));
      },
      [&] {
        check::equal(ring.comm.recv(recv_buf(as_deserializable<dictionary>()), source(ring.from)),
                     dictionary_of(ring.from));
        forest trees;
        ring.comm.recv(recv_buf(deep(trees)), source(ring.from));
        check::expect(same(trees, forest_of(ring.from)));
      });
}

TEST(messages_carry_rectangles_to_rectangles_and_vectors) {
  const ring ring;
  matrix mine(ring.comm.rank());
  matrix theirs(99);
  ring.pass(
      [&] {
        ring.comm.send(send_buf(mine.rectangle()), destination(ring.to));
        ring.comm.send(send_buf(mine.rectangle()), destination(ring.to));
      },
      [&] {
        ring.comm.recv(recv_buf(theirs.rectangle()), source(ring.from));
        check::expect(theirs.is(ring.from));
        check::equal(ring.comm.recv(recv_buf(std::vector<double>()), source(ring.from)),
                     rectangle_of(ring.from));
      });
}

TEST(bcast_carries_every_kind_from_every_root) {
  const communicator comm;
  for (int from = 0; from < comm.size(); ++from) {
    const bool mine = comm.rank() == from;
    std::vector<int> fixed = mine ? vector(from, 5) : std::vector<int>(5);
    comm.bcast(send_recv_buf(fixed), root(from));
    check::expect(fixed == vector(from, 5));

    std::vector<int> fitted = mine ? ragged(from) : vector(9, 2);
    comm.bcast(send_recv_buf<resize_to_fit>(fitted), root(from));
    check::expect(fitted == ragged(from));
    check::equal(comm.bcast(root(from), send_recv_buf(mine ? ragged(from) : std::vector<int>())),
                 ragged(from));

    particle one = mine ? particle_of(from) : particle();
    comm.bcast(send_recv_buf(one), root(from));
    check::equal(one, particle_of(from));

    dictionary words = mine ? dictionary_of(from) : dictionary_of(5);
    comm.bcast(send_recv_buf(as_serialized(words)), root(from));
    check::equal(words, dictionary_of(from));

    matrix all(mine ? from : 50);
    comm.bcast(send_recv_buf(all.rectangle()), root(from));
    check::expect(all.is(from));

    forest trees = comm.bcast(send_recv_buf(deep(forest_of(mine ? from : 1))), root(from));
    check::expect(same(trees, forest_of(from)));
  }
}

TEST(bcast_takes_part_of_a_vector) {
  const communicator comm;
  std::vector<int> values = vector(comm.rank(), 4);
  comm.bcast(send_recv_buf(values), send_recv_count(2));
  std::vector<int> wanted = vector(comm.rank(), 4);
  wanted[0] = 0;
  wanted[1] = 1;
  check::equal(values, wanted);
}

TEST(gather_collects_every_kind) {
  const communicator comm;
  for (int to = 0; to < comm.size(); ++to) {
    const auto ranks = static_cast<std::size_t>(comm.rank() == to ? comm.size() : 0);
    const auto numbers = comm.gather(send_buf(vector(comm.rank(), 2)), root(to));
    check::equal(numbers.size(), 2 * ranks);
    const auto particles = comm.gather(send_buf(particle_of(comm.rank())), root(to));
    check::equal(particles.size(), ranks);
    const auto words = comm.gather(send_buf(as_serialized(dictionary_of(comm.rank()))), root(to));
    check::equal(words.size(), ranks);
    matrix mine(comm.rank());
    const auto rectangles = comm.gather(send_buf(mine.rectangle()), root(to));
    check::equal(rectangles.size(), 6 * ranks);
    const auto trees = comm.gather(send_buf(deep(tree_of(comm.rank()))), root(to));
    check::equal(trees.size(), ranks);
    for (std::size_t i = 0; i < ranks; ++i) {
      const int rank = static_cast<int>(i);
      check::equal(numbers[2 * i + 1], 1000 * rank + 1);
      check::equal(particles[i], particle_of(rank));
      check::equal(words[i], dictionary_of(rank));
      check::equal(rectangles[6 * i + 5], 100.0 * rank + 5);
      check::expect(*trees[i] == *tree_of(rank));
    }
  }
}

TEST(gather_fills_a_rectangle) {
  const communicator comm;
  if (6 % comm.size() != 0) return;
  const int each = 6 / comm.size();
  std::vector<double> mine;
  for (int i = 0; i < each; ++i) mine.push_back(700 + each * comm.rank() + i);
  matrix all(0);
  comm.gather(send_buf(mine), recv_buf(all.rectangle()));
  if (comm.rank() == 0) check::expect(all.is(7));
}

TEST(allgatherv_collects_every_kind) {
  const communicator comm;
  const auto [values, counts, displacements] =
      comm.allgatherv(send_buf(ragged(comm.rank())), recv_counts_out(), recv_displs_out());
  check::equal(values, joined<int>(&ragged));
  int next = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    check::equal(counts[static_cast<std::size_t>(rank)], 3 * rank + 1);
    check::equal(displacements[static_cast<std::size_t>(rank)], next);
    next += 3 * rank + 1;
  }

  const auto particles = comm.allgatherv(send_buf(particle_of(comm.rank())));
  const auto words = comm.allgatherv(send_buf(as_serialized(dictionary_of(comm.rank()))));
  matrix mine(comm.rank());
  const auto rectangles = comm.allgatherv(send_buf(mine.rectangle()));
  const auto trees = comm.allgatherv(send_buf(deep(tree_of(comm.rank()))));
  check::equal(rectangles, joined<double>(&rectangle_of));
  for (std::size_t i = 0; i < static_cast<std::size_t>(comm.size()); ++i) {
    check::equal(particles[i], particle_of(static_cast<int>(i)));
    check::equal(words[i], dictionary_of(static_cast<int>(i)));
    check::expect(*trees[i] == *tree_of(static_cast<int>(i)));
  }
}

namespace {

// All ranks know how much the others send: `Counts` and `Displs` are given as they are.
template <class Count, class Displacement>
void allgatherv_with() {
  const communicator comm;
  std::vector<Count> counts;
  std::vector<Displacement> displacements;
  Displacement next = 0;  // a gap after each part
  for (int rank = 0; rank < comm.size(); ++rank) {
    counts.push_back(static_cast<Count>(3 * rank + 1));
    displacements.push_back(next);
    next = static_cast<Displacement>(next + 3 * rank + 2);
  }
  std::vector<int> gaps(static_cast<std::size_t>(next), -5);
  comm.allgatherv(send_buf(ragged(comm.rank())), recv_buf(gaps), recv_counts(counts),
                  recv_displs(displacements));
  std::vector<int> wanted;
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (const int value : ragged(rank)) wanted.push_back(value);
    wanted.push_back(-5);
  }
  check::equal(gaps, wanted);

  check::equal(comm.allgatherv(recv_counts(counts), send_buf(ragged(comm.rank()))),
               joined<int>(&ragged));
}

}  // namespace

TEST(allgatherv_takes_counts_of_any_integer_type) {
  allgatherv_with<int, int>();
  allgatherv_with<mpi::count_t, mpi::aint_t>();
  allgatherv_with<std::size_t, short>();
}

TEST(scatterv_distributes_every_kind) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (int from = 0; from < comm.size(); ++from) {
    const bool mine = comm.rank() == from;
    std::vector<int> counts;
    std::vector<dictionary> words;
    forest trees;
    std::vector<particle> particles;
    for (int rank = 0; mine && rank < comm.size(); ++rank) {
      counts.push_back(3 * rank + 1);
      words.push_back(dictionary_of(rank));
      trees.push_back(tree_of(rank));
      particles.push_back(particle_of(rank));
    }
    check::equal(comm.scatterv(send_buf(mine ? joined<int>(&ragged) : std::vector<int>()),
                               send_counts(counts), root(from)),
                 ragged(comm.rank()));
    particle one;
    const std::vector<int> ones(ranks, 1);
    comm.scatterv(send_buf(particles), send_counts(ones), recv_buf(one), root(from));
    check::equal(one, particle_of(comm.rank()));

    check::equal(comm.scatterv(send_buf(as_serialized(words)), root(from)),
                 dictionary_of(comm.rank()));
    check::expect(*comm.scatterv(send_buf(deep(trees)), root(from)) == *tree_of(comm.rank()));

    // The rectangle's elements, in its order, one after another to the ranks.
    matrix all(8);
    std::vector<int> parts(ranks, 0);
    parts.front() = 2;
    parts.back() += 4;
    const auto part = comm.scatterv(send_buf(all.rectangle()), send_counts(parts), root(from));
    const int wanted = parts[static_cast<std::size_t>(comm.rank())];
    check::equal(part.size(), static_cast<std::size_t>(wanted));
    if (comm.rank() == comm.size() - 1) check::equal(part.back(), 805.0);
  }
}

TEST(scatterv_fills_a_rectangle) {
  const communicator comm;
  std::vector<double> all;
  for (int rank = 0; rank < comm.size(); ++rank)
    for (const double value : rectangle_of(rank)) all.push_back(value);
  const std::vector<int> six(static_cast<std::size_t>(comm.size()), 6);
  matrix mine(40);
  comm.scatterv(send_buf(all), send_counts(six), recv_buf(mine.rectangle()));
  check::expect(mine.is(comm.rank()));
}

TEST(allreduce_adds_rectangles_element_by_element) {
  const communicator comm;
  matrix mine(comm.rank());
  const double ranks = comm.size();
  const double seeds = ranks * (ranks - 1) / 2;
  const auto sums = comm.allreduce(send_buf(mine.rectangle()), op(mpi::sum));
  check::equal(sums.size(), std::size_t{6});
  for (std::size_t i = 0; i < 6; ++i)
    check::equal(sums[i], 100 * seeds + static_cast<double>(i) * ranks);

  matrix largest(77);
  comm.allreduce(op(mpi::max), send_buf(mine.rectangle()), recv_buf(largest.rectangle()));
  check::expect(largest.is(comm.size() - 1));
}

TEST(buffers_come_back_from_the_calls_they_are_moved_into) {
  const communicator comm;
  std::vector<int> mine = ragged(comm.rank());
  std::vector<int> all;
  all.reserve(1000);
  const int* const memory = all.data();
  auto result = comm.allgatherv(send_buf_out(std::move(mine)), recv_buf(std::move(all)));
  all = result.extract_recv_buf();
  mine = result.extract_send_buf();
  check::equal(all.data(), memory);
  check::equal(all, joined<int>(&ragged));
  check::equal(mine, ragged(comm.rank()));
}

TEST(what_is_asked_for_goes_where_it_shall) {
  const communicator comm;
  std::vector<int> counts(static_cast<std::size_t>(comm.size()));
  std::vector<long> displacements;
  std::vector<int> all(100);
  comm.allgatherv(send_buf(ragged(comm.rank())), recv_buf(all), recv_counts_out(counts),
                  recv_displs_out<resize_to_fit>(displacements));
  check::equal(counts.back(), 3 * comm.size() - 2);
  check::equal(displacements.size(), counts.size());
  check::equal(all.size(), std::size_t{100});
  all.resize(joined<int>(&ragged).size());
  check::equal(all, joined<int>(&ragged));
}

TEST(communicators_are_borrowed_and_owned) {
  const communicator world;
  const communicator half = world.split(world.rank() % 2);
  const communicator again{mpi::comm_handle{half.native()}};
  check::expect(half.owns() && !again.owns());
  check::equal(again.size(), (world.size() + 1 - world.rank() % 2) / 2);
  const auto ranks = again.allgatherv(send_buf(world.rank()));
  for (std::size_t i = 0; i < ranks.size(); ++i)
    check::equal(ranks[i], 2 * static_cast<int>(i) + world.rank() % 2);
}

TEST(plain_handles_of_mpi_are_taken_as_they_are) {
  const communicator comm(MPI_COMM_WORLD);
  const std::vector<int> mine{comm.rank(), 1};
  check::equal(comm.allgather(send_buf(mine), send_type(MPI_INT)), comm.allgather(send_buf(mine)));
  int shared = comm.rank();
  comm.bcast(send_recv_buf(raw(&shared, 1, MPI_INT)), root(comm.size() - 1));
  check::equal(shared, comm.size() - 1);
  check::equal(comm.allreduce_single(send_buf(1), op(MPI_SUM)), comm.size());
}
