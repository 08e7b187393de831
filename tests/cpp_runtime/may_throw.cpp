// Functions of reductions that may throw: each rank whose result depends on a call that threw throws, all
// others have their results, and the next reduction is right. Every reduction, in every form and place, with
// values drawn anew for each start; a loop over the values of all ranks says what is right.

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>

#include "kinds.hpp"

using namespace kinds;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}
int size() { return world().size(); }
int rank() { return world().rank(); }

// x -> a * x + b modulo a prime: composition is associative and does not commute. Whatever is combined with
// the value `wrong` throws.
struct wrong_value : std::runtime_error {
  using std::runtime_error::runtime_error;
};
constexpr const char* reason = "a value that this function does not combine";

struct line {
  std::uint32_t a = 1, b = 0;
  std::int16_t spare = 3;
  bool operator==(const line&) const = default;
};
struct alignas(64) wide_line : line {};
constexpr std::uint32_t prime = 65'521;
template <class Line>
Line composed(const Line& x, const Line& y) {
  if (x.a == 0 || y.a == 0) throw wrong_value(reason);
  Line z;
  z.a = x.a * y.a % prime;
  z.b = (x.a * y.b + x.b) % prime;
  return z;
}
long added(long x, long y) {
  if (x < 0 || y < 0) throw wrong_value(reason);
  return x + y;
}

template <class T>
struct values_of;
template <>
struct values_of<long> {
  static long drawn(std::mt19937& from) { return static_cast<long>(from() % 1000); }
  static long wrong() { return -1; }
  static long combined(long x, long y) { return added(x, y); }
  static auto operation() { return op(&added, commutative, may_throw); }
};
template <class Line>
struct values_of_lines {
  static Line drawn(std::mt19937& from) {
    Line one;
    one.a = 1 + static_cast<std::uint32_t>(from() % (prime - 1));
    one.b = static_cast<std::uint32_t>(from() % prime);
    return one;
  }
  static Line wrong() {
    Line one;
    one.a = 0;
    return one;
  }
  static Line combined(const Line& x, const Line& y) { return composed(x, y); }
  static auto operation() {
    return op([by = prime](const Line& x,
                           const Line& y) { return by == prime ? composed(x, y) : Line(); },
              non_commutative, may_throw);
  }
};
template <>
struct values_of<line> : values_of_lines<line> {};
template <>
struct values_of<wide_line> : values_of_lines<wide_line> {};

template <class T>
using table = std::vector<std::vector<T>>;  // one row for each rank
// What a rank has to get; nothing if it has to throw.
template <class T>
using wanted = std::optional<std::vector<T>>;

template <class T>
table<T> drawn(std::mt19937& from, std::size_t length, bool with_wrong) {
  table<T> all(static_cast<std::size_t>(size()));
  for (auto& row : all)
    for (std::size_t i = 0; i < length; ++i) row.push_back(values_of<T>::drawn(from));
  if (with_wrong && length > 0) all[from() % all.size()][from() % length] = values_of<T>::wrong();
  return all;
}
// The rows from 0 to `last` combined, from column `begin` on.
template <class T>
wanted<T> combined(const table<T>& all, int last, std::size_t begin, std::size_t length) {
  std::vector<T> made;
  try {
    for (std::size_t i = begin; i < begin + length; ++i) {
      T value = all[0][i];
      for (int row = 1; row <= last; ++row)
        value = values_of<T>::combined(value, all[static_cast<std::size_t>(row)][i]);
      made.push_back(value);
    }
  } catch (const wrong_value&) {
    return {};
  }
  return made;
}

template <class T, class Call>
void expect(const wanted<T>& right, Call call, std::size_t first = 0,
            std::source_location where = std::source_location::current()) {
  std::vector<T> got;
  try {
    got = call();
  } catch (const function_failure& failure) {
    check::expect(!right, "thrown in vain", where);
    check::expect(failure.failed_rank() >= 0 && failure.failed_rank() < size(), "the rank", where);
    check::expect(std::string(failure.what()).find(reason) != std::string::npos, failure.what(),
                  where);
    check::expect(failure.rank() == rank(), "the rank that throws", where);
    return;
  }
  check::expect(right.has_value(), "nothing was thrown", where);
  got.resize(first + right->size());
  got.erase(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(first));
  check::equal(got, *right, where);
}

