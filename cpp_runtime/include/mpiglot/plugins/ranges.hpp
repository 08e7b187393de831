// Algorithms on distributed ranges: the values of all ranks, one rank after another.
//
//   basic_communicator<ranges> comm;
//   const double median = comm.nth_element(send_buf(values), nth(n / 2));
//   auto even = comm.redistribute(send_buf(values));
//
// Members     is_sorted, nth_element, redistribute, shift_left, shift_right, unique
// Needed      send_buf, or send_recv_buf if values are the result; nth for nth_element
// Parameters  send_buf or send_recv_buf; recv_buf (a vector by value); comparator (<) and projection (none) as
//             for sort; nth, a place in the whole range, from 0 on; places (1), how far values move; equality (==);
//             recv_count of redistribute, on all ranks or none: how many values this rank gets (the
//             same number, the first ranks one more). Values without a datatype are given as_serialized(list)
// Asked for   recv_count_out
// Result      is_sorted: a bool, nth_element: a value, on every rank. The others: the values of this rank. unique
//             leaves the first of neighbouring equal values; after a shift the last ranks, or the first,
//             have fewer values
// Messages    two to four small collectives, and an alltoallv that moves values; nth_element makes some rounds of an
//             allgatherv of about 1,000 values in all and an allreduce of six integers
// Allocates   copies of the values, and room for the result
// Errors      of a rank, also those of the program's functions, are thrown there and, as remote_failure, on all
//             others; numbers that differ between ranks, or that are not in the range, as count_error on all

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <mpiglot/plugin.hpp>
#include <mpiglot/plugins/order.hpp>
#include <optional>
#include <random>
#include <vector>

namespace mpiglot {

namespace keys {
struct nth {};
struct places {};
}  // namespace keys

/// A place in the whole range.
[[nodiscard]] inline parameter<keys::nth, count_t> nth(count_t place) { return {place}; }
/// How many places values move.
[[nodiscard]] inline parameter<keys::places, count_t> places(count_t n) { return {n}; }

namespace operations {

struct is_sorted {
  using accepts = plugin::names<keys::send_buf, keys::comparator, keys::projection>;
  using needs = plugin::names<keys::send_buf>;
  template <class Arguments>
  struct state : plugin::on_values<state<Arguments>, Arguments> {
    static constexpr const char* name = "is_sorted";
    using base = plugin::on_values<state, Arguments>;
    using base::base;

    void make(const auto& comm) {
      const auto less = plugin::projected_of<keys::comparator, std::less<>>(*this);
      std::vector<typename base::value_type> ends;
      this->failure.attempt([&] {
        const auto values = this->given.values();
        this->told = std::is_sorted(values.begin(), values.end(), less) ? 0 : 1;
        if (!values.empty()) ends = {values.front(), values.back()};
      });
      this->failure.attempt([&] {
        const auto all =
            plugin::gather_values<typename base::kind>(comm, this->failure, ends).values;
        for (std::size_t i = 2; i < all.size(); i += 2)
          if (less(all[i], all[i - 1])) this->told = 1;
      });
    }
    [[nodiscard]] bool results() const { return this->told == 0; }
  };
};

struct nth_element {
  using accepts = plugin::names<keys::send_buf, keys::nth, keys::comparator, keys::projection>;
  using needs = plugin::names<keys::send_buf, keys::nth>;
  template <class Arguments>
  struct state : plugin::on_values<state<Arguments>, Arguments> {
    static constexpr const char* name = "nth_element";
    using base = plugin::on_values<state, Arguments>;
    using value = typename base::value_type;
    using base::base;

