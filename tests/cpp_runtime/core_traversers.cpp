// Traversers over a communicator: bags of different layouts exchange their elements.

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/strided.hpp>

#include "../cpp/check.hpp"
#include "foreign_views.hpp"

using namespace mpiglot;
using namespace mpiglot::layouts;

// How often memory was allocated in this program.
static std::atomic<long> allocations = 0;
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size == 0 ? 1 : size); memory != nullptr) return memory;
  throw std::bad_alloc();
}
// Sanitizers want all forms replaced, or none.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

// A view of three dimensions with any steps.
template <class T>
struct box {
  T* first;
  std::array<count_t, 3> extents;
  std::array<count_t, 3> strides;
};

}  // namespace

template <class T>
struct mpiglot::view_traits<box<T>> {
  static constexpr std::size_t rank = 3;
  static constexpr bool shares_elements = true;
  [[nodiscard]] static T* data(const box<T>& of) noexcept { return of.first; }
  [[nodiscard]] static count_t extent(const box<T>& of, std::size_t i) noexcept {
    return of.extents[i];
  }
  [[nodiscard]] static count_t stride(const box<T>& of, std::size_t i) noexcept {
    return of.strides[i];
  }
};

namespace {

// What the element of these indices is, in the matrix that `salt` stands for.
template <class T>
T value_of(count_t i, count_t j, count_t k, int salt) {
  return static_cast<T>(salt + i * 31 + j * 7 + k * 3);
}
template <class Bag, class Traverser>
void fill(const Bag& bag, const Traverser& over, int salt) {
  using element = typename Bag::element;
  over.for_each([&](auto s) {
    bag[s] = value_of<element>(get_index<'i'>(s), get_index<'j'>(s), get_index<'k'>(s), salt);
  });
}
// Whether the bag has exactly the elements of the traverser: others are zero.
template <class Bag, class Traverser, class T>
void expect_filled(const Bag& bag, const Traverser& over, int salt, std::vector<T>& memory) {
  over.for_each([&](auto s) {
    check::equal(bag[s],
                 value_of<T>(get_index<'i'>(s), get_index<'j'>(s), get_index<'k'>(s), salt));
    bag[s] = T{};
  });
  for (const T& found : memory) check::equal(found, T{});
}

// All layouts of a space of three dimensions that the property test takes: `f(bag, memory)`. Most are
// one type with steps of run time, so that the compiler sees few.
template <class T, class F>
void each_layout(count_t ni, count_t nj, count_t nk, const F& f) {
  struct layout {
    std::array<std::size_t, 3> order;  // the dimension of the smallest step last
    count_t padding;
    unsigned reversed;
  };
  const layout layouts[] = {{{0, 1, 2}, 0, 0}, {{2, 1, 0}, 0, 0}, {{1, 2, 0}, 0, 0},
                            {{0, 2, 1}, 2, 0}, {{0, 1, 2}, 1, 1}, {{1, 0, 2}, 0, 6},
                            {{2, 0, 1}, 1, 5}, {{2, 1, 0}, 3, 7}};
  for (const layout& one : layouts) {
    box<T> view{nullptr, {ni, nj, nk}, {}};
    count_t length = 1;
    count_t first = 0;
    for (std::size_t i = 3; i-- > 0;) {
      const std::size_t dimension = one.order[i];
      const count_t extent = view.extents[dimension];
      const bool back = (one.reversed >> dimension & 1U) != 0;
      view.strides[dimension] = back ? -length : length;
      if (back && extent > 0) first += (extent - 1) * length;
      length *= extent + one.padding;
    }
    std::vector<T> memory(static_cast<std::size_t>(length) + 1);
    view.first = memory.data() + first;
    f(named<'i', 'j', 'k'>(view), memory);
  }
  std::vector<T> memory(static_cast<std::size_t>(ni * nj * nk));
  f(bag(scalar<T>() ^ vectors<'i', 'j', 'k'>(ni, nj, nk), memory.data()), memory);
}

// Every layout at the root into every layout of a part, and back.
template <class T, class Shared>
void exchange_all(const communicator& comm, count_t ni, count_t nj, count_t nk,
                  const Shared& shared_out) {
  const int root_rank = comm.size() - 1;
  int salt = 0;
  each_layout<T>(ni, nj, nk, [&](auto whole, auto& memory) {
    const auto mine = shared_out(whole);
    each_layout<T>(get_length<'y'>(mine), get_length<'x'>(mine), nk, [&](auto other, auto& own) {
      const auto tile = other ^ rename<'i', 'y'>() ^ rename<'j', 'x'>();
      ++salt;
      if (comm.rank() == root_rank) fill(whole, traverser(whole), salt);
      mine.scatter(send_buf(whole), recv_buf(tile), root(root_rank));
      mine.for_each([&](auto s) {
        check::equal(tile[s],
                     value_of<T>(get_index<'i'>(s), get_index<'j'>(s), get_index<'k'>(s), salt));
      });
      if (comm.rank() == root_rank) expect_filled(whole, traverser(whole), salt, memory);

      mine.allgather(send_buf(tile), recv_buf(whole));
      expect_filled(whole, traverser(whole), salt, memory);
      mine.igather(send_buf(tile), recv_buf(whole), root(root_rank)).wait();
      if (comm.rank() == root_rank) expect_filled(whole, traverser(whole), salt, memory);
      expect_filled(tile, mine, salt, own);
    });
  });
}

template <class T>
std::string reason_of(const std::function<void()>& wrong) {
  try {
    wrong();
  } catch (const T& error) {
    return error.what();
  }
  return "no error";
}
bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(blocks_of_rows_reach_every_layout) {
  const communicator comm;
  const auto rows = [&](const auto& whole) {
    return mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'r', 'y'>() ^
                                  into_blocks<'j', 'J', 'x'>() ^ set_length<'J'>(1) ^ fix<'J'>(0),
                              comm);
  };
  exchange_all<double>(comm, 2 * comm.size(), 3, 2, rows);
  exchange_all<char>(comm, comm.size(), 1, 3, rows);
}

