// What all values of a distributed range are together: the values of all ranks, one rank after another.
//
//   basic_communicator<folds> comm;
//   const bool right = comm.all_of(send_buf(values), predicate([](double x) { return x >= 0; }));
//   const double norm = comm.transform_reduce(send_buf(values), transform([](double x) { return x * x; }));
//   auto sums = comm.inclusive_scan(send_buf(values));
//
// Members     all_of, any_of, none_of, count_if, transform_reduce, inclusive_scan, exclusive_scan, adjacent_difference
// Needed      send_buf, or send_recv_buf if values are the result; predicate for the first four; initial for
//             exclusive_scan
// Parameters  send_buf or send_recv_buf; recv_buf (a vector by value); predicate, with projection (none); op (+; - for
//             adjacent_difference), which must be associative, and need not be commutative; transform (none): of a
//             value, makes what is combined; initial (none): is combined with all values, as the first one. Values
//             without a datatype are given as_serialized(list)
// Asked for   recv_count_out
// Result      all_of, any_of, none_of: a bool; count_if: a number; transform_reduce: a value of the type of initial, else
//             of what transform makes; the same on every rank. The others: as many values as send_buf, where the first one
//             of adjacent_difference is the first of all ranks
// Messages    an allreduce of two integers; an allgatherv of one value a rank before it, but for the first four
// Allocates   a value for each rank, and room for the result
// Errors      of a rank, also those of the program's functions, are thrown there and, as remote_failure, on all
//             others; transform_reduce without initial and without a value on any rank: count_error on all

#pragma once

#include <functional>
#include <mpiglot/plugin.hpp>
#include <mpiglot/plugins/order.hpp>
#include <mpiglot/serialized.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace mpiglot {

namespace keys {
struct predicate {};
struct transform {};
struct initial {};
}  // namespace keys

/// What is asked of a value, or of its projection.
template <class Function>
[[nodiscard]] parameter<keys::predicate, Function> predicate(Function&& holds) {
  return {static_cast<Function&&>(holds)};
}
/// What is made of a value before it is combined: a function, or a pointer to a member.
template <class Function>
[[nodiscard]] parameter<keys::transform, Function> transform(Function&& of) {
  return {static_cast<Function&&>(of)};
}
/// A value before all others.
template <class Value>
[[nodiscard]] parameter<keys::initial, Value> initial(Value&& first) {
  return {static_cast<Value&&>(first)};
}

namespace operations {

/// How many values there are for which the predicate says `Says`; with `One`, no rank looks for a second one.
template <class State, class Arguments, bool Says, bool One>
struct counted : plugin::on_values<State, Arguments> {
  using plugin::on_values<State, Arguments>::on_values;

  void make(const auto&) {
    static constexpr std::identity itself;
    auto& holds = this->arguments.template get<keys::predicate>().value;
    auto& of = this->template given_or<keys::projection>(itself);
    this->failure.attempt([&] {
      count_t found = 0;
      for (const auto& each : this->given.values())
        if (static_cast<bool>(std::invoke(holds, std::invoke(of, each))) == Says) {
          ++found;
          if (One) break;
        }
      this->told = found;
    });
  }
};
/// What the four ask with a predicate.
struct asked_of_values {
  using accepts = plugin::names<keys::send_buf, keys::predicate, keys::projection>;
  using needs = plugin::names<keys::send_buf, keys::predicate>;
};

struct all_of : asked_of_values {
  template <class Arguments>
  struct state : counted<state<Arguments>, Arguments, false, true> {
    static constexpr const char* name = "all_of";
    using counted<state, Arguments, false, true>::counted;
    [[nodiscard]] bool results() const { return this->told == 0; }
  };
};
struct any_of : asked_of_values {
  template <class Arguments>
  struct state : counted<state<Arguments>, Arguments, true, true> {
    static constexpr const char* name = "any_of";
    using counted<state, Arguments, true, true>::counted;
    [[nodiscard]] bool results() const { return this->told != 0; }
  };
};
struct none_of : asked_of_values {
  template <class Arguments>
  struct state : counted<state<Arguments>, Arguments, true, true> {
    static constexpr const char* name = "none_of";
    using counted<state, Arguments, true, true>::counted;
    [[nodiscard]] bool results() const { return this->told == 0; }
  };
};
struct count_if : asked_of_values {
  template <class Arguments>
  struct state : counted<state<Arguments>, Arguments, true, false> {
    static constexpr const char* name = "count_if";
    using counted<state, Arguments, true, false>::counted;
    [[nodiscard]] count_t results() const { return this->told; }
  };
};

/// The type of what is combined: that of the first value, else of what a function makes of the values.
template <class Arguments, class Value>
struct combined_type {
  using type = Value;
};
template <class Arguments, class Value>
  requires(Arguments::template has<keys::transform> && !Arguments::template has<keys::initial>)
struct combined_type<Arguments, Value> {
  using function = typename plugin::parameter_of<Arguments, keys::transform>::type;
  using type = std::remove_cvref_t<std::invoke_result_t<function&, const Value&>>;
};
template <class Arguments, class Value>
  requires(Arguments::template has<keys::initial>)
struct combined_type<Arguments, Value> {
  using type = std::remove_cvref_t<typename plugin::parameter_of<Arguments, keys::initial>::type>;
};

/// Combines one value after another.
template <class T, class By>
class folded {
 public:
  explicit folded(By& by) noexcept : by_(by) {}

