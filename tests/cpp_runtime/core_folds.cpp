// Predicates, reductions, scans and look-ups of distributed ranges, against the same algorithm on all values in one place.

#include <algorithm>
#include <list>
#include <map>
#include <mpiglot/at_most.hpp>
#include <mpiglot/plugins/folds.hpp>
#include <mpiglot/plugins/lookup.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using folding = basic_communicator<folds, lookup>;

// The values of every rank, whose numbers differ; at some lengths, ranks have none.
struct whole {
  std::vector<long> all;
  std::vector<std::size_t> first{0};

  whole(std::size_t n, unsigned seed) {
    for (int rank = 0; rank < check::size(); ++rank) {
      std::mt19937 draw(seed + 100 * static_cast<unsigned>(rank));
      const std::size_t own = n == 0 ? 0 : draw() % (2 * n);
      const bool empty = draw() % 3 == 0;
      for (std::size_t i = 0; i < (empty ? 0 : own); ++i)
        all.push_back(static_cast<long>(draw() % 1000) - 300);
      first.push_back(all.size());
    }
  }
  template <class T>
  [[nodiscard]] std::vector<T> part(const std::vector<T>& of) const {
    const auto rank = static_cast<std::size_t>(check::rank());
    return std::vector<T>(of.begin() + static_cast<std::ptrdiff_t>(first[rank]),
                          of.begin() + static_cast<std::ptrdiff_t>(first[rank + 1]));
  }
  [[nodiscard]] std::vector<long> mine() const { return part(all); }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> made;
    for (const long each : all) made.push_back(std::to_string(each) + ",");
    return made;
  }
};

template <class Test>
void at_all(Test test) {
  unsigned seed = 1;
  for (const std::size_t n : {0u, 1u, 2u, 3u, 50u, 3000u})
    for (int i = 0; i < 4; ++i) test(whole(n, seed++));
}

// Associative, not commutative: the first of one, the second of the other.
struct span_of {
  long low = 0, high = 0;
  bool operator==(const span_of&) const = default;
};
constexpr auto join = [](const span_of& a, const span_of& b) { return span_of{a.low, b.high}; };

struct person {
  int age;
  long weight;
};

}  // namespace

TEST(predicates_are_asked_of_all_values) {
  const folding comm;
  at_all([&](const whole& given) {
    const auto mine = given.mine();
    for (const long limit : {-301L, -300L, 0L, 690L, 699L, 700L}) {
      const auto above = [limit](long x) { return x > limit; };
      const auto& all = given.all;
      check::equal(comm.all_of(send_buf(mine), predicate(above)),
                   std::all_of(all.begin(), all.end(), above));
      check::equal(comm.any_of(send_buf(mine), predicate(above)),
                   std::any_of(all.begin(), all.end(), above));
      check::equal(comm.none_of(send_buf(mine), predicate(above)),
                   std::none_of(all.begin(), all.end(), above));
      check::equal(comm.count_if(send_buf(mine), predicate(above)),
                   static_cast<count_t>(std::count_if(all.begin(), all.end(), above)));
    }
  });
  const std::vector<person> people(3, person{comm.rank(), 7});
  check::equal(comm.count_if(send_buf(people), projection(&person::age),
                             predicate([](int age) { return age == 0; })),
               count_t{3});
  check::equal(comm.all_of(send_buf(people), predicate([](const person& p) { return p.weight; })),
               true);
}

TEST(reductions_keep_the_order_of_all_values) {
  const folding comm;
  at_all([&](const whole& given) {
    const auto mine = given.mine();
    const auto& all = given.all;
    const auto sum = [&](long first) { return std::accumulate(all.begin(), all.end(), first); };
    check::equal(comm.transform_reduce(send_buf(mine), initial(5L)), sum(5));
    const auto square = [](long x) { return static_cast<double>(x * x); };
    check::equal(comm.transform_reduce(send_buf(mine), transform(square), initial(0.0)),
                 std::transform_reduce(all.begin(), all.end(), 0.0, std::plus<>(), square));
    if (all.empty()) {
      check::thrown_by<count_error>(
          [&] { static_cast<void>(comm.transform_reduce(send_buf(mine))); });
      return;
    }
    check::equal(comm.transform_reduce(send_buf(mine)), sum(0));
    check::equal(comm.transform_reduce(send_buf(mine), op(mpi::max)),
                 *std::max_element(all.begin(), all.end()));
    const span_of ends = comm.transform_reduce(
        send_buf(mine), transform([](long x) { return span_of{x, x}; }), op(join));
    check::expect(ends == span_of{all.front(), all.back()});
    // Texts: of values that have a datatype, and encoded ones.
    std::string text;
    for (const std::string& each : given.texts()) text += each;
    const auto to_text = [](long x) { return std::to_string(x) + ","; };
    check::equal(comm.transform_reduce(send_buf(mine), transform(to_text)), text);
    const auto texts = given.part(given.texts());
    check::equal(comm.transform_reduce(send_buf(as_serialized(texts))), text);
    check::equal(comm.transform_reduce(send_buf(as_serialized(texts)), initial(std::string("<"))),
                 "<" + text);
    check::equal(
        comm.transform_reduce(send_buf(as_serialized(texts)), transform(&std::string::size)),
        text.size());
  });
}

