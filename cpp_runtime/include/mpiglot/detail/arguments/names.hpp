// Names of parameters as lists of types, and how the arguments of one call are held: each under its
// name.

#pragma once

#include <mpiglot/asked_for.hpp>
#include <mpiglot/policy.hpp>

namespace mpiglot::detail {

template <class Key, class T, resize_policy P>
[[nodiscard]] constexpr parameter<Key, T, P>& find(parameter<Key, T, P>& given) noexcept {
  return given;
}

/// All arguments of a call; each is a base, found by its key.
template <class... Parameters>
struct arguments : Parameters... {
  template <class Key>
  static constexpr bool has = (__is_same(typename Parameters::key, Key) || ...);

  template <class Key>
  [[nodiscard]] constexpr auto& get() noexcept {
    return find<Key>(*this);
  }

  /// The scalar of that name, or a default.
  template <class Key, class T>
  [[nodiscard]] constexpr T value_or(T otherwise) noexcept {
    if constexpr (has<Key>)
      return get<Key>().value;
    else
      return otherwise;
  }
};

/// The arguments of a call on a communicator with this level of checks.
template <checks Checking, class... Parameters>
struct checked_arguments : arguments<Parameters...> {
  static constexpr checks checking = Checking;
};

/// The same where plugins are told of the call: a receive asks for its status then.
template <checks Checking, class... Parameters>
struct told_arguments : arguments<Parameters...> {
  static constexpr checks checking = Checking;
  static constexpr bool told = true;
};
template <class Arguments>
inline constexpr bool is_told = requires { Arguments::told; };

/// The level of a call that learns what to check when it is made: all that is local, and what ranks give if
/// MPIGLOT_CHECKS asks for it.
inline constexpr checks as_asked = static_cast<checks>(static_cast<int>(checks::communication) + 1);
/// The same on a communicator whose type says level `normal`.
inline constexpr checks as_asked_above_normal =
    static_cast<checks>(static_cast<int>(checks::communication) + 2);

/// Whether a level of checks is in force.
template <class Arguments, checks Level>
inline constexpr bool checked = Arguments::checking >= Level;

/// Whether encoded messages tell their types: what travels is chosen by the communicator's type alone, not
/// by how a program is compiled.
template <class Arguments>
inline constexpr bool tells_types =
    checked<Arguments, checks::normal> && Arguments::checking != as_asked;

template <class Arguments, class Key>
using parameter_of =
    std::remove_reference_t<decltype(std::declval<Arguments&>().template get<Key>())>;

/// Which of several names of one parameter a call uses; `First` if none.
template <class Arguments, class First, class... Others>
struct used_name {
  using type = First;
};
template <class Arguments, class First, class Second, class... Others>
  requires(!Arguments::template has<First>)
struct used_name<Arguments, First, Second, Others...> : used_name<Arguments, Second, Others...> {};

/// The name of the buffer that an operation sends.
template <class Arguments>
using send_key =
    typename used_name<Arguments, keys::send_buf_out, keys::send_recv_buf, keys::send_buf>::type;
/// The name of the buffer that it receives into.
template <class Arguments>
using recv_key = typename used_name<Arguments, keys::send_recv_buf, keys::recv_buf>::type;

template <class Arguments>
inline constexpr bool in_place = Arguments::template has<keys::send_recv_buf>;

template <class Parameter, form Form>
using adapter_of = buffer_adapter<typename Parameter::type, Form, Parameter::policy>;

template <class Adapter, class Parameter>
[[nodiscard]] Adapter open(Parameter& given) {
  return Adapter(static_cast<typename Parameter::type&&>(given.value));
}

}  // namespace mpiglot::detail
