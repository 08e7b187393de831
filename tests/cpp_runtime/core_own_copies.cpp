// What a root sends to itself, where a view is involved: it is copied once, from its place to its place.

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/views/copying.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/view.hpp>

#include "../cpp/check.hpp"
#include "foreign_views.hpp"

using namespace mpiglot;
using namespace foreign;

namespace {

using detail::view_dimension;
using sizes = std::array<long, 3>;

template <class T>
using cube = span_of_many<T, 3>;

// The strides of `n` elements, the dimension `order[2]` the fastest, each line `gap` elements longer.
sizes strides_of(const sizes& n, const std::array<std::size_t, 3>& order, long gap) {
  sizes strides{};
  long next = gap == 0 ? 1 : 2;
  for (std::size_t i = 3; i-- > 0; next = next * n[order[i]] + gap) strides[order[i]] = next;
  return strides;
}
const std::vector<std::array<std::size_t, 3>>& orders() {
  static const std::vector<std::array<std::size_t, 3>> all = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                              {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  return all;
}

constexpr long half = 4000;

// Memory with elements of `Size` bytes, of which a cube lies in the middle.
template <std::size_t Size>
struct elements {
  std::vector<std::array<unsigned char, Size>> all{2 * half};

  explicit elements(unsigned first) {
    auto* const bytes = all.front().data();
    bytes[0] = static_cast<unsigned char>(first);
    const std::size_t length = all.size() * Size;
    for (std::size_t i = 1; i < std::min<std::size_t>(length, 509); ++i)
      bytes[i] = static_cast<unsigned char>(first = first * 31 + 7);
    for (std::size_t done = 509; done < length; done *= 2)
      std::memcpy(bytes + done, bytes, std::min(done, length - done));
  }
  [[nodiscard]] detail::placed_elements<3> placed(const sizes& n, const sizes& strides) {
    detail::placed_elements<3> found{reinterpret_cast<std::byte*>(&all[half]), n[0] * n[1] * n[2],
                                     3};
    for (std::size_t i = 0; i < 3; ++i)
      found.dimensions[i] = {n[i], strides[i] * static_cast<long>(Size)};
    return found;
  }
  // Where the elements lie, in the order of their indices.
  [[nodiscard]] auto places(const sizes& n, const sizes& strides) {
    const auto [rows, columns, depth] = n;
    const auto [row, column, step] = strides;
    std::vector<std::array<unsigned char, Size>*> found(
        static_cast<std::size_t>(rows * columns * depth));
    auto** next = found.data();
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < columns; ++j)
        for (long k = 0; k < depth; ++k)
          *next++ = all.data() + half + i * row + j * column + k * step;
    return found;
  }
};

template <std::size_t Size>
void check_copies_of() {
  const std::vector<std::pair<sizes, sizes>> shapes = {
      {{4, 3, 5}, {4, 3, 5}},  {{9, 8, 10}, {9, 8, 10}}, {{2, 6, 5}, {4, 3, 5}},
      {{1, 1, 60}, {4, 3, 5}}, {{4, 3, 5}, {12, 5, 1}},  {{1, 8, 8}, {8, 1, 8}}};
  for (const auto& [n, m] : shapes)
    for (const auto& from_order : orders())
      for (const auto& to_order : orders())
        for (int how = 0; how < 6; ++how) {
          sizes from = strides_of(n, from_order, how % 3);
          sizes to = strides_of(m, to_order, how / 3);
          if (how == 4) from[from_order[2]] *= -1, to[to_order[0]] *= -1;
          elements<Size> source(3);
          elements<Size> target(5);
          elements<Size> expected = target;
          const auto here = source.places(n, from);
          const auto there = expected.places(m, to);
          for (std::size_t i = 0; i < here.size(); ++i) *there.data()[i] = *here.data()[i];
          detail::elements_copy<Size, 6> copy;
          check::expect(copy.prepare(source.placed(n, from), target.placed(m, to)));
          copy.run();
          check::expect(std::memcmp(target.all.data(), expected.all.data(), 2 * half * Size) == 0,
                        "elements of " + std::to_string(Size) + " bytes, " + std::to_string(how));
        }
}

const communicator& world() {
  static const communicator comm;
  return comm;
}

// A cube in much memory, and the values it has after a copy.
struct memory {
  std::vector<double> all = std::vector<double>(4000, -1);
  [[nodiscard]] cube<double> view(const sizes& n, const sizes& strides) {
    return {all.data() + 2000, n, strides};
  }
};
double& at(const cube<double>& view, long index) {
  const sizes& n = view.lengths;
  return view.first[index / (n[1] * n[2]) * view.strides[0] +
                    index / n[2] % n[1] * view.strides[1] + index % n[2] * view.strides[2]];
}

}  // namespace

