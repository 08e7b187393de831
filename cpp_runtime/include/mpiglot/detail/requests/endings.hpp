// What becomes of the errors of requests: they are thrown, shown to the communicator's hook before,
// or given back as values (`returning_end` of outcome.hpp).

#pragma once

#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/requests/observed.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/parameters.hpp>
#include <mpiglot/policy.hpp>

namespace mpiglot::detail {

[[gnu::always_inline, nodiscard]] inline int wait_for(mpi::request_handle& request,
                                                      mpi::status_out status) noexcept {
  return mpi::detail::waiting(&request.native, status.native);
}
/// MPI's code and whether the operation is complete.
[[gnu::always_inline, nodiscard]] inline mpi::result<bool> test_for(
    mpi::request_handle& request, mpi::status_out status) noexcept {
  int complete = 0;
  const int code = mpi::detail::testing(&request.native, &complete, status.native);
  return {code, complete != 0};
}
[[nodiscard]] inline bool was_cancelled(const mpi::status& status) noexcept {
  int cancelled = 0;
  MPIGLOT_MPI(MPI_Test_cancelled)(&status.native, &cancelled);
  return cancelled != 0;
}

/// The error of an operation whose request MPI has freed without telling it: Open MPI does so with
/// all that have failed when one of several is complete with an error.
constexpr int lost_error = MPI_ERR_UNKNOWN;

/// The operation of a request has failed. Some MPIs keep the request then; nothing is pending.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise_end(int code, mpi::request_handle handle,
                                                             const char* name) {
  if (handle) mpi::request_handle::free(&handle.native);
  raise(code, name);
}

/// True if an operation sends to MPI_PROC_NULL or receives from it.
template <class State>
[[nodiscard]] bool is_with_nobody(State& state) noexcept {
  if constexpr (requires { state.arguments; }) {
    using given = std::remove_cvref_t<decltype(state.arguments)>;
    if constexpr (given::template has<keys::destination>)
      return state.arguments.template get<keys::destination>().value == MPI_PROC_NULL;
    else if constexpr (given::template has<keys::source>)
      return state.arguments.template get<keys::source>().value == MPI_PROC_NULL;
  }
  return false;
}

/// The rank that a receive is from, as far as it is known; else a negative number.
template <class State>
[[nodiscard]] int source_of_message(State& state, const mpi::status& status) {
  if constexpr (requires { state.from(); }) {
    const int from = state.from();
    return from >= 0 ? from : status.source();
  } else {
    return -1;
  }
}
/// The same of a receive, whose state has the status once it is complete.
template <class State>
[[nodiscard, gnu::always_inline]] inline int source_of_receive(State& state,
                                                               [[maybe_unused]] bool complete) {
  if constexpr (requires { state.status.value; })
    return complete ? source_of_message(state, state.status.value) : state.from();
  else
    return state.from();
}

/// Says where the error of an operation was found.
[[gnu::cold, gnu::noinline]] inline void locate(error& failure, const char* name,
                                                mpi::comm_handle comm) noexcept {
  int rank = -1;
  if (comm) static_cast<void>(MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank));
  failure.locate(name, comm, rank);
}

/// The same of a receive, whose source is negative if it is not known.
[[gnu::cold, gnu::noinline]] inline void locate(error& failure, const char* name,
                                                mpi::comm_handle comm, int source) noexcept {
  failure.name_source(source);
  locate(failure, name, comm);
}

/// The same on a window or a file.
void locate(error& failure, const char* name, mpi::win_handle window) noexcept;
void locate(error& failure, const char* name, mpi::file_handle file) noexcept;

/// The same as far as the operation's state knows; of a receive also the rank that it is from.
template <class State>
[[gnu::always_inline]] inline void locate_by(error& failure, State& state, const char* name,
                                             [[maybe_unused]] bool complete) noexcept {
  if constexpr (requires { state.from(); })
    locate(failure, name, state.comm, source_of_receive(state, complete));
  else if constexpr (requires { state.group.comm; })
    locate(failure, name, state.group.comm);
  else if constexpr (requires { mpi::comm_handle(state.comm); })
    locate(failure, name, state.comm);
  else if constexpr (requires { mpi::win_handle(state.window); })
    locate(failure, name, state.window);
  else if constexpr (requires { mpi::file_handle(state.file); })
    locate(failure, name, state.file);
}

/// Errors are thrown.
struct throwing_end {
  static constexpr bool keeps_failures = false;
  static constexpr bool locates = true;
  template <class T>
  using value = T;

