// Views of other libraries as buffers: what arrives is what a loop over all indices would have moved.

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <mpiglot/as_datatype.hpp>
#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/view.hpp>
#include <mpiglot/window.hpp>

#include "foreign_views.hpp"
#include "scratch.hpp"

using namespace mpiglot;
using namespace foreign;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}

// Messages to a derived datatype name their source: MPICH 5.0.2 with UCX loses 56 bytes for each one
// that is received from MPI_ANY_SOURCE.
int before() { return (world().rank() + world().size() - 1) % world().size(); }

using cube = span_of_many<double, 3>;

using counted_view = counted_columns<20, 1, 4>;

// A class of a program, whose last row comes first in memory.
struct picture {
  std::vector<short> points = std::vector<short>(15, -1);
};

using sizes = std::array<long, 3>;

constexpr std::size_t room = 400;

// A view of `lengths` in the middle of much memory, and where its elements lie.
struct placed {
  const char* name;
  sizes strides;
};

std::vector<placed> placements(const sizes& n) {
  return {{"row-major", {n[1] * n[2], n[2], 1}},
          {"column-major", {1, n[0], n[0] * n[1]}},
          {"padded", {(n[1] + 1) * (n[2] + 2), n[2] + 2, 1}},
          {"every second", {2 * n[1] * n[2], 2 * n[2], 2}},
          {"reversed", {-n[1] * n[2], -n[2], -1}},
          {"reversed rows", {n[1] * n[2], -n[2], 1}},
          {"planes of columns", {n[1] * n[2], 1, n[1]}}};
}

struct memory {
  std::vector<double> all = std::vector<double>(room, -1.0);

  [[nodiscard]] cube view(const sizes& n, const sizes& strides) {
    return {all.data() + room / 2, n, strides};
  }
};

// Calls `with(element, position in index order)`.
template <class View, class Function>
void each_element(const View& view, Function with) {
  int position = 0;
  for (long i = 0; i < view.lengths[0]; ++i)
    for (long j = 0; j < view.lengths[1]; ++j)
      for (long k = 0; k < view.lengths[2]; ++k)
        with(view.first[i * view.strides[0] + j * view.strides[1] + k * view.strides[2]],
             position++);
}
void fill(const cube& view, double from) {
  each_element(view, [&](double& e, int position) { e = from + position; });
}
// What the memory of a view must be: its elements as told, and nothing else touched.
std::vector<double> wanted(const sizes& n, const sizes& strides, double from) {
  memory expected;
  fill(expected.view(n, strides), from);
  return expected.all;
}

void expect_equal(const memory& found, const std::vector<double>& expected, const char* sent,
                  const char* received, const char* what) {
  check::expect(found.all == expected, std::string(what) + " from " + sent + " to " + received);
}

// All operations from a view to another one with the same extents.
void expect_moved(const sizes& n, const placed& from, const placed& to) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  memory sent;
  const cube source_view = sent.view(n, from.strides);
  fill(source_view, 100.0 * comm.rank());

  memory message;
  auto pending = comm.isend(send_buf(source_view), destination(next));
  comm.recv(recv_buf(message.view(n, to.strides)), source(before()));
  pending.wait();
  expect_equal(message, wanted(n, to.strides, 100.0 * before()), from.name, to.name, "a message");

  memory told;
  cube data = told.view(n, comm.rank() == 0 ? from.strides : to.strides);
  if (comm.rank() == 0) fill(data, 7);
  comm.bcast(send_recv_buf(data), root(0));
  expect_equal(told, wanted(n, data.strides, 7), from.name, to.name, "a bcast");

  memory sum;
  cube result = sum.view(n, to.strides);
  comm.allreduce(send_buf(source_view), recv_buf(result), op(std::plus<>()));
  fill(source_view, 0);
  std::vector<double> total = wanted(n, to.strides, 0);
  cube totals{total.data() + room / 2, n, to.strides};
  const int ranks = comm.size();
  each_element(totals,
               [&](double& e, int position) { e = 50.0 * ranks * (ranks - 1) + ranks * position; });
  expect_equal(sum, total, from.name, to.name, "an allreduce");
}

std::vector<double> counted_from(double from, long n) {
  std::vector<double> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), from);
  return all;
}
long elements_of(const sizes& n) { return n[0] * n[1] * n[2]; }

}  // namespace

template <>
struct mpiglot::view_traits<picture> {
  static constexpr std::size_t rank = 2;
  static short* data(picture& p) { return p.points.data() + 10; }
  static const short* data(const picture& p) { return p.points.data() + 10; }
  static long extent(const picture&, std::size_t i) { return i == 0 ? 3 : 4; }
  static long stride(const picture&, std::size_t i) { return i == 0 ? -5 : 1; }
};

TEST(any_layout_is_received_as_any_other) {
  const sizes shapes[] = {{2, 3, 4}, {3, 1, 5}, {1, 1, 6}, {4, 1, 1}, {1, 1, 1}, {2, 0, 3}};
  for (const sizes& n : shapes) {
    const std::vector<placed> all = placements(n);
    for (std::size_t i = 0; i < all.size(); ++i) {
      expect_moved(n, all[i], all[(i + 1) % all.size()]);
      expect_moved(n, all[0], all[i]);
    }
  }
}

TEST(what_a_view_lends_packs_its_elements_in_index_order) {
  const sizes n{2, 3, 4};
  for (const placed& each : placements(n)) {
    memory sent;
    cube view = sent.view(n, each.strides);
    fill(view, 1);
    buffer_adapter<cube&, form::message, resize_policy::automatic> adapter(view);
    adapter.pack();
    const lent memory = adapter.out();
    std::vector<double> packed(static_cast<std::size_t>(elements_of(n)));
    int position = 0;
    const int bytes = static_cast<int>(packed.size() * sizeof(double));
    MPI_Pack(memory.address, static_cast<int>(memory.count), memory.type.native, packed.data(),
             bytes, &position, MPI_COMM_SELF);
    check::equal(position, bytes);
    std::vector<double> numbers(packed.size());
    std::iota(numbers.begin(), numbers.end(), 1.0);
    check::expect(packed == numbers, each.name);
  }
}