TEST(elements_of_every_size_are_copied_between_all_orders) {
  if (check::size() > 1) return;  // it needs no MPI
  check_copies_of<1>();
  check_copies_of<2>();
  check_copies_of<3>();
  check_copies_of<4>();
  check_copies_of<8>();
  check_copies_of<16>();
  check_copies_of<24>();
}

TEST(elements_that_share_memory_or_no_dimensions_are_not_copied) {
  elements<8> memory(1);
  elements<8> other(1);
  const sizes tall{6, 4, 1};
  const sizes wide{4, 6, 1};
  detail::elements_copy<8, 6> copy;
  const auto rows = strides_of(tall, {0, 1, 2}, 1);
  check::expect(!copy.prepare(memory.placed(tall, rows), memory.placed(tall, rows)));
  check::expect(
      !copy.prepare(memory.placed(tall, rows), other.placed(wide, strides_of(wide, {1, 0, 2}, 1))));
  check::expect(!copy.prepare(memory.placed(tall, rows), other.placed({6, 3, 1}, rows)));
  // Backwards from the same place on, and from the one before.
  const sizes line{1, 1, 4};
  check::expect(!copy.prepare(memory.placed(line, {0, 0, 1}), memory.placed(line, {0, 0, -1})));
  auto before = memory.placed(line, {0, 0, -1});
  before.first -= 8;
  check::expect(copy.prepare(memory.placed(line, {0, 0, 1}), before));
  check::expect(copy.prepare(before, memory.placed(line, {0, 0, 1})));
  check::expect(copy.prepare(memory.placed({0, 3, 4}, rows), memory.placed({0, 3, 4}, rows)));
  copy.run();
}

TEST(a_range_of_elements_is_found_where_it_has_dimensions) {
  elements<8> memory(1);
  const sizes n{4, 3, 5};
  const sizes strides = strides_of(n, {2, 0, 1}, 1);
  for (long from = 0; from < 60; ++from)
    for (long count = 1; from + count <= 60; ++count) {
      auto found = memory.placed(n, strides);
      const bool whole_planes = from % 15 == 0 && count % 15 == 0;
      const bool whole_rows =
          from / 15 == (from + count - 1) / 15 && from % 5 == 0 && count % 5 == 0;
      const bool in_a_row = from / 5 == (from + count - 1) / 5;
      const bool has_dimensions = whole_planes || whole_rows || in_a_row;
      check::expect(found.narrow(from, count) == has_dimensions);
      if (!has_dimensions) continue;
      check::equal(found.count, count);
      check::expect(found.first == reinterpret_cast<std::byte*>(
                                       memory.places(n, strides)[static_cast<std::size_t>(from)]));
      long product = 1;
      for (std::size_t i = 0; i < found.rank; ++i) product *= found.dimensions[i].length;
      check::equal(product, count);
    }
}

