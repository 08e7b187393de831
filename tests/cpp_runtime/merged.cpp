// Slots with counts and small payloads: what arrives, and that all ranks always agree on the size of
// the next slots, whatever the history.

#include "../cpp/check.hpp"

#include <mpiglot/detail/merged.hpp>

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
  // Lengths of very different size: rounds of small ones, then one with zero and far too large ones.
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

void expect_agreement(mpi::comm_handle comm, const detail::learned_class& kind) {
  const int mine = static_cast<int>(kind.next());
  int least = 0;
  int most = 0;
  mpi::allreduce(&mine, &least, 1, mpi::int_, mpi::min, comm);
  mpi::allreduce(&mine, &most, 1, mpi::int_, mpi::max, comm);
  check::equal(least, most);
}

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
    check::expect(done.code.ok());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      check::equal(told[i], static_cast<count_t>(lengths[i]));
      if (done.complete)
        check::equal(payload(done.received, i, told[i]), message(lengths[i], static_cast<int>(i)));
    }
    expect_agreement(comm, learned_of(comm).allgatherv);
    complete += done.complete ? 1 : 0;
  }
  return complete;
}

}  // namespace

TEST(a_slot_takes_its_header_and_the_rest) {
  static_assert(merged::class_for(0) == detail::header_only);
  static_assert(merged::class_for(1) == 4 && merged::class_for(8) == 4);
  static_assert(merged::class_for(9) == 5 && merged::class_for(248) == 8);
  static_assert(merged::class_for(249) == 9);
  const merged::header large((count_t{1} << 55) + 7, 9);
  check::equal(large.length(), (count_t{1} << 55) + 7);
  check::equal(large.wanted(), 9u);
  check::equal(merged::header(poison, detail::header_only).length(), poison);
}

TEST(slots_grow_at_once_shrink_slowly_and_give_up_past_the_limit) {
  detail::learned_class kind(8);
  check::equal(kind.next(), 6u);
  kind.learn(8);
  check::equal(kind.next(), 8u);
  kind.learn(4);
  check::equal(kind.next(), 7u);
  kind.learn(9);
  check::equal(kind.next(), detail::header_only);
  kind.learn(6);
  check::equal(kind.next(), 6u);
  kind.learn(merged::impossible);
  check::equal(kind.next(), detail::header_only);
}

TEST(allgather_of_slots_agrees_whatever_the_lengths) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const int complete = allgather_with_any_lengths(comm.get(), 150);
  check::expect(complete > 5 && complete < 150, "both ways were taken");
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
  learned_of(comm.get()).allgatherv.learn(8);
  if (check::rank() == 0) check::equal(learned_of(comm.get()).allgatherv.next(), 8u);
  expect_agreement(comm.get(), learned_of(comm.get()).allgatherv);
  const mpi::unique_comm copy(mpi::comm_dup(comm.get()));
  check::equal(learned_of(copy.get()).allgatherv.next(), 6u);
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
  check::expect(done.code.ok());
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
  const auto done = merged::allgather<int>(learned_of(comm.get()), comm.get(), check::rank(),
                                           check::size(), 3, {values.data(), 1, column.get()},
                                           told.data());
  check::expect(done.complete);
  for (int i = 0; i < check::size(); ++i)
    check::equal(payload(done.received, static_cast<std::size_t>(i), 3),
                 std::vector<int>{1000 * i, 1000 * i + 2, 1000 * i + 4});
  std::vector<int> back(6, -1);
  check::expect(merged::unpack_from<int>(done.received.payload(0), {back.data(), 1, column.get()},
                                         3, comm.get())
                    .ok());
  check::equal(back, (std::vector<int>{0, -1, 2, -1, 4, -1}));
}

TEST(bcast_in_a_slot_agrees_whatever_the_lengths) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  numbers random;
  int complete = 0;
  for (int round = 0; round < 150; ++round) {
    const int root = round % check::size();
    random.start_round();
    const std::size_t length = random.length();
    auto sent = message(check::rank() == root ? length : 0, root);
    count_t told = static_cast<count_t>(sent.size());
    const auto done = merged::bcast<int>(learned_of(comm.get()), comm.get(), check::rank() == root,
                                         root, told, lend(sent));
    check::expect(done.code.ok());
    check::equal(told, static_cast<count_t>(length));
    if (done.complete) check::equal(payload(done.received, 0, told), message(length, root));
    expect_agreement(comm.get(), learned_of(comm.get()).bcast);
    complete += done.complete ? 1 : 0;
  }
  check::expect(complete > 5 && complete < 150, "both ways were taken");
}