// One reduction in its three forms, without and with a buffer and in place. `Right(all)`: what this rank has
// to get of these values; `Room`: how many elements that are at most.
template <class T, class Blocking, class Start, class Prepare, class Right>
void each_form(std::size_t length, std::mt19937& from, Blocking blocking, Start start,
               Prepare prepare, Right right) {
  for (const bool with_wrong : {true, false, true}) {
    const auto all = drawn<T>(from, length, with_wrong);
    const auto& mine = all[static_cast<std::size_t>(rank())];
    expect<T>(right(all), [&] { return blocking(send_buf(mine), values_of<T>::operation()); });
    expect<T>(right(all), [&] {
      std::vector<T> into(length, T());
      blocking(send_buf(mine), recv_buf(into), values_of<T>::operation());
      return into;
    });
    expect<T>(right(all), [&] {
      std::vector<T> both = mine;
      blocking(send_recv_buf(both), values_of<T>::operation());
      return both;
    });
    expect<T>(right(all), [&] {
      return start(send_buf(std::vector<T>(mine)), values_of<T>::operation()).wait();
    });
    expect<T>(right(all), [&] {
      std::vector<T> both = mine;
      auto request = start(send_recv_buf(both), values_of<T>::operation());
      while (!request.test()) {
      }
      return both;
    });
  }
  std::vector<T> sent(length), into(length);
  auto again = prepare(send_buf(sent), recv_buf(into), values_of<T>::operation());
  for (const bool with_wrong : {false, true, false, true}) {
    const auto all = drawn<T>(from, length, with_wrong);
    sent = all[static_cast<std::size_t>(rank())];
    expect<T>(right(all), [&] {
      again.start();
      again.wait();
      return into;
    });
  }
}

struct strict : communicator, operations::allreduce_single_members<strict> {
  static constexpr checks checking = checks::communication;
  using operations::allreduce_single_members<strict>::allreduce_single;
};