TEST(a_root_copies_its_own_part_of_what_it_scatters) {
  const communicator& comm = world();
  const long p = comm.size();
  const sizes all{2 * p, 3, 4};
  const sizes part{2, 3, 4};
  long turn = 0;
  for (const auto& from_order : orders())
    for (const auto& to_order : orders()) {
      const long gap = turn % 3;
      const int to = static_cast<int>(++turn % p);
      memory sent;
      memory got;
      const auto matrix = sent.view(all, strides_of(all, from_order, gap));
      for (long i = 0; i < 24 * p; ++i) at(matrix, i) = 1000.0 * to + static_cast<double>(i);
      const auto tile = got.view(part, strides_of(part, to_order, gap == 1 ? 1 : 0));
      memory expected;
      const auto wanted = expected.view(part, tile.strides);
      const auto expect = [&](long first, const char* how) {
        for (long i = 0; i < 24; ++i) at(wanted, i) = 1000.0 * to + static_cast<double>(first + i);
        check::expect(got.all == expected.all, how);
        std::fill(got.all.begin(), got.all.end(), -1);
      };
      const auto mine = 24 * comm.rank();
      comm.scatter(send_buf(matrix), recv_buf(tile), root(to));
      expect(mine, "scatter");
      comm.scatter(send_buf(matrix), recv_buf(tile), recv_count(24), root(to));
      expect(mine, "scatter, recv_count");
      comm.iscatter(send_buf(matrix), recv_buf(tile), root(to)).wait();
      expect(mine, "iscatter");
      std::vector<int> counts(static_cast<std::size_t>(p), 24);
      std::vector<int> displs;
      for (long i = p; i-- > 0;) displs.push_back(static_cast<int>(24 * i));
      comm.scatterv(send_buf(matrix), recv_buf(tile), send_counts(counts), send_displs(displs),
                    root(to));
      expect(24 * (p - 1 - comm.rank()), "scatterv, displacements");
      comm.scatterv(send_buf(matrix), recv_buf(tile), send_counts(counts), recv_count(24),
                    root(to));
      expect(mine, "scatterv");
      // Everybody gets the part of the root, which is not left out of what is packed.
      std::fill(displs.begin(), displs.end(), 24 * to);
      comm.scatterv(send_buf(matrix), recv_buf(tile), send_counts(counts), send_displs(displs),
                    recv_count(24), root(to));
      expect(24 * to, "scatterv, one part for all");

      std::vector<double> line(24, -1);
      comm.scatter(send_buf(matrix), recv_buf(line), recv_count(24), root(to));
      for (long i = 0; i < 24; ++i)
        check::equal(line[static_cast<std::size_t>(i)],
                     1000.0 * to + static_cast<double>(mine + i));
      std::vector<double> lines(static_cast<std::size_t>(24 * p));
      std::iota(lines.begin(), lines.end(), 1000.0 * to);
      comm.scatter(send_buf(lines), recv_buf(tile), root(to));
      expect(mine, "scatter of a vector");
    }
}

TEST(a_root_copies_its_own_part_of_what_it_gathers) {
  const communicator& comm = world();
  const long p = comm.size();
  const sizes all{2 * p, 3, 4};
  const sizes part{2, 3, 4};
  long turn = 0;
  for (const auto& from_order : orders())
    for (const auto& to_order : orders()) {
      const long gap = turn % 3;
      const int to = static_cast<int>(++turn % p);
      const bool here = comm.rank() == to;
      memory sent;
      const auto tile = sent.view(part, strides_of(part, from_order, gap == 1 ? 1 : 0));
      for (long i = 0; i < 24; ++i) at(tile, i) = 1000.0 * comm.rank() + static_cast<double>(i);
      memory got;
      const auto matrix = got.view(all, strides_of(all, to_order, gap));
      memory expected;
      const auto wanted = expected.view(all, matrix.strides);
      for (long i = 0; here && i < 24 * p; ++i)
        at(wanted, i) = static_cast<double>(1000 * (i / 24) + i % 24);
      const auto expect = [&](const char* how) {
        check::expect(got.all == expected.all, how);
        std::fill(got.all.begin(), got.all.end(), -1);
      };
      comm.gather(send_buf(tile), recv_buf(matrix), root(to));
      expect("gather");
      comm.gatherv(send_buf(tile), recv_buf(matrix), root(to));
      expect("gatherv");
      comm.igather(send_buf(tile), recv_buf(matrix), root(to)).wait();
      expect("igather");
      std::vector<double> line(24);
      for (long i = 0; i < 24; ++i) line[static_cast<std::size_t>(i)] = at(tile, i);
      comm.gather(send_buf(line), recv_buf(matrix), root(to));
      expect("gather of vectors");
    }
}

