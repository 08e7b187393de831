// What operations of plugins on distributed ranges are made of: values that travel whether they have a datatype or
// are encoded.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
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

/// The lists of the ranks.
template <class T>
[[nodiscard]] values_of_ranks<T> joined(std::vector<std::vector<T>> lists) {
  values_of_ranks<T> all;
  for (auto& list : lists) {
    all.counts.push_back(static_cast<count_t>(list.size()));
    std::move(list.begin(), list.end(), std::back_inserter(all.values));
  }
  return all;
}

/// Every rank gets the values of all. After a failure of a rank it throws on all.
template <class Kind, class Comm, class T = typename Kind::value_type>
[[nodiscard]] values_of_ranks<T> gather_values(const Comm& comm, kept_failure& failure,
                                               const std::vector<T>& mine) {
  values_of_ranks<T> all;
  if constexpr (Kind::encoded) {
    using codec = typename Kind::codec;
    all = joined(comm.allgather(send_buf(unless(failure, as_serialized<codec>(mine)))));
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
  /// Moves the result of this rank to the room. May throw.
  template <class Iterator>
  void put(Iterator first, Iterator last) {
    std::move(first, last, room.make(static_cast<std::size_t>(last - first)).begin());
    room.finish();
  }
  [[nodiscard]] auto results() { return room.results(this->arguments); }

  opened_room<Arguments, value_type> room;
};

}  // namespace mpiglot::detail
