// Reductions whose result depends on the values and their order alone, to the last bit: not on the number of ranks, nor
// on which rank has which values.
//
//   basic_communicator<reproducible> comm;
//   const double energy = comm.reproducible_allreduce(send_buf(of_particles), op(std::plus<>()));
//
// All values of all ranks are combined by one tree over their places in the whole range: neighbours, then neighbours
// of these, and so on; what has no neighbour goes one level up. docs/guide/reproducible.md says what that guarantees.
//
// Members     reproducible_allreduce, reproducible_reduce, reproducible_scan
// Needed      send_buf, op
// Parameters  send_buf (or send_recv_buf, which scan replaces); op: any function of two values, associative or not,
//             or an operation of MPI; root (0) of reduce; recv_buf (a vector by value) of scan; first_place: where
//             this rank's values begin in the whole range, on all ranks or none (in the order of the
//             ranks). Values without a datatype are given as_serialized(list)
// Asked for   recv_count_out of scan
// Result      allreduce: one value on every rank, the combination of all; reduce: the same at the root, and on other
//             ranks a value that means nothing; scan: for each value what reduce gives of all up to it
// Messages    an allgatherv of two integers, one of at most 2 log2(n) values of a rank that has n, and an allreduce of
//             two integers
// Allocates   what the ranks give each other; scan the values and the result
// Errors      of a rank, also those of op, are thrown there and, as remote_failure, on all others. On all: count_error
//             if no rank has a value, or if values have one place or a place has none

#pragma once

#include <algorithm>
#include <bit>
#include <mpiglot/plugin.hpp>
#include <numeric>
#include <optional>
#include <vector>

namespace mpiglot {

namespace keys {
struct first_place {};
}  // namespace keys

/// The place of this rank's first value in the whole range.
[[nodiscard]] inline parameter<keys::first_place, count_t> first_place(count_t place) {
  return {place};
}

namespace operations {

/// A combination of values by the tree over their places.
template <class T, class Operation>
class combined {
 public:
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
  static_assert(
      std::is_integral_v<T>,
      "mpiglot: with -ffast-math or -fassociative-math compilers reorder additions, so that "
      "reductions are not reproducible");
#endif
  explicit combined(Operation& by) noexcept : operation_(by) {}

  /// Consecutive values, as many as a power of two, of which the first is at a multiple of their number.
  struct node {
    count_t first, length;
    T value;
  };

  /// Adds the node behind all others.
  void add(node&& next) {
    while (!nodes_.empty() && nodes_.back().length == next.length &&
           nodes_.back().first % (2 * next.length) == 0) {
      next = {nodes_.back().first, 2 * next.length, both(nodes_.back().value, next.value)};
      nodes_.pop_back();
    }
    nodes_.push_back(static_cast<node&&>(next));
  }
  /// Of all nodes that were added.
  [[nodiscard]] T value() const {
    T all = nodes_.back().value;
    for (std::size_t i = nodes_.size() - 1; i-- > 0;) all = both(nodes_[i].value, all);
    return all;
  }

  /// Of values, as many as a power of two.
  [[nodiscard]] T of(const T* values, count_t length) const {
    if (length == 1) return *values;
    if (length == 2) return both(values[0], values[1]);
    if (length == 4) return both(both(values[0], values[1]), both(values[2], values[3]));
    if (length == 8)
      return both(both(both(values[0], values[1]), both(values[2], values[3])),
                  both(both(values[4], values[5]), both(values[6], values[7])));
    return both(of(values, length / 2), of(values + length / 2, length / 2));
  }
  /// Calls `visit(first, length)` for the largest nodes of the places [first, end).
  static void each(count_t first, count_t end, auto visit) {
    while (first < end) {
      const auto aligned = first == 0 ? end : first & -first;
      const auto most =
          static_cast<count_t>(std::bit_floor(static_cast<std::uint64_t>(end - first)));
      const count_t length = std::min(aligned, most);
      visit(first, length);
      first += length;
    }
  }

 private:
  [[nodiscard]] T both(const T& a, const T& b) const {
    return plugin::combine_two<T>(operation_, a, b);
  }

  Operation& operation_;
  std::vector<node> nodes_;
};

/// What the ranks learn of each other: where the values of each lie, and the combinations of their nodes.
template <class Kind, class Operation>
struct combined_ranks {
  using value = typename Kind::value_type;
  using tree = combined<value, Operation>;

  combined_ranks(const auto& comm, plugin::kept_failure& failure, std::span<const value> mine,
                 count_t said, bool places_given, Operation& by)
      : operation(by) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    std::vector<value> own;
    failure.attempt([&] {
      sizes = plugin::tell_sizes(comm, failure, mine.size(), said);
      place(places_given);
      const tree of(operation);
      tree::each(first(rank), first(rank) + sizes.of[rank].own, [&](count_t at, count_t length) {
        own.push_back(of.of(mine.data() + (at - first(rank)), length));
      });
    });
    failure.attempt([&] { nodes = plugin::gather_values<Kind>(comm, failure, own); });
  }