TEST(a_datatype_of_a_view_is_its_elements_in_index_order) {
  for (const sizes& n : {sizes{2, 3, 4}, sizes{1, 1, 1}, sizes{1, 5, 1}, sizes{2, 0, 3}})
    for (const placed& each : placements(n)) {
      memory sent;
      cube view = sent.view(n, each.strides);
      fill(view, 1);
      mpi::unique_datatype type;
      {
        const cube gone = view;
        type = as_datatype(gone);
      }
      const auto elements = static_cast<std::size_t>(elements_of(n));
      check::equal(static_cast<std::size_t>(mpi::type_size(type)), elements * sizeof(double));
      std::vector<double> packed(elements);
      int position = 0;
      MPI_Pack(view.data_handle(), 1, type.native, packed.data(),
               static_cast<int>(elements * sizeof(double)), &position, MPI_COMM_SELF);
      std::vector<double> numbers(elements);
      std::iota(numbers.begin(), numbers.end(), 1.0);
      check::expect(packed == numbers, each.name);
    }
  std::vector<double> memory(4);
  check::thrown_by<view_error>([&] {
    static_cast<void>(as_datatype(strided_view<double>{memory.data(), 1L << 62, 2, 4, 1}));
  });
}

TEST(the_extent_of_a_datatype_is_from_the_lowest_to_the_highest_element) {
  // `lower` is where the lowest element lies, behind the first one, and `upper` the end of the highest.
  const auto expect = [](const auto& view, long lower, long upper) {
    const mpi::unique_datatype type = as_datatype(view);
    MPI_Aint bound = 0, extent = 0, true_bound = 0, true_extent = 0;
    MPI_Type_get_extent(type.native, &bound, &extent);
    MPI_Type_get_true_extent(type.native, &true_bound, &true_extent);
    check::equal(static_cast<long>(bound), lower * 8);
    check::equal(static_cast<long>(extent), (upper - lower) * 8);
    check::equal(static_cast<long>(true_bound), lower * 8);
    check::equal(static_cast<long>(true_extent), (upper - lower) * 8);
  };
  std::vector<double> memory(100);
  double* const at = memory.data() + 50;
  expect(strided_view<double>{at, 3, 4, 4, 1}, 0, 12);      // without gaps
  expect(strided_view<double>{at, 3, 4, 10, 2}, 0, 27);     // rows with gaps
  expect(strided_view<double>{at, 3, 4, 1, 10}, 0, 33);     // columns
  expect(strided_view<double>{at, 4, 1, 10, 1}, 0, 31);     // one column
  expect(strided_view<double>{at, 3, 4, -4, -1}, -11, 1);   // backwards, without gaps
  expect(strided_view<double>{at, 3, 4, -10, -2}, -26, 1);  // backwards
  expect(strided_view<double>{at, 3, 4, -10, 2}, -20, 7);   // the rows backwards
  expect(strided_view<double>{at, 3, 4, 10, -2}, -6, 21);   // the columns backwards
  expect(strided_view<double>{at, 1, 4, -10, 1}, 0, 4);     // one row: its stride is no step
  expect(cube{at, {2, 3, 2}, {20, -5, 1}}, -10, 22);
  expect(cube{at, {2, 3, 2}, {-20, 5, -1}}, -21, 11);
}

TEST(a_datatype_of_a_view_is_a_target_and_a_view_of_a_file) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  std::vector<double> matrix(4 * 6, -1);
  const strided_view<double> column{matrix.data(), 4, 1, 6};
  const mpi::unique_datatype type = as_datatype(column);
  std::vector<double> sent(4);
  std::iota(sent.begin(), sent.end(), 10.0 * comm.rank());
  if (comm.size() > 1) {  // some MPIs have no window on one process
    window win = window::create(comm, matrix);
    {
      auto epoch = win.fence();
      win.put(send_buf(sent), target_rank(next), target_displacement(2), target_type(type),
              target_count(1));
      epoch.end();
    }
    for (std::size_t i = 0; i < matrix.size(); ++i)
      check::equal(matrix[i], i % 6 == 2 ? 10.0 * before() + static_cast<double>(i / 6) : -1.0);
  }
  const scratch place;
  const file data = place.open();
  data.set_view(comm.rank() * static_cast<mpi::offset_t>(sizeof(double)), mpi::double_,
                as_datatype(strided_view<double>{matrix.data(), 4, 1, comm.size()}));
  data.write(send_buf(sent), collectively());
  data.set_view<double>();
  std::vector<double> all(static_cast<std::size_t>(4 * comm.size()));
  data.read(recv_buf(all), at(0), collectively());
  for (int i = 0; i < 4; ++i)
    for (int rank = 0; rank < comm.size(); ++rank)
      check::equal(all[static_cast<std::size_t>(i * comm.size() + rank)], 10.0 * rank + i);
}

TEST(a_message_is_packed_where_that_is_faster_than_a_datatype) {
  std::vector<double> elements(1 << 19);
  const auto packed = [&](sizes extents, sizes strides) {
    cube view{elements.data(), extents, strides};
    buffer_adapter<cube&, form::message, resize_policy::automatic> adapter(view);
    check::expect(adapter.keeps_memory() != adapter.described());
    return adapter.keeps_memory();
  };
  check::expect(packed({1, 1, 3000}, {1, 1, 2}));      // elements, one stride
  check::expect(packed({30, 50, 2}, {200, 4, 2}));     // elements, several
  check::expect(packed({1, 500, 9}, {1, 10, 1}));      // runs of 72 bytes
  check::expect(!packed({1, 200, 16}, {1, 17, 1}));    // of 128
  check::expect(!packed({10, 20, 16}, {900, 17, 1}));  // with several strides
  check::expect(packed({1, 7, 16}, {1, 17, 1}));       // short in all
  check::expect(packed({400, 1, 400}, {1, 1, 400}));   // columns into rows
  check::expect(packed({1, 1, 1 << 17}, {1, 1, 2}));   // however many
#if defined(OPEN_MPI)
  check::expect(packed({10, 30, 9}, {900, 10, 1}));
  check::expect(!packed({1, 8, 16}, {1, 17, 1}));
#else
  check::expect(!packed({10, 30, 9}, {900, 10, 1}));
  check::expect(packed({1, 127, 16}, {1, 17, 1}));
  check::expect(!packed({1, 128, 16}, {1, 17, 1}));
#endif
}

