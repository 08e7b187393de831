// Where the sorted values of all ranks are divided: the selection of operations that sort.

#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <mpiglot/detail/plugins/distributed.hpp>

namespace mpiglot::detail {

/// Where the sorted values of all ranks are divided. Equal values are in the order of their ranks and places, so
/// every value has a place of its own.
///
/// In rounds: each rank gives some of its values that may be next to a division, and all count the values before
/// these. Memory is taken before the first message.
template <class Kind>
class divided_values {
  using value = typename Kind::value_type;
  static constexpr std::size_t given_in_round = 32;

  /// A place among the values of all ranks, and among those of this one.
  struct place {
    count_t all;
    count_t own;
  };
  struct division {
    count_t target = 0;
    place low{}, high{};
    [[nodiscard]] count_t distance() const noexcept {
      return std::min(target - low.all, high.all - target);
    }
    [[nodiscard]] const place& nearest() const noexcept {
      return target - low.all < high.all - target ? low : high;
    }
  };

 public:
  /// Finds `n` divisions; `target(i, all)` says after how many of `all` values number i is to be, and `tolerated` which
  /// part of `all` it may be away. False: a rank has failed, and all know.
  template <class Comm, class Less, class Target>
  [[nodiscard]] bool find(count_t n, const Comm& comm, kept_failure& failure,
                          std::span<const value> mine, Less less, Target target,
                          double tolerated = 0) {
    make_to_take_part(
        [&] { make_room(static_cast<std::size_t>(n), static_cast<std::size_t>(comm.size())); });
    failure.attempt([this] { given_.reserve(given_in_round); });
    rank_ = comm.rank();
    random_.seed(static_cast<unsigned>(rank_) + 1);
    const auto own = static_cast<count_t>(mine.size());
    most_ = 0;
    for (division& one : divisions_) one = {1, {0, 0}, {std::numeric_limits<count_t>::max(), own}};
    for (bool first = true;; first = false) {
      failure.attempt([&] { choose(mine); });
      values_of_ranks<value> given;
      failure.attempt([&] { given = gather_values<Kind>(comm, failure, given_); });
      std::fill(before_.begin(), before_.end(), 0);
      failure.attempt([&] { count(mine, given, less); });
      before_.end()[-2] = own;
      before_.end()[-1] = failure.any() ? 1 : 0;
      failure.attempt([&] { comm.allreduce(send_buf(before_), recv_buf(sums_), op(mpi::sum)); });
      if (failure.any() || sums_.back() != 0) return false;
      end_ = {sums_.end()[-2], own};
      if (first)
        for (std::size_t i = 0; i < divisions_.size(); ++i) {
          divisions_[i].target = target(static_cast<count_t>(i), end_.all);
          divisions_[i].high.all = end_.all;
        }
      narrow(given);
      most_ = static_cast<count_t>(tolerated * static_cast<double>(end_.all));
      const auto done = [this](const division& one) { return one.distance() <= most_; };
      if (std::all_of(divisions_.begin(), divisions_.end(), done)) return true;
    }
  }
  /// How many values come to part `i` of the n + 1 parts.
  [[nodiscard]] std::size_t length_on(int i) const noexcept {
    const auto part = static_cast<std::size_t>(i);
    return static_cast<std::size_t>(begin_of(part + 1).all - begin_of(part).all);
  }
  /// How many values of this rank are in each part. May throw.
  [[nodiscard]] std::vector<count_t> lengths() const {
    std::vector<count_t> counts;
    for (std::size_t i = 0; i <= divisions_.size(); ++i)
      counts.push_back(begin_of(i + 1).own - begin_of(i).own);
    return counts;
  }

 private:
  void make_room(std::size_t n, std::size_t ranks) {
    const std::size_t most = ranks * given_in_round;
    divisions_.resize(n);
    gaps_.reserve(n);
    chosen_.reserve(given_in_round);
    before_.resize(most + 2);
    sums_.resize(most + 2);
    places_.reserve(2 * most);
  }

  [[nodiscard]] place begin_of(std::size_t i) const noexcept {
    return i == 0 ? place{} : i > divisions_.size() ? end_ : divisions_[i - 1].nearest();
  }

  // Values at random, evenly from all that may be next to a division.
  void choose(std::span<const value> mine) {
    given_.clear();
    chosen_.clear();
    gaps_.clear();
    count_t end = 0, all = 0;
    for (const division& one : divisions_)
      if (one.distance() > most_ && one.high.own > end) {
        gaps_.emplace_back(std::max(one.low.own, end), one.high.own);
        end = one.high.own;
        all += end - gaps_.back().first;
      }
    auto gap = gaps_.begin();
    count_t skipped = 0;
    const auto n = std::min(all, static_cast<count_t>(given_in_round));
    draw_places(n, all, random_, [&](count_t at) {
      for (; at - skipped >= gap->second - gap->first; ++gap) skipped += gap->second - gap->first;
      chosen_.push_back(gap->first + at - skipped);
      given_.push_back(mine[static_cast<std::size_t>(chosen_.back())]);
    });
  }

  // How many values of this rank are before each that was given.
  template <class Less>
  void count(std::span<const value> mine, const values_of_ranks<value>& given, Less less) {
    std::size_t i = 0;
    for (int rank = 0; rank < static_cast<int>(given.counts.size()); ++rank)
      for (count_t own = 0; own < given.counts[static_cast<std::size_t>(rank)]; ++own, ++i) {
        const value& one = given.values[i];
        before_[i] = rank == rank_ ? chosen_[static_cast<std::size_t>(own)]
                     : rank < rank_
                         ? std::lower_bound(mine.begin(), mine.end(), one, less) - mine.begin()
                         : std::upper_bound(mine.begin(), mine.end(), one, less) - mine.begin();
      }
  }

  void narrow(const values_of_ranks<value>& given) {
    places_.clear();
    std::size_t i = 0;
    for (int rank = 0; rank < static_cast<int>(given.counts.size()); ++rank)
      for (count_t n = given.counts[static_cast<std::size_t>(rank)]; n > 0; --n, ++i) {
        places_.push_back({sums_[i], before_[i]});
        places_.push_back({sums_[i] + 1, before_[i] + (rank == rank_ ? 1 : 0)});
      }
    const auto less = [](const place& a, const place& b) { return a.all < b.all; };
    std::sort(places_.begin(), places_.end(), less);
    for (division& one : divisions_) {
      const auto up = std::lower_bound(places_.begin(), places_.end(), place{one.target, 0}, less);
      if (up != places_.end() && up->all < one.high.all) one.high = *up;
      if (up != places_.end() && up->all == one.target) one.low = *up;
      if (up != places_.begin() && up[-1].all > one.low.all) one.low = up[-1];
    }
  }

  int rank_ = 0;
  std::minstd_rand random_;
  place end_{};
  count_t most_ = 0;  // how far from its target a division may be
  std::vector<division> divisions_;
  std::vector<std::pair<count_t, count_t>> gaps_;
  std::vector<value> given_;
  std::vector<count_t> chosen_, before_, sums_;
  std::vector<place> places_;
};

}  // namespace mpiglot::detail
