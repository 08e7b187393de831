// How an operation runs: one description, three forms.
//
// An operation is a class with the names of its parameters and a `state`, which holds the adapters
// of one call and does five things:
//
//   prepare()    before every start: packs. Of an operation whose arguments ranks may compare, a
//                template with the form of the call, `prepare<Io>()`
//   agree(code)  the messages before the last one, where lengths are unknown; false: the last call
//                is not needed (a rank failed, or everything has travelled)
//   call(io)     the last MPI call, and the only one if `state::one_call`
//   finish()     after completion: unpacks, throws what failed before the last call
//   results()    what the call gives back
//
// `io` is *now*, *later* or *bound* and picks from the triple {MPI_X, MPI_Ix, MPI_X_init}. MPI's
// codes come back here, where it is decided what becomes of an error.

#pragma once

#include <mpiglot/detail/arguments/copied_values.hpp>
#include <mpiglot/detail/arguments/explain.hpp>
#include <mpiglot/detail/arguments/fitting.hpp>
#include <mpiglot/detail/arguments/made_views.hpp>
#include <mpiglot/detail/arguments/room_brought.hpp>
#include <mpiglot/detail/arguments/sides.hpp>
#include <mpiglot/request.hpp>

namespace mpiglot::detail {

/// That the communicator is null here.
[[nodiscard, gnu::cold]] error not_a_member();
[[noreturn, gnu::cold]] void refuse_non_member();
/// Throws on a null communicator: some MPIs crash, and its size divides nothing.
inline void require_member(const group_view& group) {
  if (group.size == 0) [[unlikely]]
    refuse_non_member();
}
template <class Arguments>
void require_member_where_checked([[maybe_unused]] const group_view& group) {
  if constexpr (checked<Arguments, checks::light>) require_member(group);
}

template <class State>
[[nodiscard, gnu::always_inline]] inline int start_now(State& state) {
  int code = MPI_SUCCESS;
  if constexpr (requires { state.lengths_travel = true; }) state.lengths_travel = true;
  if constexpr (requires { state.copies_own = true; }) state.copies_own = true;
  state.prepare();
  if constexpr (!State::one_call || State::compares_lengths)
    if (!state.agree(code) || code != MPI_SUCCESS) [[unlikely]]
      return code;
  if constexpr (!State::sends_all) state.call(now{code});
  return code;
}

// The base that all communicators share; complete wherever one is.
template <class Communicator>
struct core_type {
  using type = communicator_core;
};
template <class Communicator>
using core_of = typename core_type<Communicator>::type;

/// The communicator as its errors are told: its own type only where that has a hook.
template <class Communicator>
[[nodiscard]] const auto& located(const Communicator& comm) noexcept {
  if constexpr (is_inner<Communicator> || is_observed<Communicator> || has_hook<Communicator>)
    return comm;
  else
    return static_cast<const core_of<Communicator>&>(comm);
}

template <class Communicator>
[[gnu::cold, gnu::noinline]] void locate_on(const Communicator& comm, error& failure,
                                            const char* operation) {
  if constexpr (!is_inner<Communicator>) {
    failure.locate(operation, comm.handle(), comm.rank());
    if constexpr (has_hook<Communicator>) comm.on_error(failure);
  }
}
// Where there is no hook, all communicators are one.
[[gnu::cold]] void locate_on(const communicator_core& comm, error& failure, const char* operation);
[[noreturn, gnu::cold]] void raise_on(const communicator_core& comm, int code,
                                      const char* operation);

/// Throws an error of an operation on `comm`, after the communicator's hook for errors has seen it.
template <class Communicator, class Error>
[[noreturn, gnu::cold]] void fail_on(const Communicator& comm, Error failure,
                                     const char* operation) {
  locate_on(comm, failure, operation);
  mpi::detail::fail(failure);
}
/// Throws what MPI said, or that a length came in the place of data.
template <class Communicator>
[[noreturn, gnu::cold, gnu::noinline]] void raise_on(const Communicator& comm, int code,
                                                     const char* operation) {
  if (code == told_a_length) fail_on(comm, count_error(data_or_length), operation);
  error failure(code, operation);
  locate_on(comm, failure, operation);
  fail_by_class(failure);
}

template <class Communicator>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_non_member_in(const Communicator& comm,
                                                                 const char* operation) {
  fail_on(comm, not_a_member(), operation);
}

/// A blocking receive from a rank that the call names: its arguments still have that number once they
/// were moved from. Only where what has arrived is looked at: to keep the number for the errors of
/// others costs g++ four instructions in each call. On a null communicator, which has no ranks, the
/// source is none of them.
template <class State, class Arguments>
inline constexpr bool tells_source = false;
template <class State, class Arguments>
  requires(Arguments::template has<keys::source> &&
           requires(State& state) {
             state.from();
             requires State::wants_status;
           })
inline constexpr bool tells_source<State, Arguments> = true;
template <class State, class Communicator, class Arguments>
[[gnu::always_inline]] inline void name_source([[maybe_unused]] error& failure,
                                               [[maybe_unused]] const Communicator& comm,
                                               [[maybe_unused]] Arguments& given) {
  if constexpr (tells_source<State, Arguments>)
    if (comm.rank() >= 0)
      failure.name_source(static_cast<int>(given.template get<keys::source>().value));
}

/// `Looked`: that the communicator is not null.
template <class State, bool Looked = false, class Communicator, class Arguments>
[[gnu::always_inline]] inline auto run_throwing(const Communicator& comm, const group_view& group,
                                                Arguments&& given) {
  int code = MPI_SUCCESS;
  [[maybe_unused]] observing<Communicator, State> seen(comm, State::name, given);
#if defined(__cpp_exceptions)
  try {
#endif
    if constexpr (!Looked) require_member_where_checked<Arguments>(group);
    State state(group, static_cast<Arguments&&>(given));
    code = start_now(state);
    if (code == MPI_SUCCESS) [[likely]] {
      state.finish();
      seen.done(state);
      return state.results();
    }
#if defined(__cpp_exceptions)
  } catch (error& failure) {
    name_source<State>(failure, comm, given);
    locate_on(located(comm), failure, State::name);
    throw;
  } catch (const cannot_take_part&) {
    end_if_others_wait(group.size);
    throw;
  }
#endif
  raise_on(located(comm), code, State::name);
}

/// The same, not in the caller but where the compiler wants it.
template <class State, bool Looked, class Communicator, class Arguments>
inline auto run_apart(const Communicator& comm, const group_view& group, Arguments&& given) {
  return run_throwing<State, Looked>(comm, group, static_cast<Arguments&&>(given));
}

/// The same with the error as a value. `Outcome` is only complete where outcome.hpp is included.
template <class State, template <class> class Outcome, class Communicator, class Arguments>
auto run_returning(const Communicator& comm, const group_view& group, Arguments&& given) {
  using value = decltype(std::declval<State&>().results());
  [[maybe_unused]] observing<Communicator, State> seen(comm, State::name, given);
  const auto failed = [&](error&& failure) {
    name_source<State>(failure, comm, given);
    locate_on(comm, failure, State::name);
    return Outcome<value>(failure);
  };
#if defined(__cpp_exceptions)
  try {
#endif
    require_member_where_checked<Arguments>(group);
    State state(group, static_cast<Arguments&&>(given));
    const int code = start_now(state);
    if (code != MPI_SUCCESS) [[unlikely]]
      return failed(error(code, State::name));
    state.finish();
    seen.done(state);
    if constexpr (std::is_void_v<value>)
      return Outcome<value>();
    else
      return Outcome<value>(state.results());
#if defined(__cpp_exceptions)
  } catch (error& thrown) {
    return failed(static_cast<error&&>(thrown));
  } catch (const cannot_take_part&) {
    end_if_others_wait(group.size);
    throw;
  }
#endif
}

/// Whether a state has a shorter form for arguments that leave nothing to fail.
template <class State>
inline constexpr bool can_fit = false;
template <class State>
  requires requires { State::may_fit; }
inline constexpr bool can_fit<State> = State::may_fit;

/// How a request ends, which on a null communicator does not start.
template <class Arguments, class Communicator>
[[nodiscard]] auto end_for_member(const Communicator& comm, [[maybe_unused]] const char* name) {
  if constexpr (ending_of<Communicator>::keeps_failures && checked<Arguments, checks::light>) {
    auto end = end_on(comm);
    if (comm.size() == 0) [[unlikely]]
      end.refuse_start(not_a_member());
    return end;
  } else {
    if constexpr (checked<Arguments, checks::light>)
      if (comm.size() == 0) [[unlikely]]
        refuse_non_member_in(located(comm), name);
    return end_on(comm);
  }
}

/// What `comm.scatter<T>(...)` receives into: elements, or the one value of a `_single` operation.
template <class Operation, class T>
using typed_recv_buf =
    parameter<keys::recv_buf, std::conditional_t<copies_buffers<Operation>, T, vector_of_t<T>>,
              resize_to_fit>;

/// `comm.recv<int>(3)` names no type but forgets a name, which is said then. With extents, the type is
/// that of the whole buffer.
template <class T, class... A>
inline constexpr bool no_argument_is =
    !(__is_same(std::remove_cvref_t<A>, T) || ...) && !gives_extents<A...>;

/// Whether calls of this state compare what ranks give before it is made, where the environment asks for
/// that: collective operations of a communicator whose type does not settle it.
template <class State, class Arguments>
inline constexpr bool compares_when_asked = false;
template <class State, class Arguments>
  requires requires { requires !State::asks; }
inline constexpr bool compares_when_asked<State, Arguments> =
    Arguments::checking >= checks::light && Arguments::checking < checks::communication;

/// The same of a receive that looks at the length of the message first.
template <class State, class Arguments>
inline constexpr bool looks_when_asked = false;
template <class State, class Arguments>
  requires requires { requires State::may_look; }
inline constexpr bool looks_when_asked<State, Arguments> =
    Arguments::checking >= checks::light && Arguments::checking < checks::normal;

/// A call on a communicator that is null, or that checks more than its type says. Nothing here is shared with
/// other calls, whose code stays as it is.
template <class Operation, class Io, class Communicator, class... Parameters>
struct comparison {
  static constexpr checks asked =
      checking_of<Communicator> >= checks::normal ? as_asked_above_normal : as_asked;
  template <class... Given>
  using arguments_for =
      typename arguments_of_call<vector_brings_room<Operation, Io, Given...>,
                                 is_observed<Communicator>, asked, Given...>::type;

