// Sorting and the algorithms on distributed ranges, against the same algorithm on all values in one place.

#include <algorithm>
#include <array>
#include <list>
#include <mpiglot/at_most.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/plugins/ranges.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>
#include <random>
#include <span>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using ranging = basic_communicator<sorter, ranges>;

struct person {
  int age;
  int from;
  int place;
  bool operator==(const person&) const = default;
};

enum class spread { random, few, equal, sorted, backwards, on_last_rank, growing };
constexpr spread spreads[] = {spread::random, spread::few,       spread::equal,
                              spread::sorted, spread::backwards, spread::on_last_rank,
                              spread::growing};

// The values of every rank, and where those of a rank begin.
struct whole {
  std::vector<person> all;
  std::vector<std::size_t> first{0};

  whole(spread how, std::size_t n, unsigned seed) {
    for (int rank = 0; rank < check::size(); ++rank) {
      std::mt19937 draw(seed + 1000 * static_cast<unsigned>(rank));
      const auto ranks = static_cast<std::size_t>(check::size());
      const auto r = static_cast<std::size_t>(rank);
      const std::size_t own = how == spread::on_last_rank ? (r + 1 == ranks ? n * ranks : 0)
                              : how == spread::growing    ? n * r
                                                          : n;
      for (std::size_t i = 0; i < own; ++i) {
        const int position = static_cast<int>(all.size());
        const int age = how == spread::equal       ? 7
                        : how == spread::few       ? static_cast<int>(draw() % 3)
                        : how == spread::sorted    ? position
                        : how == spread::backwards ? -position
                                                   : static_cast<int>(draw() % 1000000);
        all.push_back({age, rank, static_cast<int>(i)});
      }
      first.push_back(all.size());
    }
  }
  [[nodiscard]] std::vector<person> of(int rank) const {
    return cut(all, static_cast<count_t>(first[static_cast<std::size_t>(rank)]),
               static_cast<count_t>(first[static_cast<std::size_t>(rank) + 1]));
  }
  [[nodiscard]] std::vector<person> mine(count_t later = 0) const {
    const auto rank = static_cast<std::size_t>(check::rank());
    return cut(all, static_cast<count_t>(first[rank]) + later,
               static_cast<count_t>(first[rank + 1]) + later);
  }
  // What lies in [from, to) of all.
  template <class T>
  [[nodiscard]] static std::vector<T> cut(const std::vector<T>& all, count_t from, count_t to) {
    const auto size = static_cast<count_t>(all.size());
    return std::vector<T>(all.begin() + std::clamp<count_t>(from, 0, size),
                          all.begin() + std::clamp<count_t>(to, 0, size));
  }
};

template <class Test>
void at_all(Test test) {
  unsigned seed = 1;
  for (const spread how : spreads)
    for (const std::size_t n : {1u, 7u, 1500u}) test(whole(how, n, seed++), n);
  test(whole(spread::random, 0, seed), 0);
  test(whole(spread::random, 40000, seed), 40000);
}

template <class T>
[[nodiscard]] std::vector<T> together(const ranging& comm, const std::vector<T>& part) {
  return comm.allgatherv(send_buf(part));
}

constexpr auto younger = [](const person& a, const person& b) { return a.age < b.age; };
// As a stable sort by age has them.
constexpr auto in_order_of_age = [](const person& a, const person& b) {
  return std::tuple(a.age, a.from, a.place) < std::tuple(b.age, b.from, b.place);
};