TEST(uneven_blocks_deliver_every_element) {
  const communicator comm;
  const auto rows = [&](const auto& whole) {
    return mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'r', 'y'>(uneven) ^
                                  into_blocks<'j', 'J', 'x'>() ^ set_length<'J'>(1) ^ fix<'J'>(0),
                              comm);
  };
  exchange_all<int>(comm, 7, 3, 1, rows);
  exchange_all<short>(comm, 2, 3, 2, rows);
  exchange_all<int>(comm, 0, 3, 2, rows);
}

TEST(tiles_of_a_grid_reach_every_layout) {
  const communicator comm;
  const count_t across = comm.size() % 2 == 0 ? 2 : 1;
  const auto tiles = [&](const auto& whole) {
    return mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'I', 'y'>() ^
                                  into_blocks<'j', 'J', 'x'>() ^ set_length<'J'>(across) ^
                                  merge_blocks<'I', 'J', 'r'>(),
                              comm);
  };
  exchange_all<float>(comm, 2 * comm.size() / across, 3 * across, 2, tiles);
}

TEST(uneven_tiles_of_a_grid_deliver_every_element) {
  const communicator comm;
  const count_t across = comm.size() % 2 == 0 ? 2 : 1;
  const auto tiles = [&](const auto& whole) {
    return mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'I', 'y'>(uneven) ^
                                  set_length<'I'>(comm.size() / across) ^
                                  into_blocks<'j', 'J', 'x'>(uneven) ^ set_length<'J'>(across) ^
                                  merge_blocks<'I', 'J', 'r'>(),
                              comm);
  };
  exchange_all<std::int64_t>(comm, 5, 3, 2, tiles);
}

TEST(blocks_in_turns_reach_every_layout) {
  const communicator comm;
  // Rank r has the rows r, r + size, r + 2 * size ...: block-cyclic, in blocks of one row.
  const auto cyclic = [&](const auto& whole) {
    return mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'y', 'r'>() ^
                                  into_blocks<'j', 'J', 'x'>() ^ set_length<'J'>(1) ^ fix<'J'>(0),
                              comm);
  };
  exchange_all<int>(comm, 3 * comm.size(), 2, 2, cyclic);
}

TEST(dealt_blocks_deliver_every_element) {
  const communicator comm;
  // Whole turns or not, a rest or none, more blocks than ranks or fewer.
  for (const auto& [rows, block] : {std::array{0L, 2L}, std::array{1L, 2L}, std::array{7L, 3L},
                                    std::array{12L, 1L}, std::array{13L, 2L}, std::array{5L, 30L}})
    exchange_all<int>(comm, rows, 2, 2, [&](const auto& whole) {
      return mpi_traverser<'r'>(
          traverser(whole) ^ deal_blocks<'i', 'r', 'y'>(block) ^ rename<'j', 'x'>(), comm);
    });
}

TEST(blocks_dealt_in_two_dimensions_deliver_every_element) {
  const communicator comm;
  const count_t across = comm.size() % 2 == 0 ? 2 : 1;
  for (const auto& [rows, columns] : {std::array{7L, 5L}, std::array{3L, 11L}, std::array{1L, 1L}})
    exchange_all<double>(comm, rows, columns, 2, [&](const auto& whole) {
      return mpi_traverser<'r'>(traverser(whole) ^ deal_blocks<'i', 'I', 'y'>(2) ^
                                    deal_blocks<'j', 'J', 'x'>(3) ^ set_length<'J'>(across) ^
                                    merge_blocks<'I', 'J', 'r'>(),
                                comm);
    });
}

