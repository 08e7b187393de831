// Small values that a nonblocking operation sends are copied into its request: the variable may be
// gone, or have another value, before the operation is complete.

#pragma once

#include <mpiglot/parameters.hpp>

namespace mpiglot::detail {

/// The largest value that is copied, in bytes: what a cache line holds.
inline constexpr std::size_t largest_copied_value = 64;

template <class T>
concept copied_value = (single<T> || array_value<T>) && std::is_trivially_copy_constructible_v<T> &&
                       std::is_trivially_destructible_v<T> && sizeof(T) <= largest_copied_value;

/// The type of a parameter as an operation of form `Io` keeps it.
template <class Io, class Parameter>
struct kept_parameter {
  using type = Parameter;
};
template <class Io, class Value, resize_policy Policy>
  requires(!Io::blocking && !Io::repeats && copied_value<std::remove_cv_t<Value>>)
struct kept_parameter<Io, parameter<keys::send_buf, Value&, Policy>> {
  using type = parameter<keys::send_buf, std::remove_cv_t<Value>, Policy>;
};
template <class Io, class A>
using kept_parameter_t = typename kept_parameter<Io, std::remove_cvref_t<A>>::type;

template <class Io, class A>
[[nodiscard]] constexpr decltype(auto) kept(A&& given) {
  if constexpr (__is_same(kept_parameter_t<Io, A>, std::remove_cvref_t<A>))
    return static_cast<A&&>(given);
  else
    return kept_parameter_t<Io, A>{given.value};
}

}  // namespace mpiglot::detail