TEST(long_messages_of_views_arrive) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  const sizes n{6, 20, 24};
  const auto all = elements_of(n);
  for (const placed& from : placements(n))
    for (const placed& to : placements(n)) {
      std::vector<double> sent(static_cast<std::size_t>(8 * all));
      std::vector<double> got(sent.size(), -1);
      const cube source_view{sent.data() + 4 * all, n, from.strides};
      const cube target{got.data() + 4 * all, n, to.strides};
      fill(source_view, 1e5 * comm.rank());
      const std::string how = std::string(from.name) + " to " + to.name;
      // All of them, then the first of them, of which the others are left as they are.
      for (const long count : {all, all - 480, all - 1}) {
        std::fill(got.begin(), got.end(), -1);
        auto pending = comm.isend(send_buf(source_view), send_count(count), destination(next));
        comm.recv(recv_buf(target), source(before()));
        pending.wait();
        long wrong =
            std::count(got.begin(), got.end(), -1.0) - (static_cast<long>(got.size()) - count);
        each_element(target, [&](const double& e, int position) {
          if (position < count && e != 1e5 * before() + position) ++wrong;
        });
        check::expect(wrong == 0, how + ", " + std::to_string(count));
      }
    }
}

TEST(long_broadcasts_of_views_arrive) {
  const communicator& comm = world();
  std::size_t turn = 0;
  for (const sizes& n : {sizes{6, 20, 24}, sizes{2, 4, 16}, sizes{1, 8, 17}, sizes{3, 5, 4}}) {
    const std::vector<placed> all_placed = placements(n);
    for (const placed& from : all_placed) {
      const placed& to = all_placed[turn++ * 3 % all_placed.size()];
      const int at = turn % 2 == 0 ? 0 : comm.size() - 1;
      const auto all = elements_of(n);
      std::vector<double> memory(static_cast<std::size_t>(8 * all), -1);
      const bool here = comm.rank() == at;
      const cube view{memory.data() + 4 * all, n, here ? from.strides : to.strides};
      const auto expect = [&](long count, double first, const char* how) {
        long wrong = std::count(memory.begin(), memory.end(), -1.0) -
                     (static_cast<long>(memory.size()) - (here ? all : count));
        each_element(view, [&](const double& e, int position) {
          if (position < count && e != first + position) ++wrong;
        });
        check::expect(wrong == 0, std::string(how) + " of " + std::to_string(count) + ", " +
                                      from.name + " to " + to.name);
        std::fill(memory.begin(), memory.end(), -1);
      };
      if (here) fill(view, 7);
      comm.bcast(send_recv_buf(view), root(at));
      expect(all, 7, "bcast");
      if (here) fill(view, 8);
      comm.ibcast(send_recv_buf(view), root(at)).wait();
      expect(all, 8, "ibcast");
      if (here) fill(view, 9);
      comm.bcast(send_recv_buf(view), send_recv_count(all - 5), root(at));
      expect(all - 5, 9, "counted bcast");
      // A vector on one side.
      std::vector<double> line(static_cast<std::size_t>(all), -1);
      std::iota(line.begin(), line.end(), 10.0);
      if (here)
        comm.bcast(send_recv_buf(line), root(at));
      else
        comm.bcast(send_recv_buf(view), root(at));
      if (here) fill(view, 10);
      expect(all, 10, "bcast of a vector");
    }
  }
}

TEST(a_broadcast_of_a_view_with_another_length_is_an_error_there) {
  const communicator& comm = world();
  std::vector<double> memory(1000, 1);
  const bool last = comm.rank() == comm.size() - 1;
  for (const long longer : {-1L, 1L}) {
    const strided_view<double> view{memory.data(), last ? 20 + longer : 20, 16, 40};
    const auto call = [&] { comm.bcast(send_recv_buf(view), root(0)); };
    if (last && comm.size() > 1)
      check::thrown_by<error>(call);
    else
      call();
  }
}

TEST(a_view_that_is_sent_to_nobody_is_looked_at_but_not_copied) {
  const communicator& comm = world();
  // An address space of 1 GiB that nobody may read: a copy would end the process.
  const strided_view<double> view{reinterpret_cast<double*>(8), 1L << 13, 1, 1L << 14};
  comm.send(send_buf(view), destination(MPI_PROC_NULL));
  comm.isend(send_buf(view), destination(MPI_PROC_NULL)).wait();
  std::vector<double> got(3, -1);
  comm.sendrecv(send_buf(view), destination(MPI_PROC_NULL), recv_buf(got), source(MPI_PROC_NULL));
  check::equal(got[0], -1.0);
  const cube nowhere{nullptr, {2, 3, 4}, {24, 4, 1}};
  check::thrown_by<view_error>([&] { comm.send(send_buf(nowhere), destination(MPI_PROC_NULL)); });
}

