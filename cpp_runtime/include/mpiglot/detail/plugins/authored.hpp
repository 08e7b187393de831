// What an operation that a plugin defines must have, part by part, so that a missing one is one error that
// names it (plugin.hpp).

#pragma once

#include <concepts>
#include <type_traits>

#include <mpiglot/detail/engine/engine.hpp>

/// What can be wrong with an operation of a plugin. The name is the message.
namespace mpiglot::wrong_operation {

template <class Operation>
struct lacks_using_accepts_plugin_names_of_keys {};
template <class Operation>
struct lacks_using_needs_plugin_names_of_keys {};
template <class Operation>
struct needs_a_parameter_that_is_not_in_accepts {};
template <class Operation>
struct lacks_template_struct_state_of_Arguments {};
template <class Operation>
struct state_derives_neither_from_plugin_algorithm_nor_from_plugin_defaults {};
template <class Operation>
struct state_lacks_static_constexpr_const_char_pointer_name {};
template <class Operation>
struct state_lacks_constructor_from_group_view_and_Arguments_rvalue {};
template <class Operation>
struct state_lacks_bool_agree_of_int_reference {};
template <class Operation>
struct state_lacks_results_without_arguments {};
template <class Operation>
struct staged_state_lacks_group_view_group {};
template <class Operation>
struct staged_state_lacks_begin_of_int_and_troubles_reference {};
template <class Operation>
struct staged_state_lacks_bool_completed_of_int_and_troubles_reference {};

}  // namespace mpiglot::wrong_operation

namespace mpiglot::detail {

template <class List>
inline constexpr bool lists_names = false;
template <class... Keys>
inline constexpr bool lists_names<names<Keys...>> = true;
template <class Accepted, class Needed>
inline constexpr bool contains_all = false;
template <class Accepted, class... Needed>
inline constexpr bool contains_all<Accepted, names<Needed...>> =
    (Accepted::template contain<Needed> && ...);

/// The parts that do not depend on the arguments of a call.
template <class Operation, class Given>
[[nodiscard]] consteval auto look_at_operation() {
  namespace wrong = wrong_operation;
  if constexpr (!requires { requires lists_names<typename Operation::accepts>; })
    return wrong::lacks_using_accepts_plugin_names_of_keys<Operation>();
  else if constexpr (
      !requires { typename Operation::needs_one_of; } &&
      !requires { requires lists_names<typename Operation::needs>; })
    return wrong::lacks_using_needs_plugin_names_of_keys<Operation>();
  else if constexpr (requires {
                       requires !contains_all<typename Operation::accepts,
                                              typename Operation::needs>;
                     })
    return wrong::needs_a_parameter_that_is_not_in_accepts<Operation>();
  else if constexpr (!requires { typename Operation::template state<Given>; })
    return wrong::lacks_template_struct_state_of_Arguments<Operation>();
  else
    return nothing_wrong();
}

struct troubles;
/// A state of several stages (staged_state.hpp).
template <class State>
concept has_stages = requires { typename State::flight_type; };

/// The parts of its state.
template <class Operation, class State, class Given>
[[nodiscard]] consteval auto look_at_state() {
  namespace wrong = wrong_operation;
  if constexpr (!std::derived_from<State, defaults>)
    return wrong::state_derives_neither_from_plugin_algorithm_nor_from_plugin_defaults<Operation>();
  else if constexpr (!requires {
                       { *&State::name } -> std::convertible_to<const char*>;
                     })
    return wrong::state_lacks_static_constexpr_const_char_pointer_name<Operation>();
  else if constexpr (!std::constructible_from<State, const group_view&, Given>)
    return wrong::state_lacks_constructor_from_group_view_and_Arguments_rvalue<Operation>();
  else if constexpr (has_stages<State> && !requires(State& state) { group_view(state.group); })
    return wrong::staged_state_lacks_group_view_group<Operation>();
  else if constexpr (has_stages<State> &&
                     !requires(State& state, troubles& met) { state.begin(0, met); })
    return wrong::staged_state_lacks_begin_of_int_and_troubles_reference<Operation>();
  else if constexpr (has_stages<State> && !requires(State& state, troubles& met) {
                       { state.completed(0, met) } -> std::same_as<bool>;
                     })
    return wrong::staged_state_lacks_bool_completed_of_int_and_troubles_reference<Operation>();
  else if constexpr (!requires(State& state, int& code) {
                       { state.agree(code) } -> std::same_as<bool>;
                     })
    return wrong::state_lacks_bool_agree_of_int_reference<Operation>();
  else if constexpr (!requires(State& state) { state.results(); })
    return wrong::state_lacks_results_without_arguments<Operation>();
  else
    return nothing_wrong();
}

/// A call of an operation that a plugin defines.
template <class Operation, class Io, class Communicator, class... A>
struct authored_call {
  using on = call_on<Operation, Io, Communicator, A...>;

  [[nodiscard]] static consteval auto judge() {
    using given = checked_arguments<checking_of<Communicator>, kept_parameter_t<Io, A>...>;
    using looked = decltype(look_at_operation<Operation, given>());
    if constexpr (!is_right<looked>) {
      return looked();
    } else if constexpr (problem_of_arguments<Operation, std::remove_cvref_t<A>...>() ==
                         problem::none) {
      using state = typename Operation::template state<given>;
      using seen = decltype(look_at_state<Operation, state, given>());
      if constexpr (!is_right<seen>)
        return seen();
      else
        return typename on::verdict();
    } else {
      return typename on::verdict();
    }
  }
  using verdict = decltype(judge());

  /// On a communicator, or on what it inherits from.
  template <class Base>
  [[gnu::always_inline]] static auto perform(const Base& comm, A&&... a) {
    if constexpr (is_right<verdict>)
      return on::perform(comm.self(), static_cast<A&&>(a)...);
    else
      return anything<values_of<std::remove_cvref_t<A>...>>();
  }
};

}  // namespace mpiglot::detail