TEST(dealt_blocks_are_where_scalapack_has_them) {
  const communicator comm;
  const count_t n = 23;
  const count_t b = 3;
  const auto line = bag(scalar<int>() ^ vector<'i'>(n));
  const auto mine = mpi_traverser<'r'>(traverser(line) ^ deal_blocks<'i', 'r', 'y'>(b), comm);
  count_t found = 0;
  for (count_t i = 0; i < n; ++i)
    if (i / b % comm.size() == comm.rank()) {
      const count_t local = i / (b * comm.size()) * b + i % b;
      check::equal(local, found);
      count_t next = 0;
      mine.for_each([&](auto state) {
        if (next++ == local) check::equal(get_index<'i'>(state), i);
      });
      ++found;
    }
  check::equal(get_length<'y'>(mine), found);

  // A structure can have dealt blocks, too: its indices are those of one rank.
  const auto whole =
      scalar<int>() ^ vector<'i'>(n) ^ deal_blocks<'i', 'r', 'y'>(b) ^ set_length<'r'>(2);
  const auto second = whole ^ fix<'r'>(1);
  check::equal(second | get_length<'y'>(), 11L);
  check::equal(second | offset(idx<'y'>(4)), static_cast<count_t>((9 + 1) * sizeof(int)));
  check::equal((whole ^ fix<'r'>(1) ^ rename<'y', 'z'>()) | offset(idx<'z'>(10)),
               static_cast<count_t>(22 * sizeof(int)));
  check::equal((whole ^ rename<'r', 'q'>() ^ fix<'q'>(0)) | get_length<'y'>(), 12L);
  check::equal((second ^ fix<'y'>(3)) | offset(idx()), static_cast<count_t>(9 * sizeof(int)));
  check::thrown_by<layout_error>([&] { (void)(whole ^ fix<'r'>(2)); });
  check::thrown_by<layout_error>([&] {
    (void)(scalar<int>() ^ vector<'i'>(n) ^ deal_blocks<'i', 'r'>(0) ^ set_length<'r'>(2));
  });
  check::thrown_by<layout_error>([&] {
    (void)(scalar<int>() ^ vector<'i'>(n) ^ deal_blocks<'i', 'r'>(1) ^ set_length<'r'>(0));
  });
}

// What `part` receives of a message of another length than its own: nothing, and an error.
template <class Traverser, class Bag>
void refuses_shorter(const communicator& comm, const Traverser& mine, const Bag& part,
                     count_t all) {
  for (count_t i = 0; i < all; ++i) part.data()[i] = -1;
  for (const count_t n : {count_t{1}, all - 1}) {
    const std::vector<int> sent(static_cast<std::size_t>(n), 5);
    auto request = comm.isend(send_buf(sent), destination(comm.rank()));
    check::thrown_by<count_error>([&] { mine.recv(recv_buf(part), source(comm.rank())); });
    request.wait();
    auto received = mine.irecv(recv_buf(part), source(comm.rank()));
    comm.send(send_buf(sent), destination(comm.rank()));
    check::thrown_by<count_error>([&] { received.wait(); });
  }
  const std::vector<int> none;
  mine.recv(recv_buf(part), source(mpi::proc_null));
}

TEST(a_message_shorter_than_a_part_is_refused) {
  const communicator comm;
  auto line = bag(scalar<int>() ^ vectors<'j', 'i'>(2, 5 * comm.size()));
  const auto dealt =
      mpi_traverser<'r'>(traverser(line) ^ deal_blocks<'i', 'r', 'y'>(2) ^ hoist<'j'>(), comm);
  const auto blocks = mpi_traverser<'r'>(traverser(line) ^ into_blocks<'i', 'r', 'y'>(), comm);
  const count_t rows = get_length<'y'>(dealt);
  if (rows > 1)
    refuses_shorter(comm, dealt, bag(scalar<int>() ^ vectors<'j', 'y'>(2, rows)), 2 * rows);
  // Contiguous, packed and described.
  refuses_shorter(comm, blocks, bag(scalar<int>() ^ vectors<'j', 'y'>(2, 5)), 10);
  refuses_shorter(comm, blocks, bag(scalar<int>() ^ vectors<'y', 'j'>(5, 2)), 10);
}

TEST(dealt_blocks_that_lie_as_they_travel_are_not_copied) {
  const communicator comm;
  const count_t n = 5 * comm.size() + 1;
  auto line = bag(scalar<int>() ^ vector<'i'>(n));
  for (count_t i = 0; i < n; ++i) line[idx<'i'>(i)] = static_cast<int>(i);
  const auto mine = mpi_traverser<'r'>(traverser(line) ^ deal_blocks<'i', 'r', 'y'>(2), comm);
  auto tile = bag(scalar<int>() ^ vectors_like<'y'>(mine));
  // Messages and reductions of one part.
  mine.scatter(send_buf(line), recv_buf(tile));
  auto copy = bag(scalar<int>() ^ vectors_like<'y'>(mine));
  mine.sendrecv(send_buf(tile), destination(comm.rank()), recv_buf(copy), source(comm.rank()));
  mine.for_each([&](auto s) { check::equal(copy[s], static_cast<int>(get_index<'i'>(s))); });
  auto back = bag(scalar<int>() ^ vector<'i'>(n));
  mine.allgather(send_buf(copy), recv_buf(back));
  for (count_t i = 0; i < n; ++i) check::equal(back[idx<'i'>(i)], static_cast<int>(i));
  // Another length than the part has is an error on that rank alone.
  auto wrong = bag(scalar<int>() ^ vector<'y'>(get_length<'y'>(mine) + (comm.rank() == 0 ? 1 : 0)));
  const auto scatter = [&] { mine.scatter(send_buf(line), recv_buf(wrong)); };
  if (comm.rank() == 0)
    check::thrown_by<view_error>(scatter);
  else
    scatter();
}