#define FORMS(name, ...)                                                                        \
  [&](auto&&... a) { return world().name(std::move(a)... __VA_OPT__(, ) __VA_ARGS__); },        \
      [&](auto&&... a) { return world().i##name(std::move(a)... __VA_OPT__(, ) __VA_ARGS__); }, \
      [&](auto&&... a) { return world().name##_init(std::move(a)... __VA_OPT__(, ) __VA_ARGS__); }

template <class T>
void every_reduction(std::size_t length, std::mt19937& from) {
  const int last = size() - 1;
  each_form<T>(length, from, FORMS(allreduce),
               [&](const table<T>& all) { return combined(all, last, 0, length); });
  for (int to = 0; to < size(); ++to)
    each_form<T>(length, from, FORMS(reduce, root(to)), [&](const table<T>& all) {
      return rank() == to ? combined(all, last, 0, length) : wanted<T>(std::in_place);
    });
  each_form<T>(length, from, FORMS(scan),
               [&](const table<T>& all) { return combined(all, rank(), 0, length); });
  each_form<T>(length, from, FORMS(exscan), [&](const table<T>& all) {
    return rank() == 0 ? wanted<T>(std::in_place) : combined(all, rank() - 1, 0, length);
  });
  const auto ranks = static_cast<std::size_t>(size());
  each_form<T>(length * ranks, from, FORMS(reduce_scatter_block), [&](const table<T>& all) {
    return combined(all, last, length * static_cast<std::size_t>(rank()), length);
  });
  // Of unequal parts, one of which is empty.
  std::vector<int> counts;
  std::size_t sum = 0, before = 0;
  for (int i = 0; i < size(); ++i) {
    const std::size_t part = i == size() / 2 ? 0 : length + static_cast<std::size_t>(i);
    if (i < rank()) before += part;
    sum += part;
    counts.push_back(static_cast<int>(part));
  }
  each_form<T>(sum, from, FORMS(reduce_scatter, recv_counts(counts)), [&](const table<T>& all) {
    return combined(all, last, before,
                    static_cast<std::size_t>(counts[static_cast<std::size_t>(rank())]));
  });
}

}  // namespace

TEST(who_depends_on_a_call_that_threw_throws_and_the_others_have_their_results) {
  std::mt19937 from(4711);  // alike on all ranks
  for (const std::size_t length : {0U, 1U, 2U, 7U, 255U}) {
    every_reduction<long>(length, from);
    every_reduction<line>(length, from);
    every_reduction<wide_line>(length, from);
  }
}

TEST(long_messages_throw_as_short_ones_do) {
  std::mt19937 from(1147);
  every_reduction<long>(4'097, from);
  every_reduction<line>(20'011, from);
}

TEST(single_values_and_arrays_may_throw) {
  for (int round = 0; round < 4; ++round) {
    const bool wrong = round % 2 == 0;
    const long mine = wrong && rank() == size() - 1 ? -1 : rank() + round;
    const auto throws = [&](bool expected, auto call) {
      if (!expected) return call();
      const auto failure = check::thrown_by<function_failure>(call);
      check::equal(failure.error_class(), mpi::error_class{MPI_ERR_OP});
    };
    const auto function = op(&added, commutative, may_throw);
    long sum = 0;
    for (int i = 0; i < size(); ++i) sum += i + round;
    throws(wrong && size() > 1, [&] {
      check::equal(world().allreduce_single(send_buf(mine), function), wrong ? mine : sum);
    });
    throws(wrong && size() > 1 && rank() == size() - 1,
           [&] { static_cast<void>(world().scan_single(send_buf(mine), function)); });
    throws(wrong && size() > 1 && rank() == 0,
           [&] { static_cast<void>(world().ireduce_single(send_buf(mine), function).wait()); });
    throws(false, [&] { static_cast<void>(world().exscan_single(send_buf(mine), function)); });
    const std::array<long, 2> two{mine, 1};
    throws(wrong && size() > 1, [&] {
      check::equal(world().allreduce_single(send_buf(two), function)[1], long{size()});
    });
  }
}

TEST(rank_0_of_an_exclusive_scan_keeps_what_it_has_or_gets_what_is_said) {
  std::vector<long> into{7, 8};
  world().exscan(send_buf(std::vector<long>{1, 2}), recv_buf(into),
                 op(&added, commutative, may_throw));
  if (rank() == 0) check::equal(into, std::vector<long>{7, 8});
  const auto said = world().exscan(send_buf(std::vector<long>{1, 2}), values_on_rank_0(5L),
                                   op(&added, commutative, may_throw));
  check::equal(said,
               rank() == 0 ? std::vector<long>{5, 5} : std::vector<long>{rank(), 2L * rank()});
}

TEST(whoever_cannot_give_its_elements_says_so_instead_of_zeros) {
  const int bad = size() - 1;
  const std::vector<long> part(static_cast<std::size_t>(size()) + (rank() == bad ? 1 : 0), 1);
  const std::vector<int> counts(static_cast<std::size_t>(size()), 1);
  const auto scatter = [&] {
    static_cast<void>(world().reduce_scatter(send_buf(part), recv_counts(counts),
                                             op(&added, commutative, may_throw)));
  };
  if (rank() == bad)
    static_cast<void>(check::thrown_by<count_error>(scatter));
  else
    check::equal(check::thrown_by<remote_failure>(scatter).failed_rank(), bad);
}

TEST(elements_of_a_strided_view_may_throw) {
  std::vector<long> memory{rank(), 50, rank() + 1, 50, rank() + 2};
  const strided_view<long> every_other{memory.data(), 3, 1, 2};
  const long sum = size() * (size() - 1) / 2;
  check::equal(world().allreduce(send_buf(every_other), op(&added, commutative, may_throw)),
               std::vector<long>{sum, sum + size(), sum + 2 * size()});
  memory[4] = rank() == 0 ? -1 : 1;
  const auto call = [&] {
    static_cast<void>(world().allreduce(send_buf(every_other), op(&added, commutative, may_throw)));
  };
  if (size() > 1)
    static_cast<void>(check::thrown_by<function_failure>(call));
  else
    call();
}

TEST(an_exception_without_words_and_one_with_many_are_told) {
  const auto silent = op([](int, int) -> int { throw 3; }, commutative, may_throw);
  const auto wordy = op([](int, int) -> int { throw std::runtime_error(std::string(2000, 'w')); },
                        commutative, may_throw);
  if (size() == 1) return;
  static_cast<void>(check::thrown_by<function_failure>(
      [&] { static_cast<void>(world().allreduce_single(send_buf(1), silent)); }));
  const auto failure = check::thrown_by<function_failure>(
      [&] { static_cast<void>(world().allreduce_single(send_buf(1), wordy)); });
  check::expect(std::string(failure.what()).find("wwwwwwwwww") != std::string::npos,
                failure.what());
}

TEST(ranks_that_differ_in_may_throw_disagree) {
  const strict comm;
  if (size() == 1) return;
  static_cast<void>(check::thrown_by<disagreement>([&] {
    if (rank() == 0)
      static_cast<void>(comm.allreduce_single(send_buf(1L), op(&added, commutative)));
    else
      static_cast<void>(comm.allreduce_single(send_buf(1L), op(&added, commutative, may_throw)));
  }));
}
