// `comm.recv<View>(extents(3, 4), source(0))`: the view is made, and stands where `recv_buf` would.

#pragma once

#include <mpiglot/detail/arguments/explain.hpp>
#include <mpiglot/parameters.hpp>

namespace mpiglot {
namespace keys {
struct extents {};
}  // namespace keys

namespace wrong_call {

template <class Parameter, class Operation, class Type>
struct type_owns_no_elements_or_its_view_traits_have_no_make_give_recv_buf {};
template <class Parameter, class Operation, class View>
struct view_has_another_number_of_extents {};

}  // namespace wrong_call

namespace detail {

/// The extents of a view, the slowest index first.
template <std::size_t N>
struct extent_list {
  count_t at[N == 0 ? 1 : N];
};

template <class Parameter>
inline constexpr std::size_t extents_in = 0;
template <std::size_t N>
inline constexpr std::size_t extents_in<parameter<keys::extents, extent_list<N>>> = N;
template <class Parameter>
inline constexpr bool is_extents = false;
template <std::size_t N>
inline constexpr bool is_extents<parameter<keys::extents, extent_list<N>>> = true;
template <class... A>
inline constexpr bool gives_extents = (is_extents<std::remove_cvref_t<A>> || ...);

/// Whether the traits of a view make one of `N` extents.
template <class View, std::size_t... I>
[[nodiscard]] consteval bool is_made_of(std::index_sequence<I...>) {
  return requires {
    { view_traits<View>::make((static_cast<void>(I), count_t{})...) } -> std::same_as<View>;
  };
}
template <class View, std::size_t N>
[[nodiscard]] consteval bool is_made_of_extents() {
  if constexpr (requires { sizeof(view_traits<View>); })
    return is_made_of<View>(std::make_index_sequence<N>());
  else
    return false;
}
/// Whether they make one at all: of as many extents as there are dimensions.
template <class View>
[[nodiscard]] consteval bool can_be_made() {
  if constexpr (requires { view_traits<View>::rank; })
    return is_made_of_extents<View, view_traits<View>::rank>();
  else
    return false;
}

/// Stands for a view that cannot be made; the operation says why. It is not sent byte by byte.
template <class View>
struct cannot_be_made {
  ~cannot_be_made() {}
};
template <class View>
struct view_fault<cannot_be_made<View>> {
  static constexpr bool found = true;
  template <class Key, class Operation>
  using type = std::conditional_t<
      can_be_made<View>(), wrong_call::view_has_another_number_of_extents<Key, Operation, View>,
      wrong_call::type_owns_no_elements_or_its_view_traits_have_no_make_give_recv_buf<
          Key, Operation, View>>;
};

/// Defined in mpiglot/extents.hpp.
template <class View, std::size_t N>
[[nodiscard]] View make_view(const extent_list<N>& extents);

/// A parameter of a call that makes a `View`: the receive buffer in the place of extents, and any
/// other parameter as it is.
template <class View, class Parameter>
struct made_for {
  using type = Parameter;
  [[nodiscard]] static constexpr Parameter&& put(Parameter& given) noexcept {
    return static_cast<Parameter&&>(given);
  }
};
template <class View, class Parameter>
  requires(is_extents<std::remove_cvref_t<Parameter>>)
struct made_for<View, Parameter> {
  static constexpr std::size_t count = extents_in<std::remove_cvref_t<Parameter>>;
  using made = std::conditional_t<is_made_of_extents<View, count>(), View, cannot_be_made<View>>;
  using type = parameter<keys::recv_buf, made>;
  [[nodiscard]] static type put(const std::remove_cvref_t<Parameter>& given) {
    if constexpr (std::is_same_v<made, View>)
      return {make_view<View>(given.value)};
    else
      return {};
  }
};
template <class View, class Parameter>
using made_for_t = typename made_for<View, Parameter>::type;

}  // namespace detail
}  // namespace mpiglot
