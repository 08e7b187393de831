// Every named parameter of the paper in each of its forms: given, asked for (by value, into a
// variable, into a container with a resize policy), and both at once (moved in, given back).

#include <mpiglot/communicator.hpp>
#include <mpiglot/flatten.hpp>
#include <mpiglot/serialized.hpp>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using ints = std::vector<int>;

const communicator& world() {
  static const communicator comm;
  return comm;
}
int size() { return world().size(); }
int rank() { return world().rank(); }
std::size_t ranks() { return static_cast<std::size_t>(size()); }

// One element from rank 0, two from rank 1 ...
ints mine_of(int of) { return ints(static_cast<std::size_t>(of + 1), of); }
ints lengths() {
  ints all;
  for (int i = 0; i < size(); ++i) all.push_back(i + 1);
  return all;
}
ints starts(const ints& counts) {
  ints at;
  for (int next = 0; const int each : counts) at.push_back(std::exchange(next, next + each));
  return at;
}
ints joined() {
  ints all;
  for (int i = 0; i < size(); ++i)
    for (const int each : mine_of(i)) all.push_back(each);
  return all;
}

}  // namespace

TEST(recv_buf_is_returned_moved_in_or_borrowed_with_each_policy) {
  const ints mine = mine_of(rank());
  check::equal(world().allgatherv(send_buf(mine)), joined());
  check::equal(world().allgatherv(send_buf(mine), recv_buf(ints(99))), joined());
  ints room(joined().size());
  world().allgatherv(send_buf(mine), recv_buf(room));
  check::equal(room, joined());
  ints grown;
  world().allgatherv(send_buf(mine), recv_buf<grow_only>(grown));
  check::equal(grown, joined());
  ints large(joined().size() + 5, -1);
  world().allgatherv(send_buf(mine), recv_buf<grow_only>(large));
  check::equal(large.size(), joined().size() + 5);
  world().allgatherv(send_buf(mine), recv_buf<resize_to_fit>(large));
  check::equal(large, joined());
  ints small;
  check::thrown_by<too_small>([&] { world().allgatherv(send_buf(mine), recv_buf(small)); });
}

TEST(recv_counts_and_recv_displs_are_given_or_asked_for_with_each_policy) {
  const ints mine = mine_of(rank()), counts = lengths(), displs = starts(counts);
  check::equal(world().allgatherv(send_buf(mine), recv_counts(counts)), joined());
  check::equal(world().allgatherv(recv_displs(displs), send_buf(mine), recv_counts(counts)),
               joined());
  auto [all, found, places] =
      world().allgatherv(send_buf(mine), recv_counts_out(), recv_displs_out());
  check::expect(all == joined() && found == counts && places == displs);
  auto result = world().allgatherv(send_buf(mine), recv_displs_out<std::vector<long>>(),
                                   recv_counts_out(ints(77)));
  check::equal(result.extract_recv_counts(), counts);
  check::equal(result.extract_recv_displs(), std::vector<long>(displs.begin(), displs.end()));
  check::equal(result.extract_recv_buf(), joined());
  ints into(ranks()), fitted, kept(ranks() + 3, -1), small;
  world().allgatherv(send_buf(mine), recv_counts_out(into), recv_buf<resize_to_fit>(all));
  check::equal(into, counts);
  world().allgatherv(send_buf(mine), recv_displs_out<resize_to_fit>(fitted),
                     recv_buf<resize_to_fit>(all));
  check::equal(fitted, displs);
  world().allgatherv(send_buf(mine), recv_counts_out<grow_only>(kept),
                     recv_buf<resize_to_fit>(all));
  check::expect(kept.size() == ranks() + 3 && kept.back() == -1 && kept[0] == 1);
  check::thrown_by<too_small>([&] {
    world().allgatherv(send_buf(mine), recv_counts_out(small), recv_buf<resize_to_fit>(all));
  });
}

TEST(send_counts_and_send_displs_are_given_or_asked_for) {
  ints sent;
  for (int to = 0; to < size(); ++to)
    for (const int each : mine_of(to)) sent.push_back(each);
  const ints counts = lengths(), displs = starts(counts);
  const ints wanted(ranks() * static_cast<std::size_t>(rank() + 1), rank());
  check::equal(world().alltoallv(send_buf(sent), send_counts(counts)), wanted);
  check::equal(world().alltoallv(send_buf(sent), send_counts(counts), send_displs(displs)), wanted);
  auto [got, places] = world().alltoallv(send_buf(sent), send_counts(counts), send_displs_out());
  check::expect(got == wanted && places == displs);
  ints into;
  auto [own, all] = world().scatterv(send_buf(sent), send_counts(counts),
                                     send_displs_out<resize_to_fit>(into), recv_count_out());
  check::expect(own == mine_of(rank()) && all == rank() + 1);
  if (rank() == 0) check::equal(into, displs);

  // Counts of what divides itself are computed.
  std::vector<std::string> words(ranks());
  for (int to = 0; to < size(); ++to) words[static_cast<std::size_t>(to)] = std::string(3, 'a');
  auto encoded = world().alltoallv(send_buf(as_serialized(words)), send_counts_out());
  check::equal(encoded.extract_send_counts().size(), ranks());
  std::vector<std::pair<int, ints>> messages;
  for (int to = 0; to < size(); ++to) messages.push_back({to, mine_of(to)});
  auto flat =
      world().alltoallv(send_buf(flattened(messages)), send_counts_out(), send_displs_out());
  check::equal(flat.extract_send_counts(), counts);
  check::equal(flat.extract_send_displs(), displs);
  check::equal(flat.extract_recv_buf(), wanted);
}