TEST(rows_of_any_length_are_packed_and_unpacked) {
  for (long length = 1; length <= 300; length += length < 140 ? 1 : 37) {
    const auto n = static_cast<std::size_t>(5 * length);
    const long pitch = length + 3;
    std::vector<char> memory(static_cast<std::size_t>(5 * pitch), 'x');
    strided_view<char> rows{memory.data() + 1, 5, length, pitch, 1};
    buffer_adapter<strided_view<char>&, form::block, resize_policy::automatic> block(rows);
    block.place(5 * length);
    auto* const packed = static_cast<char*>(block.in(5 * length).address);
    std::iota(packed, packed + n, '\0');
    block.unpack(5 * length);
    std::vector<char> expected(memory.size(), 'x');
    for (long i = 0; i < 5; ++i)
      for (long j = 0; j < length; ++j)
        expected[static_cast<std::size_t>(1 + i * pitch + j)] = static_cast<char>(i * length + j);
    check::expect(memory == expected, "unpacked " + std::to_string(length));
    std::fill(packed, packed + n, 'y');
    block.pack();
    std::vector<char> sent(n);
    std::iota(sent.begin(), sent.end(), '\0');
    check::expect(std::equal(sent.begin(), sent.end(), packed), "packed " + std::to_string(length));
  }
}

TEST(any_part_of_a_view_is_packed_and_unpacked) {
  const sizes n{3, 4, 5};
  const long all = elements_of(n);
  for (const placed& where : placements(n)) {
    memory from;
    const cube view = from.view(n, where.strides);
    fill(view, 0);
    const auto layout = detail::layout_of_view(view, 8);
    const auto first = [](const cube& of) { return reinterpret_cast<std::byte*>(of.first); };
    for (long skip = 0; skip < all; ++skip)
      for (long count = 0; count <= all - skip; ++count) {
        std::vector<double> packed(static_cast<std::size_t>(count) + 1, -1);
        auto* const block = reinterpret_cast<std::byte*>(packed.data());
        detail::view_copy<8>{block, count, skip}.run<true>(layout.dimensions(), layout.rank(),
                                                           first(view));
        std::vector<double> expected = counted_from(static_cast<double>(skip), count + 1);
        expected.back() = -1;
        const std::string part = std::to_string(count) + " from " + std::to_string(skip);
        if (packed != expected) check::expect(false, std::string(where.name) + " packs " + part);

        memory to;
        const cube target = to.view(n, where.strides);
        detail::view_copy<8>{block, count, skip}.run<false>(layout.dimensions(), layout.rank(),
                                                            first(target));
        long wrong = std::count(to.all.begin(), to.all.end(), -1.0) - (long{room} - count);
        each_element(target, [&](const double& e, int position) {
          if (position >= skip && position < skip + count && e != position) ++wrong;
        });
        if (wrong != 0) check::expect(false, std::string(where.name) + " unpacks " + part);
      }
  }
}

TEST(the_layout_of_a_view_is_normalised) {
  const auto layout = [](const sizes& n, const sizes& strides) {
    return detail::layout_of_view(cube{nullptr, n, strides}, 8);
  };
  check::equal(layout({2, 3, 4}, {12, 4, 1}).rank(), std::size_t{1});
  check::expect(layout({2, 3, 4}, {12, 4, 1}).is_contiguous());
  check::equal(layout({2, 3, 4}, {24, 4, 1}).rank(), std::size_t{2});
  check::equal(layout({2, 3, 4}, {24, 8, 2}).rank(), std::size_t{1});
  check::equal(layout({2, 1, 4}, {4, 777, 1}).rank(), std::size_t{1});
  check::equal(layout({1, 1, 1}, {7, 7, 7}).rank(), std::size_t{0});
  check::expect(layout({2, 3, 4}, {0, 4, 1}).may_overlap());
  check::expect(layout({2, 3, 4}, {3, 4, 1}).may_overlap());
  check::expect(layout({3, 3, 1}, {-2, 1, 1}).may_overlap());
  check::expect(!layout({2, 3, 4}, {1, 2, 6}).may_overlap());
  check::expect(!layout({2, 3, 4}, {-12, 4, -1}).may_overlap());
  const long huge = long{1} << 62;
  check::expect(layout({huge, huge, 0}, {1, 1, 1}).fault() == nullptr);
  check::expect(layout({huge, 4, 1}, {1, 1, 1}).fault() != nullptr);
  check::expect(layout({2, 1, 1}, {huge, 1, 1}).fault() != nullptr);
  check::expect(layout({-2, 1, 1}, {1, 1, 1}).fault() != nullptr);
}

TEST(a_view_is_whole_only_if_its_elements_are_an_array) {
  std::vector<double> elements(24);
  const auto whole = [&](const sizes& n, const sizes& strides) {
    return detail::whole_view<cube>::fits({elements.data(), n, strides});
  };
  check::expect(whole({2, 3, 4}, {12, 4, 1}));
  check::expect(whole({2, 1, 4}, {4, 777, 1}));
  check::expect(whole({6, 1, 1}, {1, -7, 0}));
  check::expect(whole({1, 1, 1}, {7, 7, 7}));
  check::expect(!whole({2, 3, 4}, {24, 4, 1}));
  check::expect(!whole({2, 3, 4}, {12, 4, 2}));
  check::expect(!whole({2, 3, 4}, {12, 4, -1}));
  check::expect(!whole({2, 3, 4}, {1, 2, 6}));
  check::expect(!whole({2, 3, 0}, {0, 0, 1}));
  check::expect(!whole({-2, -3, 4}, {-12, 4, 1}));
  check::expect(!whole({-1, 1, 1}, {1, 1, 1}));
  const long large = long{1} << 31;
  check::expect(whole({large, 1, 1}, {1, 1, 1}));
  check::expect(!whole({large, 2, 1}, {2, 1, 1}));
  check::expect(!whole({large, large, 4}, {4 * large, 4, 1}));
  check::expect(!detail::whole_view<cube>::fits({nullptr, {2, 3, 4}, {12, 4, 1}}));
}