  void add(T next) { all_ = all_ ? plugin::combine_two<T>(by_, *all_, next) : std::move(next); }
  /// What all are together, or nothing.
  std::optional<T>& value() noexcept { return all_; }

 private:
  By& by_;
  std::optional<T> all_;
};

/// What all values before those of this rank are together, and those of this rank; on all ranks.
template <class Kind, class By, class T = typename Kind::value_type>
[[nodiscard]] std::pair<std::optional<T>, std::optional<T>> fold_ranks(
    const auto& comm, plugin::kept_failure& failure, By& by, auto& state, std::optional<T>& own) {
  using arguments = std::remove_reference_t<decltype(state.arguments)>;
  std::vector<T> mine;
  failure.attempt([&] {
    if (own) mine.push_back(std::move(*own));
  });
  folded<T, By> all(by);
  std::optional<T> before;
  failure.attempt([&] {
    auto of_ranks = plugin::gather_values<Kind>(comm, failure, mine);
    if constexpr (arguments::template has<keys::initial>)
      all.add(static_cast<T>(state.arguments.template get<keys::initial>().value));
    auto next = of_ranks.values.begin();
    for (int rank = 0; rank < comm.size(); ++rank) {
      if (rank == comm.rank()) before = all.value();
      if (of_ranks.counts[static_cast<std::size_t>(rank)] != 0) all.add(std::move(*next++));
    }
  });
  return {std::move(before), std::move(all.value())};
}

struct transform_reduce {
  using accepts = plugin::names<keys::send_buf, keys::transform, keys::op, keys::initial>;
  using needs = plugin::names<keys::send_buf>;
  template <class Arguments>
  struct state : plugin::on_values<state<Arguments>, Arguments> {
    static constexpr const char* name = "transform_reduce";
    using base = plugin::on_values<state, Arguments>;
    using base::base;
    using type = typename combined_type<Arguments, typename base::value_type>::type;

    void make(const auto& comm) {
      static constexpr std::identity itself;
      static constexpr std::plus<> adds;
      auto& of = this->template given_or<keys::transform>(itself);
      auto& by = this->template given_or<keys::op>(adds);
      folded<type, std::remove_reference_t<decltype(by)>> own(by);
      this->failure.attempt([&] {
        for (const auto& each : this->given.values())
          own.add(static_cast<type>(std::invoke(of, each)));
      });
      using kind = plugin::kind_of_others<typename base::kind, type>;
      result = fold_ranks<kind>(comm, this->failure, by, *this, own.value()).second;
      this->failure.attempt([&] {
        if (!result && !this->failure.any())
          plugin::refuse_counts("no rank has a value; give initial");
      });
    }
    [[nodiscard]] type results() { return std::move(*result); }