TEST(scans_and_differences_are_those_of_all_values) {
  const folding comm;
  at_all([&](const whole& given) {
    const auto mine = given.mine();
    const auto& all = given.all;
    std::vector<long> right(all.size());
    std::partial_sum(all.begin(), all.end(), right.begin());
    check::equal(comm.inclusive_scan(send_buf(mine)), given.part(right));
    std::vector<long> kept = mine;
    comm.inclusive_scan(send_recv_buf(kept));
    check::equal(kept, given.part(right));
    std::inclusive_scan(all.begin(), all.end(), right.begin(), std::plus<>(), 7L);
    check::equal(comm.inclusive_scan(send_buf(mine), initial(7)), given.part(right));
    std::exclusive_scan(all.begin(), all.end(), right.begin(), 7L);
    check::equal(comm.exclusive_scan(send_buf(mine), initial(7)), given.part(right));
    const auto larger = [](long a, long b) { return std::max(a, b); };
    std::inclusive_scan(all.begin(), all.end(), right.begin(), larger);
    check::equal(comm.inclusive_scan(send_buf(mine), op(larger)), given.part(right));
    check::equal(comm.inclusive_scan(send_buf(mine), op(mpi::max)), given.part(right));
    std::adjacent_difference(all.begin(), all.end(), right.begin());
    check::equal(comm.adjacent_difference(send_buf(mine)), given.part(right));
    kept = mine;
    comm.adjacent_difference(send_recv_buf(kept));
    check::equal(kept, given.part(right));
    const auto twice = [](long a, long b) { return 2 * a + b; };
    std::adjacent_difference(all.begin(), all.end(), right.begin(), twice);
    check::equal(comm.adjacent_difference(send_buf(mine), op(twice)), given.part(right));
    // Texts whose order shows.
    const auto texts = given.texts();
    std::vector<std::string> joined;
    for (const std::string& each : texts)
      joined.push_back((joined.empty() ? "" : joined.back()) + each);
    if (all.size() < 200)
      check::equal(comm.inclusive_scan(send_buf(as_serialized(given.part(texts)))),
                   given.part(joined));
  });
}

TEST(every_kind_of_buffer_is_folded) {
  const folding comm;
  const whole given(9, 5);
  const auto mine = given.mine();
  std::vector<long> sums(given.all.size());
  std::partial_sum(given.all.begin(), given.all.end(), sums.begin());
  const auto right = given.part(sums);
  const long all = std::accumulate(given.all.begin(), given.all.end(), 0L);
  const auto n = mine.size();
  const auto is = [&](auto&& buffer, auto&& make) {
    check::equal(comm.transform_reduce(send_buf(make()), initial(0L)), all);
    check::equal(comm.inclusive_scan(send_buf(make()), recv_buf(buffer())), right);
  };
  const auto vector = [] { return std::vector<long>(); };
  is(vector, [&] { return mine; });
  is(vector, [&] { return std::span<const long>(mine); });
  is(vector, [&] { return at_most(static_cast<count_t>(n) + 5, mine); });
  std::vector<long> gaps(2 * n + 1, -1), spread(2 * n + 1, -1);
  for (std::size_t i = 0; i < n; ++i) gaps[2 * i] = mine[i];
  const auto size = static_cast<count_t>(n);
  is(vector, [&] { return strided_view<long>{gaps.data(), size, 1, 2}; });
  comm.inclusive_scan(send_buf(mine), recv_buf(strided_view<long>{spread.data(), size, 1, 2}));
  for (std::size_t i = 0; i < n; ++i) check::equal(spread[2 * i], right[i]);
  std::vector<long> longer(n + 1), kept(n);
  check::equal(comm.inclusive_scan(send_buf(mine), recv_buf<resize_to_fit>(std::move(longer))),
               right);
  comm.inclusive_scan(send_buf(mine), recv_buf(std::span<long>(kept)));
  check::equal(kept, right);
  count_t length = -1;
  static_cast<void>(comm.inclusive_scan(send_buf(mine), recv_count_out(length)));
  check::equal(length, static_cast<count_t>(n));
  const std::list<std::string> list{"a", "b"};
  std::list<std::string> came;
  comm.inclusive_scan(send_buf(as_serialized(list)), recv_buf(as_serialized(came)));
  check::equal(came.size(), std::size_t{2});
  check::equal(came.back().size(), 2 * static_cast<std::size_t>(comm.rank()) + 2);
}