TEST(a_whole_view_is_received_as_an_array) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  const sizes n{2, 1, 4};
  memory sent;
  memory got;
  const cube from = sent.view(n, {4, 777, 1});
  const cube to = got.view(n, {4, -777, 1});
  fill(from, comm.rank());

  // A shorter message changes nothing behind it, and its length is told where that is asked for.
  auto pending = comm.isend(send_buf(from), send_count(5), destination(next));
  check::equal(comm.recv(recv_buf(to), source(before()), recv_count_out()), count_t{5});
  pending.wait();
  std::vector<double> expected(room, -1.0);
  std::iota(expected.begin() + room / 2, expected.begin() + room / 2 + 5, before());
  check::equal(got.all, expected);

  // More than the view has is refused before anything is sent or received.
  auto all = comm.isend(send_buf(from), destination(next));
  check::thrown_by<too_small>([&] { comm.recv(recv_buf(to), recv_count(9), source(before())); });
  comm.recv(recv_buf(to), recv_count(8), source(before()));
  all.wait();
  check::equal(got.all[room / 2 + 7], before() + 7.0);
  check::thrown_by<too_small>([&] { comm.send(send_buf(from), send_count(9), destination(next)); });
}

TEST(parts_of_ranks_are_gathered_from_views_and_scattered_into_them) {
  const communicator& comm = world();
  const auto ranks = static_cast<std::size_t>(comm.size());
  memory mine;
  const cube view = mine.view({1, 2, 3}, {0, 1, 2});
  fill(view, 100.0 * comm.rank());
  const std::vector<double> all = comm.allgather(send_buf(view));
  check::equal(all.size(), 6 * ranks);
  for (std::size_t i = 0; i < all.size(); ++i)
    check::equal(all[i], 100.0 * static_cast<double>(i / 6) + static_cast<double>(i % 6));
  check::equal(comm.gatherv(send_buf(view)).size(), comm.rank() == 0 ? 6 * ranks : 0);

  memory parts;
  comm.scatter(send_buf(all), recv_buf(parts.view({1, 2, 3}, {0, 1, 2})));
  check::equal(parts.all, mine.all);
  comm.scatter(send_buf(all), recv_buf(parts.view({1, 3, 2}, {0, -1, 5})));
  check::equal(parts.all[room / 2 - 2], 100.0 * comm.rank() + 4);

  std::vector<int> larger(50, -1);
  comm.allgather(send_buf(comm.rank()),
                 recv_buf(span_of_many<int, 1>{larger.data(), {comm.size() + 3}, {2}}));
  check::equal(larger[2 * ranks - 2], comm.size() - 1);
  check::equal(larger[2 * ranks], -1);

  std::vector<int> apart(50, -1);
  std::vector<int> twos(ranks, 2), every_third(ranks);
  for (std::size_t i = 0; i < ranks; ++i) every_third[i] = static_cast<int>(3 * (ranks - 1 - i));
  comm.allgatherv(
      send_buf(std::vector<int>{comm.rank(), 9}),
      recv_buf(span_of_many<int, 2>{apart.data(), {2, 3 * comm.size() / 2 + 1}, {1, 2}}),
      recv_counts(twos), recv_displs(every_third));
  const std::size_t half = 3 * ranks / 2 + 1;
  for (std::size_t i = 0; i < 3 * ranks; ++i)
    check::equal(apart[i / half + 2 * (i % half)], i % 3 == 2 ? -1
                                                   : i % 3 == 1
                                                       ? 9
                                                       : static_cast<int>(ranks - 1 - i / 3));

  std::vector<double> columns(6 * ranks, -1);
  comm.allgather(send_buf(view), recv_buf(cube{columns.data(),
                                               {static_cast<long>(ranks), 2, 3},
                                               {1, 3 * comm.size(), comm.size()}}));
  for (std::size_t i = 0; i < columns.size(); ++i)
    check::equal(columns[i],
                 100.0 * static_cast<double>(i % ranks) + static_cast<double>(i / ranks));
}

TEST(rows_of_a_view_are_gathered_in_place) {
  const communicator& comm = world();
  const long size = comm.size(), me = comm.rank();
  // Rows of 3 numbers, two for each rank, with gaps between all; then the same backwards.
  for (const bool backwards : {false, true}) {
    std::vector<double> memory(static_cast<std::size_t>(20 * size), -1);
    double* const first = memory.data() + (backwards ? 20 * size - 1 : 0);
    const strided_view<double> all{first, 2 * size, 3, backwards ? -10 : 10, backwards ? -2 : 2};
    for (const long i : {2 * me, 2 * me + 1})
      for (long j = 0; j < 3; ++j) all(i, j) = static_cast<double>(3 * i + j);
    comm.allgather(send_recv_buf(all));
    double sum = 0;
    for (long i = 0; i < 2 * size; ++i)
      for (long j = 0; j < 3; ++j) {
        check::equal(all(i, j), static_cast<double>(3 * i + j));
        sum += all(i, j);
      }
    const double gaps = static_cast<double>(20 * size - 6 * size);
    check::equal(std::accumulate(memory.begin(), memory.end(), 0.0), sum - gaps);
  }
}

TEST(the_root_packs_its_own_view_where_it_is_received) {
  const communicator& comm = world();
  const sizes n{2, 3, 4};
  const auto p = static_cast<std::size_t>(comm.size());
  std::vector<double> all;
  for (int rank = 0; rank < comm.size(); ++rank)
    for (int i = 0; i < 24; ++i) all.push_back(100.0 * rank + i);
  for (const placed& where : placements(n))
    for (int to = 0; to < comm.size(); ++to) {
      const bool here = comm.rank() == to;
      memory mine;
      const cube from = mine.view(n, where.strides);
      fill(from, 100.0 * comm.rank());
      const auto expect = [&](const std::vector<double>& got, const char* how) {
        check::expect(got == (here ? all : std::vector<double>()), std::string(how) + where.name);
      };
      expect(comm.gather(send_buf(from), root(to)), "gather, ");
      expect(comm.gatherv(send_buf(from), root(to)), "gatherv, ");
      const std::vector<int> counts(here ? p : 0, 24);
      expect(comm.gatherv(send_buf(from), recv_counts(counts), root(to)), "counts, ");
      expect(comm.igather(send_buf(from), root(to)).wait(), "igather, ");
      // The parts in reverse order, into columns.
      std::vector<double> got(24 * p, -1);
      strided_view<double> columns{got.data(), static_cast<long>(4 * p), 6, 1,
                                   static_cast<long>(4 * p)};
      std::vector<int> displs;
      for (std::size_t i = p; here && i-- > 0;) displs.push_back(static_cast<int>(24 * i));
      comm.gatherv(send_buf(from), recv_buf(columns), recv_counts(counts), recv_displs(displs),
                   root(to));
      for (std::size_t i = 0; here && i < 24 * p; ++i)
        check::equal(columns(static_cast<long>(i / 6), static_cast<long>(i % 6)),
                     all[24 * (p - 1 - i / 24) + i % 24]);
    }
}