    std::optional<type> result;
  };
};

template <bool Inclusive>
struct scan_of_values {
  using accepts = plugin::names<keys::send_buf, keys::send_recv_buf, keys::recv_buf, keys::op,
                                keys::initial, keys::recv_count_out>;
  using needs = std::conditional_t<Inclusive, plugin::names<keys::send_buf>,
                                   plugin::names<keys::send_buf, keys::initial>>;
  template <class Arguments>
  struct state : plugin::to_values<state<Arguments>, Arguments> {
    static constexpr const char* name = Inclusive ? "inclusive_scan" : "exclusive_scan";
    using base = plugin::to_values<state, Arguments>;
    using base::base;
    using value = typename base::value_type;

    void make(const auto& comm) {
      static constexpr std::plus<> adds;
      auto& by = this->template given_or<keys::op>(adds);
      using fold = folded<value, std::remove_reference_t<decltype(by)>>;
      fold own(by);
      this->failure.attempt([&] {
        for (const value& each : this->given.values()) own.add(each);
      });
      auto before =
          fold_ranks<typename base::kind>(comm, this->failure, by, *this, own.value()).first;
      if (this->failure.any()) return;
      this->failure.attempt([&] {
        fold all(by);
        all.value() = std::move(before);
        std::vector<value> sums;
        sums.reserve(this->given.values().size());
        for (const value& each : this->given.values()) {
          if (!Inclusive) sums.push_back(*all.value());
          all.add(each);
          if (Inclusive) sums.push_back(*all.value());
        }
        this->put(sums.begin(), sums.end());
      });
    }
  };
};

struct adjacent_difference {
  using accepts = plugin::names<keys::send_buf, keys::send_recv_buf, keys::recv_buf, keys::op,
                                keys::recv_count_out>;
  using needs = plugin::names<keys::send_buf>;
  template <class Arguments>
  struct state : plugin::to_values<state<Arguments>, Arguments> {
    static constexpr const char* name = "adjacent_difference";
    using base = plugin::to_values<state, Arguments>;
    using base::base;
    using value = typename base::value_type;

    void make(const auto& comm) {
      static constexpr std::minus<> subtracts;
      auto& by = this->template given_or<keys::op>(subtracts);
      std::span<const value> mine;
      if (!this->failure.any()) mine = this->given.values();
      this->failure.attempt([&] {
        auto before = plugin::value_before<typename base::kind>(comm, this->failure, mine);
        std::vector<value> differences;
        differences.reserve(mine.size());
        const value* last = before ? &*before : nullptr;
        for (const value& each : mine) {
          differences.push_back(last ? plugin::combine_two<value>(by, each, *last) : each);
          last = &each;
        }
        this->put(differences.begin(), differences.end());
      });
    }
  };
};

}  // namespace operations

/// A plugin that adds predicates, reductions and scans of distributed ranges to a communicator.
template <class Base>
class folds : public Base {
 public:
  using Base::Base;

  /// Whether the predicate holds for all values of all ranks. Collective.
  template <class... A>
  bool all_of(A&&... a) const {
    return plugin::perform<operations::all_of>(*this, static_cast<A&&>(a)...);
  }
  /// Whether it holds for one. Collective.
  template <class... A>
  bool any_of(A&&... a) const {
    return plugin::perform<operations::any_of>(*this, static_cast<A&&>(a)...);
  }
  /// Whether it holds for none. Collective.
  template <class... A>
  bool none_of(A&&... a) const {
    return plugin::perform<operations::none_of>(*this, static_cast<A&&>(a)...);
  }
  /// For how many it holds. Collective.
  template <class... A>
  count_t count_if(A&&... a) const {
    return plugin::perform<operations::count_if>(*this, static_cast<A&&>(a)...);
  }
  /// What all values are together, in their order. Collective.
  template <class... A>
  auto transform_reduce(A&&... a) const {
    return plugin::perform<operations::transform_reduce>(*this, static_cast<A&&>(a)...);
  }
  /// For each value what all up to it are together. Collective.
  template <class... A>
  auto inclusive_scan(A&&... a) const {
    return plugin::perform<operations::scan_of_values<true>>(*this, static_cast<A&&>(a)...);
  }
  /// For each value what all before it are together. Collective.
  template <class... A>
  auto exclusive_scan(A&&... a) const {
    return plugin::perform<operations::scan_of_values<false>>(*this, static_cast<A&&>(a)...);
  }
  /// For each value what it is with the one before it. Collective.
  template <class... A>
  auto adjacent_difference(A&&... a) const {
    return plugin::perform<operations::adjacent_difference>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