  static void see(const error&) noexcept {}
};

/// They are shown to `on_error` of the communicator, window or file before. Unless that is a static
/// member, the object must be where it is until the request is complete.
template <class Object>
struct hooked_end : throwing_end {
  const Object* object;

  explicit hooked_end(const Object& on) noexcept : object(&on) {}
  void see(const error& failure) const { object->on_error(failure); }
};
template <class Object>
  requires requires(const error& failure) { Object::on_error(failure); }
struct hooked_end<Object> : throwing_end {
  explicit hooked_end(const Object&) noexcept {}
  static void see(const error& failure) { Object::on_error(failure); }
};

template <class Object>
concept has_hook =
    requires(const Object& object, const error& failure) { object.on_error(failure); };

/// The same inside of another operation, which says where it was.
struct inner_end : throwing_end {
  static constexpr bool locates = false;
};
// They are given back: outcome.hpp.
template <class Shown>
class returning_end;

template <class Object>
struct shown_to {
  using type = throwing_end;
};
template <class Object>
  requires(is_inner<Object>)
struct shown_to<Object> {
  using type = inner_end;
};
template <has_hook Object>
struct shown_to<Object> {
  using type = hooked_end<Object>;
};

/// How the requests of a communicator, window or file end.
template <class Object, class Policy = error_policy_of<Object>>
struct ending : shown_to<Object> {};
template <class Object>
struct ending<Object, returning> {
  using type = returning_end<typename shown_to<Object>::type>;
};
/// The same, told to the plugins of a communicator.
template <class Object>
struct told_ending : ending<Object> {};
template <class Object>
  requires is_observed<Object>
struct told_ending<Object> {
  using type = observed_end<Object, typename ending<Object>::type>;
};
template <class Object>
using ending_of = typename told_ending<Object>::type;

/// The ending of a request of `object`.
template <class Object>
[[nodiscard]] ending_of<Object> end_on([[maybe_unused]] const Object& object) noexcept {
  using untold = typename ending<Object>::type;
  if constexpr (is_observed<Object> && has_hook<Object>)
    return ending_of<Object>(object, untold(object));
  else if constexpr (is_observed<Object>)
    return ending_of<Object>(object, untold());
  else if constexpr (has_hook<Object>)
    return ending_of<Object>(object);
  else
    return {};
}

template <class Io>
inline constexpr call_form form_of = Io::repeats ? call_form::persistent : call_form::nonblocking;

/// A step of an operation, as errors tell it: what was called, and whether it is complete then. A type,
/// so that steps without errors carry nothing for it.
template <class State, class Io, bool Complete>
struct step_of {
  static constexpr const char* name = form_name<State, Io>.text;
  static constexpr bool complete = Complete;
};

/// Runs `action`, which is the step. An error of it is told where it was found, and `end` sees it.
template <class Step, class End, class State, class Action>
[[gnu::always_inline]] inline auto located_and_seen([[maybe_unused]] End& end,
                                                    [[maybe_unused]] State& state, Action action) {
#if defined(__cpp_exceptions)
  try {
#endif
    return action();
#if defined(__cpp_exceptions)
  } catch (error& failure) {
    if constexpr (End::locates) locate_by(failure, state, Step::name, Step::complete);
    end.see(failure);
    throw;
  }
#endif
}

/// Runs `action`, a step, and tells `end` of it.
template <class End, class State, class Action>
auto told_step(End& end, State& state, bool last, Action action) {
  observed_step<End, State> told(end, state, last);
  if constexpr (std::is_void_v<decltype(action())>) {
    action();
    told.well();
  } else {
    auto result = action();
    if constexpr (End::keeps_failures) {
      if (result) told.well();
    } else {
      told.well();
    }
    return result;
  }
}

template <class Io, bool Complete, class End, class State, class Action>
[[gnu::always_inline]] inline auto run_untold(End& end, State& state, Action action) {
  using step = step_of<State, Io, Complete>;
  if constexpr (End::keeps_failures) {
    return end.run(state, step::name, Complete, action);
  } else {
    located_and_seen<step>(end, state, [&] {
      if (const int code = action(); code != MPI_SUCCESS) [[unlikely]]
        raise(code, step::name);
    });
  }
}

