// What operations of plugins on distributed ranges are made of: values that travel whether they have a datatype or
// are encoded, and the places where the values of all ranks, in order, are divided.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpiglot/detail/plugins/inner.hpp>
#include <mpiglot/detail/plugins/opened.hpp>
#include <mpiglot/detail/plugins/staged_state.hpp>

namespace mpiglot::detail {

/// Values of all ranks, one part after another, and the length of each part.
template <class T>
struct values_of_ranks {
  std::vector<T> values;
  std::vector<count_t> counts;
};

/// Every rank gets the values of all. After a failure of a rank it throws on all.
template <class Kind, class Comm, class T = typename Kind::value_type>
[[nodiscard]] values_of_ranks<T> gather_values(const Comm& comm, kept_failure& failure,
                                               const std::vector<T>& mine) {
  values_of_ranks<T> all;
  if constexpr (Kind::encoded) {
    using codec = typename Kind::codec;
    auto lists = comm.allgather(send_buf(unless(failure, as_serialized<codec>(mine))));
    for (auto& list : lists) {
      all.counts.push_back(static_cast<count_t>(list.size()));
      std::move(list.begin(), list.end(), std::back_inserter(all.values));
    }
  } else {
    all.values = comm.allgatherv(send_buf(unless(failure, mine)),
                                 recv_counts_out<resize_to_fit>(all.counts));
  }
  return all;
}

/// Sends `counts[r]` of the values to rank r. What comes is moved to `to`, in the order of the ranks; the result has
/// their counts. After a failure of a rank it throws on all.
template <class Kind, class Comm, class T = typename Kind::value_type>
[[nodiscard]] std::vector<count_t> exchange_values(const Comm& comm, kept_failure& failure,
                                                   std::span<const T> mine,
                                                   const std::vector<count_t>& counts,
                                                   std::span<T> to) {
  std::vector<count_t> came;
  if constexpr (Kind::encoded) {
    using codec = typename Kind::codec;
    std::vector<std::vector<T>> parts;
    failure.attempt([&] {
      auto next = mine.begin();
      for (const count_t n : counts) {
        parts.emplace_back(next, next + n);
        next += n;
      }
    });
    auto lists = comm.alltoallv(send_buf(unless(failure, as_serialized<codec>(parts))));
    auto next = to.begin();
    for (auto& list : lists) {
      came.push_back(static_cast<count_t>(list.size()));
      next = std::move(list.begin(), list.end(), next);
    }
  } else {
    comm.alltoallv(send_buf(unless(failure, mine)), send_counts(counts), recv_buf(to),
                   recv_counts_out<resize_to_fit>(came));
  }
  return came;
}

/// The last value of all ranks before this one, of those that have values. After a failure of a rank it throws on all.
template <class Kind, class Comm, class T = typename Kind::value_type>
[[nodiscard]] std::optional<T> value_before(const Comm& comm, kept_failure& failure,
                                            std::span<const T> mine) {
  std::vector<T> last;
  failure.attempt([&] {
    if (!mine.empty()) last.push_back(mine.back());
  });
  auto all = gather_values<Kind>(comm, failure, last);
  const auto before =
      std::accumulate(all.counts.begin(), all.counts.begin() + comm.rank(), count_t{0});
  if (before == 0) return std::nullopt;
  return std::move(all.values[static_cast<std::size_t>(before) - 1]);
}

/// What the function or the handle `by` of a reduction makes of two values, of which `a` is the first.
template <class T, class By>
[[nodiscard]] T combine_two(By& by, const T& a, const T& b) {
  if constexpr (requires { static_cast<T>(by.function(a, b)); }) {
    return static_cast<T>(by.function(a, b));
  } else if constexpr (requires { static_cast<T>(by(a, b)); }) {
    return static_cast<T>(by(a, b));
  } else {
    T all = b;
    const mpi::op_handle handle = by;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Reduce_local)(&a, &all, 1, datatype_of<T>().native, handle.native),
        "MPI_Reduce_local");
    return all;
  }
}

