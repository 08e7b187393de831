// Persistent operations with equal parts where MPI's own function for them is wrong (`persistent_defect`,
// provision/matrix.json): the one that takes a length for each rank does the same.

#pragma once

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/collectives/common.hpp>

namespace mpiglot::detail {

/// The form *bound* of an operation, with `Operation::calls` replaced by `Operation::unequal_calls`.
/// `Scatters`: the lengths are those of the sending side.
template <class Operation, bool Scatters>
struct bound_by_lengths : bound {
  computed_layout& parts;

  template <class Calls, class Out, class In, class... Rest>
  void operator()(Calls, Out out, count_t sent, auto out_type, In in, count_t taken, auto in_type,
                  Rest... rest) const {
    for (std::size_t i = 0; i < parts.size(); ++i) parts.set_length(i, Scatters ? sent : taken);
    parts.lay_out();
    parts.visit([&](auto counts, auto displacements) {
      if constexpr (Scatters)
        bound::operator()(unequal_calls<Operation>(), out, counts, displacements, out_type, in,
                          taken, in_type, rest...);
      else
        bound::operator()(unequal_calls<Operation>(), out, sent, out_type, in, counts,
                          displacements, in_type, rest...);
    });
  }
};

/// `State` in its persistent form. The lengths stay as long as the request, as MPI asks.
template <class Operation, class State>
struct even_parts : State {
  using State::State;

  void call(auto io) { State::call(io); }
  void call(bound io) {
    if (library_defect(Operation::persistent_defect) == nullptr) return State::call(io);
    parts = computed_layout(static_cast<std::size_t>(this->group.size));
    State::call(bound_by_lengths<Operation, scatters>{io, parts});
  }

 private:
  static constexpr bool scatters = requires { typename Operation::needs_one_of; };
  computed_layout parts{0, computed_layout::deferred()};
};

template <class Operation, class State>
  requires(requires { Operation::persistent_defect; } && !State::unequal)
struct persistent_state<Operation, State> {
  using type = even_parts<Operation, State>;
};

}  // namespace mpiglot::detail