TEST(answers_come_in_the_order_of_the_keys) {
  const folding comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const std::size_t n : {0u, 1u, 5u, 2000u})
    for (int hops = 1; hops <= 3; ++hops) {
      std::mt19937 draw(static_cast<unsigned>(comm.rank() * 31 + hops));
      std::vector<long> keys(comm.rank() == 1 ? 0 : n);
      for (long& one : keys) one = static_cast<long>(draw() % 300);
      const auto of = [&](long key) { return (key / 7) % comm.size(); };
      const auto value = [&](long key) {
        check::equal(of(key), long{comm.rank()});
        return static_cast<double>(key) * 1.5;
      };
      std::vector<double> right;
      for (const long key : keys) right.push_back(static_cast<double>(key) * 1.5);
      check::equal(comm.look_up(send_buf(keys), home(of), answer(value), dimensions(hops)), right);
      // Texts as keys, as answers, as both.
      const auto text = [](long key) { return std::string(static_cast<std::size_t>(key), 'k'); };
      std::vector<std::string> names, twice;
      for (const long key : keys) names.push_back(text(key));
      for (const std::string& name : names) twice.push_back(name + name);
      check::equal(comm.look_up(send_buf(keys), home(of), answer(text)), names);
      const auto of_text = [&](const std::string& name) { return name.size() % ranks; };
      std::vector<std::size_t> sizes;
      count_t length = -1;
      comm.look_up(send_buf(as_serialized(names)), home(of_text), answer(&std::string::size),
                   recv_buf<resize_to_fit>(sizes), recv_count_out(length));
      check::equal(length, static_cast<count_t>(keys.size()));
      for (std::size_t i = 0; i < keys.size(); ++i)
        check::equal(sizes[i], static_cast<std::size_t>(keys[i]));
      check::equal(comm.look_up(send_buf(as_serialized(names)), home(of_text),
                                answer([](const std::string& name) { return name + name; })),
                   twice);
    }
}

TEST(what_fails_on_one_rank_is_thrown_on_all) {
  const folding comm;
  const std::vector<long> mine(5, comm.rank());
  for (int bad = 0; bad < comm.size(); ++bad) {
    const bool here = comm.rank() == bad;
    const auto fails = [&](auto call) {
      if (here)
        check::thrown_by<std::runtime_error>(call);
      else
        check::thrown_by<remote_failure>(call);
    };
    const auto throws = [here](auto x) {
      if (here) throw std::runtime_error("a mistake");
      return x;
    };
    const auto adds = [&](long a, long b) { return throws(a) + b; };
    fails([&] { static_cast<void>(comm.all_of(send_buf(mine), predicate(throws))); });
    fails([&] { static_cast<void>(comm.count_if(send_buf(mine), predicate(throws))); });
    fails([&] { static_cast<void>(comm.transform_reduce(send_buf(mine), transform(throws))); });
    fails([&] { static_cast<void>(comm.transform_reduce(send_buf(mine), op(adds))); });
    fails([&] { static_cast<void>(comm.inclusive_scan(send_buf(mine), op(adds))); });
    fails([&] { static_cast<void>(comm.exclusive_scan(send_buf(mine), op(adds), initial(1))); });
    fails([&] { static_cast<void>(comm.adjacent_difference(send_buf(mine), op(adds))); });
    const auto next = [&](long key) { return (key + 1) % comm.size(); };
    fails([&] {
      static_cast<void>(comm.look_up(send_buf(mine), home([&](long k) { return throws(next(k)); }),
                                     answer([](long k) { return k; })));
    });
    fails([&] { static_cast<void>(comm.look_up(send_buf(mine), home(next), answer(throws))); });
    fails([&] {
      static_cast<void>(comm.look_up(send_buf(mine), home(next), answer([&](long k) {
                                       throws(k);
                                       return std::string("x");
                                     })));
    });
    // A home that does not exist, a buffer without room.
    const auto outside = [&](long key) { return here ? comm.size() : next(key); };
    const auto lost = [&] {
      static_cast<void>(
          comm.look_up(send_buf(mine), home(outside), answer([](long k) { return k; })));
    };
    std::vector<long> room(here ? 4 : 5);
    const auto small = [&] {
      comm.inclusive_scan(send_buf(mine), recv_buf(std::span<long>(room)));
    };
    if (here) {
      check::expect(check::thrown_by<error>(lost).error_class() == mpi::error_class::rank);
      check::thrown_by<too_small>(small);
    } else {
      check::thrown_by<remote_failure>(lost);
      check::thrown_by<remote_failure>(small);
    }
  }
  check::equal(comm.count_if(send_buf(mine), predicate([](long) { return true; })),
               count_t{5} * comm.size());
}