    // In rounds: two values of a sample are taken, between which the searched one is likely to be, and the values that
    // it can be are kept.
    void make(const auto& comm) {
      const auto less = plugin::projected_of<keys::comparator, std::less<>>(*this);
      std::vector<value> kept;
      count_t place = this->arguments.template get<keys::nth>().value;
      count_t all = 0;
      this->failure.attempt([&] {
        const auto values = this->given.values();
        kept.assign(values.begin(), values.end());
      });
      this->failure.attempt([&] {
        const auto sizes = plugin::tell_sizes(comm, this->failure, kept.size(), place);
        all = sizes.all();
        if (sizes.same() < 0 || place >= all) plugin::refuse_counts("there is no such element");
      });
      std::minstd_rand random(static_cast<unsigned>(this->group.rank) + 1);
      while (!found) {
        std::vector<value> drawn;
        std::optional<value> low, high;
        // Where a value is: before low, low, between, high, behind.
        const auto at = [&](const value& one) {
          if (!less(*low, one)) return less(one, *low) ? 0u : 1u;
          if (!less(*high, one)) return less(one, *high) ? 2u : 3u;
          return 4u;
        };
        std::array<count_t, 6> own{}, sums{};
        this->failure.attempt([&] { drawn = sample(kept, all, random); });
        this->failure.attempt([&] {
          drawn = plugin::gather_values<typename base::kind>(comm, this->failure, drawn).values;
          std::sort(drawn.begin(), drawn.end(), less);
          const auto n = static_cast<count_t>(drawn.size());
          const auto middle = static_cast<count_t>(
              static_cast<double>(place) * static_cast<double>(n) / static_cast<double>(all));
          const auto away = n == all ? 0 : static_cast<count_t>(std::sqrt(n));
          low = drawn[static_cast<std::size_t>(std::max<count_t>(middle - away, 0))];
          high = drawn[static_cast<std::size_t>(std::min(middle + away, n - 1))];
          for (const value& one : kept) ++own[at(one)];
        });
        own[5] = this->failure.any() ? 1 : 0;
        if (!this->failure.attempt(
                [&] { comm.allreduce(send_buf(own), recv_buf(sums), op(mpi::sum)); }) ||
            sums[5] != 0)
          return;
        std::size_t part = 0;
        for (; place >= sums[part]; ++part) place -= sums[part];
        all = sums[part];
        if (part == 1)
          found = std::move(low);
        else if (part == 3)
          found = std::move(high);
        else
          this->failure.attempt(
              [&] { std::erase_if(kept, [&](const value& one) { return at(one) != part; }); });
      }
    }
    [[nodiscard]] value results() { return static_cast<value&&>(*found); }

   private:
    // About 1,000 values of all ranks, or all.
    [[nodiscard]] static std::vector<value> sample(const std::vector<value>& of, count_t all,
                                                   auto& random) {
      const double share = std::min(1.0, 1000.0 / static_cast<double>(all));
      const auto size = static_cast<count_t>(of.size());
      const auto n = static_cast<count_t>(std::ceil(share * static_cast<double>(size)));
      std::vector<value> some;
      some.reserve(static_cast<std::size_t>(n));
      plugin::draw_places(n, size, random, [&](count_t place) {
        some.push_back(of[static_cast<std::size_t>(place)]);
      });
      return some;
    }

    std::optional<value> found;
  };
};

struct redistribute {
  using accepts = plugin::names<keys::send_buf, keys::send_recv_buf, keys::recv_buf,
                                keys::recv_count, keys::recv_count_out>;
  using needs = plugin::names<keys::send_buf>;
  template <class Arguments>
  struct state : plugin::to_values<state<Arguments>, Arguments> {
    static constexpr const char* name = "redistribute";
    using base = plugin::to_values<state, Arguments>;
    using base::base;

