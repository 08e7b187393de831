// Slots with counts and small payloads: what arrives, and that all ranks always agree on the size
// of the next slots, whatever the history.

#include "../cpp/check.hpp"

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/merged/slots.hpp>
#include <mpiglot/detail/merged/vector_variants.hpp>

#include <numeric>

using namespace mpiglot;
namespace merged = mpiglot::detail::merged;
using detail::learned_of;

namespace {

// A different number for each call, the same in every run.
struct numbers {
  std::uint32_t state = 12345;
  std::uint32_t next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
  // Lengths of very different size: rounds of small ones, then one with far too large ones.
  void start_round() { small = next() % 4 != 0; }
  std::size_t length() {
    const std::uint32_t kind = next() % 8;
    if (kind == 0) return 0;
    return next() % (small || kind < 5 ? 16u : kind < 7 ? 70u : 600u);
  }
  bool small = true;
};

std::vector<int> message(std::size_t length, int from, int to = 0) {
  std::vector<int> made(length);
  std::iota(made.begin(), made.end(), 1000 * from + 100000 * to);
  return made;
}

lent lend(std::vector<int>& values) {
  return {values.data(), static_cast<count_t>(values.size()), mpi::int_};
}

std::vector<int> payload(const merged::slots& slots, std::size_t i, count_t length) {
  std::vector<int> found(static_cast<std::size_t>(length));
  if (length > 0) std::memcpy(found.data(), slots.payload(i), found.size() * sizeof(int));
  return found;
}

// What one rank sends to each: parts of one buffer.
struct parted {
  explicit parted(const std::vector<std::vector<int>>& each) {
    for (const auto& part : each) {
      lengths.push_back(static_cast<count_t>(part.size()));
      displs.push_back(static_cast<mpi::aint_t>(all.size()));
      all.insert(all.end(), part.begin(), part.end());
    }
  }
  std::size_t size() const { return lengths.size(); }
  template <class Call>
  void visit(Call call) const {
    call(lengths.data(), displs.data());
  }
  merged::sent_layout told() const { return merged::sent_layout::of(*this, false); }

  std::vector<int> all;
  std::vector<count_t> lengths;
  std::vector<mpi::aint_t> displs;
};

// What every rank must have found alike: the size of the next slot, whether this one took all.
void expect_agreement(mpi::comm_handle comm, const detail::learned_size& kind,
                      bool complete = true) {
  const int next = static_cast<int>(kind.next());
  const int mine[] = {next, -next, complete ? 1 : 0, complete ? -1 : 0};
  int least[4] = {};
  mpi::allreduce(mine, least, 4, mpi::int_, mpi::min, comm);
  check::equal(least[0], -least[1]);
  check::equal(least[2], -least[3]);
}

// Lengths by chance. More than two ranks share the processors, and each call takes long there.
int rounds() { return check::size() > 2 ? 60 : 150; }

// Calls of allgather with every kind of length; how many needed one message.
int allgather_with_any_lengths(mpi::comm_handle comm, int rounds) {
  const int rank = mpi::comm_rank(comm);
  const int size = mpi::comm_size(comm);
  numbers random;
  int complete = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::size_t> lengths(static_cast<std::size_t>(size));
    random.start_round();
    for (auto& length : lengths) length = random.length();
    auto mine = message(lengths[static_cast<std::size_t>(rank)], rank);
    std::vector<count_t> told(lengths.size());
    const auto done = merged::allgather<int>(learned_of(comm), comm, rank, size, lend(mine).count,
                                             lend(mine), told.data());
    check::expect(done.code == MPI_SUCCESS);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      check::equal(told[i], static_cast<count_t>(lengths[i]));
      if (done.complete)
        check::equal(payload(done.received, i, told[i]), message(lengths[i], static_cast<int>(i)));
    }
    expect_agreement(comm, learned_of(comm).allgatherv, done.complete);
    complete += done.complete ? 1 : 0;
  }
  return complete;
}

}  // namespace

TEST(a_slot_takes_its_header_and_the_rest) {
  static_assert(merged::units_for(1) == 3 && merged::units_for(4) == 3);
  static_assert(merged::units_for(5) == 4 && merged::units_for(24) == 8);
  static_assert(merged::units_for(1004) == 253 && merged::units_for(1005) == merged::too_large);
  static_assert(merged::units_for(std::size_t{1} << 40) == merged::too_large);
  std::byte memory[16];
  const auto told = [&](detail::slot_units units, count_t length, detail::slot_units wanted) {
    const merged::slots one(memory, units, detail::slot_mark::allgather);
    one.tell(0, length, wanted);
    count_t alone = 0;
    const merged::summary all = one.read(MPI_SUCCESS, 1, &alone);
    check::equal(all.wanted, wanted);
    check::equal(alone, length);
    check::equal(all.failed, length == poison ? 0 : -1);
    check::equal(all.length, length == poison ? 0 : length);
  };
  told(detail::lengths_only, (count_t{1} << 55) + 7, 9);
  told(detail::lengths_only, poison, 9);
  told(4, merged::longest, 253);
  told(4, 0, merged::too_large);
  told(4, poison, 3);
}