TEST(messages_between_different_layouts) {
  const communicator comm;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  int salt = 0;
  each_layout<int>(2, 3, 2, [&](auto from, auto&) {
    each_layout<int>(2, 3, 2, [&](auto to, auto& memory) {
      // The same traverser on both sides, in an order that is nobody's own.
      const auto order =
          traverser(bag(scalar<int>() ^ vectors<'i', 'k', 'j'>(2, 2, 3))) ^ bcast<'r'>(comm.size());
      const auto all = mpi_traverser<'r'>(order, comm);
      fill(from, traverser(from), ++salt + comm.rank());
      auto sent = all.isend(send_buf(from), destination(next), tag(3));
      all.recv(recv_buf(to), source(before), tag(3));
      sent.wait();
      expect_filled(to, traverser(to), salt + before, memory);

      all.sendrecv(send_buf(from), destination(next), recv_buf(to), source(before));
      expect_filled(to, traverser(to), salt + before, memory);
    });
  });
}

TEST(broadcasts_and_reductions_between_different_layouts) {
  const communicator comm;
  each_layout<int>(2, 3, 2, [&](auto from, auto&) {
    each_layout<int>(2, 3, 2, [&](auto to, auto& memory) {
      const auto all = mpi_traverser<'r'>(
          traverser(bag(scalar<int>() ^ vectors<'k', 'j', 'i'>(2, 3, 2))) ^ bcast<'r'>(comm.size()),
          comm);
      fill(from, traverser(from), 5);
      // Every second rank has its elements in `from`.
      const bool first = comm.rank() % 2 == 0;
      if (first)
        all.bcast(send_recv_buf(from), root(0));
      else
        all.bcast(send_recv_buf(to), root(0));
      if (!first) expect_filled(to, traverser(to), 5, memory);

      all.allreduce(send_buf(from), recv_buf(to), op(std::plus<>()));
      traverser(to).for_each([&](auto s) {
        check::equal(to[s], comm.size() * value_of<int>(get_index<'i'>(s), get_index<'j'>(s),
                                                        get_index<'k'>(s), 5));
      });
    });
  });
}

TEST(a_transposition_is_one_alltoall) {
  const communicator comm;
  const count_t n = 2;
  const count_t ranks = comm.size();
  // Rows i of this rank, all columns j; then columns j of this rank, all rows i.
  auto rows = bag(scalar<int>() ^ vectors<'j', 'y'>(n * ranks, n));
  auto columns = bag(scalar<int>() ^ vectors<'x', 'i'>(n, n * ranks));
  traverser(rows).for_each([&](auto s) {
    rows[s] = static_cast<int>((get_index<'y'>(s) + n * comm.rank()) * 100 + get_index<'j'>(s));
  });
  const auto sent = rows ^ into_blocks<'j', 'r', 'x'>(n);
  const auto received = columns ^ into_blocks<'i', 'r', 'y'>(n);
  const auto all = mpi_traverser<'r'>(traverser(sent, received), comm);
  all.alltoall(send_buf(sent), recv_buf(received));
  traverser(columns).for_each([&](auto s) {
    check::equal(count_t{columns[s]},
                 get_index<'i'>(s) * 100 + get_index<'x'>(s) + n * comm.rank());
  });
}

// Rows of a matrix become columns of it: every layout of the rows, into every layout of the columns.
template <class ByRows, class ByColumns>
void transpose_all(const communicator& comm, count_t n, count_t m, const ByRows& cut_rows,
                   const ByColumns& cut_columns) {
  const auto matrix = scalar<int>() ^ vectors<'i', 'j', 'k'>(n, m, 2);
  const auto cut = traverser(matrix) ^ cut_rows ^ set_length<'r'>(comm.size()) ^ cut_columns ^
                   set_length<'s'>(comm.size());
  const auto by_rows = mpi_traverser<'r'>(cut, comm);
  const auto by_columns = mpi_traverser<'s'>(cut, comm);
  const auto own_rows =
      mpi_traverser<'r'>(traverser(matrix) ^ cut_rows ^ set_length<'r'>(comm.size()), comm);
  const auto own_columns =
      mpi_traverser<'s'>(traverser(matrix) ^ cut_columns ^ set_length<'s'>(comm.size()), comm);
  int salt = 0;
  each_layout<int>(get_length<'y'>(by_rows), m, 2, [&](auto first, auto&) {
    const auto rows = first ^ rename<'i', 'y'>();
    each_layout<int>(n, get_length<'x'>(by_columns), 2, [&](auto second, auto& memory) {
      const auto columns = second ^ rename<'j', 'x'>();
      fill(rows, own_rows, ++salt);
      by_rows.template alltoall<'s'>(send_buf(rows), recv_buf(columns));
      expect_filled(columns, own_columns, salt, memory);
      // And back.
      fill(columns, own_columns, ++salt);
      by_columns.template ialltoall<'r'>(send_buf(columns), recv_buf(rows)).wait();
      own_rows.for_each([&](auto s) {
        check::equal(rows[s],
                     value_of<int>(get_index<'i'>(s), get_index<'j'>(s), get_index<'k'>(s), salt));
      });
      for (int& each : memory) each = 0;
    });
  });
}

