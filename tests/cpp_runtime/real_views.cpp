// Matrices and views of Eigen, Kokkos and std::mdspan as they are, each where its header is found:
// what arrives is what a loop over all indices would have moved.

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#endif
#ifdef MPIGLOT_TESTS_KOKKOS
#include <Kokkos_Core.hpp>
#endif
#if __has_include(<mdspan>)
#include <mdspan>
#endif
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/view.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

// Element (i, j) of the matrix of a rank.
double value(int rank, long i, long j) {
  return 100 * rank + 10 * static_cast<double>(i) + static_cast<double>(j);
}

// A view of `rows` times `columns` elements that `at(view, i, j)` gives.
template <class View, class At>
struct table {
  View& view;
  long rows, columns;
  At at;

  void fill(int rank) {
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < columns; ++j) at(view, i, j) = value(rank, i, j);
  }
  void expect(int rank, std::source_location where) {
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < columns; ++j)
        check::expect(at(view, i, j) == value(rank, i, j), "an element differs", where);
  }
  [[nodiscard]] std::vector<double> elements_of(int rank) const {
    std::vector<double> all;
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < columns; ++j) all.push_back(value(rank, i, j));
    return all;
  }
};

// Sends, receives and broadcasts a view against vectors, so that the order of elements is seen.
template <class View, class At>
void moves(View&& view, long rows, long columns, At at,
           std::source_location where = std::source_location::current()) {
  const communicator comm;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  table<std::remove_reference_t<View>, At> all{view, rows, columns, at};

  all.fill(comm.rank());
  auto sending = comm.isend(send_buf(view), destination(next));
  std::vector<double> flat(static_cast<std::size_t>(rows * columns));
  comm.recv(recv_buf(flat), source(before));
  check::expect(flat == all.elements_of(before), "sent", where);
  sending.wait();

  all.fill(-1);
  const std::vector<double> mine = all.elements_of(comm.rank());
  auto other = comm.isend(send_buf(mine), destination(next));
  comm.recv(recv_buf(view), source(before));
  other.wait();
  all.expect(before, where);

  // From the view to vectors, and the other way.
  for (const bool from_view : {true, false}) {
    all.fill(comm.rank());
    flat = mine;
    if ((comm.rank() == 0) == from_view)
      comm.bcast(send_recv_buf(view));
    else
      comm.bcast(send_recv_buf(flat));
    if ((comm.rank() == 0) == from_view)
      all.expect(0, where);
    else
      check::expect(flat == all.elements_of(0), "broadcast", where);
  }
}

// Collectives with a part for each rank, and reductions.
template <class View, class At>
void gathers(View&& view, long rows, long columns, At at,
             std::source_location where = std::source_location::current()) {
  const communicator comm;
  table<std::remove_reference_t<View>, At> mine{view, rows, columns, at};
  mine.fill(comm.rank());
  const std::vector<double> all = comm.allgather(send_buf(view));
  std::vector<double> wanted;
  for (int rank = 0; rank < comm.size(); ++rank)
    for (const double element : mine.elements_of(rank)) wanted.push_back(element);
  check::expect(all == wanted, "gathered", where);
  mine.fill(-1);
  comm.scatter(send_buf(all), recv_buf(view));
  mine.expect(comm.rank(), where);
  const std::vector<double> sum = comm.allreduce(send_buf(view), op(mpi::sum));
  double expected = 0;
  for (int rank = 0; rank < comm.size(); ++rank) expected += value(rank, rows - 1, columns - 1);
  check::expect(sum.back() == expected, "combined", where);
}

}  // namespace

#if __has_include(<Eigen/Core>)
TEST(matrices_of_eigen) {
  const auto element = [](auto& m, long i, long j) -> double& { return m(i, j); };
  const auto coefficient = [](auto& m, long i, long j) -> double& { return m(i + j); };
  using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::MatrixXd dynamic(3, 4);
  moves(dynamic, 3, 4, element);
  row_major rows(3, 4);
  moves(rows, 3, 4, element);
  Eigen::Matrix<double, 3, 4> fixed;
  moves(fixed, 3, 4, element);
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> fixed_rows;
  moves(fixed_rows, 3, 4, element);
  Eigen::VectorXd vector(5);
  moves(vector, 5, 1, coefficient);
  Eigen::RowVector3d row;
  moves(row, 1, 3, coefficient);
  Eigen::MatrixXd large = Eigen::MatrixXd::Zero(7, 9);
  auto block = large.block(1, 2, 3, 4);
  moves(block, 3, 4, element);
  auto line = large.row(6);
  moves(line, 1, 9, coefficient);
  check::expect(large(0, 0) == 0 && large(1, 1) == 0 && large(4, 2) == 0, "outside of the block");
  std::vector<double> memory(40);
  Eigen::Map<row_major, 0, Eigen::OuterStride<>> map(memory.data(), 3, 4, Eigen::OuterStride<>(6));
  moves(map, 3, 4, element);
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> strided(
      memory.data(), 3, 4, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(9, 2));
  moves(strided, 3, 4, element);
  gathers(dynamic, 3, 4, element);
  gathers(block, 3, 4, element);
}