TEST(a_root_gathers_a_view_of_the_memory_it_receives_into) {
  const communicator& comm = world();
  const auto p = static_cast<std::size_t>(comm.size());
  const bool here = comm.rank() == comm.size() - 1;
  std::vector<double> all = counted_from(0, static_cast<long>(6 * p + 6));
  // Its own part backwards, and behind it.
  for (const std::size_t last : {6 * p - 1, 6 * p + 2, 6 * p + 5}) {
    std::vector<double> memory = all;
    const strided_view<double> backwards{memory.data() + last, 2, 3, -3, -1};
    comm.gather(send_buf(backwards), recv_buf(std::span<double>(memory.data(), 6 * p)),
                root(comm.size() - 1));
    for (std::size_t i = 0; here && i < 6; ++i)
      check::equal(memory[6 * (p - 1) + i], static_cast<double>(last - i));
  }
}

TEST(a_root_whose_view_has_a_fault_leaves_nobody_waiting) {
  const communicator& comm = world();
  memory mine;
  const bool here = comm.rank() == 0;
  const cube nowhere{nullptr, {1, 2, 3}, {0, 3, 1}};
  const cube right = mine.view({1, 2, 3}, {0, 3, 1});
  const auto refused = [&](auto call) {
    if (here)
      check::thrown_by<view_error>(call);
    else
      call();
  };
  std::vector<double> got(6 * static_cast<std::size_t>(comm.size()), -1);
  refused([&] { comm.gather(send_buf(here ? nowhere : right), root(0)); });
  refused([&] { comm.gather(send_buf(here ? nowhere : right), recv_buf(got), root(0)); });
  std::vector<double> expected(got.size(), -1);
  if (here) std::fill_n(expected.begin(), 6, 0);
  check::equal(got, expected);
  // A buffer that is too short at the root, and a view that is right.
  std::vector<double> shorter(5, -1);
  const auto gather = [&] { comm.gather(send_buf(right), recv_buf(shorter), root(0)); };
  if (here)
    check::thrown_by<too_small>(gather);
  else
    gather();
  check::equal(shorter, std::vector<double>(5, -1));
}

TEST(views_that_share_their_elements_live_as_long_as_a_request) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  counted_view got;
  auto pending = [&] {
    const counted_view mine;
    for (std::size_t i = 0; i < 6; ++i) mine(i / 3, i % 3) = static_cast<double>(i);
    return comm.isend(send_buf(mine), destination(next));
  }();
  comm.recv(recv_buf(got), source(before()));
  pending.wait();
  check::equal(got(1, 2), 5.0);
  check::equal((*got.owner)[3], 0.0);
  check::equal(got.owner.use_count(), 1L);

  auto moved = comm.irecv(recv_buf(counted_view()), source(before()));
  auto kept = comm.irecv(recv_buf(got), source(before()));
  check::equal(got.owner.use_count(), 2L);
  comm.send(send_buf(std::vector<double>{1, 2, 3, 4, 5, 6}), destination(next));
  comm.send(send_buf(std::vector<double>(6)), destination(next));
  kept.wait();
  const counted_view given_back = moved.wait();
  check::equal(given_back(1, 0), 4.0);
}

TEST(matrices_that_own_their_elements_are_borrowed_or_moved) {
  const communicator& comm = world();
  column_major matrix;
  if (comm.rank() == 0) matrix.elements = {0, 3, 1, 4, 2, 5};
  comm.bcast(send_recv_buf(matrix), root(0));
  check::equal(matrix(1, 0), 3);
  const column_major& constant = matrix;
  const std::vector<int> all = comm.allgather(send_buf(constant));
  check::equal(all[4], 4);
  auto request = comm.irecv(recv_buf(column_major()), source(before()));
  comm.send(send_buf(std::vector<int>{1, 2, 3, 4, 5, 6}),
            destination((comm.rank() + 1) % comm.size()));
  const column_major got = request.wait();
  check::equal(got(1, 0), 4);
}

TEST(a_class_of_a_program_is_a_view_by_its_traits) {
  const communicator& comm = world();
  picture mine;
  if (comm.rank() == 0)
    for (std::size_t i = 0; i < 15; ++i) mine.points[i] = static_cast<short>(i);
  comm.bcast(send_recv_buf(mine), root(0));
  check::equal(mine.points[13], static_cast<short>(13));
  check::equal(mine.points[14], static_cast<short>(comm.rank() == 0 ? 14 : -1));
}

TEST(a_shorter_message_fills_the_first_elements) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  memory got;
  auto sending = comm.isend(send_buf(std::vector<double>{5, 6, 7, 8}), destination(next));
  comm.recv(recv_buf(got.view({1, 2, 3}, {0, 1, 2})), source(before()));
  sending.wait();
  check::equal(got.all[room / 2 + 4], 7.0);
  check::equal(got.all[room / 2 + 1], 8.0);
  check::equal(got.all[room / 2 + 3], -1.0);
}

