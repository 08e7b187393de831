// Every collective in every form that it has, on any number of ranks: counts given and inferred,
// in place, single values, what is asked for.

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include <mpiglot/flatten.hpp>
#include <mpiglot/topology.hpp>

#include "kinds.hpp"

using namespace kinds;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}

int size() { return world().size(); }
int rank() { return world().rank(); }

// What `from` sends to `to`: as many elements as both together say.
std::vector<int> between(int from, int to) { return vector(10 * from + to, from + to); }

template <class Function>
std::vector<int> all_of(Function part) {
  std::vector<int> all;
  for (int i = 0; i < size(); ++i)
    for (const int each : part(i)) all.push_back(each);
  return all;
}

template <class Function>
std::vector<int> numbers(Function number) {
  std::vector<int> all;
  for (int i = 0; i < size(); ++i) all.push_back(number(i));
  return all;
}

std::vector<int> running_sums(const std::vector<int>& counts) {
  std::vector<int> sums(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), sums.begin(), 0);
  return sums;
}

// Starts a persistent operation three times, with other values each time: `change(k)` writes what is
// sent and what is received into, `test(k)` sees what came. Where MPI does not have it, nothing can be
// prepared.
template <class Make, class Change, class Test>
void start_often(bool there, Make make, Change change, Test test) {
  if (!there) {
    check::thrown_by<mpi::unavailable>([&] { static_cast<void>(make()); });
    return;
  }
  change(0);
  auto request = make();
  for (int k = 1; k < 4; ++k) {
    change(k);
    request.start();
    request.wait();
    test(k);
  }
}

// The part that a rank sends when it starts for the k-th time.
std::vector<int> part_at(int k, int from, int length) {
  std::vector<int> all(static_cast<std::size_t>(length));
  std::iota(all.begin(), all.end(), 10000 * k + 100 * from);
  return all;
}

constexpr int lengths_of_parts[] = {0, 1, 4, 3000};

std::vector<int> sums_over_ranks(int first, int last, int length) {
  std::vector<int> sums(static_cast<std::size_t>(length));
  for (int i = first; i < last; ++i)
    for (int k = 0; k < length; ++k) sums[static_cast<std::size_t>(k)] += 1000 * i + k;
  return sums;
}

}  // namespace

TEST(barriers_of_every_form_complete) {
  world().barrier();
  world().ibarrier().wait();
  start_often(mpi::has_barrier_init, [] { return world().barrier_init(); }, [](int) {}, [](int) {});
}

TEST(gather_puts_equal_parts_one_after_another_on_every_root) {
  const auto expected = all_of([](int i) { return vector(i, 3); });
  for (int to = 0; to < size(); ++to) {
    const auto mine = vector(rank(), 3);
    const auto wanted = rank() == to ? expected : std::vector<int>();
    check::equal(world().gather(send_buf(mine), root(to)), wanted);
    check::equal(world().igather(send_buf(mine), root(to)).wait(), wanted);
    check::equal(world().gather(send_buf(mine), send_count(2), root(to)),
                 rank() == to ? all_of([](int i) { return vector(i, 2); }) : std::vector<int>());
  }
}

TEST(gather_in_place_keeps_the_part_of_the_root) {
  const int to = size() - 1;
  std::vector<int> all = vector(rank(), 2);
  if (rank() == to) {
    all.assign(static_cast<std::size_t>(2 * size()), -1);
    const auto own = vector(rank(), 2);
    std::copy(own.begin(), own.end(), all.begin() + 2 * to);
  }
  world().gather(send_recv_buf(all), root(to));
  if (rank() == to)
    check::equal(all, all_of([](int i) { return vector(i, 2); }));
  else
    check::equal(all, vector(rank(), 2));
}