/// What each rank says of itself: how many values it has, and a number; on all ranks. `same` throws on all if they say
/// different numbers. After a failure of a rank it throws on all.
struct sizes_of_ranks {
  struct size {
    count_t own;
    count_t said;
  };
  std::vector<size> of{};

  [[nodiscard]] count_t all() const noexcept {
    count_t sum = 0;
    for (const size& one : of) sum += one.own;
    return sum;
  }
  [[nodiscard]] count_t same() const {
    for (const size& one : of)
      if (one.said != of.front().said) refuse_counts("ranks say different numbers");
    return of.front().said;
  }
};
template <class Comm>
[[nodiscard]] sizes_of_ranks tell_sizes(const Comm& comm, kept_failure& failure, std::size_t own,
                                        count_t said = 0) {
  const std::array<sizes_of_ranks::size, 1> mine{{{static_cast<count_t>(own), said}}};
  return {comm.allgatherv(send_buf(unless(failure, mine)))};
}

/// Calls `visit(place)` for `n` of `all` places, in their order: one at random in each of n parts of the same length.
void draw_places(count_t n, count_t all, std::minstd_rand& random, auto visit) {
  const double step = static_cast<double>(all) / static_cast<double>(n);
  for (count_t i = 0; i < n; ++i) {
    const double within = std::generate_canonical<double, 24>(random);
    const auto place = static_cast<count_t>((static_cast<double>(i) + within) * step);
    visit(std::min(place, all - 1));
  }
}

/// The first of `parts` parts of about the same length have one value more than the others.
struct even_division {
  count_t parts;
  /// Where part `i + 1` begins.
  [[nodiscard]] count_t operator()(count_t i, count_t all) const noexcept {
    return all / parts * (i + 1) + std::min(i + 1, all % parts);
  }
};

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

/// Makes sorted parts of these lengths one: of two neighbours one, until one is left. Equal values keep their order.
/// (std::inplace_merge and std::stable_sort of libstdc++ 12 cause a warning of clang.)
template <class T, class Less>
void merge_parts(std::span<T> values, std::vector<count_t> lengths, Less less) {
  if (lengths.size() < 2) return;
  std::vector<T> other(std::make_move_iterator(values.begin()),
                       std::make_move_iterator(values.end()));
  std::span<T> from = other, to = values;
  for (std::size_t n = lengths.size(); n > 1; n = (n + 1) / 2) {
    auto first = std::make_move_iterator(from.begin());
    auto into = to.begin();
    for (std::size_t i = 0; i < n; i += 2) {
      const auto middle = first + lengths[i];
      const auto last = middle + (i + 1 < n ? lengths[i + 1] : 0);
      into = std::merge(first, middle, middle, last, into, less);
      lengths[i / 2] = last - first;
      first = last;
    }
    std::swap(from, to);
  }
  if (from.data() == other.data()) std::move(from.begin(), from.end(), values.begin());
}
/// Sorts; equal values keep their order.
template <class T, class Less>
void sort_stably(std::span<T> values, Less less) {
  constexpr std::ptrdiff_t run = 16;
  std::vector<count_t> lengths;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = first + std::min<std::ptrdiff_t>(run, values.end() - first);
    for (auto next = first; next != last; ++next)
      std::rotate(std::upper_bound(first, next, *next, less), next, next + 1);
    lengths.push_back(last - first);
    first = last;
  }
  merge_parts(values, static_cast<std::vector<count_t>&&>(lengths), less);
}

/// The base of the state `State` of an operation on the values that ranks give as send_buf or send_recv_buf. `make(comm)`
/// makes its inner calls, whatever has failed on this rank, and attempts the rest. At the end all ranks learn of failures,
/// and the sum of what each has `told`.
template <class State, class Arguments>
struct on_values : defaults {
  static constexpr bool one_call = false;
  using opened = opened_values<Arguments>;
  using kind = typename opened::kind;
  using value_type = typename kind::value_type;