// The slots of the last call are still in memory, and less than a header may arrive.
TEST(what_is_no_header_of_this_call_is_an_error) {
  constexpr auto mine = detail::slot_mark::allgather;
  const auto refused = [](auto write, int arrived) {
    std::byte memory[3 * 16] = {};
    const merged::slots all(memory, 4, mine);
    for (std::size_t i = 0; i < 3; ++i) all.tell(i, 2, 4);
    static_cast<void>(all.read(MPI_SUCCESS, 3, nullptr));  // the last call
    for (std::size_t i = 0; i < 3; ++i)
      if (i != 1) all.tell(i, 2, 4);
    std::byte data[16] = {};
    write(data);
    std::memcpy(all.at(1), data, static_cast<std::size_t>(arrived));
    count_t lengths[3];
    check::thrown_by<count_error>([&] { static_cast<void>(all.read(MPI_SUCCESS, 3, lengths)); });
  };
  const auto ints = [](int value) {
    return [value](std::byte* to) {
      const int four[] = {value, value, value, value};
      std::memcpy(to, four, sizeof four);
    };
  };
  for (const int arrived : {0, 1, 3, 4, 7, 8, 16})
    for (const int value : {0, 1, 2, 20, -1, -2, 1 << 30}) refused(ints(value), arrived);
  for (const auto other :
       {detail::slot_mark::bcast, detail::slot_mark::alltoall, detail::slot_mark::scatter})
    refused([other](std::byte* to) { merged::slots(to, 4, other).tell(0, 2, 4); }, 16);
  refused(
      [](std::byte* to) {
        const count_t word = detail::marked(2);
        std::memcpy(to, &word, sizeof word);
      },
      8);
}

TEST(data_is_taken_for_a_header_less_than_once_in_65536_times) {
  std::uint64_t state = 7;
  std::uint64_t headers = 0, lengths = 0;
  const std::uint64_t all = 20u << 16;
  for (std::uint64_t i = 0; i < all; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t word = state ^ state >> 29;
    const auto told = static_cast<std::uint32_t>(word >> 32) ^
                      static_cast<std::uint32_t>(detail::slot_mark::bcast);
    headers += told < 2 * detail::failed_bit ? 1 : 0;
    lengths += detail::is_length(detail::without_mark(static_cast<count_t>(word))) ? 1 : 0;
  }
  check::expect(headers < 20, "headers");
  check::expect(lengths < 20, "lengths");
}

TEST(lengths_that_travel_alone_keep_their_value) {
  for (const count_t n : {count_t{0}, count_t{1}, (count_t{1} << 46) - 1, poison})
    check::equal(detail::unmarked(detail::marked(n)), n);
  for (const count_t word : {count_t{0}, count_t{-1}, count_t{-2}, count_t{7}, count_t{1} << 46})
    check::thrown_by<count_error>([&] { static_cast<void>(detail::unmarked(word)); });
  detail::computed_layout layout(4);
  const auto arrive = [&](std::initializer_list<count_t> words) {
    layout.expect_lengths();
    std::size_t i = 0;
    for (const count_t word : words) layout.set_length(i++, word);
    check::equal(layout.unmark(), count_t{-1});
    const int missing = layout.require_lengths();
    check::equal(layout.sum(), count_t{3});
    return missing;
  };
  using detail::marked;
  for (std::size_t i = 0; i < 4; ++i) layout.set_length(i, marked(static_cast<count_t>(i)));
  check::equal(layout.unmark(), count_t{6});
  check::equal(arrive({marked(3), marked(poison), marked(0)}), 1);
  check::equal(layout.failed(), 1);
  check::equal(layout.length(0), count_t{3});
  for (const count_t word : {count_t{0}, count_t{-1}, count_t{3}, count_t{1} << 50})
    check::thrown_by<count_error>([&] { static_cast<void>(arrive({marked(3), word})); });
}