  /// The whole call, of a blocking operation. Its arguments by value, as in `run_carefully`.
  [[gnu::cold, gnu::noinline]] static auto run(const Communicator& comm, Parameters... a) {
    using given = arguments_for<Parameters...>;
    using state = typename Operation::template state<given>;
    const group_view group{comm.handle(), comm.rank(), comm.size(), &comm};
    if constexpr (__is_same(error_policy_of<Communicator>, returning))
      return run_returning<state, outcome>(located(comm), group,
                                           given{{static_cast<Parameters&&>(a)...}});
    else
      return run_throwing<state>(located(comm), group, given{{static_cast<Parameters&&>(a)...}});
  }
  /// Only the comparison, before a request is made. Gives back how that request ends. clang has fewer
  /// registers to save if the request is made there, too, as in `run`.
#ifdef __clang__
  static constexpr bool returns_request = true;
#else
  static constexpr bool returns_request = ending_of<Communicator>::keeps_failures;
#endif
  template <class... Compared>
  [[gnu::cold, gnu::noinline]] static auto make(const Communicator& comm, Compared... a) {
    using given = arguments_for<Compared...>;
    using state = typename Operation::template state<given>;
    const group_view group{comm.handle(), comm.rank(), comm.size(), &comm};
    constexpr const char* name = form_name<state, Io>.text;
    auto end = end_for_member<given>(comm, name);
    if (comm.size() == 0) return end;
#if defined(__cpp_exceptions)
    try {
#endif
      if constexpr (vector_brings_room<Operation, Io, Compared...>) {
        const auto room = room_brought(a...);
        state compared(group, given{{a..., room}});
        prepare_as<Io>(compared);
      } else {
        state compared(group, given{{a...}});
        prepare_as<Io>(compared);
      }
#if defined(__cpp_exceptions)
    } catch (error& failure) {
      if constexpr (ending_of<Communicator>::keeps_failures) {
        end.refuse_start(failure);
      } else {
        locate_on(located(comm), failure, name);
        throw;
      }
    }
#endif
    return end;
  }
};

/// The careful form, which looks where that is asked for. Its arguments by value: what has no
/// address elsewhere need not lie in memory.
template <class State, class Given, class Comparing, bool Looked, class Communicator, class... A>
[[gnu::cold, gnu::noinline]] auto run_carefully(const Communicator& comm, A... a) {
  if constexpr (Looked)
    if (!comm.direct()) return Comparing::run(comm, static_cast<A&&>(a)...);
  const group_view group{comm.handle(), comm.rank(), comm.size(), &comm};
  return run_throwing<State>(located(comm), group, Given{{static_cast<A&&>(a)...}});
}

/// A call whose buffer does not fit, which is as usual as one that does.
template <class State, class Given, class Communicator, class... A>
[[gnu::noinline]] auto run_unfit(const Communicator& comm, A... a) {
  const group_view group{comm.handle(), comm.rank(), comm.size(), &comm};
  return run_throwing<State>(comm, group, Given{{static_cast<A&&>(a)...}});
}
/// How it takes an argument. By value, as in `run_carefully`, saves instructions only with clang.
#ifdef __clang__
template <class A>
using unfit_argument = A;
#else
template <class A>
using unfit_argument = A&&;
#endif

/// The state of a persistent operation (collectives/even_parts.hpp has another one).
template <class Operation, class State>
struct persistent_state {
  using type = State;
};

template <class Operation, class Io, class State, class End>
struct request_of {
  using type = request<State, End>;
};
template <class Operation, class Io, class State, class End>
  requires(Io::repeats)
struct request_of<Operation, Io, State, End> {
  using type = persistent_request<typename persistent_state<Operation, State>::type, End>;
};
/// Whether a request looks at the lengths at once. Its arguments are given twice then.
template <class Io, class State, class Arguments>
inline constexpr bool fits_later = false;
template <class Io, class State, class Arguments>
  requires(
              !Io::blocking && !Io::repeats && can_fit<State> && State::movable &&
              std::is_trivially_copyable_v<Arguments> && !requires { typename State::unfit; } &&
              !requires { typename State::lies_in_memory; })
inline constexpr bool fits_later<Io, State, Arguments> = true;

/// A call of `Operation` in the form `Io` on a communicator, with arguments `A...`.
template <class Operation, class Io, class Communicator, class... A>
struct call_on {
  static constexpr bool brings_room = vector_brings_room<Operation, Io, std::remove_cvref_t<A>...>;
  using given =
      typename arguments_of_call<brings_room, is_observed<Communicator>, checking_of<Communicator>,
                                 kept_parameter_t<Io, A>...>::type;
  using verdict = verdict_of<Operation, Io, given, std::remove_cvref_t<A>...>;