/// Runs `action`, a step of an operation that gives MPI's code, and whatever it gives back. Errors
/// go where `End` says.
template <class Io, bool Complete, class End, class State, class Action>
[[gnu::always_inline]] inline auto run_step(End& end, State& state, Action action) {
  if constexpr (observes<End>) {
    if constexpr (!Complete) end.begin(state, form_name<State, Io>.text, form_of<Io>);
    return told_step(end, state, Complete,
                     [&] { return run_untold<Io, Complete>(end, state, action); });
  } else {
    return run_untold<Io, Complete>(end, state, action);
  }
}

template <class End, class State, class Io>
[[gnu::always_inline]] inline void start_untold(End& end, State& state, int& code, Io io) {
  using step = step_of<State, Io, false>;
  if constexpr (End::keeps_failures) {
    end.start(state, step::name, code, io);
  } else if constexpr (requires { State::stays_in_registers; }) {
    // Other states take g++ fewer instructions if this is not inlined.
    located_and_seen<step>(end, state, [&]() __attribute__((always_inline)) {
      prepare_as<Io>(state);
      MPIGLOT_INLINED_HERE state.call(io);
      if (code != MPI_SUCCESS) [[unlikely]]
        raise_start(code, step::name);
    });
  } else {
    located_and_seen<step>(end, state, [&]() MPIGLOT_INLINED {
      prepare_as<Io>(state);
      MPIGLOT_INLINED_HERE state.call(io);
      if (code != MPI_SUCCESS) [[unlikely]]
        raise_start(code, step::name);
    });
  }
}

/// Prepares an operation and starts it, or sets it up: `state.call(io)`.
template <class End, class State, class Io>
[[gnu::always_inline]] inline void start_later(End& end, State& state, int& code, Io io) {
  if constexpr (observes<End> && Io::starts) {
    end.begin(state, form_name<State, Io>.text, form_of<Io>);
    [[maybe_unused]] const listening_in<State, typename End::told_type> listens(end.inside());
    told_step(end, state, false, [&] { start_untold(end, state, code, io); });
  } else {
    start_untold(end, state, code, io);
  }
}

template <class Io, class End, class State>
[[gnu::always_inline]] inline auto finish_untold(End& end, State& state, int code,
                                                 mpi::request_handle failed) {
  using step = step_of<State, Io, true>;
  if constexpr (End::keeps_failures) {
    return end.finish(state, step::name, code, failed);
  } else {
    return located_and_seen<step>(end, state, [&] {
      if (code != MPI_SUCCESS) [[unlikely]]
        raise_end(code, failed, step::name);
      state.finish();
      return state.results();
    });
  }
}

/// The result of an operation that MPI has completed with this code.
template <class Io, class End, class State>
[[gnu::always_inline]] inline auto finish_later(End& end, State& state, int code,
                                                mpi::request_handle failed) {
  if constexpr (observes<End>)
    return told_step(end, state, true, [&] { return finish_untold<Io>(end, state, code, failed); });
  else
    return finish_untold<Io>(end, state, code, failed);
}

/// The same up to the result, which the state has then. After an error, the same call throws it once
/// more.
template <class Io, class End, class State>
void settle_untold(End& end, State& state, int code, mpi::request_handle failed) {
  using step = step_of<State, Io, true>;
  located_and_seen<step>(end, state, [&] {
    if (code != MPI_SUCCESS) [[unlikely]]
      raise_end(code, failed, step::name);
#if defined(__cpp_exceptions)
    try {
      state.finish();
    } catch (...) {
      // What was kept is gone; what unpacking throws it throws again.
      if constexpr (requires { state.fail_again(); })
        state.fail_again();
      else if constexpr (requires { requires State::failure_type::possible; })
        state.failure.attempt([] { throw; });
      throw;
    }
#else
    state.finish();
#endif
  });
}
template <class Io, class End, class State>
void settle_later(End& end, State& state, int code, mpi::request_handle failed) {
  if constexpr (observes<End>)
    told_step(end, state, true, [&] { settle_untold<Io>(end, state, code, failed); });
  else
    settle_untold<Io>(end, state, code, failed);
}

/// Runs `action`, whose error is told which of several requests it is of.
template <class Request, class Action>
void naming_request([[maybe_unused]] Request& request, [[maybe_unused]] std::size_t place,
                    [[maybe_unused]] const mpi::status& status, Action action) {
#if defined(__cpp_exceptions)
  try {
#endif
    action();
#if defined(__cpp_exceptions)
  } catch (error& failure) {
    failure.name_request(place, request.source_of_message(status));
    throw;
  }
#endif
}

}  // namespace mpiglot::detail