TEST(uneven_rows_become_uneven_columns) {
  const communicator comm;
  for (const auto& [n, m] : {std::array{7L, 3L}, std::array{3L, 8L}, std::array{0L, 2L}})
    transpose_all(comm, n, m, into_blocks<'i', 'r', 'y'>(uneven),
                  into_blocks<'j', 's', 'x'>(uneven));
}
TEST(even_rows_become_even_columns) {
  const communicator comm;
  transpose_all(comm, 2 * comm.size(), comm.size(), into_blocks<'i', 'r', 'y'>(),
                into_blocks<'j', 's', 'x'>());
}
TEST(rows_and_columns_are_dealt) {
  const communicator comm;
  transpose_all(comm, 7, 5, deal_blocks<'i', 'r', 'y'>(2), deal_blocks<'j', 's', 'x'>(1));
  transpose_all(comm, 7, 2 * comm.size(), deal_blocks<'i', 'r', 'y'>(2),
                into_blocks<'j', 's', 'x'>());
  transpose_all(comm, comm.size(), 5, into_blocks<'i', 'r', 'y'>(),
                into_blocks<'j', 's', 'x'>(uneven));
}

TEST(a_bag_of_another_length_is_refused_by_its_rank_in_a_transposition) {
  const communicator comm;
  const auto matrix = scalar<int>() ^ vectors<'j', 'i'>(3, 7);
  const auto cut = traverser(matrix) ^ into_blocks<'i', 'r', 'y'>(uneven) ^
                   set_length<'r'>(comm.size()) ^ into_blocks<'j', 's', 'x'>(uneven) ^
                   set_length<'s'>(comm.size());
  const auto all = mpi_traverser<'r'>(cut, comm);
  const bool wrong = comm.rank() == 0;
  auto rows = bag(scalar<int>() ^ vectors<'j', 'y'>(3, get_length<'y'>(all) + (wrong ? 1 : 0)));
  auto columns =
      bag(scalar<int>() ^ vectors<'x', 'i'>(get_length<'x'>(mpi_traverser<'s'>(cut, comm)), 7));
  traverser(rows).for_each([&](auto s) { rows[s] = 1; });
  const std::string text =
      reason_of<view_error>([&] { all.alltoall<'s'>(send_buf(rows), recv_buf(columns)); });
  check::expect(contains(text, wrong ? "'y'" : "no error"));

  // A dimension that is not as long as there are ranks: all of them know.
  const auto long_cut = traverser(matrix) ^ into_blocks<'i', 'r', 'y'>(uneven) ^
                        into_blocks<'j', 's', 'x'>(uneven) ^ set_length<'s'>(comm.size() + 1);
  check::thrown_by<layout_error>([&] {
    mpi_traverser<'r'>(long_cut ^ set_length<'r'>(comm.size()), comm)
        .alltoall<'s'>(send_buf(rows), recv_buf(columns));
  });
}

TEST(a_part_of_a_bag_takes_part) {
  const communicator comm;
  auto matrix = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 5));
  const auto inner =
      traverser(matrix) ^ slice<'i'>(1, 3) ^ span<'j'>(1, 3) ^ bcast<'r'>(comm.size());
  const auto all = mpi_traverser<'r'>(inner, comm);
  if (comm.rank() == 0) traverser(matrix).for_each([&](auto s) { matrix[s] = 1; });
  all.bcast(send_recv_buf(matrix), root(0));
  count_t ones = 0;
  traverser(matrix).for_each([&](auto s) { ones += matrix[s]; });
  check::equal(ones, comm.rank() == 0 ? count_t{20} : count_t{6});
}

