// Every named parameter of the paper in each of its forms: given, asked for (by value, into a
// variable, into a container with a resize policy), and both at once (moved in, given back).

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/device.hpp>
#include <mpiglot/fields.hpp>
#include <mpiglot/flatten.hpp>
#include <mpiglot/info.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/memory_order.hpp>
#include <mpiglot/plugins/timers.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/streams.hpp>
#include <mpiglot/window.hpp>
#include <sstream>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

// Everything that keeps a reference, a pointer or a view of what it is given, tried with a temporary:
// it is kept by value, or nothing is made of it.
namespace temporaries {

template <class T>
T of();  // a temporary; `of<T&>()` is a variable
template <class Kept, class Value>
inline constexpr bool has = std::is_same_v<decltype(std::declval<Kept>().value), Value>;

using numbers = std::vector<int>;

// Named parameters.
static_assert(has<decltype(send_buf(of<numbers>())), numbers>);
static_assert(has<decltype(send_buf(of<numbers&>())), numbers&>);
static_assert(has<decltype(send_buf_out(of<numbers>())), numbers>);
static_assert(has<decltype(recv_buf(of<numbers>())), numbers>);
static_assert(has<decltype(send_recv_buf(of<numbers>())), numbers>);
static_assert(has<decltype(send_counts(of<numbers>())), numbers>);
static_assert(has<decltype(send_displs(of<numbers>())), numbers>);
static_assert(has<decltype(recv_counts(of<numbers>())), numbers>);
static_assert(has<decltype(recv_displs(of<numbers>())), numbers>);
static_assert(has<decltype(values_on_rank_0(of<numbers>())), numbers>);
static_assert(has<decltype(send_counts_out(of<numbers>())), numbers>);
static_assert(has<decltype(send_displs_out(of<numbers>())), numbers>);
static_assert(has<decltype(recv_counts_out(of<numbers>())), numbers>);
static_assert(has<decltype(recv_displs_out(of<numbers>())), numbers>);
template <class Count>
concept asks_for_counts = requires { send_count_out(of<Count>()); } || requires {
  recv_count_out(of<Count>());
} || requires { send_recv_count_out(of<Count>()); };
static_assert(asks_for_counts<count_t&> && !asks_for_counts<count_t>);
template <class Status>
concept asks_for_status = requires { status_out(of<Status>()); };
static_assert(asks_for_status<mpi::status&> && !asks_for_status<mpi::status>);

// What wraps a buffer.
static_assert(has<decltype(as_serialized(of<numbers>())), numbers>);
static_assert(has<decltype(deep(of<numbers>())), numbers>);
template <class Value>
concept decodes = requires { as_deserializable(of<Value>()); };
static_assert(decodes<numbers&> && !decodes<numbers>);
template <class Table>
concept numbers_by = requires { deep(of<numbers&>(), of<Table>()); };
static_assert(numbers_by<address_table&> && !numbers_by<address_table>);
static_assert(
    std::is_same_v<decltype(flattened(of<std::vector<numbers>>()).nested), std::vector<numbers>>);
static_assert(std::is_same_v<decltype(at_most(1, of<numbers>()).buffer), numbers>);
template <class View>
concept ordered = requires { memory_order(of<View>()); };
using owning = decltype(layouts::bag(layouts::scalar<int>()));
static_assert(ordered<owning&> && !ordered<owning>);
static_assert(std::is_same_v<decltype(device_aware(of<owning>()).view), owning>);
static_assert(
    std::is_same_v<decltype(staged(of<owning>(), [](void*, const void*, std::size_t) {}).view.view),
                   owning>);

// Rules of fields.
template <class Pointer>
concept rules = requires { owned(of<Pointer>()); } || requires { owned(of<Pointer>(), 1); } ||
                requires { shared(of<Pointer>()); } || requires { shared(of<Pointer>(), 1); } ||
                requires { observed(of<Pointer>()); };
static_assert(rules<int*&> && !rules<int*> && rules<std::vector<int*>&> &&
              !rules<std::vector<int*>>);
static_assert(std::is_same_v<decltype(owned(of<int*&>(), of<int>()).count), int>);
static_assert(std::is_same_v<decltype(owned(of<int*&>(), of<int&>()).count), int&>);
struct derived : numbers {};
template <class Self>
concept has_bases = requires { bases<numbers>(of<Self>()); };
static_assert(has_bases<derived&> && !has_bases<derived>);

// Memory of windows, streams, hints, times, communicators.
template <class Memory>
concept window_over = requires { window::create(mpi::comm_handle(), of<Memory>()); } ||
                      requires { of<const window&>().attach(of<Memory>()); };
static_assert(window_over<numbers&> && !window_over<numbers>);
template <class Stream>
concept written_to = requires { write_value(of<Stream>(), 1); };
static_assert(written_to<std::ostringstream&> && !written_to<std::ostringstream>);
template <class Hints>
concept has_iterators = requires { of<Hints>().begin(); } || requires { of<Hints>().end(); };
static_assert(has_iterators<info&> && has_iterators<const info&> && !has_iterators<info> &&
              !has_iterators<const info>);
using timed_communicator = basic_communicator<timers>;
template <class Communicator>
concept times = requires { of<Communicator>().timed(""); } ||
                std::is_constructible_v<timed_communicator::section, Communicator, const char*>;
static_assert(times<timed_communicator&> && !times<timed_communicator> &&
              !times<const timed_communicator>);

// Layouts; what refuses a temporary with a sentence is in mistakes/layouts.cpp and traversers.cpp.
using walk = decltype(layouts::traverser(layouts::scalar<int>() ^ layouts::bcast<'r'>(1)));
using shared_out = decltype(layouts::mpi_traverser<'r'>(of<walk>(), of<const communicator&>()));
static_assert(std::is_constructible_v<shared_out, walk, const communicator&> &&
              !std::is_constructible_v<shared_out, walk, communicator>);
struct function {
  void operator()(auto) const {}
};
static_assert(std::is_same_v<decltype(layouts::parallel<'i'>(of<function>()).f), function>);
static_assert(std::is_same_v<decltype(layouts::parallel<'i'>(of<function&>()).f), function&>);

}  // namespace temporaries

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
