// Views that a receive makes of extents: what arrives lies in a view of its own, which is returned.

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/view.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

// Rows with one element of padding.
struct sheet {
  std::vector<int> all;
  count_t rows = 0, columns = 0;

  [[nodiscard]] std::vector<int> elements() const {
    std::vector<int> found;
    for (count_t i = 0; i < rows; ++i)
      for (count_t j = 0; j < columns; ++j)
        found.push_back(all[static_cast<std::size_t>(i * (columns + 1) + j)]);
    return found;
  }
};

// The members of Kokkos::View: its constructor takes a label, and a copy shares the elements.
struct labelled {
  struct array_layout {};
  using value_type = int;
  static constexpr unsigned rank = 2;
  std::shared_ptr<std::vector<int>> owner;
  std::size_t rows = 0, columns = 0;

  labelled(const std::string& label, std::size_t n, std::size_t m)
      : owner(std::make_shared<std::vector<int>>(n * m, label.empty() ? 1 : -1)),
        rows(n),
        columns(m) {}
  [[nodiscard]] int* data() const { return owner->data(); }
  [[nodiscard]] std::size_t size() const { return rows * columns; }
  [[nodiscard]] std::size_t extent(std::size_t i) const { return i == 0 ? rows : columns; }
  [[nodiscard]] std::size_t stride(std::size_t i) const { return i == 0 ? 1 : rows; }
};

// The members of a matrix of Eigen, of at most 4 columns, whose number of rows may be fixed.
template <int Rows>
struct matrix {
  static constexpr bool IsRowMajor = false;
  static constexpr int RowsAtCompileTime = Rows;
  static constexpr int ColsAtCompileTime = -1;
  static constexpr int MaxRowsAtCompileTime = Rows;
  static constexpr int MaxColsAtCompileTime = 4;
  std::vector<int> elements;
  long n = 0, m = 0;

  void resize(long rows_, long columns) {
    n = rows_;
    m = columns;
    elements.resize(static_cast<std::size_t>(n * m));
  }
  [[nodiscard]] int* data() { return elements.data(); }
  [[nodiscard]] const int* data() const { return elements.data(); }
  [[nodiscard]] long size() const { return n * m; }
  [[nodiscard]] long rows() const { return n; }
  [[nodiscard]] long cols() const { return m; }
  [[nodiscard]] long innerStride() const { return 1; }
  [[nodiscard]] long outerStride() const { return n; }
};

const communicator& world() {
  static const communicator comm;
  return comm;
}
int next() { return (world().rank() + 1) % world().size(); }
int before() { return (world().rank() + world().size() - 1) % world().size(); }

std::vector<int> numbers(int from, int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), from);
  return all;
}

}  // namespace

template <>
struct mpiglot::view_traits<sheet> {
  static constexpr std::size_t rank = 2;
  static int* data(sheet& of) { return of.all.data(); }
  static const int* data(const sheet& of) { return of.all.data(); }
  static count_t extent(const sheet& of, std::size_t i) { return i == 0 ? of.rows : of.columns; }
  static count_t stride(const sheet& of, std::size_t i) { return i == 0 ? of.columns + 1 : 1; }
  static sheet make(count_t rows, count_t columns) {
    return {std::vector<int>(static_cast<std::size_t>(rows * (columns + 1)), -1), rows, columns};
  }
};

TEST(a_receive_makes_a_view_of_extents) {
  const communicator& comm = world();
  const std::vector<int> sent = numbers(100 * comm.rank(), 6);
  for (const int given_tag : {1, 2}) {
    auto sending = comm.isend(send_buf(sent), destination(next()), tag(given_tag));
    const sheet made = given_tag == 1
                           ? comm.recv<sheet>(extents(2, 3), source(before()), tag(1))
                           : comm.irecv<sheet>(source(before()), extents(2, 3), tag(2)).wait();
    sending.wait();
    check::equal(made.elements(), numbers(100 * before(), 6));
    check::equal(made.all[3], -1);
  }
}

TEST(a_view_that_is_made_has_the_order_of_its_type) {
  const communicator& comm = world();
  const std::vector<int> sent = numbers(100 * comm.rank(), 6);
  auto sending = comm.isend(send_buf(sent), destination(next()));
  const auto shared = comm.recv<labelled>(extents(2, 3), source(before()));
  sending.wait();
  const int first = 100 * before();
  check::equal(*shared.owner,
               std::vector<int>{first, first + 3, first + 1, first + 4, first + 2, first + 5});

  const auto own = comm.sendrecv<matrix<2>>(send_buf(sent), destination(next()), extents(2, 3),
                                            source(before()));
  check::equal(own.elements, *shared.owner);
  check::equal(own.rows(), 2L);
}

TEST(views_are_made_for_the_parts_of_a_scatter) {
  const communicator& comm = world();
  const std::vector<int> all = numbers(0, 6 * comm.size());
  const auto mine = comm.scatter<sheet>(send_buf(all), extents(3, 2), root(0));
  check::equal(mine.elements(), numbers(6 * comm.rank(), 6));
  const auto later = comm.iscatter<sheet>(send_buf(all), extents(3, 2), root(0)).wait();
  check::equal(later.elements(), mine.elements());

  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), 6);
  const auto varying = comm.scatterv<sheet>(send_buf(all), send_counts(counts), extents(2, 3));
  check::equal(varying.elements(), mine.elements());
}

TEST(a_message_of_another_length_meets_a_view_that_is_made_as_any_view) {
  const communicator& comm = world();
  const std::vector<int> sent = numbers(7, 5);
  auto shorter = comm.isend(send_buf(sent), destination(next()));
  auto [made, n] = comm.recv<sheet>(extents(2, 3), source(before()), recv_count_out());
  shorter.wait();
  check::equal(n, count_t{5});
  check::equal(made.elements(), std::vector<int>{7, 8, 9, 10, 11, -1});

  auto longer = comm.isend(send_buf(sent), destination(next()));
  const auto error = check::thrown_by<mpi::error>(
      [&] { static_cast<void>(comm.recv<sheet>(extents(2, 2), source(before()))); });
  check::equal(static_cast<int>(error.error_class()), MPI_ERR_TRUNCATE);
  longer.wait();
}

TEST(extents_that_a_view_cannot_have_are_errors_before_anything_is_received) {
  const communicator& comm = world();
  check::thrown_by<view_error>(
      [&] { static_cast<void>(comm.recv<sheet>(extents(2, -3), source(before()))); });
  check::thrown_by<view_error>(
      [&] { static_cast<void>(comm.recv<matrix<2>>(extents(3, 3), source(before()))); });
  check::thrown_by<view_error>([&] {  // more columns than the type has room for
    static_cast<void>(comm.recv<matrix<2>>(extents(2, 5), source(before())));
  });
}

TEST(a_view_without_elements_is_made) {
  const communicator& comm = world();
  auto sending = comm.isend(send_buf(std::vector<int>()), destination(next()));
  const auto made = comm.recv<sheet>(extents(0, 3), source(before()));
  sending.wait();
  check::equal(made.columns, count_t{3});
  check::expect(made.elements().empty());
}