TEST(slots_grow_at_once_shrink_late_and_give_up_past_the_limit) {
  detail::learned_size kind(64);
  check::equal(kind.next(), 16u);
  kind.learn(40);
  check::equal(kind.next(), 40u);
  for (int i = 0; i < 7; ++i) kind.learn(i == 3 ? 9 : 4);
  check::equal(kind.next(), 40u);
  kind.learn(4);
  check::equal(kind.next(), 9u);
  for (int i = 0; i < 5; ++i) kind.learn(65);
  check::equal(kind.next(), 9u);
  kind.learn(merged::too_large);
  check::equal(kind.next(), detail::lengths_only);
  for (int i = 0; i < 2; ++i) kind.learn(6);
  check::equal(kind.next(), detail::lengths_only);
}

TEST(slots_that_grow_twice_in_eight_calls_get_headroom_for_eight_calls) {
  detail::learned_size kind(64);
  kind.learn(20);
  for (int i = 0; i < 6; ++i) kind.learn(20);
  kind.learn(22);
  check::equal(kind.next(), 33u);
  for (int i = 0; i < 8; ++i) kind.learn(22);
  check::equal(kind.next(), 22u);
  kind.learn(24);
  check::equal(kind.next(), 24u);
  for (int i = 0; i < 7; ++i) kind.learn(24);
  kind.learn(26);
  check::equal(kind.next(), 26u);
  for (unsigned i = 0; i < 8; ++i) kind.learn(10 + i);  // still grow
  check::equal(kind.next(), 25u);
  kind.learn(60);
  check::equal(kind.next(), 64u);
}

// Lengths past what 4 bytes tell, of elements that are never looked at: they fit no slot.
TEST(lengths_that_a_small_header_cannot_tell_are_told_all_the_same) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const count_t huge = (count_t{1} << 40) + check::rank();
  const auto ranks = static_cast<std::size_t>(check::size());
  std::vector<count_t> told(ranks);
  for (int round = 0; round < 2; ++round) {
    auto& known = learned_of(comm.get());
    auto done = merged::allgather<int>(known, comm.get(), check::rank(), check::size(), huge, {},
                                       told.data());
    check::expect(!done.complete);
    for (std::size_t i = 0; i < ranks; ++i)
      check::equal(told[i], (count_t{1} << 40) + static_cast<count_t>(i));
    parted sent(std::vector<std::vector<int>>(ranks, {7}));
    sent.lengths[0] = huge;
    const lent elements = lend(sent.all);
    done = merged::alltoall(known, comm.get(), check::size(), sent.told(),
                            merged::payload::of<int>(elements, 0), told.data());
    check::expect(!done.complete);
    for (std::size_t i = 0; i < ranks; ++i)
      check::equal(told[i], check::rank() == 0 ? (count_t{1} << 40) + static_cast<count_t>(i) : 1);
  }
}

TEST(allgather_of_slots_agrees_whatever_the_lengths) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const int complete = allgather_with_any_lengths(comm.get(), rounds());
  check::expect(complete > 5 && complete < rounds(), "both ways were taken");
}

TEST(equal_lengths_need_one_message_each_after_the_first) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  for (int round = 0; round < 5; ++round) {
    auto mine = message(30, check::rank());
    std::vector<count_t> told(static_cast<std::size_t>(check::size()));
    const auto done = merged::allgather<int>(learned_of(comm.get()), comm.get(), check::rank(),
                                             check::size(), 30, lend(mine), told.data());
    check::equal(done.complete, round > 0);
  }
}

TEST(what_is_learned_belongs_to_the_communicator_not_to_who_asks) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  learned_of(comm.get()).allgatherv.learn(40);
  if (check::rank() == 0) check::equal(learned_of(comm.get()).allgatherv.next(), 40u);
  expect_agreement(comm.get(), learned_of(comm.get()).allgatherv);
  const mpi::unique_comm copy(mpi::comm_dup(comm.get()));
  check::equal(learned_of(copy.get()).allgatherv.next(), 16u);
  check::expect(&learned_of(copy.get()) != &learned_of(comm.get()));
}

TEST(sub_communicators_learn_apart) {
  const mpi::unique_comm half(mpi::comm_split(mpi::comm_world, check::rank() % 2, check::rank()));
  allgather_with_any_lengths(half.get(), 10 + 20 * (check::rank() % 2));
  const mpi::unique_comm all(mpi::comm_dup(mpi::comm_world));
  allgather_with_any_lengths(all.get(), 10);
}

TEST(a_rank_that_failed_tells_everybody) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const bool here = check::rank() == check::size() - 1;
  auto mine = message(here ? 0 : 3, check::rank());
  std::vector<count_t> told(static_cast<std::size_t>(check::size()));
  const auto done =
      merged::allgather<int>(learned_of(comm.get()), comm.get(), check::rank(), check::size(),
                             here ? poison : 3, lend(mine), told.data());
  check::expect(done.code == MPI_SUCCESS);
  for (int i = 0; i < check::size(); ++i)
    check::equal(told[static_cast<std::size_t>(i)], i == check::size() - 1 ? poison : 3);
  expect_agreement(comm.get(), learned_of(comm.get()).allgatherv);
}