  [[nodiscard]] count_t first(std::size_t rank) const noexcept { return sizes.of[rank].said; }
  /// The nodes of the ranks whose values lie before `end`.
  [[nodiscard]] tree before(count_t end) {
    tree all(operation);
    std::vector<std::size_t> begins(sizes.of.size());
    std::exclusive_scan(nodes.counts.begin(), nodes.counts.end(), begins.begin(), std::size_t{0});
    for (const std::size_t rank : order) {
      if (first(rank) >= end) break;
      auto next = nodes.values.begin() + static_cast<std::ptrdiff_t>(begins[rank]);
      tree::each(first(rank), first(rank) + sizes.of[rank].own,
                 [&](count_t at, count_t length) { all.add({at, length, *next++}); });
    }
    return all;
  }

  Operation& operation;
  plugin::sizes_of_ranks sizes;
  std::vector<std::size_t> order;  // of the ranks, by their places
  plugin::values_of_ranks<value> nodes;

 private:
  void place(bool given) {
    order.resize(sizes.of.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (given)
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(first(a), sizes.of[a].own) < std::pair(first(b), sizes.of[b].own);
      });
    count_t next = 0;
    for (const std::size_t rank : order) {
      const bool empty = sizes.of[rank].own == 0;
      if (given ? !empty && first(rank) != next : first(rank) != -1)
        plugin::refuse_counts(
            "first_place leaves a place without a value, or is not given on all ranks");
      sizes.of[rank].said = next;
      next += sizes.of[rank].own;
    }
    if (next == 0) plugin::refuse_counts("no rank has a value");
  }
};

/// What the three operations have in common: `Base` is that of their state.
template <class Base>
struct reproducing : Base {
  using Base::Base;
  using kind = typename Base::kind;
  using value = typename kind::value_type;

  [[nodiscard]] auto combine(const auto& comm) {
    auto& by = this->arguments.template get<keys::op>().value;
    constexpr bool placed = decltype(Base::arguments)::template has<keys::first_place>;
    const count_t place = this->arguments.template value_or<keys::first_place>(count_t{-1});
    std::span<const value> mine;
    if (!this->failure.any()) mine = this->given.values();
    using all = combined_ranks<kind, std::remove_reference_t<decltype(by)>>;
    return all(comm, this->failure, mine, place, placed, by);
  }
};

template <bool Everywhere>
struct reproducible_value {
  template <class Arguments>
  struct state : reproducing<plugin::on_values<state<Arguments>, Arguments>> {
    static constexpr const char* name =
        Everywhere ? "reproducible_allreduce" : "reproducible_reduce";
    using base = reproducing<plugin::on_values<state, Arguments>>;
    using base::base;

    void make(const auto& comm) {
      auto all = this->combine(comm);
      const int root = this->arguments.template value_or<keys::root>(0);
      if (root < 0 || root >= this->group.size)
        this->failure.attempt([] { plugin::fail(MPI_ERR_ROOT, name); });
      if (this->failure.any()) return;
      this->failure.attempt([&] {
        if (Everywhere || root == this->group.rank)
          result = all.before(all.sizes.all()).value();
        else
          result = all.nodes.values.front();
      });
    }
    [[nodiscard]] auto results() { return *std::move(result); }

    std::optional<typename base::value> result;
  };
};

struct reproducible_allreduce : reproducible_value<true> {
  using accepts = plugin::names<keys::send_buf, keys::op, keys::first_place>;
  using needs = plugin::names<keys::send_buf, keys::op>;
};

struct reproducible_reduce : reproducible_value<false> {
  using accepts = plugin::names<keys::send_buf, keys::op, keys::first_place, keys::root>;
  using needs = plugin::names<keys::send_buf, keys::op>;
};

struct reproducible_scan {
  using accepts = plugin::names<keys::send_buf, keys::send_recv_buf, keys::recv_buf,
                                keys::recv_count_out, keys::op, keys::first_place>;
  using needs = plugin::names<keys::send_buf, keys::op>;

  template <class Arguments>
  struct state : reproducing<plugin::to_values<state<Arguments>, Arguments>> {
    static constexpr const char* name = "reproducible_scan";
    using base = reproducing<plugin::to_values<state, Arguments>>;
    using base::base;

    void make(const auto& comm) {
      auto all = this->combine(comm);
      if (this->failure.any()) return;
      this->failure.attempt([&] {
        const auto values = this->given.values();
        count_t at = all.first(static_cast<std::size_t>(this->group.rank));
        auto before = all.before(at);
        std::vector<typename base::value> sums;
        sums.reserve(values.size());
        for (const auto& one : values) {
          before.add({at++, 1, one});
          sums.push_back(before.value());
        }
        this->put(sums.begin(), sums.end());
      });
    }
  };
};

}  // namespace operations

/// A plugin that adds reductions that do not depend on the distribution of the values to a communicator.
template <class Base>
class reproducible : public Base {
 public:
  using Base::Base;

  /// Combines the values of all ranks by a fixed tree; the result is on every rank. Collective.
  template <class... A>
  auto reproducible_allreduce(A&&... a) const {
    return plugin::perform<operations::reproducible_allreduce>(*this, static_cast<A&&>(a)...);
  }
  /// The same; the result is at the root. Collective.
  template <class... A>
  auto reproducible_reduce(A&&... a) const {
    return plugin::perform<operations::reproducible_reduce>(*this, static_cast<A&&>(a)...);
  }
  /// For each value the combination of all up to it, each by the tree of so many values. Collective.
  template <class... A>
  auto reproducible_scan(A&&... a) const {
    return plugin::perform<operations::reproducible_scan>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