TEST(prepared_gathers_move_what_is_there_when_they_are_started) {
  for (const int length : lengths_of_parts)
    for (int to = 0; to < size(); ++to) {
      std::vector<int> mine, into(rank() == to ? static_cast<std::size_t>(length * size()) : 0);
      mine.resize(static_cast<std::size_t>(length));
      const auto change = [&](int k) {
        const auto now = part_at(k, rank(), length);
        std::copy(now.begin(), now.end(), mine.begin());
        std::fill(into.begin(), into.end(), -1);
      };
      const auto test = [&](int k) {
        if (rank() == to) check::equal(into, all_of([&](int i) { return part_at(k, i, length); }));
      };
      start_often(
          mpi::has_gather_init,
          [&] { return world().gather_init(send_buf(mine), recv_buf(into), root(to)); }, change,
          test);
      // In place the root's part lies among the others.
      std::vector<int> placed(rank() == to ? into.size() : mine.size());
      const auto own = placed.begin() + (rank() == to ? to * length : 0);
      start_often(
          mpi::has_gather_init,
          [&] { return world().gather_init(send_recv_buf(placed), root(to)); },
          [&](int k) {
            const auto now = part_at(k, rank(), length);
            if (rank() == to) std::fill(placed.begin(), placed.end(), -1);
            std::copy(now.begin(), now.end(), own);
          },
          [&](int k) {
            if (rank() == to)
              check::equal(placed, all_of([&](int i) { return part_at(k, i, length); }));
          });
    }
}

TEST(prepared_allgathers_move_what_is_there_when_they_are_started) {
  for (const int length : lengths_of_parts) {
    std::vector<int> mine(static_cast<std::size_t>(length));
    std::vector<int> into(static_cast<std::size_t>(length * size()));
    start_often(
        mpi::has_allgather_init,
        [&] { return world().allgather_init(send_buf(mine), recv_buf(into)); },
        [&](int k) {
          const auto now = part_at(k, rank(), length);
          std::copy(now.begin(), now.end(), mine.begin());
          std::fill(into.begin(), into.end(), -1);
        },
        [&](int k) { check::equal(into, all_of([&](int i) { return part_at(k, i, length); })); });
  }
}

TEST(prepared_scatters_move_what_is_there_when_they_are_started) {
  for (const int length : lengths_of_parts)
    for (int from = 0; from < size(); ++from) {
      std::vector<int> all(rank() == from ? static_cast<std::size_t>(length * size()) : 0);
      std::vector<int> into(static_cast<std::size_t>(length));
      start_often(
          mpi::has_scatter_init,
          [&] { return world().scatter_init(send_buf(all), recv_buf(into), root(from)); },
          [&](int k) {
            const auto now = all_of([&](int i) { return part_at(k, i, length); });
            if (rank() == from) std::copy(now.begin(), now.end(), all.begin());
            std::fill(into.begin(), into.end(), -1);
          },
          [&](int k) { check::equal(into, part_at(k, rank(), length)); });
      int one = -1;
      std::vector<int> ones(rank() == from ? static_cast<std::size_t>(size()) : 0);
      start_often(
          mpi::has_scatter_init,
          [&] { return world().scatter_single_init(send_buf(ones), recv_buf(one), root(from)); },
          [&](int k) {
            for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = 10 * k + static_cast<int>(i);
            one = -1;
          },
          [&](int k) { check::equal(one, 10 * k + rank()); });
    }
}

TEST(gatherv_infers_counts_on_the_root) {
  const auto part = [](int i) { return vector(i, 2 * i + 1); };
  const auto lengths = numbers([](int i) { return 2 * i + 1; });
  for (int to = 0; to < size(); ++to) {
    auto [all, counts, displs] =
        world().gatherv(send_buf(part(rank())), root(to), recv_counts_out(), recv_displs_out());
    if (rank() == to) {
      check::equal(all, all_of(part));
      check::equal(counts, lengths);
      check::equal(displs, running_sums(lengths));
    } else {
      check::expect(all.empty() && counts.empty());
    }
    check::equal(world().igatherv(send_buf(part(rank())), recv_counts(lengths), root(to)).wait(),
                 rank() == to ? all_of(part) : std::vector<int>());
  }
}

TEST(allgather_gives_equal_parts_to_all) {
  const auto expected = all_of([](int i) { return vector(i, 4); });
  const auto mine = vector(rank(), 4);
  check::equal(world().allgather(send_buf(mine)), expected);
  check::equal(world().iallgather(send_buf(mine)).wait(), expected);
  check::equal(world().allgather(send_buf(rank())), numbers([](int i) { return i; }));
  std::vector<int> placed(static_cast<std::size_t>(size()), -1);
  placed[static_cast<std::size_t>(rank())] = 5 * rank();
  world().allgather(send_recv_buf(placed));
  check::equal(placed, numbers([](int i) { return 5 * i; }));
  auto [all, each] = world().allgather(send_buf(mine), recv_count_out());
  check::equal(all, expected);
  check::equal(each, count_t{4});
}