TEST(elements_of_a_derived_datatype_are_packed_into_the_slot) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  mpi::unique_datatype column(mpi::type_vector(3, 1, 2, mpi::int_));
  mpi::type_commit(column);
  auto values = message(6, check::rank());
  std::vector<count_t> told(static_cast<std::size_t>(check::size()));
  const auto done =
      merged::allgather<int>(learned_of(comm.get()), comm.get(), check::rank(), check::size(), 3,
                             {values.data(), 1, column.get()}, told.data());
  check::expect(done.complete);
  for (int i = 0; i < check::size(); ++i)
    check::equal(payload(done.received, static_cast<std::size_t>(i), 3),
                 std::vector<int>{1000 * i, 1000 * i + 2, 1000 * i + 4});
  std::vector<int> back(6, -1);
  check::expect(
      merged::unpack<int>(done.received.payload(0), {back.data(), 1, column.get()}, 3, comm.get())
          .ok());
  check::equal(back, (std::vector<int>{0, -1, 2, -1, 4, -1}));
}

TEST(alltoall_of_slots_agrees_although_nobody_sees_all_lengths) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const auto ranks = static_cast<std::size_t>(check::size());
  const auto here = static_cast<std::size_t>(check::rank());
  numbers random;
  int complete = 0;
  for (int round = 0; round < rounds(); ++round) {
    random.start_round();
    std::vector<std::size_t> lengths(ranks * ranks);  // from each to each
    for (auto& length : lengths) length = random.length();
    std::vector<std::vector<int>> parts(ranks);
    for (std::size_t to = 0; to < ranks; ++to)
      parts[to] = message(lengths[here * ranks + to], check::rank(), static_cast<int>(to));
    std::vector<count_t> told(ranks);
    parted sent(parts);
    const lent elements = lend(sent.all);
    const auto done =
        merged::alltoall(learned_of(comm.get()), comm.get(), check::size(), sent.told(),
                         merged::payload::of<int>(elements, 0), told.data());
    check::expect(done.code == MPI_SUCCESS);
    for (std::size_t from = 0; from < ranks; ++from) {
      check::equal(told[from], static_cast<count_t>(lengths[from * ranks + here]));
      if (done.complete)
        check::equal(payload(done.received, from, told[from]),
                     message(lengths[from * ranks + here], static_cast<int>(from), check::rank()));
    }
    expect_agreement(comm.get(), learned_of(comm.get()).alltoallv, done.complete);
    complete += done.complete ? 1 : 0;
  }
  check::expect(complete > 5 && complete < rounds(), "both ways were taken");
}

TEST(scatter_of_slots_agrees_although_only_the_root_knows_all_lengths) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const auto ranks = static_cast<std::size_t>(check::size());
  numbers random;
  int complete = 0;
  for (int round = 0; round < rounds(); ++round) {
    const int root = round % check::size();
    random.start_round();
    std::vector<std::vector<int>> parts(ranks);
    for (std::size_t to = 0; to < ranks; ++to)
      parts[to] = message(random.length(), root, static_cast<int>(to));
    const auto& mine = parts[static_cast<std::size_t>(check::rank())];
    count_t told = 0;
    parted sent(parts);
    const lent elements = lend(sent.all);
    const auto done = merged::scatter(learned_of(comm.get()), comm.get(), root,
                                      check::rank() == root ? check::size() : 0, sent.told(),
                                      merged::payload::of<int>(elements, 0), told);
    check::expect(done.code == MPI_SUCCESS);
    check::equal(told, static_cast<count_t>(mine.size()));
    if (done.complete) check::equal(payload(done.received, 0, told), mine);
    expect_agreement(comm.get(), learned_of(comm.get()).scatterv, done.complete);
    complete += done.complete ? 1 : 0;
  }
  check::expect(complete > 5 && complete < rounds(), "both ways were taken");
}

TEST(two_groups_are_no_communicator_of_one) {
  if (check::size() < 2) return;
  const bool left = check::rank() == 0;
  const mpi::unique_comm half(mpi::comm_split(mpi::comm_world, left ? 0 : 1, check::rank()));
  const mpi::unique_comm between(
      mpi::intercomm_create(half.get(), 0, mpi::comm_world, left ? 1 : 0, 7));
  const auto failure = check::thrown_by([&] { const communicator both(between.get()); });
  check::expect(failure.error_class() == mpi::error_class::comm, failure.what());
}