    void make(const auto& comm) {
      constexpr bool counted = Arguments::template has<keys::recv_count>;
      this->move(
          comm, this->arguments.template value_or<keys::recv_count>(count_t{-1}),
          [](const auto& sizes) {
            const count_t all = sizes.all();
            const auto ranks = static_cast<count_t>(sizes.of.size());
            std::vector<count_t> first{0};
            for (count_t r = 0; r < ranks; ++r) {
              const count_t said = sizes.of[static_cast<std::size_t>(r)].said;
              if (counted ? said < 0 : said != -1)
                plugin::refuse_counts("recv_count is negative, or given on some ranks only");
              first.push_back(counted ? first.back() + said : plugin::even_division{ranks}(r, all));
            }
            if (first.back() != all)
              plugin::refuse_counts("recv_count of all ranks is not the number of values");
            return first;
          });
    }
  };
};

template <bool Left>
struct shift {
  using accepts = plugin::names<keys::send_buf, keys::send_recv_buf, keys::recv_buf, keys::places,
                                keys::recv_count_out>;
  using needs = plugin::names<keys::send_buf>;
  template <class Arguments>
  struct state : plugin::to_values<state<Arguments>, Arguments> {
    static constexpr const char* name = Left ? "shift_left" : "shift_right";
    using base = plugin::to_values<state, Arguments>;
    using base::base;

    void make(const auto& comm) {
      this->move(comm, this->arguments.template value_or<keys::places>(count_t{1}),
                 [](const auto& sizes) {
                   const count_t far = sizes.same(), all = sizes.all();
                   if (far < 0) plugin::refuse_counts("values move by less than 0 places");
                   std::vector<count_t> first{0};
                   for (const auto& each : sizes.of) first.push_back(first.back() + each.own);
                   for (count_t& one : first)
                     one = Left ? std::min(far, all - one) + one : std::max(far, one) - far;
                   return first;
                 });
    }
  };
};

struct unique {
  using accepts = plugin::names<keys::send_buf, keys::send_recv_buf, keys::recv_buf, keys::equality,
                                keys::projection, keys::recv_count_out>;
  using needs = plugin::names<keys::send_buf>;
  template <class Arguments>
  struct state : plugin::to_values<state<Arguments>, Arguments> {
    static constexpr const char* name = "unique";
    using base = plugin::to_values<state, Arguments>;
    using value = typename base::value_type;
    using base::base;

    void make(const auto& comm) {
      const auto same = plugin::projected_of<keys::equality, std::equal_to<>>(*this);
      std::vector<value> mine;
      this->failure.attempt([&] {
        const auto values = this->given.values();
        std::unique_copy(values.begin(), values.end(), std::back_inserter(mine), same);
      });
      this->failure.attempt([&] {
        const std::span<const value> own(mine);
        const auto before = plugin::value_before<typename base::kind>(comm, this->failure, own);
        const bool first_too = !mine.empty() && before && same(*before, mine.front());
        const auto from = mine.begin() + (first_too ? 1 : 0);
        this->put(from, mine.end());
      });
    }
  };
};

}  // namespace operations

/// A plugin that adds algorithms on distributed ranges to a communicator.
template <class Base>
class ranges : public Base {
 public:
  using Base::Base;

  /// Whether each value is at its place in the order. Collective.
  template <class... A>
  bool is_sorted(A&&... a) const {
    return plugin::perform<operations::is_sorted>(*this, static_cast<A&&>(a)...);
  }
  /// The value that would be at place `nth` if the range were sorted. Collective.
  template <class... A>
  auto nth_element(A&&... a) const {
    return plugin::perform<operations::nth_element>(*this, static_cast<A&&>(a)...);
  }
  /// Gives each rank its number of values, in their order. Collective.
  template <class... A>
  auto redistribute(A&&... a) const {
    return plugin::perform<operations::redistribute>(*this, static_cast<A&&>(a)...);
  }
  /// Moves values to places before, by 1 or `places`; the first ones are gone. Collective.
  template <class... A>
  auto shift_left(A&&... a) const {
    return plugin::perform<operations::shift<true>>(*this, static_cast<A&&>(a)...);
  }
  /// Moves values to places behind; the last ones are gone. Collective.
  template <class... A>
  auto shift_right(A&&... a) const {
    return plugin::perform<operations::shift<false>>(*this, static_cast<A&&>(a)...);
  }
  /// Leaves the first of neighbouring equal values. Collective.
  template <class... A>
  auto unique(A&&... a) const {
    return plugin::perform<operations::unique>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