TEST(allgatherv_works_in_place_with_counts) {
  const auto part = [](int i) { return vector(i, i + 1); };
  const auto lengths = numbers([](int i) { return i + 1; });
  const auto expected = all_of(part);
  const auto placed = [&] {
    std::vector<int> all(expected.size(), -1);
    const auto own = part(rank());
    std::copy(own.begin(), own.end(),
              all.begin() + running_sums(lengths)[static_cast<std::size_t>(rank())]);
    return all;
  };
  auto all = placed();
  world().allgatherv(send_recv_buf(all), recv_counts(lengths));
  check::equal(all, expected);
  check::equal(world().allgatherv(send_recv_buf(placed()), recv_counts(lengths)), expected);
  check::equal(world().iallgatherv(send_recv_buf(placed()), recv_counts(lengths)).wait(), expected);
}

TEST(displacements_alone_place_parts_of_unknown_length) {
  const auto lengths = numbers([](int i) { return i; });
  const auto apart = numbers([](int i) { return 10 * i; });
  const int gap = detail::shows_unwritten ? -67372037 : 0;
  const auto placed = [&](auto part) {
    std::vector<int> all;
    for (int i = 0; i < size(); ++i) {
      const std::vector<int> mine = part(i);
      if (mine.empty()) continue;
      all.resize(static_cast<std::size_t>(10 * i), gap);
      all.insert(all.end(), mine.begin(), mine.end());
    }
    return all;
  };
  const auto mine = vector(rank(), rank());
  const auto expected = placed([](int i) { return vector(i, i); });
  for (int i = 0; i < 3; ++i) {  // lengths alone, and together with the payload
    auto [all, counts] = world().allgatherv(send_buf(mine), recv_displs(apart), recv_counts_out());
    check::equal(all, expected);
    check::equal(counts, lengths);
    check::equal(rank() == 0 ? world().gatherv(send_buf(mine), recv_displs(apart))
                             : world().gatherv(send_buf(mine)),
                 rank() == 0 ? expected : std::vector<int>());
    const auto to_each = numbers([](int to) { return rank() + to; });
    const auto sent = all_of([](int to) { return between(rank(), to); });
    check::equal(world().alltoallv(send_buf(sent), send_counts(to_each), recv_displs(apart)),
                 placed([](int from) { return between(from, rank()); }));
  }
  std::vector<int> room(10 * static_cast<std::size_t>(size()), -1);
  world().allgatherv(send_buf(mine), recv_buf(room), recv_displs(apart), lengths_first());
  check::expect(size() < 3 || (room[20] == expected[20] && room[22] == -1));
}

TEST(displacements_that_do_not_fit_throw_after_the_operation) {
  if (size() == 1) return;
  const auto refused = [&](const std::vector<int>& at) {
    check::thrown_by<count_error>([&] {
      static_cast<void>(world().allgatherv(send_buf(vector(rank(), 4)), recv_displs(at)));
    });
  };
  refused(numbers([](int i) { return 3 * i; }));  // parts of four
  refused(numbers([](int i) { return i == 0 ? -1 : 4 * i; }));
  refused(std::vector<int>(static_cast<std::size_t>(size()) + 1));
  // One rank alone: the others have what they need.
  const auto good = numbers([](int i) { return 4 * i; });
  const auto call = [&](const std::vector<int>& at) {
    return world().allgatherv(send_buf(vector(rank(), 4)), recv_displs(at));
  };
  if (rank() == 0)
    check::thrown_by<count_error>([&] { static_cast<void>(call(std::vector<int>())); });
  else
    check::equal(call(good).size(), 4 * static_cast<std::size_t>(size()));
}