// A view of 2 x 3 x 4 elements, and its memory if only the first `n` change.
constexpr sizes block_of_24{2, 3, 4};
std::vector<double> only_first(const sizes& strides, long n, double from) {
  memory expected;
  const cube view = expected.view(block_of_24, strides);
  fill(view, -2);
  each_element(view, [&](double& e, int position) {
    if (position < n) e = from + position;
  });
  return expected.all;
}
// What `receive` gets into a view: its first `n` elements, counted from `from`, and nothing else.
template <class Receive>
void expect_first(const char* how, const placed& where, long n, double from, Receive receive) {
  memory got;
  const cube view = got.view(block_of_24, where.strides);
  fill(view, -2);
  receive(view);
  check::expect(got.all == only_first(where.strides, n, from),
                std::string(how) + " of " + std::to_string(n) + ", " + where.name);
}
const std::vector<long> partial_lengths{0, 1, 3, 4, 7, 12, 17, 23, 24};

TEST(a_count_with_a_view_means_its_first_elements_in_every_send) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  for (const placed& where : placements(block_of_24))
    for (const long n : partial_lengths) {
      memory sent;
      const cube view = sent.view(block_of_24, where.strides);
      fill(view, 100.0 * comm.rank());
      const std::vector<double> expected = counted_from(100.0 * before(), n);
      const auto expect_sent = [&](const char* how, auto send) {
        auto receiving = comm.irecv(recv_buf(std::vector<double>(30)), source(before()));
        send();
        check::expect(receiving.wait() == expected,
                      std::string(how) + " of " + std::to_string(n) + ", " + where.name);
      };
      const auto to = destination(next);
      expect_sent("send", [&] { comm.send(send_buf(view), send_count(n), to); });
      expect_sent("ssend", [&] { comm.ssend(send_buf(view), send_count(n), to); });
      expect_sent("isend", [&] { comm.isend(send_buf(view), send_count(n), to).wait(); });
      expect_sent("issend", [&] { comm.issend(send_buf(view), send_count(n), to).wait(); });
      expect_sent("send_type",
                  [&] { comm.send(send_buf(view), send_count(n), send_type(mpi::double_), to); });
      expect_sent("send_init", [&] {
        auto again = comm.send_init(send_buf(view), send_count(n), to);
        again.start();
        again.wait();
      });
      const std::vector<double> exchanged =
          comm.sendrecv<double>(send_buf(view), send_count(n), to, source(before()));
      check::equal(exchanged, expected);
      check::equal(comm.allgather(send_buf(view), send_count(n)).size(),
                   static_cast<std::size_t>(n * comm.size()));
    }
  memory some;
  const cube view = some.view(block_of_24, {24, 8, 2});
  check::thrown_by<too_small>(
      [&] { comm.send(send_buf(view), send_count(25), destination(next)); });
  check::thrown_by<view_error>(
      [&] { comm.send(send_buf(view), send_count(3), send_type(mpi::float_), destination(next)); });
}

TEST(a_count_with_a_view_means_its_first_elements_in_every_receive) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  for (const placed& where : placements(block_of_24))
    for (const long n : partial_lengths) {
      const std::vector<double> mine = counted_from(100.0 * comm.rank(), n);
      const auto expect_got = [&](const char* how, double from, auto receive) {
        expect_first(how, where, n, from, receive);
      };
      const auto expect_received = [&](const char* how, auto receive) {
        auto sending = comm.isend(send_buf(mine), destination(next));
        expect_got(how, 100.0 * before(), receive);
        sending.wait();
      };
      const auto from = source(before());
      expect_received("recv",
                      [&](const cube& view) { comm.recv(recv_buf(view), recv_count(n), from); });
      expect_received("recv_type", [&](const cube& view) {
        comm.recv(recv_buf(view), recv_count(n), recv_type(mpi::double_), from);
      });
      expect_received("irecv", [&](const cube& view) {
        comm.irecv(recv_buf(view), recv_count(n), from).wait();
      });
      expect_received("irecv at_most", [&](const cube& view) {
        comm.irecv(recv_buf(at_most(8 * n, view)), from).wait();
      });
      expect_received("recv_init", [&](const cube& view) {
        auto again = comm.recv_init(recv_buf(view), recv_count(n), from);
        again.start();
        again.wait();
      });
      expect_received("mrecv", [&](const cube& view) {
        auto message = comm.mprobe(from);
        message.recv(recv_buf(view));
      });
      expect_got("sendrecv", 100.0 * before(), [&](const cube& view) {
        comm.sendrecv(send_buf(mine), destination(next), recv_buf(view), recv_count(n), from);
      });
    }
}

TEST(a_longer_message_than_the_count_changes_nothing_behind_it) {
  const communicator& comm = world();
  if (comm.size() == 1 && check::known_defect("truncation-stops-messages-to-self")) return;
  const int next = (comm.rank() + 1) % comm.size();
  const std::vector<double> longer(24, 5.0);
  for (const placed& where : placements(block_of_24)) {
    memory got;
    const cube view = got.view(block_of_24, where.strides);
    fill(view, -2);
    auto sending = comm.isend(send_buf(longer), destination(next));
    check::thrown_by<error>([&] { comm.recv(recv_buf(view), recv_count(7), source(before())); });
    sending.wait();
    const std::vector<double> before_it = only_first(where.strides, 0, 0);
    memory expected;
    const cube positions = expected.view(block_of_24, where.strides);
    fill(positions, 0);
    for (std::size_t i = 0; i < room; ++i)
      if (expected.all[i] < 0 || expected.all[i] >= 7) check::equal(got.all[i], before_it[i]);
  }
}