TEST(alltoall_of_slots_agrees_although_nobody_sees_all_lengths) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const auto ranks = static_cast<std::size_t>(check::size());
  const auto here = static_cast<std::size_t>(check::rank());
  numbers random;
  int complete = 0;
  for (int round = 0; round < 150; ++round) {
    random.start_round();
    std::vector<std::size_t> lengths(ranks * ranks);  // from each to each
    for (auto& length : lengths) length = random.length();
    std::vector<std::vector<int>> parts(ranks);
    for (std::size_t to = 0; to < ranks; ++to)
      parts[to] = message(lengths[here * ranks + to], check::rank(), static_cast<int>(to));
    std::vector<count_t> told(ranks);
    const auto done = merged::alltoall<int>(
        learned_of(comm.get()), comm.get(), check::size(),
        [&](std::size_t i) { return static_cast<count_t>(parts[i].size()); },
        [&](std::size_t i) { return parts[i].data(); }, told.data());
    check::expect(done.code.ok());
    int same = done.complete ? 1 : 0;
    mpi::bcast(&same, 1, mpi::int_, 0, comm.get());
    check::equal(same == 1, done.complete);
    for (std::size_t from = 0; from < ranks; ++from) {
      check::equal(told[from], static_cast<count_t>(lengths[from * ranks + here]));
      if (done.complete)
        check::equal(payload(done.received, from, told[from]),
                     message(lengths[from * ranks + here], static_cast<int>(from), check::rank()));
    }
    expect_agreement(comm.get(), learned_of(comm.get()).alltoallv);
    complete += done.complete ? 1 : 0;
  }
  check::expect(complete > 5 && complete < 150, "both ways were taken");
}

TEST(scatter_of_slots_agrees_although_only_the_root_knows_all_lengths) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const auto ranks = static_cast<std::size_t>(check::size());
  numbers random;
  int complete = 0;
  for (int round = 0; round < 150; ++round) {
    const int root = round % check::size();
    random.start_round();
    std::vector<std::vector<int>> parts(ranks);
    for (std::size_t to = 0; to < ranks; ++to)
      parts[to] = message(random.length(), root, static_cast<int>(to));
    const auto& mine = parts[static_cast<std::size_t>(check::rank())];
    count_t told = 0;
    const auto done = merged::scatter<int>(
        learned_of(comm.get()), comm.get(), check::rank() == root, root, check::size(),
        [&](std::size_t i) { return static_cast<count_t>(parts[i].size()); },
        [&](std::size_t i) { return parts[i].data(); }, told);
    check::expect(done.code.ok());
    check::equal(told, static_cast<count_t>(mine.size()));
    if (done.complete) check::equal(payload(done.received, 0, told), mine);
    int same = done.complete ? 1 : 0;
    mpi::bcast(&same, 1, mpi::int_, 0, comm.get());
    check::equal(same == 1, done.complete);
    expect_agreement(comm.get(), learned_of(comm.get()).scatterv);
    complete += done.complete ? 1 : 0;
  }
  check::expect(complete > 5 && complete < 150, "both ways were taken");
}

TEST(between_two_groups_lengths_travel_alone) {
  if (check::size() < 2) return;
  const bool left = check::rank() == 0;
  const mpi::unique_comm half(mpi::comm_split(mpi::comm_world, left ? 0 : 1, check::rank()));
  const mpi::unique_comm between(
      mpi::intercomm_create(half.get(), 0, mpi::comm_world, left ? 1 : 0, 7));
  check::equal(learned_of(between.get()).allgatherv.next(), detail::header_only);
  learned_of(between.get()).allgatherv.learn(5);
  check::equal(learned_of(between.get()).allgatherv.next(), detail::header_only);
}