TEST(scatter_divides_the_buffer_of_every_root) {
  for (int from = 0; from < size(); ++from) {
    const auto all =
        rank() == from ? all_of([](int i) { return vector(i, 3); }) : std::vector<int>();
    const auto mine = vector(rank(), 3);
    check::equal(world().scatter(send_buf(all), root(from)), mine);
    std::vector<int> into(3);
    world().scatter(send_buf(all), recv_buf(into), root(from));
    check::equal(into, mine);
    check::equal(world().iscatter(send_buf(all), recv_count(3), root(from)).wait(), mine);
    check::equal(
        world().scatter_single(
            send_buf(rank() == from ? numbers([](int i) { return 7 * i; }) : std::vector<int>()),
            root(from)),
        7 * rank());
  }
}

TEST(ranks_that_are_not_the_root_of_a_scatter_need_no_send_buf) {
  const communicator& comm = world();
  for (int from = 0; from < size(); ++from) {
    const bool sends = rank() == from;
    const auto all = all_of([](int i) { return vector(i, 3); });
    const auto mine = vector(rank(), 3);
    check::equal(sends ? comm.scatter(send_buf(all), root(from)) : comm.scatter<int>(root(from)),
                 mine);
    std::vector<int> into(3);
    if (sends)
      into = comm.iscatter<int>(send_buf(all), root(from), recv_count(3)).wait();
    else
      comm.iscatter(recv_buf(into), root(from)).wait();
    check::equal(into, mine);
    check::equal(
        sends ? comm.scatter_single(send_buf(numbers([](int i) { return 7 * i; })), root(from))
              : comm.scatter_single<int>(root(from)),
        7 * rank());
    const auto of_rank = [](int i) { return vector(i, i); };
    const auto whole = all_of(of_rank);
    const auto lengths = numbers([](int i) { return i; });
    check::equal(sends ? comm.scatterv(send_buf(whole), send_counts(lengths), root(from))
                       : comm.scatterv<int>(root(from)),
                 of_rank(rank()));
    check::equal(
        sends ? comm.scatterv(send_buf(whole), send_counts(lengths), lengths_first(), root(from))
              : comm.scatterv<int>(lengths_first(), root(from)),
        of_rank(rank()));
    std::vector<dictionary> words;
    for (int i = 0; i < size(); ++i) words.push_back(dictionary_of(2 * i));
    check::equal(sends ? comm.scatter(send_buf(as_serialized(words)), root(from))
                       : comm.scatter(recv_buf(as_deserializable<dictionary>()), root(from)),
                 dictionary_of(2 * rank()));
  }
}

TEST(scatter_of_a_buffer_that_cannot_be_divided_throws_on_all_ranks) {
  std::vector<int> all(static_cast<std::size_t>(size() + 1));
  if (size() == 1) return;
  const auto call = [&] { static_cast<void>(world().scatter(send_buf(all))); };
  if (rank() == 0)
    check::thrown_by<count_error>(call);
  else
    check::thrown_by<remote_failure>(call);
  world().barrier();
}

TEST(alltoall_gives_every_rank_its_part) {
  const auto to = [](int i) { return vector(10 * rank() + i, 2); };
  const auto from = [](int i) { return vector(10 * i + rank(), 2); };
  const auto sent = all_of(to);
  check::equal(world().alltoall(send_buf(sent)), all_of(from));
  check::equal(world().ialltoall(send_buf(sent)).wait(), all_of(from));
  auto placed = sent;
  world().alltoall(send_recv_buf(placed));
  check::equal(placed, all_of(from));
  auto changing = sent;
  std::vector<int> into(sent.size());
  start_often(
      mpi::has_alltoall_init,
      [&] { return world().alltoall_init(send_buf(changing), recv_buf(into)); },
      [&](int k) {
        for (std::size_t i = 0; i < sent.size(); ++i) changing[i] = sent[i] + 1000 * k;
        std::fill(into.begin(), into.end(), -1);
      },
      [&](int k) {
        auto wanted = all_of(from);
        for (int& each : wanted) each += 1000 * k;
        check::equal(into, wanted);
      });
}