  on_values(const group_view& on, Arguments&& from)
      : group(on), arguments(static_cast<Arguments&&>(from)), given(arguments) {}

  void prepare() noexcept {}
  bool agree(int&) {
    const inner_of<Arguments> comm(group.comm);
    failure.attempt([this] { given.open(); });
    static_cast<State&>(*this).make(comm);
    const std::array<count_t, 2> own{failure.any() ? 1 : 0, told};
    std::array<count_t, 2> all{};
    failure.attempt([&] {
      comm.allreduce(send_buf(own), recv_buf(all), op(mpi::sum));
      if (all[0] != own[0]) mpi::detail::fail(remote_failure(remote_failure::unknown));
    });
    told = all[1];
    return false;
  }
  template <class Calls>
  void call(Calls) noexcept {}
  void finish() { failure.rethrow(); }

  /// What plugins are told.
  [[nodiscard]] count_t bytes() {
    return kind::encoded ? -1 : static_cast<count_t>(given.values().size_bytes());
  }
  /// The argument of this name, or something else.
  template <class Key, class Otherwise>
  [[nodiscard]] auto& given_or(const Otherwise& otherwise) {
    if constexpr (Arguments::template has<Key>)
      return arguments.template get<Key>().value;
    else
      return otherwise;
  }

  group_view group;
  Arguments arguments;
  opened given;
  kept_failure failure;
  count_t told = 0;
};

/// The same of an operation whose result is values of this type.
template <class State, class Arguments>
struct to_values : on_values<State, Arguments> {
  using base = on_values<State, Arguments>;
  using value_type = typename base::value_type;

  to_values(const group_view& on, Arguments&& from)
      : base(on, static_cast<Arguments&&>(from)), room(this->arguments) {}
  /// Moves values to other ranks and keeps their order: rank r gets those from place `bounds(sizes)[r]` in the whole
  /// range to the next bound. `said` is what this rank says with its size.
  template <class Comm, class Bounds>
  void move(const Comm& comm, count_t said, Bounds bounds) {
    auto& failed = this->failure;
    std::vector<value_type> copy;  // of what is replaced
    std::span<const value_type> mine;
    if (!failed.any()) mine = this->given.values();
    if constexpr (in_place<Arguments>)
      failed.attempt([&] {
        copy.assign(mine.begin(), mine.end());
        mine = copy;
      });
    sizes_of_ranks sizes;
    failed.attempt([&] { sizes = tell_sizes(comm, failed, mine.size(), said); });
    std::vector<count_t> counts;
    std::span<value_type> to;
    if (!failed.any())
      failed.attempt([&] {
        const auto rank = static_cast<std::size_t>(comm.rank());
        count_t begin = 0;
        for (std::size_t r = 0; r < rank; ++r) begin += sizes.of[r].own;
        const count_t end = begin + sizes.of[rank].own;
        const std::vector<count_t> first = bounds(sizes);
        counts.resize(sizes.of.size());
        for (std::size_t r = 0; r < counts.size(); ++r)
          counts[r] = std::max<count_t>(0, std::min(end, first[r + 1]) - std::max(begin, first[r]));
        const count_t skipped = std::clamp<count_t>(first[0] - begin, 0, end - begin);
        mine = mine.subspan(static_cast<std::size_t>(skipped));
        to = room.make(static_cast<std::size_t>(first[rank + 1] - first[rank]));
      });
    failed.attempt([&] {
      static_cast<void>(exchange_values<typename base::kind>(comm, failed, mine, counts, to));
      room.finish();
    });
  }
  [[nodiscard]] auto results() { return room.results(this->arguments); }

  opened_room<Arguments, value_type> room;
};

}  // namespace mpiglot::detail
