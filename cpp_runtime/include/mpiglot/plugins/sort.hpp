// Sorting a distributed range: afterwards rank 0 has the smallest values, and each rank a sorted part of about the same
// length.
//
//   basic_communicator<sorter> comm;
//   auto sorted = comm.sort(send_buf(values));
//   comm.stable_sort(send_recv_buf(people), comparator(std::greater<>()), projection(&person::age));
//
// Members     sort, stable_sort
// Parameters  send_buf, or send_recv_buf, which is replaced; recv_buf (a vector by value); comparator (<);
//             projection (none); imbalance (0.05: how much longer than the mean a part may be; 0: parts differ
//             by one element at most). Values without a datatype are given as_serialized(list)
// Asked for   recv_count_out
// Result      that of alltoallv
// Messages    in each of a few rounds an allgatherv of at most 32 values a rank and an allreduce of as many
//             integers; then an alltoallv, and an allreduce of one integer. Ranks, equal values and their
//             distribution make no difference
// Allocates   a copy of the values, room for the result, and memory for half of it
// Errors      of a rank, also those of the comparator, are thrown there and, as remote_failure, on all others.
//             send_recv_buf then has its old values, or moved ones

#pragma once

#include <algorithm>
#include <mpiglot/plugin.hpp>
#include <mpiglot/plugins/order.hpp>
#include <vector>

namespace mpiglot {

namespace keys {
struct imbalance {};
}  // namespace keys

/// By which part of the mean a rank's part of the result may be longer than it, from 0 on.
[[nodiscard]] inline parameter<keys::imbalance, double> imbalance(double most) { return {most}; }

namespace operations {

template <bool Stable>
struct sort_of_ranks {
  using accepts =
      plugin::names<keys::send_buf, keys::send_recv_buf, keys::recv_buf, keys::recv_count_out,
                    keys::comparator, keys::projection, keys::imbalance>;
  using needs = plugin::names<keys::send_buf>;

  template <class Arguments>
  struct state : plugin::to_values<state<Arguments>, Arguments> {
    static constexpr const char* name = Stable ? "stable_sort" : "sort";
    using base = plugin::to_values<state, Arguments>;
    using base::base;
    using value = typename base::value_type;
    using kind = typename base::kind;

    void make(const auto& comm) {
      const auto less = plugin::projected_of<keys::comparator, std::less<>>(*this);
      const double most = this->arguments.template value_or<keys::imbalance>(0.05) / 2;
      const int ranks = this->group.size;
      auto& failed = this->failure;
      std::vector<value> mine;
      failed.attempt([&] {
        const auto values = this->given.values();
        mine.assign(values.begin(), values.end());
        if constexpr (Stable)
          plugin::sort_stably(std::span(mine), less);
        else
          std::sort(mine.begin(), mine.end(), less);
      });
      plugin::divided_values<kind> parts;
      const plugin::even_division evenly{ranks};
      if (!parts.find(ranks - 1, comm, failed, mine, less, evenly, most / ranks)) return;
      std::vector<count_t> counts;
      std::span<value> to;
      failed.attempt([&] {
        counts = parts.lengths();
        to = this->room.make(parts.length_on(this->group.rank));
      });
      failed.attempt([&] {
        const std::span<const value> own(mine);
        plugin::merge_parts(to, plugin::exchange_values<kind>(comm, failed, own, counts, to), less);
        this->room.finish();
      });
    }
  };
};

}  // namespace operations

/// A plugin that adds `sort` and `stable_sort` to a communicator.
template <class Base>
class sorter : public Base {
 public:
  using Base::Base;

  /// Sorts the values of all ranks. The comment at the top of this header lists the parameters. Collective.
  template <class... A>
  auto sort(A&&... a) const {
    return plugin::perform<operations::sort_of_ranks<false>>(*this, static_cast<A&&>(a)...);
  }
  /// The same; equal values keep their order. Collective.
  template <class... A>
  auto stable_sort(A&&... a) const {
    return plugin::perform<operations::sort_of_ranks<true>>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