TEST(a_second_call_allocates_nothing) {
  const communicator comm;
  const count_t n = 7 * comm.size() + 1;
  const auto whole = bag(scalar<double>() ^ vectors<'j', 'i'>(5, n));
  const auto try_with = [](const auto& all, const auto& mine) {
    const auto tile = bag(scalar<double>() ^ vectors_like<'j', 'y'>(mine));
    const auto call = [&] {
      mine.scatter(send_buf(all), recv_buf(tile));
      mine.gather(send_buf(tile), recv_buf(all));
      mine.allgather(send_buf(tile), recv_buf(all));
    };
    call();
    const long before = allocations;
    for (int i = 0; i < 3; ++i) call();
    check::equal(allocations - before, 0L);
  };
  try_with(whole, mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'r', 'y'>(uneven), comm));
  try_with(whole, mpi_traverser<'r'>(traverser(whole) ^ deal_blocks<'i', 'r', 'y'>(2), comm));
  const auto most = whole ^ slice<'i'>(0, 7 * comm.size());
  try_with(most, mpi_traverser<'r'>(traverser(most) ^ into_blocks<'i', 'r', 'y'>(), comm));

  const auto cut = traverser(whole) ^ into_blocks<'i', 'r', 'y'>(uneven) ^
                   set_length<'r'>(comm.size()) ^ deal_blocks<'j', 's', 'x'>(2) ^
                   set_length<'s'>(comm.size());
  const auto by_rows = mpi_traverser<'r'>(cut, comm);
  const auto rows = bag(scalar<double>() ^ vectors<'j', 'y'>(5, get_length<'y'>(by_rows)));
  const auto columns =
      bag(scalar<double>() ^ vectors<'i', 'x'>(n, get_length<'x'>(mpi_traverser<'s'>(cut, comm))));
  by_rows.alltoall<'s'>(send_buf(rows), recv_buf(columns));
  const long before = allocations;
  by_rows.alltoall<'s'>(send_buf(rows), recv_buf(columns));
  check::equal(allocations - before, 0L);
}

TEST(only_the_root_needs_the_whole) {
  const communicator comm;
  const auto structure = scalar<int>() ^ vectors<'j', 'i'>(3, 2 * comm.size());
  std::vector<int> memory(comm.rank() == 0 ? 6 * static_cast<std::size_t>(comm.size()) : 0, 4);
  const auto whole = bag(structure, comm.rank() == 0 ? memory.data() : nullptr);
  const auto mine = mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(), comm);
  auto tile = bag(scalar<int>() ^ vectors_like<'y', 'j'>(mine));
  mine.scatter(send_buf(whole), recv_buf(tile), root(0));
  mine.for_each([&](auto s) { check::equal(tile[s]++, 4); });
  mine.gather(send_buf(tile), recv_buf(whole), root(0));
  for (const int found : memory) check::equal(found, 5);
}

TEST(a_traverser_knows_its_communicator) {
  const communicator comm;
  const auto line = scalar<int>() ^ vector<'i'>(6 * comm.size());
  const auto mine = mpi_traverser<'r'>(traverser(line ^ into_blocks<'i', 'r', 'y'>()), comm);
  check::equal(mine.rank(), comm.rank());
  check::equal(mine.size(), comm.size());
  check::equal(get_length<'y'>(mine), 6L);
  check::equal(get_index<'r'>(mine.state()), static_cast<count_t>(comm.rank()));
  count_t places = 0;
  mine.for_dims<'y'>([&](auto inner) { inner.for_each([&](auto) { ++places; }); });
  check::equal(places, 6L);
  check::expect(contains(reason_of<layout_error>([&] {
                           (void)mpi_traverser<'r'>(
                               traverser(line) ^
                                   into_blocks<'i', 'r', 'y'>(6 * comm.size() + 6, uneven) ^
                                   bcast<'q'>(1),
                               comm);
                         }),
                         comm.size() == 1 ? "no error" : "cannot be set to"));
}

TEST(rows_far_apart_are_found) {
  const communicator comm;
  // 1.6 GB from row to row: displacements in bytes exceed 32 bits. Only three elements are touched.
  const count_t pitch = 400'000'000;
  const auto length = static_cast<std::size_t>(pitch * comm.size()) * sizeof(int);
  void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  check::expect(memory != MAP_FAILED);
  const auto structure = scalar<int>() ^ vectors<'j', 'i'>(pitch, comm.size()) ^ slice<'j'>(7, 3);
  const auto whole = bag(structure, static_cast<int*>(memory));
  if (comm.rank() == 0) fill(whole ^ bcast<'k'>(1), traverser(whole ^ bcast<'k'>(1)), 5);
  const auto try_blocks = [&](const auto& blocks) {
    const auto mine = mpi_traverser<'r'>(traverser(whole) ^ blocks, comm);
    auto tile = bag(scalar<int>() ^ vectors_like<'y', 'j'>(mine));
    mine.scatter(send_buf(whole), recv_buf(tile));
    mine.for_each([&](auto s) {
      check::equal(tile[s]++, value_of<int>(get_index<'i'>(s), get_index<'j'>(s), 0, 5));
    });
    mine.gather(send_buf(tile), recv_buf(whole));
    if (comm.rank() == 0)
      traverser(whole).for_each([&](auto s) {
        check::equal(whole[s]--, 1 + value_of<int>(get_index<'i'>(s), get_index<'j'>(s), 0, 5));
      });
  };
  try_blocks(into_blocks<'i', 'r', 'y'>());
  try_blocks(into_blocks<'i', 'r', 'y'>(uneven));
  munmap(memory, length);
}

