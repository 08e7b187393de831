// How operations on windows and files run: like those on communicators (engine.hpp), but on another
// handle, and nothing is exchanged before the MPI call.

#pragma once

#include <mpiglot/detail/engine.hpp>

namespace mpiglot::wrong {

template <class Parameter, class Operation>
struct buffer_must_live_until_the_epoch_ends_give_an_lvalue {};
template <class Parameter, class Operation>
struct buffer_is_encoded_and_not_laid_out_in_memory {};
template <class Parameter, class Other, class Operation>
struct parameters_exclude_each_other {};

}  // namespace mpiglot::wrong

namespace mpiglot::detail {

/// The blocking form: keeps MPI's code.
struct at_once {
  int code = MPI_SUCCESS;

  template <class Calls, class... A>
  void operator()(Calls, const A&... a) {
    code = Calls::now(a...).code;
  }
};

/// What is wrong with a call: what is for every operation, then what the state finds.
template <class Operation, class Io, class... A>
[[nodiscard]] consteval auto handle_verdict() {
  using general = verdict_of<Operation, Io, arguments<A...>, A...>;
  if constexpr (is_right<general>)
    return typename Operation::template state<arguments<A...>>::template verdict<Io>();
  else
    return general();
}

template <class Operation, class Io, class... A>
struct handle_call {
  using verdict = decltype(handle_verdict<Operation, Io, std::remove_cvref_t<A>...>());

  template <class Handle>
  [[gnu::always_inline]] static auto perform(Handle handle, A&&... a) {
    if constexpr (!is_right<verdict>) {
      return anything<values_of<std::remove_cvref_t<A>...>>();
    } else {
      using given = arguments<std::remove_cvref_t<A>...>;
      using state = typename Operation::template state<given>;
      if constexpr (Io::blocking) {
        state running(handle, given{static_cast<A&&>(a)...});
        running.prepare();
        at_once io;
        running.call(io);
        running.rethrow();
        if (io.code != MPI_SUCCESS) [[unlikely]]
          raise(io.code, state::function);
        running.finish();
        return running.results();
      } else {
        return request<state>(handle, given{static_cast<A&&>(a)...});
      }
    }
  }
};

}  // namespace mpiglot::detail
