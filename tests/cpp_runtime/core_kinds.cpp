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
#include <valarray>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/window.hpp>

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

// core_adapters.cpp has an adapter of its own for std::valarray of other elements.
template <class Container>
struct made_as {
  Container operator()(int first, int length) const {
    Container made(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) made[static_cast<std::size_t>(i)] = 100 * first + i;
    return made;
  }
};

// `perform` gives the same elements with std::vector and with std::valarray.
void agrees(const auto& perform) {
  const auto expected = perform(made_as<std::vector<long>>());
  const auto got = perform(made_as<std::valarray<long>>());
  check::equal(got.size(), expected.size());
  check::expect(
      std::equal(std::begin(expected), std::end(expected), std::begin(got), std::end(got)));
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

TEST(valarrays_are_vectors_in_collectives) {
  const communicator& comm = world();
  const int me = comm.rank();
  const int n = comm.size();
  agrees([&](auto make) { return comm.allgather(send_buf(make(me, 2))); });
  agrees([&](auto make) { return comm.allgather(send_buf(make(me, 2)), recv_buf(make(0, 0))); });
  agrees([&](auto make) {
    auto all = make(me, 2 * n);
    comm.allgather(send_recv_buf(all));
    return all;
  });
  agrees([&](auto make) { return comm.allgatherv(send_buf(make(me, me)), recv_buf(make(0, 99))); });
  agrees([&](auto make) {
    auto all = make(7, 99);
    comm.allgatherv(send_buf(make(me, me)), recv_buf<grow_only>(all));
    return all;
  });
  agrees([&](auto make) { return comm.gather(send_buf(make(me, 2)), recv_buf(make(0, 0))); });
  agrees([&](auto make) { return comm.gatherv(send_buf(make(me, me)), recv_buf(make(0, 0))); });
  agrees([&](auto make) { return comm.scatter(send_buf(make(0, 2 * n)), recv_buf(make(0, 0))); });
  agrees([&](auto make) { return comm.alltoall(send_buf(make(me, n)), recv_buf(make(0, 0))); });
  agrees([&](auto make) {
    return comm.alltoallv(send_buf(make(me, n)), recv_buf(make(0, 0)),
                          send_counts(std::vector<int>(ranks(), 1)));
  });
  agrees([&](auto make) {
    auto values = make(me, me == 0 ? 5 : 0);
    comm.bcast(send_recv_buf<resize_to_fit>(values));
    return values;
  });
  agrees([&](auto make) {
    auto values = make(me, me == 0 ? 5 : 9);
    comm.bcast(send_recv_buf<grow_only>(values));
    return values;
  });
  agrees([&](auto make) { return comm.bcast(send_recv_buf(make(me, 3)), send_recv_count(3)); });
  agrees([&](auto make) {
    auto values = make(me, 3);
    comm.bcast(send_recv_buf(at_most(64, values)));
    return values;
  });
  agrees([&](auto make) {
    return comm.reduce(send_buf(make(me, 3)), recv_buf(make(0, 0)), op(mpi::sum));
  });
  agrees([&](auto make) { return comm.allreduce(send_recv_buf(make(me, 3)), op(mpi::sum)); });
  agrees([&](auto make) {
    return comm.scan(send_buf(make(me, 3)), recv_buf(make(0, 0)), op(mpi::sum));
  });
  agrees([&](auto make) {
    return comm.exscan(send_buf(make(me, 3)), recv_buf(make(0, 0)), op(mpi::sum),
                       values_on_rank_0(make(4, 3)));
  });
  agrees([&](auto make) {
    return comm.reduce_scatter_block(send_buf(make(me, 2 * n)), recv_buf(make(0, 0)), op(mpi::sum));
  });
  agrees([&](auto make) {
    const auto mine = make(me, 2);
    return comm.iallgather(send_buf(mine), recv_buf(make(0, 0))).wait();
  });
  if constexpr (mpi::has_bcast_init || mpi::has_mpix_bcast_init) {
    agrees([&](auto make) {
      auto values = make(me, 2);
      auto repeated = comm.bcast_init(send_recv_buf(values));
      repeated.start();
      repeated.wait();
      return values;
    });
  }
}

TEST(valarrays_are_vectors_in_messages_windows_and_files) {
  const communicator& comm = world();
  const int me = comm.rank();
  const auto sends = [&](auto values) {
    return comm.isend(send_buf(std::move(values)), destination(me));
  };
  agrees([&](auto make) {
    auto sent = sends(make(me, 4));
    auto got = comm.recv(recv_buf(make(0, 9)), source(me));
    sent.wait();
    return got;
  });
  agrees([&](auto make) {
    auto sent = sends(make(me, 4));
    auto got = make(3, 9);
    comm.recv(recv_buf<grow_only>(got), source(me));
    sent.wait();
    return got;
  });
  agrees([&](auto make) {
    auto sent = sends(make(me, 4));
    auto got = comm.irecv(recv_buf(make(0, 9)), source(me)).wait();
    sent.wait();
    return got;
  });
  agrees([&](auto make) {
    auto sent = sends(make(me, 4));
    auto got = comm.mprobe(source(me)).recv(recv_buf(make(0, 0)));
    sent.wait();
    return got;
  });
  agrees([&](auto make) {
    const auto mine = make(me, 4);
    return comm.sendrecv(send_buf(mine), destination(me), recv_buf(make(0, 0)), source(me));
  });
  agrees([&](auto make) {
    return comm.sendrecv_replace(send_recv_buf(make(me, 4)), destination(me), source(me));
  });
  agrees([&](auto make) {
    auto got = make(0, 4);
    auto receiving = comm.recv_init(recv_buf(got), source(me));
    receiving.start();
    auto sent = sends(make(me, 4));
    receiving.wait();
    sent.wait();
    return got;
  });
  agrees([&](auto make) {
    const window memory = window::allocate<long>(comm, 4);
    const auto mine = make(me, 4);
    auto got = make(0, 0);
    const auto epoch = memory.lock_all();
    memory.put(send_buf(mine), target_rank(me));
    epoch.flush();
    memory.get(recv_buf<resize_to_fit>(got), target_rank(me), target_count(4));
    epoch.flush();
    return got;
  });
  std::valarray<long> few(2);
  const std::vector<long> three(3);
  const auto failure =
      check::thrown_by<too_small>([&] { comm.allgather(send_buf(three), recv_buf(few)); });
  check::equal(failure.needed(), count_t{3} * comm.size());
  static_assert(is_buffer<const std::valarray<point>&> && !is_buffer<std::valarray<int*>&>);
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
