// How an operation runs: one description, three forms.
//
// An operation is a class with the names of its parameters and a `state`, which holds the ports of
// one call and does four things:
//
//   prepare()   before every start: packs
//   agree()     the messages before the last one, where lengths are unknown; false: a rank failed
//   call(io)    the last MPI call, and the only one if `state::one_call`
//   finish()    after completion: unpacks, throws what failed before the last call
//   results()   what the call gives back
//
// `io` is *now*, *later* or *bound* and picks from the triple {MPI_X, MPI_Ix, MPI_X_init}.

#pragma once

#include <mpiglot/detail/arguments.hpp>
#include <mpiglot/detail/explain.hpp>
#include <mpiglot/request.hpp>

namespace mpiglot::detail {

template <class State>
[[gnu::always_inline]] inline auto run_now(State&& state) {
  state.prepare();
  bool agreed = true;
  if constexpr (!State::one_call) agreed = state.agree();
  if (agreed) state.call(now{});
  state.finish();
  return state.results();
}

/// A call of `Operation` in the form `Io` with arguments `A...`.
template <class Operation, class Io, class... A>
struct call {
  using verdict = typename decltype(verdict_of<Operation, Io, std::remove_cvref_t<A>...>())::type;

  template <class Communicator>
  [[gnu::always_inline]] static auto perform(const Communicator& comm, A&&... a) {
    if constexpr (!is_right<verdict>) {
      return anything<values_of<std::remove_cvref_t<A>...>>();
    } else {
      using given = arguments<std::remove_cvref_t<A>...>;
      using state = typename Operation::template state<given>;
      const group_view group{comm.handle(), comm.rank(), comm.size()};
      if constexpr (std::is_same_v<Io, now>)
        return run_now(state(group, given{static_cast<A&&>(a)...}));
      else if constexpr (std::is_same_v<Io, later>)
        return request<state>(group, given{static_cast<A&&>(a)...});
      else
        return persistent_request<state>(group, given{static_cast<A&&>(a)...});
    }
  }
};

}  // namespace mpiglot::detail