  /// Starts the operation, or sets it up.
  template <class End>
  [[gnu::always_inline]] static auto begin(const Communicator& comm, End end, A&&... a) {
    using state = typename Operation::template state<given>;
    using one = typename request_of<Operation, Io, state, End>::type;
    const group_view group{comm.handle(), comm.rank(), comm.size(), &comm};
    if constexpr (fits_later<Io, state, given> && !observes<End>) {
      using fitting = request<fitting_state<state>, End>;
      if (state::template fits<Io>(group, a...)) [[likely]]
        return fitting(group, given{{kept<Io, A>(static_cast<A&&>(a))...}}, end);
      const auto careful =
          start_carefully<state>(group, given{{kept<Io, A>(static_cast<A&&>(a))...}}, end);
      return fitting(group, given{{kept<Io, A>(static_cast<A&&>(a))...}}, careful);
    } else if constexpr (brings_room) {
      const auto room = room_brought(a...);  // before it is moved
      return one(group, given{{kept<Io, A>(static_cast<A&&>(a))..., room}}, end);
    } else {
      return one(group, given{{kept<Io, A>(static_cast<A&&>(a))...}}, end);
    }
  }
  /// The same where the communicator is null or compares what ranks give.
  template <class... Values>
  [[gnu::cold, gnu::noinline]] static auto begin_comparing(const Communicator& comm, Values... a) {
    const auto end = comparison<Operation, Io, Communicator>::make(comm, a...);
    return begin(comm, end, static_cast<A&&>(a)...);
  }

