// Reproducible reductions, against the tree written down as a recursion over all values.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <mpiglot/plugins/reproducible.hpp>
#include <mpiglot/serialized.hpp>
#include <random>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using exact = basic_communicator<reproducible>;

template <class T, class Function>
T tree(const T* values, std::size_t n, Function both) {
  if (n == 1) return values[0];
  const std::size_t left = std::bit_floor(n - 1);
  return both(tree(values, left, both), tree(values + left, n - left, both));
}

// Values of very different size, so that each order of additions has another sum.
std::vector<double> numbers(std::size_t n) {
  std::mt19937_64 draw(n);
  std::vector<double> all(n);
  for (double& one : all) {
    const auto mantissa = static_cast<double>(draw() >> 11);
    const bool negative = draw() % 2 == 0;
    one = std::ldexp(negative ? -mantissa : mantissa, static_cast<int>(draw() % 120));
  }
  return all;
}

constexpr int ways = 5;
// Where the parts of the ranks begin: evenly, all on the first or the last rank, at random, growing.
std::vector<std::size_t> parts(int way, std::size_t n) {
  const auto ranks = static_cast<std::size_t>(check::size());
  std::mt19937_64 draw(n + 1);
  std::vector<std::size_t> first{0};
  for (std::size_t r = 1; r < ranks; ++r)
    first.push_back(way == 0   ? n * r / ranks
                    : way == 1 ? n
                    : way == 2 ? 0
                    : way == 3 ? draw() % (n + 1)
                               : n * r * r / ranks / ranks);
  std::sort(first.begin(), first.end());
  first.push_back(n);
  return first;
}

template <class T>
std::vector<T> part(const std::vector<T>& all, const std::vector<std::size_t>& first, int rank) {
  const auto r = static_cast<std::size_t>(rank);
  return std::vector<T>(all.begin() + static_cast<std::ptrdiff_t>(first[r]),
                        all.begin() + static_cast<std::ptrdiff_t>(first[r + 1]));
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

TEST(seven_values_on_three_ranks_and_on_others_are_combined_by_one_tree) {
  const exact comm;
  std::vector<std::string> all;
  for (int i = 0; i < 7; ++i) all.push_back(std::to_string(i));
  const auto both = [](const std::string& a, const std::string& b) { return "(" + a + b + ")"; };
  for (int way = 0; way < ways; ++way) {
    const auto mine = part(all, parts(way, 7), comm.rank());
    check::equal(comm.reproducible_allreduce(send_buf(as_serialized(mine)), op(both)),
                 std::string("(((01)(23))((45)6))"));
    const int last = comm.size() - 1;
    const auto at_root =
        comm.reproducible_reduce(send_buf(as_serialized(mine)), op(both), root(last));
    if (comm.rank() == last) check::equal(at_root, std::string("(((01)(23))((45)6))"));
  }
}

TEST(reductions_have_the_same_bits_whatever_the_distribution) {
  const exact comm;
  for (const std::size_t n : {1u, 2u, 3u, 8u, 100u, 1023u, 40000u}) {
    const auto all = numbers(n);
    const double wanted = tree(all.data(), n, std::plus<>());
    if (n == 40000) check::expect(same_bits(wanted, -0x1.0ac4935f158bp+172));
    for (int way = 0; way < ways; ++way) {
      const auto first = parts(way, n);
      const auto mine = part(all, first, comm.rank());
      const auto sum = [&](auto by) { return comm.reproducible_allreduce(send_buf(mine), op(by)); };
      check::expect(same_bits(sum(std::plus<>()), wanted));
      check::expect(same_bits(sum(mpi::sum), wanted));
      const auto one_way = [&](double a, double b) { return a - b / 3; };
      check::expect(
          same_bits(comm.reproducible_allreduce(send_buf(mine), op(one_way, non_commutative)),
                    tree(all.data(), n, one_way)));
      // The parts of the ranks in another order.
      const int other = comm.size() - 1 - comm.rank();
      const auto place = static_cast<count_t>(first[static_cast<std::size_t>(other)]);
      check::expect(same_bits(comm.reproducible_allreduce(send_buf(part(all, first, other)),
                                                          op(std::plus<>()), first_place(place)),
                              wanted));
      if (n > 2000) continue;
      auto sums = comm.reproducible_scan(send_buf(mine), op(std::plus<>()));
      check::equal(sums.size(), mine.size());
      for (std::size_t i = 0; i < sums.size(); ++i)
        check::expect(same_bits(
            sums[i],
            tree(all.data(), first[static_cast<std::size_t>(comm.rank())] + i + 1, std::plus<>())));
      std::vector<double> replaced = mine;
      comm.reproducible_scan(send_recv_buf(replaced), op(mpi::sum));
      check::expect(replaced == sums);
    }
  }
}

TEST(mistakes_in_reproducible_reductions_are_errors_on_all_ranks) {
  const exact comm;
  const std::vector<int> none, one{1};
  const auto sum = op(std::plus<>());
  static_cast<void>(check::thrown_by<count_error>(
      [&] { static_cast<void>(comm.reproducible_allreduce(send_buf(none), sum)); }));
  static_cast<void>(check::thrown_by<count_error>([&] {
    static_cast<void>(
        comm.reproducible_allreduce(send_buf(one), sum, first_place(comm.rank() + 1)));
  }));
  static_cast<void>(check::thrown_by<mpi::error>(
      [&] { static_cast<void>(comm.reproducible_reduce(send_buf(one), sum, root(comm.size()))); }));
  if (comm.size() > 1) {
    static_cast<void>(check::thrown_by<count_error>([&] {
      static_cast<void>(comm.reproducible_allreduce(send_buf(one), sum, first_place(0)));
    }));
    struct trouble {};
    for (int bad = 0; bad < comm.size(); ++bad) {
      const std::vector<int> two{1, 2};
      const auto by = [&](int a, int b) {
        if (comm.rank() == bad) throw trouble();
        return a + b;
      };
      const auto call = [&] {
        static_cast<void>(comm.reproducible_allreduce(send_buf(two), op(by)));
      };
      if (comm.rank() == bad)
        static_cast<void>(check::thrown_by<trouble>(call));
      else
        static_cast<void>(check::thrown_by<remote_failure>(call));
    }
  }
  check::equal(comm.reproducible_allreduce(send_buf(one), sum), comm.size());
}