TEST(a_count_with_a_view_means_its_first_elements_in_files_and_windows) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  const scratch place;
  const file data = place.open();
  if (comm.rank() == 0) data.write(send_buf(counted_from(7, 24)), at(0));
  data.sync();
  comm.barrier();
  data.sync();
  std::vector<double> exposed = counted_from(100.0 * comm.rank(), 24);
  for (const placed& where : placements(block_of_24))
    for (const long n : partial_lengths) {
      const auto expect_got = [&](const char* how, double from, auto read) {
        expect_first(how, where, n, from, read);
      };
      expect_got("read", 7,
                 [&](const cube& view) { data.read(recv_buf(view), recv_count(n), at(0)); });
      expect_got("collective read", 7, [&](const cube& view) {
        data.read(recv_buf(view), recv_count(n), at(0), collectively());
      });
      expect_got("iread", 7, [&](const cube& view) {
        data.iread(recv_buf(view), recv_count(n), at(0)).wait();
      });
      if (comm.size() == 1) continue;  // some MPIs have no window on one process
      window win = window::create(comm, exposed);
      expect_got("get", 100.0 * next, [&](const cube& view) {
        auto epoch = win.fence();
        win.get(recv_buf(view), target_rank(next), target_count(n));
        epoch.end();
      });
      expect_got("get_accumulate", 100.0 * next, [&](const cube& view) {
        const std::vector<double> nothing(24);
        auto epoch = win.fence();
        win.get_accumulate(send_buf(nothing), recv_buf(view), target_rank(next), target_count(n));
        epoch.end();
      });
      memory sent;
      const cube view = sent.view(block_of_24, where.strides);
      fill(view, 1000);
      {
        auto epoch = win.fence();
        win.put(send_buf(view), target_rank(next), target_count(n));
        epoch.end();
      }
      std::vector<double> expected = counted_from(100.0 * comm.rank(), 24);
      for (long i = 0; i < n; ++i)
        expected[static_cast<std::size_t>(i)] = 1000.0 + static_cast<double>(i);
      check::equal(exposed, expected);
      comm.barrier();
      {
        auto epoch = win.fence();
        win.accumulate(send_buf(view), target_rank(next), target_count(n));
        epoch.end();
      }
      for (long i = 0; i < n; ++i)
        expected[static_cast<std::size_t>(i)] += 1000.0 + static_cast<double>(i);
      check::equal(exposed, expected);
      comm.barrier();
      std::iota(exposed.begin(), exposed.end(), 100.0 * comm.rank());
    }
}

TEST(nothing_is_written_into_a_view_that_overlaps) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  memory got;
  const cube folded = got.view({1, 2, 3}, {0, 2, 1});
  const auto expect_refused = [&](auto receive) {
    auto sending = comm.isend(send_buf(counted_from(1, 6)), destination(next));
    check::thrown_by<view_error>(receive);
    sending.wait();
    check::equal(got.all, std::vector<double>(room, -1.0));
  };
  const auto from = source(before());
  expect_refused([&] { comm.recv(recv_buf(folded), from); });
  expect_refused([&] { comm.recv(recv_buf(folded), recv_count(6), from); });
  expect_refused([&] { comm.irecv(recv_buf(folded), from).wait(); });
  const auto again = [&](auto exchange) {
    check::thrown_by<view_error>(exchange);
    check::equal(got.all, std::vector<double>(room, -1.0));
  };
  again([&] {
    comm.sendrecv(send_buf(counted_from(1, 6)), destination(next), recv_buf(folded), from);
  });
  again([&] { comm.sendrecv_replace(send_recv_buf(folded), destination(next), from); });
  again([&] { comm.alltoall(send_buf(std::vector<double>(6 * 4)), recv_buf(folded)); });
}

TEST(a_limit_above_a_fixed_buffer_is_its_room) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  const std::vector<double> six = counted_from(1, 6);
  std::array<double, 6> array{};
  auto receiving = comm.irecv(recv_buf(at_most(100, array)), source(before()));
  comm.send(send_buf(six), destination(next));
  receiving.wait();
  check::equal(array[5], 6.0);
}

TEST(a_view_that_cannot_be_used_is_an_error_and_nobody_waits) {
  const communicator& comm = world();
  const int next = (comm.rank() + 1) % comm.size();
  const bool faulty = comm.rank() == 0;
  memory some;
  const cube right = some.view({1, 2, 3}, {0, 3, 1});
  const cube nowhere{nullptr, {1, 2, 3}, {0, 3, 1}};
  const cube folded = some.view({1, 2, 3}, {0, 2, 1});
  const cube still = some.view({1, 2, 3}, {0, 0, 0});
  check::thrown_by<view_error>([&] { comm.send(send_buf(nowhere), destination(next)); });
  if (comm.size() > 1) {  // some MPIs have no window on one process
    window win = window::create(comm, some.all);
    const fence_epoch epoch = win.fence();
    check::thrown_by<view_error>([&] { win.put(send_buf(nowhere), target_rank(next)); });
    check::thrown_by<view_error>([&] { win.get(recv_buf(nowhere), target_rank(next)); });
  }
  for (const cube& wrong : {nowhere, folded, still}) {
    auto sending = comm.isend(send_buf(right), destination(next));
    const auto receive = [&] { comm.recv(recv_buf(faulty ? wrong : right), source(before())); };
    if (faulty)
      check::thrown_by<view_error>(receive);
    else
      receive();
    sending.wait();
    std::vector<double> separate(6);
    const auto share = [&] {
      if (faulty)
        comm.allreduce(send_buf(separate), recv_buf(wrong), op(mpi::sum));
      else
        comm.allreduce(send_buf(separate), op(mpi::sum));
    };
    if (faulty)
      check::thrown_by<view_error>(share);
    else
      share();
    const auto tell = [&] {
      if (faulty)
        comm.bcast(send_recv_buf(wrong), root(comm.size() - 1));
      else
        comm.bcast(send_recv_buf(right), root(comm.size() - 1));
    };
    if (faulty && comm.size() > 1)
      check::thrown_by<view_error>(tell);
    else if (comm.size() > 1)
      tell();
  }
  std::vector<double> parts;
  const auto collect = [&] { parts = comm.allgather(send_buf(faulty ? nowhere : right)); };
  fill(right, 1);
  if (faulty) {
    check::thrown_by<view_error>(collect);
  } else {
    collect();
    check::equal(parts[5], 0.0);
    check::equal(parts[11], 6.0);
  }
  fill(still, 4);
  auto sending = comm.isend(send_buf(still), destination(next));
  check::equal(comm.recv<double>(), std::vector<double>(6, still.first[0]));
  sending.wait();
}
