// The suffix array of a distributed text: the places of its suffixes in their
// order. Each rank has a part of the text, one rank after another, of
// characters from 1 on; of the result each rank has the same number, the first
// ranks one more.

#pragma once

#include <algorithm>
#include <mpiglot/communicator.hpp>
#include <mpiglot/flatten.hpp>
#include <mpiglot/plugins/folds.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/ranges.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace suffixes {

using mpiglot::op;
using mpiglot::send_buf;
using number = long;
using numbers = std::vector<number>;
using communicator =
    mpiglot::basic_communicator<mpiglot::sorter, mpiglot::ranges,
                                mpiglot::folds, mpiglot::grid_alltoall>;

// count: places
/// Which rank has which places of a distributed range.
class places {
 public:
  places(const communicator& comm, std::size_t mine)
      : comm_(&comm),
        ends_(comm.allgather(send_buf(static_cast<number>(mine)))) {
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  }
  number count() const { return ends_.back(); }
  number first() const {
    return comm_->rank() == 0 ? 0 : ends_[comm_->rank() - 1];
  }
  int home(number place) const {
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), place);
    return static_cast<int>(end - ends_.begin());
  }

  /// Brings values to the ranks of their places: there they stand in order.
  numbers put(const std::vector<std::pair<number, number>>& by_place) const {
    std::unordered_map<int, std::vector<std::pair<number, number>>> parts;
    for (const auto& one : by_place) parts[home(one.first)].push_back(one);
    numbers values(ends_[comm_->rank()] - first());
    for (const auto& [place, value] :
         comm_->alltoallv_grid(send_buf(mpiglot::flattened(parts))))
      values[place - first()] = value;
    return values;
  }

 private:
  const communicator* comm_;
  numbers ends_;
};

/// What stands `distance` places behind each place; 0 behind the end.
inline numbers ahead(const communicator& comm, const numbers& values,
                     number distance) {
  auto moved = comm.shift_left(send_buf(values), mpiglot::places(distance));
  moved.resize(values.size());
  return moved;
}

/// The number of each value in a sorted range, from 1 on; equal values have the
/// number of the first of them. And whether no values are equal.
template <class Value, class Equal>
std::pair<numbers, bool> numbered(const communicator& comm,
                                  const std::vector<Value>& sorted,
                                  Equal equal) {
  const places at(comm, sorted.size());
  auto before = comm.shift_right(send_buf(sorted), mpiglot::places(1));
  const std::size_t missing = sorted.size() - before.size();
  numbers names(sorted.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (i < missing || !equal(before[i - missing], sorted[i]))
      names[i] = at.first() + i + 1;
  const bool all_differ =
      comm.all_of(send_buf(names),
                  mpiglot::predicate([](number name) { return name != 0; }));
  return {
      comm.inclusive_scan(send_buf(std::move(names)), op(mpiglot::mpi::max)),
      all_differ};
}
// end

// count: prefix doubling
struct prefix {
  number first, second, place;
  auto key() const { return std::pair(first, second); }
};

/// By Manber and Myers: sorts by 1, 2, 4, ... characters.
inline numbers prefix_doubling(const communicator& comm, const numbers& text) {
  const places at(comm, text.size());
  numbers names = text;
  for (number length = 1;; length *= 2) {
    const numbers next = ahead(comm, names, length);
    std::vector<prefix> prefixes;
    for (std::size_t i = 0; i < names.size(); ++i)
      prefixes.push_back(
          {names[i], next[i], at.first() + static_cast<number>(i)});
    comm.sort(mpiglot::send_recv_buf(prefixes),
              mpiglot::projection(&prefix::key), mpiglot::imbalance(0));
    const auto [sorted, all_differ] = numbered(
        comm, prefixes,
        [](const prefix& a, const prefix& b) { return a.key() == b.key(); });
    numbers result;
    std::vector<std::pair<number, number>> by_place;
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
      result.push_back(prefixes[i].place);
      by_place.emplace_back(prefixes[i].place, sorted[i]);
    }
    if (all_differ) return result;
    names = at.put(by_place);
  }
}
// end