TEST(alltoallv_infers_what_every_rank_gets) {
  const auto to = [](int i) { return between(rank(), i); };
  const auto from = [](int i) { return between(i, rank()); };
  const auto sent = all_of(to);
  const auto lengths = numbers([](int i) { return rank() + i; });
  check::equal(world().alltoallv(send_buf(sent), send_counts(lengths)), all_of(from));
  auto [all, counts, displs, places] =
      world().alltoallv(send_buf(sent), send_counts(lengths), recv_counts_out(), recv_displs_out(),
                        send_displs_out());
  check::equal(all, all_of(from));
  check::equal(counts, lengths);
  check::equal(displs, running_sums(lengths));
  check::equal(places, running_sums(lengths));
  check::equal(
      world().ialltoallv(send_buf(sent), send_counts(lengths), recv_counts(lengths)).wait(),
      all_of(from));
  const std::vector<count_t> wide(lengths.begin(), lengths.end());
  check::equal(world().alltoallv(send_buf(sent), send_counts(wide), recv_counts(wide)),
               all_of(from));
  check::equal(world().alltoallv(send_buf(sent), send_counts(wide), recv_counts(lengths)),
               all_of(from));
  auto placed = sent;
  world().alltoallv(send_recv_buf(placed), recv_counts(lengths));
  check::equal(placed, all_of(from));
}

TEST(alltoallw_gives_every_part_its_datatype) {
  const auto ranks = static_cast<std::size_t>(size());
  const std::vector<int> ones(ranks, 1);
  const auto places = numbers([](int i) { return 4 * i; });
  const std::vector<mpi::datatype_handle> types(ranks, mpi::int_);
  const auto sent = numbers([](int i) { return 10 * rank() + i; });
  std::vector<int> got(ranks);
  world().alltoallw(send_buf(sent), send_counts(ones), send_displs(places), send_types(types),
                    recv_buf(got), recv_counts(ones), recv_displs(places), recv_types(types));
  check::equal(got, numbers([](int i) { return 10 * i + rank(); }));
}

TEST(alltoall_carries_an_object_to_every_rank) {
  std::vector<dictionary> sent;
  for (int i = 0; i < size(); ++i) sent.push_back(dictionary_of(rank() + 2 * i));
  const auto got = world().alltoallv(send_buf(as_serialized(sent)));
  for (int i = 0; i < size(); ++i)
    check::equal(got[static_cast<std::size_t>(i)], dictionary_of(i + 2 * rank()));
  check::expect(world().alltoall(send_buf(as_serialized(sent))) == got);
  const auto scattered = world().scatter(send_buf(as_serialized(sent)));
  check::equal(scattered, dictionary_of(2 * rank()));
  const auto gathered = world().allgather(send_buf(as_serialized(sent[0])));
  for (int i = 0; i < size(); ++i)
    check::equal(gathered[static_cast<std::size_t>(i)], dictionary_of(i));
}

TEST(bits_and_arrays_are_parts_of_encoded_values) {
  std::vector<bool> sent(static_cast<std::size_t>(size()));
  sent[static_cast<std::size_t>(rank())] = true;
  check::expect(world().alltoall(send_buf(as_serialized(sent))) == sent);
  check::expect(world().scatter(send_buf(as_serialized(sent))) == (rank() == 0));
  const auto last = world().allgather(send_buf(as_serialized(rank() == size() - 1)));
  check::expect(last.size() == sent.size() && last.back() && (size() == 1 || !last[0]));

  std::array<std::string, 2> two{"first", "second"};
  if (size() == 2) {
    check::equal(world().scatter(send_buf(as_serialized(two))), two[rank() == 0 ? 0 : 1]);
    const std::string mine = std::to_string(rank());
    world().allgather(send_buf(as_serialized(mine)), recv_buf(as_serialized(two)));
    check::equal(two, std::array<std::string, 2>{"0", "1"});
  } else {
    check::thrown_by<count_error>(
        [&] { world().allgather(send_buf(as_serialized(two[0])), recv_buf(as_serialized(two))); });
  }
}

