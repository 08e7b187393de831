// Values that lie on other ranks, by their keys: each key has a rank that knows the answer.
//
//   basic_communicator<lookup> comm;
//   auto ages = comm.look_up(send_buf(names), home([&](const std::string& name) { return rank_of(name); }),
//                            answer([&](const std::string& name) { return table.at(name); }));
//
// Members     look_up
// Needed      send_buf, home, answer
// Parameters  send_buf (keys; without a datatype as_serialized(list)); home: the rank that answers for a key; answer: of a
//             key that came to this rank, makes its value; recv_buf (a vector by value); dimensions (2): in how many
//             hops keys and answers travel, as of alltoallv_grid
// Asked for   recv_count_out
// Result      the answers, in the order of the keys
// Messages    two exchanges over a grid of the ranks, and an allreduce of two integers
// Allocates   copies of keys and answers, and room for the result
// Errors      of a rank, also those of the program's functions, are thrown there and, as remote_failure, on all others

#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <mpiglot/plugin.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/serialized.hpp>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace mpiglot {

namespace keys {
struct home {};
struct answer {};
}  // namespace keys

/// The rank that answers for a key: a function of the key.
template <class Function>
[[nodiscard]] parameter<keys::home, Function> home(Function&& rank_of) {
  return {static_cast<Function&&>(rank_of)};
}
/// The value of a key, on the rank that answers for it: a function of the key.
template <class Function>
[[nodiscard]] parameter<keys::answer, Function> answer(Function&& value_of) {
  return {static_cast<Function&&>(value_of)};
}

namespace operations {

struct look_up {
  using accepts = plugin::names<keys::send_buf, keys::home, keys::answer, keys::recv_buf,
                                keys::recv_count_out, keys::dimensions>;
  using needs = plugin::names<keys::send_buf, keys::home, keys::answer>;

  template <class Arguments>
  struct state : plugin::on_values<state<Arguments>, Arguments> {
    static constexpr const char* name = "look_up";
    using base = plugin::on_values<state, Arguments>;
    using key = typename base::value_type;
    using function = typename plugin::parameter_of<Arguments, keys::answer>::type;
    using value = std::remove_cvref_t<std::invoke_result_t<function&, const key&>>;

    state(const plugin::group_view& on, Arguments&& from)
        : base(on, static_cast<Arguments&&>(from)), room(this->arguments) {}

    void make(const auto&) {
      const plugin::inner<Arguments, grid_alltoall> comm(this->group.comm);
      auto& failed = this->failure;
      const auto ranks = static_cast<std::size_t>(this->group.size);
      std::vector<key> asked;
      std::vector<std::size_t> order;  // the places of the keys, by the ranks that answer
      std::vector<count_t> counts;
      plugin::make_in_stage(this->group, [&] { counts.resize(ranks); });
      failed.attempt([&] { ask(asked, order, counts); });
      auto came = exchange<typename base::kind>(comm, asked, counts);
      std::vector<value> answers;
      failed.attempt([&] {
        auto& of = this->arguments.template get<keys::answer>().value;
        answers.reserve(came.values.size());
        for (const key& each : came.values) answers.push_back(std::invoke(of, each));
      });
      auto found =
          exchange<plugin::kind_of_others<typename base::kind, value>>(comm, answers, came.counts);
      failed.attempt([&] {
        if (found.values.size() != order.size()) plugin::fail_elsewhere(remote_failure::unknown);
        const std::span<value> to = room.make(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) to[order[i]] = std::move(found.values[i]);
        room.finish();
      });
    }
    [[nodiscard]] auto results() { return room.results(this->arguments); }

   private:
    void ask(std::vector<key>& asked, std::vector<std::size_t>& order,
             std::vector<count_t>& counts) {
      auto& rank_of = this->arguments.template get<keys::home>().value;
      const auto values = this->given.values();
      std::vector<std::size_t> homes;
      homes.reserve(values.size());
      for (const key& each : values) {
        const auto rank = static_cast<count_t>(std::invoke(rank_of, each));
        if (rank < 0 || rank >= this->group.size) plugin::fail(MPI_ERR_RANK, name);
        homes.push_back(static_cast<std::size_t>(rank));
      }
      order.resize(values.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(homes[a], a) < std::pair(homes[b], b);
      });
      asked.reserve(values.size());
      for (const std::size_t place : order) asked.push_back(values[place]);
      for (const std::size_t rank : homes) ++counts[rank];
    }
    /// Sends so many values to each rank; after a failure, none.
    template <class Kind, class T = typename Kind::value_type>
    [[nodiscard]] plugin::values_of_ranks<T> exchange(const auto& comm, std::vector<T>& mine,
                                                      std::vector<count_t>& counts) {
      const int hops = this->arguments.template value_or<keys::dimensions>(2);
      plugin::values_of_ranks<T> came;
      plugin::make_in_stage(this->group, [&] { came.counts.resize(counts.size()); });
      if (this->failure.any()) {
        mine.clear();
        counts.assign(counts.size(), 0);
      }
      if constexpr (Kind::encoded) {
        std::vector<std::vector<T>> parts;
        plugin::make_in_stage(this->group, [&] { parts.resize(counts.size()); });
        this->failure.attempt([&] {
          auto next = std::make_move_iterator(mine.begin());
          for (std::size_t rank = 0; rank < counts.size(); next += counts[rank++])
            parts[rank].assign(next, next + counts[rank]);
        });
        this->failure.attempt([&] {
          came = plugin::joined(comm.alltoallv_grid(
              send_buf(as_serialized<typename Kind::codec>(parts)), dimensions(hops)));
        });
      } else {
        this->failure.attempt([&] {
          came.values = comm.alltoallv_grid(send_buf(mine), send_counts(counts), dimensions(hops),
                                            recv_counts_out<resize_to_fit>(came.counts));
        });
      }
      return came;
    }

    plugin::room<Arguments, value> room;
  };
};

}  // namespace operations

/// A plugin that adds `look_up` to a communicator.
template <class Base>
class lookup : public Base {
 public:
  using Base::Base;

  /// Asks other ranks for the values of keys. The comment at the top of this header lists the parameters. Collective.
  template <class... A>
  auto look_up(A&&... a) const {
    return plugin::perform<operations::look_up>(*this, static_cast<A&&>(a)...);
  }
};

}  // namespace mpiglot
