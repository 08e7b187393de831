// The result of an operation: nothing, one value, or several named values.
//
// The order for structured bindings: the received buffer, the sent buffer (`send_buf_out`), and
// then the other requested values in the order of the call. Borrowed buffers are not part of the
// result.

#pragma once

#include <utility>

#include <mpiglot/asked_for.hpp>

namespace mpiglot {
namespace detail {

template <std::size_t I, class First, class... Rest>
struct nth : nth<I - 1, Rest...> {};
template <class First, class... Rest>
struct nth<0, First, Rest...> {
  using type = First;
};

template <class Key>
struct no_extraction {};
template <class Key, class Result>
struct extraction_of {
  using type = no_extraction<Key>;
};
template <class Key, class Result>
  requires requires { typename Key::template extraction<Result>; }
struct extraction_of<Key, Result> {
  using type = typename Key::template extraction<Result>;
};
template <class Field, class Result>
using extraction_for = typename extraction_of<typename Field::key, Result>::type;

}  // namespace detail

/// A result of several values: use `auto [values, counts] = ...`, or the members `extract_...()`,
/// each of which moves its value out.
template <class... Fields>
struct result : Fields..., detail::extraction_for<Fields, result<Fields...>>... {
  /// True if the result has a value with this key.
  template <class Key>
  static constexpr bool has = (std::is_same_v<typename Fields::key, Key> || ...);
};

// The tuple protocol, for structured bindings.
template <std::size_t I, class... Fields>
[[nodiscard]] auto& get(result<Fields...>& values) noexcept {
  return static_cast<typename detail::nth<I, Fields...>::type&>(values).value;
}
/// Returns one value, for structured bindings.
template <std::size_t I, class... Fields>
[[nodiscard]] const auto& get(const result<Fields...>& values) noexcept {
  return static_cast<const typename detail::nth<I, Fields...>::type&>(values).value;
}
/// Returns one value, for structured bindings.
template <std::size_t I, class... Fields>
[[nodiscard]] auto&& get(result<Fields...>&& values) noexcept {
  return std::move(get<I>(values));
}

}  // namespace mpiglot

template <class... Fields>
struct std::tuple_size<mpiglot::result<Fields...>> {
  static constexpr std::size_t value = sizeof...(Fields);
};
template <std::size_t I, class... Fields>
struct std::tuple_element<I, mpiglot::result<Fields...>> {
  using type = typename mpiglot::detail::nth<I, Fields...>::type::type;
};