// count: DC3
struct triple {
  number a, b, c, place;
  auto key() const { return std::tuple(a, b, c); }
};
struct suffix {
  number place, first, second, name, next, last;
};
/// Of two suffixes one of which begins at a multiple of 3: by one or two
/// characters, and the names of the samples behind them.
inline bool is_less(const suffix& a, const suffix& b) {
  if (a.place % 3 != 0 && b.place % 3 != 0) return a.name < b.name;
  if (a.place % 3 == 2 || b.place % 3 == 2)
    return std::tie(a.first, a.second, a.last) <
           std::tie(b.first, b.second, b.last);
  return std::tie(a.first, a.next) < std::tie(b.first, b.next);
}

/// A part of the suffix array of a short text, which all ranks have.
inline numbers of_short(const communicator& comm, const numbers& mine) {
  const numbers text = comm.allgatherv(send_buf(mine));
  numbers all(text.size());
  std::iota(all.begin(), all.end(), 0);
  std::sort(all.begin(), all.end(), [&](number a, number b) {
    return std::lexicographical_compare(text.begin() + a, text.end(),
                                        text.begin() + b, text.end());
  });
  return comm.redistribute(send_buf(comm.rank() == 0 ? all : numbers()));
}

/// By Kärkkäinen and Sanders: sorts the suffixes at two of three places, the
/// samples, by the suffix array of a text of two thirds, and then all.
inline numbers dc3(const communicator& comm, const numbers& text) {
  const places at(comm, text.size());
  const number n = at.count(), ones = (n + 2) / 3, samples = ones + n / 3;
  if (n <= 100) return of_short(comm, text);
  const numbers next = ahead(comm, text, 1), last = ahead(comm, text, 2);
  std::vector<triple> triples;
  for (number i = 0, all = text.size(); i < all; ++i)
    if (const number place = at.first() + i; place % 3 != 0)
      triples.push_back({text[i], next[i], last[i], place});
  if (n % 3 == 1 && comm.rank() == 0) triples.push_back({0, 0, 0, n});
  comm.sort(mpiglot::send_recv_buf(triples), mpiglot::projection(&triple::key));
  const auto [names, all_differ] = numbered(
      comm, triples,
      [](const triple& a, const triple& b) { return a.key() == b.key(); });

  std::vector<std::pair<number, number>> by_place;
  if (all_differ) {
    for (std::size_t i = 0; i < names.size(); ++i)
      by_place.emplace_back(triples[i].place, names[i]);
  } else {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const number place = triples[i].place;
      by_place.emplace_back(place / 3 + (place % 3 == 1 ? 0 : ones), names[i]);
    }
    const places of_samples(
        comm, samples / comm.size() + (comm.rank() < samples % comm.size()));
    const numbers sorted = dc3(comm, of_samples.put(by_place));
    const number first = places(comm, sorted.size()).first();
    by_place.clear();
    for (number i = 0, all = sorted.size(); i < all; ++i)
      by_place.emplace_back(
          sorted[i] < ones ? 3 * sorted[i] + 1 : 3 * (sorted[i] - ones) + 2,
          first + i + 1);
  }
  std::erase_if(by_place, [&](const auto& one) { return one.first == n; });

  const numbers name = at.put(by_place), next_name = ahead(comm, name, 1),
                last_name = ahead(comm, name, 2);
  std::vector<suffix> all;
  for (std::size_t i = 0; i < text.size(); ++i)
    all.push_back({at.first() + static_cast<number>(i), text[i], next[i],
                   name[i], next_name[i], last_name[i]});
  comm.sort(mpiglot::send_recv_buf(all), mpiglot::comparator(&is_less),
            mpiglot::imbalance(0));
  numbers result;
  for (const suffix& one : all) result.push_back(one.place);
  return result;
}
// end

}  // namespace suffixes