TEST(flattened_messages_to_repeated_destinations_all_arrive) {
  std::vector<std::pair<int, std::vector<int>>> messages;
  for (int round = 0; round < 3; ++round)
    for (int to = 0; to < size(); ++to) messages.push_back({to, vector(rank(), round + 1)});
  auto [got, counts] = world().alltoallv(send_buf(flattened(messages)), recv_counts_out());
  std::vector<int> wanted;
  for (int from = 0; from < size(); ++from)
    for (int round = 0; round < 3; ++round)
      for (const int each : vector(from, round + 1)) wanted.push_back(each);
  check::equal(got, wanted);
  check::equal(counts, numbers([](int) { return 6; }));
}

TEST(bcast_single_gives_the_value_of_the_root) {
  for (int from = 0; from < size(); ++from) {
    const int mine = 100 + rank();
    check::equal(world().bcast_single(send_recv_buf(mine), root(from)), 100 + from);
    check::equal(world().ibcast_single(send_recv_buf(mine), root(from)).wait(), 100 + from);
  }
}

TEST(reductions_combine_in_every_form) {
  const auto mine = vector(rank(), 3);
  const auto total = sums_over_ranks(0, size(), 3);
  const auto up_to_here = sums_over_ranks(0, rank() + 1, 3);
  const auto before = sums_over_ranks(0, rank(), 3);
  const auto plus = op(std::plus<>());

  check::equal(world().allreduce(send_buf(mine), plus), total);
  check::equal(world().iallreduce(send_buf(mine), plus).wait(), total);
  auto placed = mine;
  world().allreduce(send_recv_buf(placed), plus);
  check::equal(placed, total);
  for (int to = 0; to < size(); ++to) {
    check::equal(world().reduce(send_buf(mine), plus, root(to)),
                 rank() == to ? total : std::vector<int>());
    auto in_and_out = mine;
    world().reduce(send_recv_buf(in_and_out), plus, root(to));
    check::equal(in_and_out, rank() == to ? total : mine);
    std::vector<long> many(1000, rank());
    world().reduce(send_recv_buf(many), plus, root(to));
    check::equal(many.back(), rank() == to ? size() * (size() - 1) / 2 : rank());
    const int sum = world().reduce_single(send_buf(rank()), plus, root(to));
    if (rank() == to) check::equal(sum, size() * (size() - 1) / 2);
  }
  check::equal(world().scan(send_buf(mine), plus), up_to_here);
  check::equal(world().iscan(send_buf(mine), plus).wait(), up_to_here);
  check::equal(world().exscan(send_buf(mine), plus, values_on_rank_0(0)), before);
  check::equal(world().exscan(send_buf(mine), plus, values_on_rank_0(std::vector<int>{7, 8, 9})),
               rank() == 0 ? std::vector<int>{7, 8, 9} : before);
  check::equal(world().allreduce_single(send_buf(rank()), plus), size() * (size() - 1) / 2);
  check::equal(world().scan_single(send_buf(1), plus), rank() + 1);
  check::equal(world().exscan_single(send_buf(1), plus, values_on_rank_0(0)), rank());
  // Without a value, rank 0 has zeros where they are returned by value.
  check::equal(world().exscan(send_buf(mine), plus), before);
  check::equal(world().iexscan(send_buf(mine), plus).wait(), before);
  check::equal(world().exscan_single(send_buf(1), plus), rank());
  auto changing = mine;
  std::vector<int> into(3);
  start_often(
      mpi::has_allreduce_init,
      [&] { return world().allreduce_init(send_buf(changing), recv_buf(into), plus); },
      [&](int k) {
        for (std::size_t i = 0; i < 3; ++i) changing[i] = mine[i] + k;
        std::fill(into.begin(), into.end(), -1);
      },
      [&](int k) {
        auto wanted = total;
        for (int& each : wanted) each += k * size();
        check::equal(into, wanted);
      });
}