std::vector<int> ints_of(int rank, std::size_t n) {
  std::mt19937 draw(static_cast<unsigned>(rank) + 77);
  std::vector<int> values(n);
  for (int& one : values) one = static_cast<int>(draw() % 500);
  return values;
}
std::vector<std::string> texts_of(int rank, std::size_t n) {
  std::vector<std::string> texts;
  for (const int number : ints_of(rank, n))
    texts.push_back(std::string(static_cast<std::size_t>(number % 60), 'x') +
                    std::to_string(number));
  return texts;
}
// The part of this rank of what all give, put in order by `change`, and divided evenly.
template <class T, class Of, class Change>
std::vector<T> part_of(Of of, std::size_t n, Change change) {
  std::vector<T> all;
  for (int rank = 0; rank < check::size(); ++rank) {
    const std::vector<T> theirs = of(rank, n);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  change(all);
  const auto size = static_cast<count_t>(all.size());
  const auto first = [&](count_t rank) {
    return size / check::size() * rank + std::min(rank, size % check::size());
  };
  return whole::cut(all, first(check::rank()), first(check::rank() + 1));
}
constexpr auto in_order = [](auto& all) { std::sort(all.begin(), all.end()); };
constexpr auto as_they_are = [](auto&) {};

// `call` with every kind of room.
template <class T, class Call>
void into_all_rooms(const std::vector<T>& wanted, Call call) {
  check::expect(call(recv_buf(std::vector<T>(3, T{}))) == wanted);
  std::vector<T> large(wanted.size() + 2, T{});
  count_t n = -1;
  call(recv_buf(large), recv_count_out(n));
  check::equal(n, static_cast<count_t>(wanted.size()));
  check::expect(std::equal(wanted.begin(), wanted.end(), large.begin()));
  call(recv_buf<resize_to_fit>(large));
  check::expect(large == wanted);
  large.assign(wanted.size(), T{});
  call(recv_buf(std::span<T>(large)));
  check::expect(large == wanted);
  std::vector<T> wide(3 * wanted.size() + 1, T{});
  call(recv_buf(strided_view<T>{wide.data(), static_cast<count_t>(wanted.size()), 1, 3}));
  for (std::size_t i = 0; i < wanted.size(); ++i) check::expect(wide[3 * i] == wanted[i]);
  auto [both, length] = call(recv_count_out());
  check::expect(both == wanted && length == static_cast<count_t>(wanted.size()));
}

// `call` with every kind of buffer to send.
template <class T, class Call>
void from_all_kinds(const std::vector<T>& mine, const std::vector<T>& wanted, Call call) {
  std::vector<T> own = mine;
  check::expect(call(send_buf(own)) == wanted);
  check::expect(call(send_buf(mine)) == wanted);
  check::expect(call(send_buf(std::vector<T>(mine))) == wanted);
  check::expect(call(send_buf(std::span<const T>(mine))) == wanted);
  check::expect(call(send_buf(at_most(1000000, mine))) == wanted);
  std::vector<T> gaps(2 * mine.size() + 1);
  for (std::size_t i = 0; i < mine.size(); ++i) gaps[2 * i] = mine[i];
  check::expect(call(send_buf(strided_view<T>{gaps.data(), static_cast<count_t>(mine.size()), 1,
                                              2})) == wanted);
  check::expect(call(send_recv_buf(std::vector<T>(mine))) == wanted);
  call(send_recv_buf(own));
  check::expect(own == wanted);
}

}  // namespace

TEST(sorting_gives_every_rank_its_part_of_what_one_rank_would_sort) {
  const ranging comm;
  at_all([&](const whole& values, std::size_t) {
    std::vector<person> wanted = values.all;
    std::sort(wanted.begin(), wanted.end(), in_order_of_age);
    const auto mean = static_cast<double>(wanted.size()) / comm.size();
    for (const double unequal : {0.05, 0.0}) {
      const auto mine =
          comm.stable_sort(send_buf(values.mine()), projection(&person::age), imbalance(unequal));
      check::expect(static_cast<double>(mine.size()) < (1 + unequal) * mean + 1);
      check::expect(together(comm, mine) == wanted);
      std::vector<person> other =
          comm.sort(send_buf(values.mine()), imbalance(unequal),
                    comparator([](const person& a, const person& b) {
                      return a.age != b.age ? b.age < a.age : a.place < b.place;
                    }));
      check::expect(static_cast<double>(other.size()) < (1 + unequal) * mean + 1);
      other = together(comm, other);
      check::equal(other.size(), wanted.size());
      for (std::size_t i = 1; i < other.size(); ++i)
        check::expect(other[i - 1].age > other[i].age ||
                      (other[i - 1].age == other[i].age && other[i - 1].place <= other[i].place));
      std::sort(other.begin(), other.end(), in_order_of_age);
      check::expect(other == wanted);
    }
  });
}