TEST(matrices_of_eigen_are_made_of_extents) {
  const communicator comm;
  const auto made = []<class Matrix>(Matrix received, long rows, long columns) {
    const auto element = [](auto& m, long i, long j) -> double& { return m(i, j); };
    check::expect(received.rows() == rows && received.cols() == columns, "the extents");
    table<Matrix, decltype(element)>{received, rows, columns, element}.expect(
        0, std::source_location::current());
  };
  const std::vector<double> sent{0, 1, 2, 10, 11, 12};
  const auto sends = [&] { return comm.isend(send_buf(sent), destination(comm.rank())); };
  auto first = sends();
  made(comm.recv<Eigen::MatrixXd>(extents(2, 3), source(comm.rank())), 2, 3);
  auto second = sends();
  made(comm.recv<Eigen::Matrix<double, 2, 3, Eigen::RowMajor>>(extents(2, 3), source(comm.rank())),
       2, 3);
  auto third = sends();
  const auto row = comm.recv<Eigen::RowVectorXd>(extents(6), source(comm.rank()));
  check::expect(row.size() == 6 && row(3) == 10, "a row");
  auto fourth = sends();
  const auto column = comm.recv<Eigen::VectorXd>(extents(6), source(comm.rank()));
  check::expect(column.size() == 6 && column(5) == 12, "a column");
  check::thrown_by<view_error>(
      [&] { static_cast<void>(comm.recv<Eigen::Matrix3d>(extents(2, 3), source(comm.rank()))); });
  first.wait();
  second.wait();
  third.wait();
  fourth.wait();
}

// A vector of Eigen keeps its size, and the policy does not compile: the error advises a vector.
TEST(a_vector_of_eigen_that_is_too_short_is_an_error_that_can_be_followed) {
  const communicator comm;
  Eigen::VectorXd vector(2);
  const std::vector<double> mine(3);
  try {
    comm.allgather(send_buf(mine), recv_buf(vector));
    check::expect(false, "no error was thrown");
  } catch (const too_small& error) {
    check::expect(
        std::string(error.what()).find("a std::vector with resize_to_fit") != std::string::npos,
        error.what());
  }
}
#endif

#ifdef MPIGLOT_TESTS_KOKKOS
TEST(views_of_kokkos) {
  const auto element = [](auto& m, long i, long j) -> double& {
    return m(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  };
  if (!Kokkos::is_initialized()) Kokkos::initialize();
  {
    using host = Kokkos::HostSpace;
    Kokkos::View<double**, Kokkos::LayoutLeft, host> left("left", 3, 4);
    moves(left, 3, 4, element);
    Kokkos::View<double**, Kokkos::LayoutRight, host> right("right", 3, 4);
    moves(right, 3, 4, element);
    std::vector<double> memory(80);
    Kokkos::View<double**, Kokkos::LayoutStride, host> strided(memory.data(),
                                                               Kokkos::LayoutStride(3, 2, 4, 9));
    moves(strided, 3, 4, element);
    Kokkos::View<double**, Kokkos::LayoutRight, host, Kokkos::MemoryUnmanaged> lent(memory.data(),
                                                                                    3, 4);
    moves(lent, 3, 4, element);
    Kokkos::View<double[3][4], Kokkos::LayoutLeft, host> fixed("fixed");
    moves(fixed, 3, 4, element);
    Kokkos::View<double**, Kokkos::LayoutLeft, host> large("large", 7, 9);
    auto part = Kokkos::subview(large, Kokkos::make_pair(1, 4), Kokkos::make_pair(2, 6));
    moves(part, 3, 4, element);
    gathers(left, 3, 4, element);
    gathers(part, 3, 4, element);

    const communicator comm;
    const std::vector<double> sent{0, 1, 2, 10, 11, 12};
    auto sending = comm.isend(send_buf(sent), destination(comm.rank()));
    auto made = comm.recv<Kokkos::View<double**, Kokkos::LayoutLeft, host>>(extents(2, 3),
                                                                            source(comm.rank()));
    sending.wait();
    check::expect(made.extent(0) == 2 && made.extent(1) == 3, "the extents");
    table<decltype(made), decltype(element)>{made, 2, 3, element}.expect(
        0, std::source_location::current());
  }
  Kokkos::finalize();
}
#endif

#ifdef __cpp_lib_mdspan
TEST(spans_of_the_standard_library) {
  const auto element = [](auto& m, long i, long j) -> double& { return m[i, j]; };
  std::vector<double> memory(80);
  using extents = std::dextents<long, 2>;
  std::mdspan<double, extents> right(memory.data(), 3, 4);
  moves(right, 3, 4, element);
  std::mdspan<double, extents, std::layout_left> left(memory.data(), 3, 4);
  moves(left, 3, 4, element);
  std::mdspan<double, std::extents<int, 3, 4>> fixed(memory.data());
  moves(fixed, 3, 4, element);
  std::mdspan<double, extents, std::layout_stride> strided(
      memory.data(),
      std::layout_stride::mapping<extents>(extents(3, 4), std::array<long, 2>{2, 9}));
  moves(strided, 3, 4, element);
  gathers(left, 3, 4, element);
  gathers(strided, 3, 4, element);
}
#endif
