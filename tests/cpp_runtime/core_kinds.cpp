// Elements and ranges of every kind that C++ has, as they come: what of them travels, and how.

#include <array>
#include <complex>
#include <deque>
#include <functional>
#include <list>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}
std::size_t ranks() { return static_cast<std::size_t>(world().size()); }

struct point {
  double x = 0;
  int y = 0;
  bool operator==(const point&) const = default;
};

// From every rank to every rank, a single value and as an element.
template <class T>
void travels(const T& value) {
  const auto all = world().allgather(send_buf(value));
  check::equal(all.size(), ranks());
  for (const T each : all) check::expect(each == value);
  std::array<T, 2> two{value, value};
  world().bcast(send_recv_buf(two));
  check::expect(two[0] == value && two[1] == value);
}

template <class Buffer>
inline constexpr bool is_buffer = detail::buffer<Buffer>;

}  // namespace

TEST(numbers_and_characters_of_every_kind_travel) {
  travels(1.25L);
  travels(std::complex<long double>(1.5L, -2));
  travels(std::complex<float>(0.5f, 4));
  travels(u8'a');
  travels(u'\u20ac');
  travels(U'\U0001F600');
  travels(L'\u20ac');
  travels(std::byte{7});
#if defined(__SIZEOF_INT128__)
  __extension__ typedef __int128 wide;
  const wide large = (wide{1} << 100) + 5;
  travels(large);
  check::expect(world().allreduce_single(send_buf(large), op(std::plus<>())) ==
                large * world().size());
#endif
}

TEST(bools_are_gathered_and_combined) {
  const bool mine = world().rank() != 1;
  const auto all = world().allgather(send_buf(mine));
  check::equal(all.size(), ranks());
  for (std::size_t i = 0; const bool each : all) check::equal(each, i++ != 1);
  check::equal(bool(world().allreduce(send_buf(mine), op(std::logical_and<>())).at(0)),
               world().size() < 2);
  check::equal(bool(world().allreduce(send_buf({mine}), op(mpi::lor)).at(0)), true);
  check::equal(world().allreduce_single(send_buf(mine), op(mpi::land)), world().size() < 2);
  std::vector<boolean> flags{mine, true};
  const auto both = world().allgatherv(send_buf(flags));
  check::equal(both.size(), 2 * ranks());
  for (std::size_t i = 0; i < ranks(); ++i)
    check::expect(both[2 * i] == (i != 1) && both[2 * i + 1]);
}

TEST(arrays_of_arrays_are_their_elements) {
  double grid[2][3] = {};
  if (world().rank() == 0)
    for (int i = 0; i < 6; ++i) grid[i / 3][i % 3] = i;
  world().bcast(send_recv_buf(grid));
  for (int i = 0; i < 6; ++i) check::equal(grid[i / 3][i % 3], double(i));
  world().allreduce(send_recv_buf(grid), op(mpi::sum));
  check::equal(grid[1][2], 5.0 * world().size());
  const int cube[2][1][2] = {{{1, 2}}, {{3, 4}}};
  const auto all = world().allgather(send_buf(cube));
  check::equal(all.size(), 4 * ranks());
  check::equal(all.back(), 4);
  point structs[2] = {{1.5, world().rank()}, {2.5, 0}};
  check::expect(world().allgather(send_buf(structs)).at(2 * ranks() - 2) ==
                point{1.5, world().size() - 1});
}

TEST(ranges_are_sent_whatever_owns_them) {
  const communicator& comm = world();
  const int me = comm.rank();
  const auto carried = [&](const auto& given, auto into, std::size_t size) {
    auto sent = comm.isend(send_buf(given), destination(me));
    auto got = comm.recv(recv_buf(std::move(into)), source(me));
    sent.wait();
    check::equal(std::size(got), size);
    check::expect(std::equal(got.begin(), got.end(), std::begin(given)));
  };
  carried(std::string("word"), std::string(), 4);
  carried(std::string_view("a view"), std::vector<char>(), 6);
  carried(std::array<std::pair<int, double>, 2>{{{1, 2.5}, {3, 4.5}}},
          std::vector<std::pair<int, double>>(), 2);
  const int numbers[] = {4, 5, 6};
  carried(numbers, std::vector<int>(), 3);
  carried(std::span<const int, 2>(numbers, 2), std::vector<int>(), 2);
  carried(std::vector<int>(), std::vector<int>(9), 0);
  carried(std::array<int, 0>(), std::vector<int>(3), 0);
  const std::initializer_list<int> listed{7, 8};
  carried(listed, std::vector<int>(), 2);
}

TEST(empty_ranges_take_part_in_every_pattern_of_collective) {
  const std::vector<int> none;
  check::expect(world().allgather(send_buf(none)).empty());
  check::expect(world().allgatherv(send_buf(std::span<const int>())).empty());
  check::expect(world().gatherv(send_buf(none)).empty());
  check::expect(world().allreduce(send_buf(none), op(mpi::sum)).empty());
  check::expect(world().alltoall(send_buf(none)).empty());
  check::expect(world().alltoallv(send_buf(none), send_counts(std::vector<int>(ranks()))).empty());
  check::expect(world().scatter(send_buf(none)).empty());
  std::vector<int> room;
  world().bcast(send_recv_buf<resize_to_fit>(room));
  check::expect(room.empty());
}

TEST(what_is_no_memory_of_elements_is_no_buffer) {
  static_assert(is_buffer<std::vector<point>&> && is_buffer<const point&>);
  static_assert(is_buffer<std::vector<std::array<std::pair<char, int>, 2>>&>);
  static_assert(!is_buffer<int*&> && !is_buffer<std::nullptr_t> && !is_buffer<const char*&>);
  static_assert(!is_buffer<std::vector<int*>&> && !is_buffer<std::array<int*, 2>&>);
  static_assert(!is_buffer<std::pair<int, int*>&>);
  static_assert(!is_buffer<std::pair<int, std::array<int*, 2>>&>);
  static_assert(!is_buffer<std::vector<std::pair<int, std::string_view>>&>);
  static_assert(!is_buffer<std::reference_wrapper<int>&>);
  static_assert(!is_buffer<std::deque<int>&> && !is_buffer<std::list<int>&>);
  // Views that compute their elements, or find them elsewhere; they are trivially copyable.
  const auto half = [](int x) { return x / 2; };
  std::vector<int> some;
  static_assert(!is_buffer<decltype(std::views::iota(0, 5))>);
  static_assert(!is_buffer<decltype(some | std::views::transform(half))>);
  const std::deque<int> queue{world().rank(), 2};
  check::expect(world().allgather(send_buf(as_serialized(queue))).at(ranks() - 1) ==
                std::deque<int>{world().size() - 1, 2});
}