TEST(algorithms_on_ranges_give_what_they_give_on_all_values_in_one_place) {
  const ranging comm;
  at_all([&](const whole& values, std::size_t n) {
    const auto mine = values.mine();
    const auto& all = values.all;
    const auto size = static_cast<count_t>(all.size());
    check::equal(comm.is_sorted(send_buf(mine), comparator(younger)),
                 std::is_sorted(all.begin(), all.end(), younger));
    check::equal(
        comm.is_sorted(send_buf(mine), comparator(std::greater<>()), projection(&person::age)),
        std::is_sorted(all.rbegin(), all.rend(), younger));

    const auto first = [&](count_t rank) {
      return size / comm.size() * rank + std::min(rank, size % comm.size());
    };
    const auto even = comm.redistribute(send_buf(mine));
    check::expect(even == whole::cut(all, first(comm.rank()), first(comm.rank() + 1)));
    check::expect(
        comm.redistribute(send_buf(even), recv_count(static_cast<count_t>(mine.size()))) == mine);
    check::expect(comm.redistribute(send_buf(mine), recv_count(comm.rank() == 0 ? size : 0)) ==
                  (comm.rank() == 0 ? all : std::vector<person>()));

    for (const count_t far :
         {count_t{0}, count_t{1}, static_cast<count_t>(n), size - 1, size, size + 5}) {
      if (far < 0) continue;
      check::expect(comm.shift_left(send_buf(mine), places(far)) == values.mine(far));
      check::expect(comm.shift_right(send_buf(mine), places(far)) == values.mine(-far));
    }
    check::expect(comm.shift_left(send_buf(mine)) == values.mine(1));

    std::vector<person> sorted = all;
    std::sort(sorted.begin(), sorted.end(), in_order_of_age);
    for (const count_t place : {count_t{0}, size / 3, size / 2, size - 1})
      if (place >= 0 && place < size) {
        const auto at = static_cast<std::size_t>(place);
        check::equal(comm.nth_element(send_buf(mine), nth(place), projection(&person::age)).age,
                     sorted[at].age);
        check::equal(comm.nth_element(send_buf(mine), nth(size - 1 - place),
                                      projection(&person::age), comparator(std::greater<>()))
                         .age,
                     sorted[at].age);
      }

    std::vector<person> once;
    std::unique_copy(all.begin(), all.end(), std::back_inserter(once),
                     [](const person& a, const person& b) { return a.age == b.age; });
    check::expect(together(comm, comm.unique(send_buf(mine), projection(&person::age))) == once);
    once.clear();
    const auto same_part = [](int a, int b) { return a / 1000 == b / 1000; };
    std::unique_copy(all.begin(), all.end(), std::back_inserter(once),
                     [&](const person& a, const person& b) { return same_part(a.age, b.age); });
    check::expect(together(comm, comm.unique(send_buf(mine), projection(&person::age),
                                             equality(same_part))) == once);
  });
}

