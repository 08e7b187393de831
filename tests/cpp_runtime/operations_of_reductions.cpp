// What reductions can combine with: functions with state, predefined operations by their function
// objects, places of extrema, and types that MPI knows nothing about. And which types there are.

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

#include <mpiglot/outcome.hpp>
#include <mpiglot/raw.hpp>

#include "kinds.hpp"

using namespace kinds;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}
int size() { return world().size(); }
int rank() { return world().rank(); }

struct point {
  double x = 0;
  int weight = 0;
  bool operator==(const point&) const = default;
  friend point operator+(const point& a, const point& b) {
    return {a.x + b.x, a.weight + b.weight};
  }
};

enum class color : std::uint8_t { red, green };

// A 2x2 matrix: its product is associative and does not commute.
struct turn {
  long a = 1, b = 0, c = 0, d = 1;
  bool operator==(const turn&) const = default;
};
turn times(const turn& x, const turn& y) {
  return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
          x.c * y.b + x.d * y.d};
}
turn turn_of(int i) { return {i, 1, 1, 0}; }

template <class T>
void travels(const T& value) {
  T sent = rank() == 0 ? value : T{};
  world().bcast(send_recv_buf(sent));
  check::expect(sent == value);
}

template <class T>
int size_of_datatype() {
  return static_cast<int>(mpi::type_size(datatype_of<T>()));
}

}  // namespace

TEST(functions_with_state_are_called_with_the_state_of_their_call) {
  for (int k = 1; k <= 100; ++k) {
    const int sum = world().allreduce_single(
        send_buf(1), op([k](int a, int b) { return a + b + k; }, commutative));
    check::equal(sum, size() + (size() - 1) * k);
  }
}

TEST(many_functions_with_state_are_pending_at_once_and_keep_their_own) {
  const auto start = [](int k) {
    return world().iallreduce_single(send_buf(1),
                                     op([k](int a, int b) { return a + b + k; }, commutative));
  };
  for (int round = 0; round < 30; ++round) {
    auto one = start(10);
    auto two = start(20);
    auto three = start(30);
    check::equal(three.wait(), size() + (size() - 1) * 30);
    check::equal(one.wait(), size() + (size() - 1) * 10);
    check::equal(two.wait(), size() + (size() - 1) * 20);
  }
}

TEST(functions_that_do_not_commute_see_the_order_of_the_ranks) {
  turn expected;
  for (int i = 0; i < size(); ++i) expected = times(expected, turn_of(i));
  const auto product =
      op([](const turn& x, const turn& y) { return times(x, y); }, non_commutative);
  check::equal(world().allreduce_single(send_buf(turn_of(rank())), product), expected);
}

TEST(function_objects_are_predefined_operations_where_mpi_knows_the_type) {
  check::equal(world().allreduce_single(send_buf(rank() + 1), op(std::multiplies<>())), [] {
    int all = 1;
    for (int i = 0; i < size(); ++i) all *= i + 1;
    return all;
  }());
  check::equal(world().allreduce_single(send_buf(rank()), op(larger())), size() - 1);
  check::equal(world().allreduce_single(send_buf(rank()), op(smaller())), 0);
  check::equal(world().allreduce_single(send_buf(1 << rank()), op(std::bit_or<>())),
               (1 << size()) - 1);
  check::equal(world().allreduce_single(send_buf(rank() == 0), op(std::logical_and<>())),
               size() == 1);
  check::equal(world().allreduce_single(send_buf(rank() == 0), op(std::logical_or<bool>())), true);
  check::equal(world().allreduce_single(send_buf(point{0.5, 1}), op(std::plus<>())),
               (point{0.5 * size(), size()}));
  using number = std::complex<double>;
  check::equal(world().allreduce_single(send_buf(number(1, rank())), op(std::plus<>())),
               number(size(), size() * (size() - 1) / 2));
  check::equal(world().allreduce_single(send_buf(rank()), op(mpi::max)), size() - 1);
  const mpi::op_handle handle = mpi::sum;
  check::equal(world().allreduce_single(send_buf(1), op(handle)), size());
}

TEST(a_function_object_operates_on_the_type_that_it_names) {
  const double half = 1.5;
  check::equal(world().allreduce_single(send_buf(half), op(std::plus<>())), 1.5 * size());
  check::equal(world().allreduce_single(send_buf(half), op(std::plus<double>())), 1.5 * size());
}

TEST(extrema_know_their_place) {
  const std::pair<double, int> mine(100.0 - rank(), rank());
  check::equal(world().allreduce_single(send_buf(mine), op(mpi::minloc)),
               std::pair<double, int>(101.0 - size(), size() - 1));
  check::equal(world().allreduce_single(send_buf(mine), op(mpi::maxloc)),
               std::pair<double, int>(100.0, 0));
  const std::vector<std::pair<int, int>> several{{rank(), rank()}, {-rank(), rank()}};
  check::equal(world().allreduce(send_buf(several), op(mpi::maxloc)),
               std::vector<std::pair<int, int>>{{size() - 1, size() - 1}, {0, 0}});
}

TEST(types_of_all_kinds_travel) {
  travels(std::int8_t{-3});
  travels(std::uint64_t{1} << 60);
  travels(true);
  travels(std::byte{7});
  travels(u8'x');
  travels(u'y');
  travels(U'z');
  travels(L'w');
  travels(3.5L);
  travels(std::complex<float>(1, 2));
  travels(color::green);
  travels(std::pair<int, double>(1, 2.5));
  travels(std::tuple<int, char, double>(1, 'c', 2.5));
  travels(std::array<int, 3>{1, 2, 3});
  travels(std::array<std::pair<char, int>, 2>{{{'a', 1}, {'b', 2}}});
  travels(particle_of(3));
  int plain_array[3] = {rank() == 0 ? 5 : 0, rank() == 0 ? 6 : 0, 7};
  world().bcast(send_recv_buf(plain_array));
  check::expect(plain_array[0] == 5 && plain_array[1] == 6);
}