TEST(counts_are_given_or_asked_for) {
  const ints three{1, 2, 3};
  ints each(3 * ranks(), 4);
  count_t n = -1;
  check::equal(world().allgather(send_buf(three), send_count(2)).size(), 2 * ranks());
  auto [all, sent, received] =
      world().allgather(send_buf(three), send_count_out(), recv_count_out());
  check::expect(sent == 3 && received == 3 && all.size() == 3 * ranks());
  check::equal(world().allgatherv(send_buf(three), send_count_out(n)).size(), 3 * ranks());
  check::equal(n, 3);
  auto gathered = world().gather(send_buf(three), send_count_out(), root(0));
  check::equal(gathered.extract_send_count(), 3);
  auto [parts, to_each, from_each] =
      world().alltoall(send_buf(each), send_count_out(), recv_count_out());
  check::expect(to_each == 3 && from_each == 3 && parts.size() == each.size());
  check::equal(world().alltoall(send_buf(each), send_count(1), recv_count(1)).size(), ranks());
  auto [mine, count] = world().scatter(send_buf(each), recv_count_out());
  check::expect(mine.size() == 3 && count == 3);
  world().scatter(send_buf(each), recv_buf<resize_to_fit>(all), send_count_out(n));
  if (rank() == 0) check::equal(n, 3);
  check::equal(world().allreduce(send_buf(three), send_count_out(n), op(mpi::sum)).size(),
               std::size_t{3});
  check::equal(n, 3);
}

TEST(send_recv_buf_and_its_count_are_given_back_or_borrowed) {
  ints v = rank() == 0 ? ints{7, 8} : ints();
  auto [values, n] = world().bcast(send_recv_buf(std::move(v)), send_recv_count_out());
  check::expect(values == ints{7, 8} && n == 2);
  ints room(2, rank() == 0 ? 5 : 0);
  count_t known = 0;
  world().bcast(send_recv_buf(room), send_recv_count_out(known));
  check::expect(room == ints{5, 5} && known == 2);
  ints fitted = rank() == 0 ? ints{1, 2, 3} : ints();
  world().bcast(send_recv_buf<resize_to_fit>(fitted));
  check::equal(fitted, ints{1, 2, 3});
  world().bcast(send_recv_buf(room), send_recv_count(1));
  check::equal(world().allreduce(send_recv_buf(ints{1}), op(mpi::sum)), ints{size()});
}

TEST(send_buf_out_comes_back_and_types_are_given) {
  const int next = (rank() + 1) % size();
  auto sent = world().isend(send_buf_out(mine_of(rank())), destination(next), tag(2));
  auto [got, status] = world().recv(recv_buf(ints()), status_out(), tag(2));
  check::equal(sent.wait(), mine_of(rank()));
  check::equal(got, mine_of(status.source()));
  auto [all, own] = world().allgatherv(send_buf_out(mine_of(rank())));
  check::expect(all == joined() && own == mine_of(rank()));
  const ints one{rank()};
  check::equal(world().allgather(send_buf(one), send_type(mpi::int_), recv_type(mpi::int_)).size(),
               ranks());
  ints room(1, rank());
  world().bcast(send_recv_buf(room), send_recv_type(mpi::int_), send_recv_count(1));
  check::equal(room, ints{0});
}

TEST(what_only_the_root_receives_is_given_by_the_root_alone) {
  const ints mine = mine_of(rank()), three(3, rank());
  ints into(rank() == 0 ? 3 * ranks() : 0), all(rank() == 0 ? joined().size() : 0);
  if (rank() == 0)
    world().gather(send_buf(three), recv_buf(into));
  else
    check::expect(world().gather(send_buf(three)).empty());
  if (rank() == 0)
    world().gatherv(send_buf(mine), recv_buf(all), recv_displs_out<std::vector<long>>());
  else
    check::expect(world().gatherv(send_buf(mine)).empty());
  if (rank() == 0) check::equal(all, joined());
  // Counts decide whether they travel, so the others say that there are some.
  check::equal(world().gatherv(send_buf(mine), recv_counts(rank() == 0 ? lengths() : ints())),
               rank() == 0 ? joined() : ints());
  int sum = 0;
  if (rank() == 0)
    world().reduce(send_buf(1), recv_buf(sum), op(mpi::sum));
  else
    static_cast<void>(world().reduce(send_buf(1), op(mpi::sum)));
  check::equal(sum, rank() == 0 ? size() : 0);
}

TEST(arrays_for_more_than_an_int_counts_say_nothing_of_ranks_that_send_nothing) {
  mpiglot::detail::computed_layout layout(3);
  layout.set_length(0, mpiglot::detail::nobody);
  layout.set_length(1, count_t{1} << 31);
  layout.set_length(2, 5);
  check::equal(layout.lay_out(), (count_t{1} << 31) + 5);
  check::expect(!layout.narrow() && layout.is_from_nobody(0));
  layout.visit_wide([](const count_t* counts, const mpi::aint_t* displacements) {
    check::equal(counts[0], count_t{0});
    check::equal(counts[1], count_t{1} << 31);
    check::equal(displacements[2], mpi::aint_t{1} << 31);
  });
}