TEST(ranges_are_of_every_kind_of_buffer) {
  const ranging comm;
  for (const std::size_t n : {0u, 1u, 50u, 30000u}) {
    const auto mine = ints_of(comm.rank(), n);
    const auto sorted = part_of<int>(ints_of, n, in_order);
    const auto sort = [&](auto&&... a) {
      return comm.sort(imbalance(0), static_cast<decltype(a)>(a)...);
    };
    from_all_kinds(mine, sorted, sort);
    into_all_rooms(
        sorted, [&](auto&&... a) { return sort(send_buf(mine), static_cast<decltype(a)>(a)...); });
    const auto even = [&](auto&&... a) {
      return comm.redistribute(static_cast<decltype(a)>(a)...);
    };
    const auto evened = part_of<int>(ints_of, n, as_they_are);
    check::expect(even(send_buf(std::span<const int>(mine)), recv_buf(std::vector<int>())) ==
                  evened);
    std::vector<int> own = mine;
    even(send_recv_buf(own));
    check::expect(own == evened);
    const auto once = comm.unique(send_buf(mine));
    own = mine;
    comm.unique(send_recv_buf(own));
    check::expect(own == once);

    const auto texts = texts_of(comm.rank(), n / 10);
    const auto texts_sorted = part_of<std::string>(texts_of, n / 10, in_order);
    const std::list<std::string> linked(texts.begin(), texts.end());
    check::expect(sort(send_buf(as_serialized(texts))) == texts_sorted);
    check::expect(sort(send_buf(as_serialized(linked))) == texts_sorted);
    std::list<std::string> into;
    sort(send_buf(as_serialized(texts)), recv_buf(as_serialized(into)));
    check::expect(std::equal(into.begin(), into.end(), texts_sorted.begin(), texts_sorted.end()));
    std::vector<std::string> replaced = texts;
    sort(send_recv_buf(as_serialized(replaced)));
    check::expect(replaced == texts_sorted);
    check::expect(comm.redistribute(send_buf(as_serialized(texts))) ==
                  part_of<std::string>(texts_of, n / 10, as_they_are));
    check::expect(comm.is_sorted(send_buf(as_serialized(texts_sorted))));
    const auto left =
        comm.allgather(send_buf(as_serialized(comm.unique(send_buf(as_serialized(texts_sorted))))));
    std::vector<std::string> joined, wanted;
    for (const auto& part : left) joined.insert(joined.end(), part.begin(), part.end());
    for (int rank = 0; rank < comm.size(); ++rank)
      for (const auto& text : texts_of(rank, n / 10)) wanted.push_back(text);
    std::sort(wanted.begin(), wanted.end());
    if (!wanted.empty())
      check::expect(comm.nth_element(send_buf(as_serialized(texts)), nth(0)) == wanted.front());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    check::expect(joined == wanted);
  }
  const auto own = static_cast<double>(comm.size() - comm.rank());
  check::equal(comm.sort(send_buf(own)), std::vector<double>(1, comm.rank() + 1));
  const std::array<char, 2> two{'b', 'a'};
  check::equal(comm.sort(send_buf(two), imbalance(0)).size(), std::size_t{2});
  using namespace mpiglot::layouts;
  auto grid = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 3));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) grid[idx<'i', 'j'>(i, j)] = -(12 * comm.rank() + 4 * i + j);
  comm.sort(send_recv_buf(grid), imbalance(0));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      check::equal(grid[idx<'i', 'j'>(i, j)],
                   12 * comm.rank() + 4 * i + j - (12 * comm.size() - 1));
}

TEST(mistakes_about_ranges_are_errors_on_all_ranks) {
  const ranging comm;
  const std::vector<int> mine(4, comm.rank());
  const count_t all = 4 * comm.size();
  const int self = comm.rank();
  const auto refused = [&](auto call) { static_cast<void>(check::thrown_by<count_error>(call)); };
  refused([&] { static_cast<void>(comm.nth_element(send_buf(mine), nth(all))); });
  refused([&] { static_cast<void>(comm.nth_element(send_buf(mine), nth(-1))); });
  refused([&] { static_cast<void>(comm.shift_left(send_buf(mine), places(-1))); });
  refused([&] { static_cast<void>(comm.redistribute(send_buf(mine), recv_count(5))); });
  for (int bad = 0; bad < comm.size() && comm.size() > 1; ++bad) {
    const count_t differs = self == bad ? 1 : 0;
    refused([&] { static_cast<void>(comm.nth_element(send_buf(mine), nth(differs))); });
    refused([&] { static_cast<void>(comm.shift_right(send_buf(mine), places(differs))); });
    refused([&] {
      static_cast<void>(comm.redistribute(send_buf(mine), recv_count(self == bad ? all : -1)));
    });
    refused([&] {
      if (self == bad)
        static_cast<void>(comm.redistribute(send_buf(mine), recv_count(all)));
      else
        static_cast<void>(comm.redistribute(send_buf(mine)));
    });
    std::vector<int> small(self == bad ? 1 : 100);
    const auto sort = [&] { comm.sort(send_buf(mine), recv_buf(small)); };
    const auto even = [&] { comm.redistribute(send_buf(mine), recv_buf(small)); };
    const auto once = [&] { comm.unique(send_buf(std::vector<int>{1, 2, 3}), recv_buf(small)); };
    if (self == bad) {
      static_cast<void>(check::thrown_by<too_small>(sort));
      static_cast<void>(check::thrown_by<too_small>(even));
      static_cast<void>(check::thrown_by<too_small>(once));
    } else {
      static_cast<void>(check::thrown_by<remote_failure>(sort));
      static_cast<void>(check::thrown_by<remote_failure>(even));
      static_cast<void>(check::thrown_by<remote_failure>(once));
    }
  }
  check::equal(comm.sort(send_buf(mine)), mine);
}