TEST(a_root_that_sends_itself_nothing_copies_nothing) {
  const communicator& comm = world();
  memory sent;
  memory got;
  const memory untouched;
  for (int to = 0; to < comm.size(); ++to) {
    for (const sizes& n : {sizes{0, 3, 4}, sizes{2, 0, 4}, sizes{0, 0, 0}}) {
      const auto from = sent.view(n, {24, 8, 2});
      const auto into = got.view(n, {24, 8, 2});
      comm.scatter(send_buf(from), recv_buf(into), root(to));
      comm.scatter(send_buf(from), recv_buf(into), recv_count(0), root(to));
      comm.gather(send_buf(from), recv_buf(into), root(to));
      std::vector<double> none;
      comm.scatter(send_buf(none), recv_buf(into), root(to));
      comm.gather(send_buf(none), recv_buf(into), root(to));
    }
    // All have a part but the root.
    std::vector<int> counts(static_cast<std::size_t>(comm.size()), 4);
    counts[static_cast<std::size_t>(to)] = 0;
    const bool here = comm.rank() == to;
    const auto rows = sent.view({comm.size(), 1, 4}, {8, 8, 2});
    comm.scatterv(send_buf(rows), send_counts(counts), root(to), recv_count(here ? 0 : 4),
                  recv_buf(got.view({1, 1, here ? 0 : 4}, {8, 8, 2})));
    check::expect(got.all == untouched.all);  // all values are the same
  }
}

TEST(parts_whose_dimensions_do_not_fit_and_roots_that_take_less_are_as_before) {
  const communicator& comm = world();
  const int p = comm.size();
  std::vector<double> matrix(48 * static_cast<std::size_t>(p));
  std::iota(matrix.begin(), matrix.end(), 0.0);
  // 24 elements each: 6 rows of 4 of 8, received as 4 rows of 6 of 12.
  const strided_view<double> from{matrix.data(), 6 * p, 4, 8};
  std::vector<double> memory(48, -1);
  comm.scatter(send_buf(from), recv_buf(strided_view<double>{memory.data(), 4, 6, 12}),
               root(p - 1));
  for (long i = 0; i < 24; ++i) {
    const long index = 24 * comm.rank() + i;
    check::equal(memory[static_cast<std::size_t>(i / 6 * 12 + i % 6)],
                 static_cast<double>(index / 4 * 8 + index % 4));
  }
  std::vector<double> back(matrix.size(), -1);
  comm.gather(send_buf(strided_view<double>{memory.data(), 4, 6, 12}),
              recv_buf(strided_view<double>{back.data(), 6 * p, 4, 8}), root(p - 1));
  for (long i = 0; comm.rank() == p - 1 && i < 24 * p; ++i)
    check::equal(back[static_cast<std::size_t>(i / 4 * 8 + i % 4)],
                 static_cast<double>(i / 4 * 8 + i % 4));

  // The root's tile is longer than its part, or shorter: it says so, the others have theirs.
  for (const long rows : {7L, 5L}) {
    const bool here = comm.rank() == 0;
    std::vector<double> room(60, -1);
    const strided_view<double> tile{room.data(), here ? rows : 6, 4, 8};
    const auto call = [&] { comm.scatter(send_buf(from), recv_buf(tile), root(0)); };
    if (here)
      check::thrown_by<error>(call);
    else
      call();
    if (!here) check::equal(room[1], matrix[static_cast<std::size_t>(48 * comm.rank() + 1)]);
  }
}
