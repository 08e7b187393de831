// Which value is before another, and which are the same: parameters of sorting and of algorithms on ranges.

#pragma once

#include <functional>
#include <mpiglot/plugin.hpp>

namespace mpiglot {

namespace keys {
struct comparator {};
struct projection {};
struct equality {};
}  // namespace keys

/// Whether one value is before another: a function of two values, or of what the projection makes of them.
template <class Function>
[[nodiscard]] parameter<keys::comparator, Function> comparator(Function&& less) {
  return {static_cast<Function&&>(less)};
}
/// What is compared: a function of a value, or a pointer to a member.
template <class Function>
[[nodiscard]] parameter<keys::projection, Function> projection(Function&& of) {
  return {static_cast<Function&&>(of)};
}
/// Whether two values are the same: a function of two values, or of what the projection makes of them.
template <class Function>
[[nodiscard]] parameter<keys::equality, Function> equality(Function&& same) {
  return {static_cast<Function&&>(same)};
}

namespace plugin {

/// A function of two values, of what the projection makes of them.
template <class Function, class Projection>
struct projected {
  /// The program's function.
  Function& function;
  /// The projection.
  Projection& of;
  /// What the function says.
  template <class T>
  [[nodiscard]] bool operator()(const T& a, const T& b) const {
    return static_cast<bool>(std::invoke(function, std::invoke(of, a), std::invoke(of, b)));
  }
};
/// The argument `Key` of an operation, or `Otherwise()`, as a function of values.
template <class Key, class Otherwise, class State>
[[nodiscard]] auto projected_of(State& state) {
  static constexpr Otherwise otherwise;
  static constexpr std::identity itself;
  return projected{state.template given_or<Key>(otherwise),
                   state.template given_or<keys::projection>(itself)};
}

}  // namespace plugin

}  // namespace mpiglot