TEST(builtin_types_have_the_size_they_have_in_memory) {
  check::equal(size_of_datatype<char16_t>(), 2);
  check::equal(size_of_datatype<char32_t>(), 4);
  check::equal(size_of_datatype<std::complex<double>>(), 16);
  check::equal(size_of_datatype<bool>(), 1);
  check::equal(size_of_datatype<std::uint16_t>(), 2);
  check::equal(size_of_datatype<color>(), 1);
}

namespace {

// A communicator whose operations give errors back.
struct careful : communicator,
                 operations::bcast_members<careful>,
                 operations::allgatherv_members<careful>,
                 operations::allreduce_members<careful> {
  using error_policy = returning;
  using operations::bcast_members<careful>::bcast;
  using operations::allgatherv_members<careful>::allgatherv;
  using operations::allreduce_members<careful>::allreduce;
};

// One that shows its errors to whoever wants to know.
struct watched : communicator, operations::bcast_members<watched> {
  mutable int seen = 0;
  void on_error(const mpiglot::error&) const { ++seen; }
  using operations::bcast_members<watched>::bcast;
};

struct strict : communicator,
                operations::bcast_members<strict>,
                operations::allgatherv_members<strict> {
  static constexpr checks checking = checks::communication;
  using operations::bcast_members<strict>::bcast;
  using operations::allgatherv_members<strict>::allgatherv;
};

}  // namespace

TEST(errors_come_back_as_values_where_the_communicator_says_so) {
  const careful comm;
  std::vector<int> values(2, rank());
  const auto fine = comm.allgatherv(send_buf(values));
  check::expect(static_cast<bool>(fine));
  const auto failed = comm.bcast(send_recv_buf(values), root(size() + 5));
  check::expect(!failed);
  check::equal(std::string(failed.error().operation()), "bcast");
  std::vector<int> small(1);
  const auto cut = comm.allreduce(send_buf(values), recv_buf(small), op(mpi::sum));
  check::expect(!cut && cut.error().code() == MPI_ERR_TRUNCATE);
  check::expect(comm.allgatherv(send_buf(values)).value().size() == 2u * unsigned(size()));
}

TEST(errors_know_operation_communicator_and_rank_and_are_shown_to_the_communicator) {
  const watched comm;
  std::vector<int> values(2);
  const auto found = check::thrown_by<mpiglot::error>(
      [&] { comm.bcast(send_recv_buf(values), root(size() + 5)); });
  check::equal(comm.seen, 1);
  check::equal(std::string(found.operation()), "bcast");
  check::equal(found.rank(), rank());
  check::expect(found.comm() == comm.handle());
  check::expect(std::string(found.what()).find("bcast on rank") == 0, found.what());
}

TEST(an_array_of_counts_of_the_wrong_length_is_an_error_and_no_end) {
  const std::vector<int> mine(2, rank());
  const std::vector<int> counts(static_cast<std::size_t>(size() + 1), 2);
  check::thrown_by<count_error>(
      [&] { static_cast<void>(world().allgatherv(send_buf(mine), recv_counts(counts))); });
  check::thrown_by<count_error>(
      [&] { static_cast<void>(world().alltoallv(send_buf(mine), send_counts(counts))); });
  world().barrier();
}

TEST(counts_beyond_the_buffer_are_found_before_anything_is_written) {
  const std::vector<int> mine(4, rank());
  const std::vector<int> counts(static_cast<std::size_t>(size()), 4);
  std::vector<int> small(static_cast<std::size_t>(4 * size() - 1));
  check::thrown_by<too_small>(
      [&] { world().allgatherv(send_buf(mine), recv_buf(small), recv_counts(counts)); });
  world().barrier();
}

TEST(ranks_that_disagree_about_the_root_are_told) {
  const strict comm;
  std::vector<int> values(2);
  comm.bcast(send_recv_buf(values), root(0));
  if (size() == 1) return;
  check::thrown_by<disagreement>(
      [&] { comm.bcast(send_recv_buf(values), root(rank() == 0 ? 0 : 1)); });
  std::vector<int> other(rank() == 0 ? 3u : 2u);
  check::thrown_by<disagreement>([&] { comm.bcast(send_recv_buf(other)); });
  comm.bcast(send_recv_buf(values), root(0));
}

TEST(memory_travels_with_a_datatype_of_run_time) {
  // The second column of a 3x4 matrix.
  std::vector<int> matrix(12, rank() == 0 ? 5 : -1);
  mpi::unique_datatype column(mpi::type_vector(3, 1, 4, mpi::int_));
  mpi::type_commit(column);
  world().bcast(send_recv_buf(raw(matrix.data() + 1, 1, column)));
  std::vector<int> wanted(12, rank() == 0 ? 5 : -1);
  for (std::size_t row = 0; row < 3; ++row) wanted[4 * row + 1] = 5;
  check::equal(matrix, wanted);
  const std::vector<int> mine(2, rank());
  std::vector<int> all(static_cast<std::size_t>(2 * size()));
  world().allgather(send_buf(raw(mine.data(), 2, mpi::int_)), recv_buf(all));
  for (int i = 0; i < 2 * size(); ++i) check::equal(all[static_cast<std::size_t>(i)], i / 2);
}