TEST(reduce_scatter_gives_every_rank_its_part) {
  const auto total = sums_over_ranks(0, size(), 2 * size());
  const auto mine = vector(rank(), 2 * size());
  const auto at = total.begin() + 2 * rank();
  check::equal(world().reduce_scatter_block(send_buf(mine), op(std::plus<>())),
               std::vector<int>(at, at + 2));
  check::equal(world().ireduce_scatter_block(send_buf(mine), op(mpi::sum)).wait(),
               std::vector<int>(at, at + 2));
  const auto lengths = numbers([](int i) { return i + 1; });
  const int all = std::accumulate(lengths.begin(), lengths.end(), 0);
  const auto sums = sums_over_ranks(0, size(), all);
  const auto part = sums.begin() + running_sums(lengths)[static_cast<std::size_t>(rank())];
  const auto whole = vector(rank(), all);
  const std::vector<int> expected(part, part + rank() + 1);
  check::equal(world().reduce_scatter(send_buf(whole), recv_counts(lengths), op(std::plus<>())),
               expected);

  // Counts are any integers.
  const auto counted_as = [&](auto integer) {
    const std::vector<decltype(integer)> other(lengths.begin(), lengths.end());
    check::equal(world().reduce_scatter(send_buf(whole), recv_counts(other), op(mpi::sum)),
                 expected);
    auto begun = world().ireduce_scatter(send_buf(whole), recv_counts(other), op(mpi::sum));
    auto moved = std::move(begun);
    check::equal(moved.wait(), expected);
  };
  counted_as(static_cast<unsigned char>(0));
  counted_as(std::size_t{});
  counted_as(count_t{});

  // In place: what is sent is replaced by this rank's part, at its beginning.
  auto placed = mine;
  world().reduce_scatter_block(send_recv_buf<resize_to_fit>(placed), op(mpi::sum));
  check::equal(placed, std::vector<int>(at, at + 2));
  auto kept = whole;
  world().reduce_scatter(send_recv_buf(kept), recv_counts(lengths), op(mpi::sum));
  check::equal(kept.size(), whole.size());
  check::expect(std::equal(expected.begin(), expected.end(), kept.begin()));
  auto begun = world().ireduce_scatter(send_recv_buf(vector(rank(), all)), recv_counts(lengths),
                                       op(mpi::sum));
  check::equal(begun.wait(), expected);
}

TEST(a_root_scatters_from_the_buffer_that_the_others_receive_into) {
  for (int from = 0; from < size(); ++from) {
    const bool here = rank() == from;
    const auto all = vector(7, 2 * size());
    const std::vector<int> mine(all.begin() + 2 * rank(), all.begin() + 2 * rank() + 2);

    auto grown = here ? all : std::vector<int>();
    world().scatter(send_recv_buf<resize_to_fit>(grown), root(from));
    check::equal(grown, here ? all : mine);
    auto fixed = here ? all : std::vector<int>(2);
    world().scatter(send_recv_buf(fixed), root(from));
    check::equal(fixed, here ? all : mine);
    auto moved = here ? all : std::vector<int>();
    auto begun = world().iscatter(send_recv_buf(std::move(moved)), recv_count(2), root(from));
    check::equal(begun.wait(), here ? all : mine);

    const auto lengths = numbers([](int i) { return i + 1; });
    const auto ragged = vector(3, std::accumulate(lengths.begin(), lengths.end(), 0));
    const auto part = ragged.begin() + running_sums(lengths)[static_cast<std::size_t>(rank())];
    const std::vector<int> expected = here ? ragged : std::vector<int>(part, part + rank() + 1);
    auto parts = here ? ragged : std::vector<int>();
    const auto n = world().scatterv(send_recv_buf<resize_to_fit>(parts), send_counts(lengths),
                                    recv_count_out(), root(from));
    check::equal(parts, expected);
    check::equal(n, rank() + 1);
    parts = here ? ragged : std::vector<int>();
    world().scatterv(send_recv_buf<resize_to_fit>(parts), send_counts(lengths), root(from),
                     lengths_first());
    check::equal(parts, expected);
    const auto many = vector(5, 3000 * size());
    auto long_parts = here ? many : std::vector<int>();
    world().scatter(send_recv_buf<resize_to_fit>(long_parts), root(from));
    check::equal(long_parts.size(), here ? many.size() : std::size_t{3000});
    if (!here) check::equal(long_parts[2999], many[static_cast<std::size_t>(3000 * rank()) + 2999]);
  }
}

