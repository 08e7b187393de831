// How operations on windows and files run: like those on communicators (engine.hpp), but on another
// handle, and nothing is exchanged before the MPI call.

#pragma once

#include <cstring>

#include <mpiglot/detail/base/held.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/engine/engine.hpp>

namespace mpiglot::wrong_call {

template <class Parameter, class Operation>
struct buffer_must_live_until_the_epoch_ends_give_an_lvalue {};
template <class Parameter, class Operation>
struct buffer_is_encoded_and_not_laid_out_in_memory {};
template <class Parameter, class Other, class Operation>
struct parameters_exclude_each_other {};

}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

/// This rank in the group of a window or a file; 0 if MPI does not tell.
[[gnu::cold, gnu::noinline]] inline int rank_in(MPI_Group group) noexcept {
  int rank = 0;
  if (MPIGLOT_MPI(MPI_Group_rank)(group, &rank) != MPI_SUCCESS) return 0;
  MPIGLOT_MPI(MPI_Group_free)(&group);
  return rank;
}
[[gnu::cold, gnu::noinline]] inline void locate(error& failure, const char* name,
                                                mpi::win_handle window) noexcept {
  if (!window) return failure.locate(name, null_object<mpi::win_handle>::where, -1);
  MPI_Group group = MPI_GROUP_NULL;
  char text[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (MPIGLOT_MPI(MPI_Win_get_group)(window.native, &group) != MPI_SUCCESS) return;
  if (MPIGLOT_MPI(MPI_Win_get_name)(window.native, text, &length) != MPI_SUCCESS || length == 0)
    std::strcpy(text, "a window");
  failure.locate(name, text, rank_in(group));
}
[[gnu::cold, gnu::noinline]] inline void locate(error& failure, const char* name,
                                                mpi::file_handle file) noexcept {
  if (!file) return failure.locate(name, null_object<mpi::file_handle>::where, -1);
  MPI_Group group = MPI_GROUP_NULL;
  if (MPIGLOT_MPI(MPI_File_get_group)(file.native, &group) != MPI_SUCCESS) return;
  failure.locate(name, "a file", rank_in(group));
}

/// The blocking form: keeps MPI's code.
struct at_once {
  int code = MPI_SUCCESS;

  template <class Calls, class... A>
  void operator()(Calls, const A&... a) {
    code = Calls::now(a...);
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

/// Whether nothing but MPI's call can fail, so that no exception needs to be caught.
template <class State>
inline constexpr bool only_mpi_fails = false;
template <class State>
  requires requires { State::only_mpi_fails; }
inline constexpr bool only_mpi_fails<State> = State::only_mpi_fails;

template <class Object>
[[noreturn, gnu::cold, gnu::noinline]] void raise_access(const Object& object, int code,
                                                         const char* name) {
  error failure(code, name);
  locate(failure, name, object.handle());
  if constexpr (has_hook<Object>) object.on_error(failure);
  mpi::detail::fail(failure);
}

/// What MPI would be asked to do with a null handle. Some MPIs crash on that.
template <class Object>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_null_on(const Object& object, const char* name) {
  error failure = null_error(null_object<decltype(object.handle())>::error_class);
  locate(failure, name, object.handle());
  if constexpr (has_hook<Object>) object.on_error(failure);
  mpi::detail::fail(failure);
}
/// Throws if the MPI is known to crash on this access to `object`, which a window knows of itself.
template <class State, class Object>
[[gnu::always_inline]] inline void require_possible([[maybe_unused]] const Object& object) {
  if constexpr (requires {
                  State::is_atomic;
                  object.reached();
                })
    if (object.reached() != nullptr) [[unlikely]]
      require_without_defect(object.reached()->no_atomics, State::name);
}
/// How an access to `object` ends, which does not start on a null handle.
template <class State, class Object>
[[nodiscard]] auto end_if_possible(const Object& object, const char* name) {
  auto end = end_on(object);
  if (!object.handle()) [[unlikely]] {
    if constexpr (decltype(end)::keeps_failures)
      end.refuse_start(null_error(null_object<decltype(object.handle())>::error_class));
    else
      refuse_null_on(object, name);
  }
  require_possible<State>(object);
  return end;
}

/// An access that only MPI can refuse.
template <class State, class Object, class Given>
[[gnu::always_inline]] inline auto access_plainly(const Object& object, Given&& given) {
  State running(object.handle(), static_cast<Given&&>(given));
  running.prepare();
  at_once io;
  running.call(io);
  if (io.code != MPI_SUCCESS) [[unlikely]]
    raise_access(object, io.code, State::name);
  running.finish();
  return running.results();
}

/// An access, from its arguments to its result. Throws.
template <class State, class Object, class Given>
[[gnu::always_inline]] inline auto access_throwing(const Object& object, Given&& given) {
  State running(object.handle(), static_cast<Given&&>(given));
#if defined(__cpp_exceptions)
  try {
#endif
    running.prepare();
    at_once io;
    running.call(io);
    running.rethrow();
    if (io.code != MPI_SUCCESS) [[unlikely]]
      raise(io.code, State::function);
    running.finish();
    return running.results();
#if defined(__cpp_exceptions)
  } catch (error& failure) {
    locate_by(failure, running, State::name, true);
    if constexpr (has_hook<Object>) object.on_error(failure);
    throw;
  }
#endif
}

/// The same with the error as a value.
template <class State, class Object, class Given>
auto access_returning(const Object& object, Given&& given) {
  State running(object.handle(), static_cast<Given&&>(given));
  ending_of<Object> end = end_if_possible<State>(object, State::name);
  at_once io;
  const auto called = end.run(running, State::name, false, [&] {
    running.prepare();
    running.call(io);
    running.rethrow();
    return io.code;
  });
  using result = decltype(end.finish(running, State::name, 0, {}));
  return called ? end.finish(running, State::name, MPI_SUCCESS, {}) : result(called.error());
}

/// The arguments of an access, with what the object adds to them. Windows specialise it (one_sided.hpp).
template <class Io, class Object, class... A>
struct arguments_of_access {
  using type = checked_arguments<checking_of<Object>, kept_parameter_t<Io, A>...>;
  /// Whether the object may change them, which is rare.
  static constexpr bool changes = false;
  [[nodiscard, gnu::always_inline]] static type make(const Object&, A&&... a) {
    return {{kept<Io, A>(static_cast<A&&>(a))...}};
  }
};

template <class Operation, class Io, class Object, class... A>
struct handle_call {
  using verdict = decltype(handle_verdict<Operation, Io, std::remove_cvref_t<A>...>());

  [[gnu::always_inline]] static auto perform(const Object& object, A&&... a) {
    if constexpr (!is_right<verdict>) {
      return anything<values_of<std::remove_cvref_t<A>...>>();
    } else {
      using given = arguments_of_access<Io, Object, A...>;
      using state = typename Operation::template state<typename given::type>;
      if constexpr (!Io::blocking) {
        return request<state, ending_of<Object>>(
            object.handle(), given::make(object, static_cast<A&&>(a)...),
            end_if_possible<state>(object, form_name<state, Io>.text));
      } else {
        if constexpr (given::changes)
          if (given::changed_by(object)) [[unlikely]]
            return access_changed<state>(object, given::make(object, static_cast<A&&>(a)...));
        return access<state>(object, given::make(object, static_cast<A&&>(a)...));
      }
    }
  }

 private:
  template <class State, class Given>
  [[gnu::always_inline]] static auto access(const Object& object, Given&& all) {
    if constexpr (std::is_same_v<error_policy_of<Object>, returning>) {
      return access_returning<State>(object, static_cast<Given&&>(all));
    } else {
      if (!object.handle()) [[unlikely]]
        refuse_null_on(object, State::name);
      require_possible<State>(object);
      if constexpr (only_mpi_fails<State>)
        return access_plainly<State>(object, static_cast<Given&&>(all));
      else
        return access_throwing<State>(object, static_cast<Given&&>(all));
    }
  }
  /// Apart, and with the arguments by value: beside the others it would cost them registers.
  template <class State, class Given>
  [[gnu::cold, gnu::noinline]] static auto access_changed(const Object& object, Given all) {
    arguments_of_access<Io, Object, A...>::change(object, all);
    return access<State>(object, static_cast<Given&&>(all));
  }
};

}  // namespace mpiglot::detail