  [[gnu::always_inline]] static auto perform(const Communicator& comm, A&&... a) {
    if constexpr (!goes_on<verdict>) {
      return anything<values_of<std::remove_cvref_t<A>...>>();
    } else {
      using state = typename Operation::template state<given>;
      const group_view group{comm.handle(), comm.rank(), comm.size(), &comm};
      constexpr bool looked =
          compares_when_asked<state, given> || (Io::blocking && looks_when_asked<state, given>);
      using comparing = comparison<Operation, Io, Communicator, kept_parameter_t<Io, A>...>;
      if constexpr (!Io::blocking) {
        if constexpr (looked)
          if (!comm.direct()) [[unlikely]] {
            // g++ keeps a request in registers that has no address elsewhere.
            if constexpr (!comparing::returns_request)
              static_cast<void>(comparing::make(comm, a...));
            else
              return begin_comparing(comm, static_cast<A&&>(a)...);
          }
        if constexpr (looked)
          return begin(comm, end_on(comm), static_cast<A&&>(a)...);
        else
          return begin(comm, end_for_member<given>(comm, form_name<state, Io>.text),
                       static_cast<A&&>(a)...);
      } else if constexpr (__is_same(error_policy_of<Communicator>, returning)) {
        if constexpr (looked)
          if (!comm.direct()) [[unlikely]]
            return comparing::run(comm, static_cast<A&&>(a)...);
        return run_returning<state, outcome>(located(comm), group, given{{static_cast<A&&>(a)...}});
      } else if constexpr (can_fit<state>) {
        if ((!looked || comm.direct()) && state::fits(group, a...)) [[likely]]
          return run_throwing<typename state::fitting, looked>(comm, group,
                                                               given{{static_cast<A&&>(a)...}});
        if constexpr (looks_when_asked<state, given>)
          if (!comm.direct()) [[unlikely]]
            return comparing::run(comm, static_cast<A&&>(a)...);
        if constexpr (requires { typename state::unfit; })
          return run_unfit<typename state::unfit, given, Communicator, unfit_argument<A>...>(
              comm, static_cast<A&&>(a)...);
        else
          return run_carefully<state, given, comparing, looked>(comm, a...);
      } else {
        if constexpr (looked)
          if (!comm.direct()) [[unlikely]]
            return comparing::run(comm, static_cast<A&&>(a)...);
        if constexpr (state::apart)
          return run_apart<state, looked>(comm, group, given{{static_cast<A&&>(a)...}});
        else
          return run_throwing<state, looked>(comm, group, given{{static_cast<A&&>(a)...}});
      }
    }
  }
};

/// The same where the arguments give the extents of a `View` to receive into, which is made.
template <class Operation, class Io, class Communicator, class View, class... A>
using call_made = call_on<Operation, Io, Communicator, made_for_t<View, A>...>;

}  // namespace mpiglot::detail