TEST(neighbors_on_a_ring_exchange_what_they_have) {
  const cartesian ring(world(), {size()}, {1});
  const int left = (rank() + size() - 1) % size();
  const int right = (rank() + 1) % size();
  const auto both = [](std::vector<int> one, const std::vector<int>& other) {
    one.insert(one.end(), other.begin(), other.end());
    return one;
  };
  const auto part = [](int i) { return vector(i, i + 1); };
  check::equal(ring.neighbor_allgather(send_buf(rank())), (std::vector<int>{left, right}));
  check::equal(ring.neighbor_allgatherv(send_buf(part(rank()))), both(part(left), part(right)));
  // The first part goes to the left and arrives there as the one from the right.
  const std::vector<int> sent{10 * rank(), 10 * rank() + 1};
  const std::vector<int> wanted =
      size() > 2 ? std::vector<int>{10 * left + 1, 10 * right} : std::vector<int>();
  const auto got = ring.neighbor_alltoall(send_buf(sent));
  if (size() > 2) check::equal(got, wanted);
  const std::vector<int> lengths{1, 2};
  const std::vector<int> three{10 * rank(), 10 * rank() + 1, 10 * rank() + 2};
  const auto more = ring.neighbor_alltoallv(send_buf(three), send_counts(lengths));
  if (size() > 2) check::equal(more, (std::vector<int>{10 * left + 1, 10 * left + 2, 10 * right}));
  check::equal(ring.ineighbor_allgather(send_buf(rank())).wait(), (std::vector<int>{left, right}));
}

// On a ring of one or two both are the same rank, and MPIs differ in which part is which; but the
// lengths must be those of the parts.
TEST(two_neighbors_get_their_own_parts_though_they_are_one_rank) {
  const cartesian ring(world(), {size()}, {1});
  const auto wide = static_cast<std::size_t>(3 + rank());
  std::vector<int> sent(1 + wide, 7);
  sent[0] = 1;
  const std::vector<std::size_t> lengths{1, wide};
  const auto [got, counts] =
      ring.neighbor_alltoallv(send_buf(sent), send_counts(lengths), recv_counts_out());
  check::expect(counts[0] + counts[1] == static_cast<int>(got.size()));
  check::expect((counts[0] == 1) != (counts[1] == 1), "lengths");
  check::equal(got[counts[0] == 1 ? 0 : static_cast<std::size_t>(counts[0])], 1);
  const std::vector<std::string> words{"to somebody on the left", "to the right"};
  auto arrived = ring.neighbor_alltoall(send_buf(as_serialized(words)));
  std::sort(arrived.begin(), arrived.end());
  check::equal(arrived, words);
}

TEST(a_rank_out_of_the_group_is_no_root) {
  using strict = std::vector<int>;
  strict values(2);
  check::thrown_by<mpi::error>([&] { world().bcast(send_recv_buf(values), root(size() + 3)); });
}

// The part that ends last need not be that of the last rank.
template <class Integer>
static void room_is_made_for_the_part_that_ends_last() {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<Integer> counts(ranks, 2);
  std::vector<Integer> displs(ranks);
  for (std::size_t i = 0; i < ranks; ++i) displs[i] = static_cast<Integer>(2 * (ranks - 1 - i));
  const std::vector<int> mine(2, comm.rank());
  std::vector<int> expected;
  for (int rank = comm.size() - 1; rank >= 0; --rank) expected.insert(expected.end(), 2, rank);

  check::equal(comm.allgatherv(send_buf(mine), recv_counts(counts), recv_displs(displs)), expected);
  std::vector<int> small(2 * ranks - 1);
  check::thrown_by<too_small>([&] {
    comm.allgatherv(send_buf(mine), recv_buf(small), recv_counts(counts), recv_displs(displs));
  });
  check::equal(comm.alltoallv(send_buf(expected), send_counts(counts), send_displs(displs),
                              recv_counts(counts), recv_displs(displs)),
               std::vector<int>(2 * ranks, comm.rank()));
  const std::vector<int> few(2 * ranks - 1);
  check::thrown_by<too_small>([&] {
    static_cast<void>(comm.alltoallv(send_buf(few), send_counts(counts), send_displs(displs)));
  });
}

TEST(room_is_made_for_the_part_that_ends_last) {
  room_is_made_for_the_part_that_ends_last<int>();    // lent to MPI as they are
  room_is_made_for_the_part_that_ends_last<short>();  // copied
  room_is_made_for_the_part_that_ends_last<count_t>();
}