TEST(shapes_of_one_size_are_told_apart) {
  const communicator comm;
  for (const count_t rows : {4, 6, 4}) {
    const count_t columns = 24 / rows;
    auto whole = bag(scalar<double>() ^ vectors<'k', 'j', 'i'>(1, columns, rows * comm.size()));
    if (comm.rank() == 0) fill(whole, traverser(whole), 1);
    const auto mine = mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'r', 'y'>(), comm);
    auto tile = bag(scalar<double>() ^ vectors_like<'y', 'j', 'k'>(mine));
    mine.scatter(send_buf(whole), recv_buf(tile));
    mine.for_each([&](auto s) {
      check::equal(tile[s], value_of<double>(get_index<'i'>(s), get_index<'j'>(s), 0, 1));
    });
  }
}

TEST(other_lengths_than_those_of_the_traverser_are_refused) {
  const communicator comm;
  const auto structure = scalar<int>() ^ vectors<'j', 'i'>(3, 2 * comm.size());
  const int last = comm.size() - 1;
  const auto try_with = [&](const auto& mine) {
    auto whole = bag(structure);
    auto tile = bag(scalar<int>() ^ vectors_like<'y', 'j'>(mine));
    // Bags of the same types with other lengths.
    auto other_whole = bag(scalar<int>() ^ vectors<'j', 'i'>(2, 2 * comm.size()));
    auto other_tile = bag(scalar<int>() ^ vectors<'y', 'j'>(2, 4));
    // One rank's mistake: that rank throws, and the others go on.
    const auto expect = [&](bool wrong, const auto& call) {
      const std::string found = reason_of<view_error>([&] { call(wrong); });
      check::expect(contains(
          found, wrong ? "another length than the traverser in the dimension 'j'" : "no error"));
      comm.barrier();
    };
    expect(comm.rank() == last, [&](bool wrong) {
      mine.scatter(send_buf(whole), recv_buf(wrong ? other_tile : tile), root(0));
    });
    expect(comm.rank() == last, [&](bool wrong) {
      mine.scatter(send_buf(wrong ? other_whole : whole), recv_buf(tile), root(last));
    });
    expect(comm.rank() == last, [&](bool wrong) {
      mine.iscatter(send_buf(wrong ? other_whole : whole), recv_buf(tile), root(last)).wait();
    });
    expect(comm.rank() == last, [&](bool wrong) {
      mine.gather(send_buf(wrong ? other_tile : tile), recv_buf(whole), root(0));
    });
    expect(comm.rank() == last, [&](bool wrong) {
      mine.gather(send_buf(tile), recv_buf(wrong ? other_whole : whole), root(last));
    });
    expect(comm.rank() == last, [&](bool wrong) {
      mine.allgather(send_buf(wrong ? other_tile : tile), recv_buf(whole));
    });
    expect(comm.rank() == 0, [&](bool wrong) {
      mine.iallgather(send_buf(tile), recv_buf(wrong ? other_whole : whole)).wait();
    });
  };
  try_with(mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(), comm));
  try_with(mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm));
}

TEST(at_level_communication_all_ranks_learn_of_other_lengths) {
  const basic_communicator<checked_together> comm;
  const auto structure = scalar<int>() ^ vectors<'j', 'i'>(3, 2 * comm.size());
  const int last = comm.size() - 1;
  const auto try_with = [&](const auto& mine) {
    auto whole = bag(structure);
    auto tile = bag(scalar<int>() ^ vectors_like<'y', 'j'>(mine));
    auto other_whole = bag(scalar<int>() ^ vectors<'j', 'i'>(2, 2 * comm.size()));
    auto other_tile = bag(scalar<int>() ^ vectors<'y', 'j'>(2, 4));
    const auto expect = [&](int wrong, const auto& call) {
      if (comm.rank() == wrong)
        check::thrown_by<view_error>([&] { call(true); });
      else
        check::thrown_by<remote_failure>([&] { call(false); });
    };
    expect(last, [&](bool wrong) {
      mine.scatter(send_buf(whole), recv_buf(wrong ? other_tile : tile), root(0));
    });
    expect(last, [&](bool wrong) {
      mine.scatter(send_buf(wrong ? other_whole : whole), recv_buf(tile), root(last));
    });
    expect(last, [&](bool wrong) {
      mine.igather(send_buf(wrong ? other_tile : tile), recv_buf(whole), root(0)).wait();
    });
    expect(0, [&](bool wrong) {
      mine.gather(send_buf(tile), recv_buf(wrong ? other_whole : whole), root(0));
    });
    expect(last, [&](bool wrong) {
      mine.allgather(send_buf(wrong ? other_tile : tile), recv_buf(whole));
    });
  };
  const auto even = mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(), comm);
  try_with(even);
  try_with(mpi_traverser<'r'>(traverser(structure) ^ into_blocks<'i', 'r', 'y'>(uneven), comm));

  auto tile = bag(scalar<int>() ^ vectors_like<'y', 'j'>(even));
  auto other = bag(scalar<int>() ^ vectors<'y', 'j'>(2, 4));
  auto sum = bag(scalar<int>() ^ vectors_like<'y', 'j'>(even));
  const bool wrong = comm.rank() == last;
  const auto all = [&] {
    even.allreduce(send_buf(wrong ? other : tile), recv_buf(sum), op(std::plus<>()));
  };
  if (wrong)
    check::thrown_by<view_error>(all);
  else
    check::thrown_by<remote_failure>(all);
}

TEST(views_of_others_get_names) {
  const communicator comm;
  const count_t n = 2 * comm.size();
  std::vector<double> memory(static_cast<std::size_t>(3 * n), -1);
  std::vector<double> part(6, -1);
  // Column-major at the root, row-major in the parts.
  const strided_view<double> matrix{memory.data(), n, 3, 1, n};
  strided_view<double> rows{part.data(), 2, 3, 3, 1};
  const auto whole = named<'i', 'j'>(matrix);
  const auto tile = named<'y', 'j'>(rows);
  check::equal(get_length<'i'>(whole), n);
  traverser(whole).for_each(
      [&](auto s) { whole[s] = static_cast<double>(get_index<'i'>(s) * 10 + get_index<'j'>(s)); });
  const auto mine = mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'r', 'y'>(), comm);
  mine.scatter(send_buf(whole), recv_buf(tile));
  for (count_t y = 0; y < 2; ++y)
    for (count_t j = 0; j < 3; ++j)
      check::equal(rows(y, j), static_cast<double>((2 * comm.rank() + y) * 10 + j));
  const strided_view<const double> constant{memory.data(), n, 3, 1, n};
  check::equal(named<'a', 'b'>(constant)[idx<'a', 'b'>(1, 2)], 12.0);

  // Of one extent of this view, its type knows nothing.
  const foreign::counted_columns<6, 0, 2> counted;
  const auto both = named<'a', 'b'>(counted);
  check::equal(get_length<'a'>(both), count_t{2});
  static_assert(decltype(get_length<'b'>(both))::value == 3);
}

TEST(grids_split_their_communicator) {
  const communicator comm;
  const count_t across = comm.size() % 2 == 0 ? 2 : 1;
  const auto space = traverser(scalar<int>() ^ vectors<'j', 'i'>(across, comm.size() / across)) ^
                     merge_blocks<'i', 'j', 'r'>();
  const auto mine = mpi_traverser<'r'>(space, comm);
  const auto row = mine.split_along<'j'>();
  check::equal(static_cast<count_t>(row.size()), across);
  check::equal(static_cast<count_t>(row.rank()), comm.rank() % across);
  const auto column = mine.split_along<'i'>();
  check::equal(static_cast<count_t>(column.size()), comm.size() / across);
  check::equal(static_cast<count_t>(column.rank()), comm.rank() / across);
  check::equal(mine.split_along<'i', 'j'>().rank(), comm.rank());
  // All ranks of a column have the same place across.
  const int sum =
      column.allreduce_single(send_buf(comm.rank() % static_cast<int>(across)), op(std::plus<>()));
  check::equal(sum, column.size() * (comm.rank() % static_cast<int>(across)));
}

TEST(traversers_walk_in_parallel) {
  const communicator comm;
  auto matrix = bag(scalar<int>() ^ vectors<'j', 'i'>(5, 7));
  traverser(matrix) | parallel<'i'>([&](auto s) { matrix[s] += 1; });
  (traverser(matrix) ^ hoist<'j'>()) | parallel<'j'>([&](auto s) { matrix[s] += 1; });
  traverser(matrix).for_each([&](auto s) { check::equal(matrix[s], 2); });
  const auto mine =
      mpi_traverser<'r'>(traverser(matrix) ^ into_blocks<'i', 'r', 'y'>(uneven), comm);
  mine | parallel<'y'>([&](auto s) { matrix[s] = comm.rank(); });
  mine | [&](auto s) { check::equal(matrix[s], comm.rank()); };
}

TEST(parts_can_be_the_same_for_several_ranks) {
  const communicator comm;
  const count_t across = comm.size() % 2 == 0 ? 2 : 1;
  const count_t down = comm.size() / across;
  auto whole = bag(scalar<int>() ^ vectors<'k', 'i'>(3, 2 * down));
  if (comm.rank() == 0)
    traverser(whole).for_each(
        [&](auto s) { whole[s] = static_cast<int>(get_index<'i'>(s) * 10 + get_index<'k'>(s)); });
  // All ranks of a row of the grid get the rows of that row.
  const auto rows =
      mpi_traverser<'r'>(traverser(whole) ^ into_blocks<'i', 'I', 'y'>() ^ set_length<'I'>(down) ^
                             bcast<'J'>() ^ merge_blocks<'I', 'J', 'r'>(),
                         comm);
  auto part = bag(scalar<int>() ^ vectors_like<'y', 'k'>(rows));
  rows.scatter(send_buf(whole), recv_buf(part));
  rows.for_each([&](auto s) {
    check::equal(count_t{part[s]},
                 (2 * (comm.rank() / across) + get_index<'y'>(s)) * 10 + get_index<'k'>(s));
  });
}
