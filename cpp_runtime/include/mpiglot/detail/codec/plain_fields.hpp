// The types of the fields of classes that travel as bytes, for fingerprints: those of aggregates are found.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/base/addresses.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

/// Converts to any field of `Class` whose type is no union; structured bindings refuse unnamed ones.
template <class Class, std::size_t>
struct some_field {
  template <class T>
    requires(!std::is_union_v<T> && !std::is_same_v<T, Class>)
  operator T() const;
};
/// Converts to bases of `Class`.
template <class Class>
struct some_base_of {
  template <class T>
    requires(std::is_base_of_v<T, Class> && !std::is_same_v<T, Class>)
  operator T() const;
};

inline constexpr std::size_t most_plain_fields = 16;

template <class T, std::size_t... Place>
[[nodiscard]] consteval bool has_fields_at(std::index_sequence<Place...>) {
  return requires { T(some_field<T, Place>()...); };
}
template <class T, std::size_t Count = 0>
[[nodiscard]] consteval std::size_t count_plain_fields() {
  if constexpr (Count < most_plain_fields &&
                has_fields_at<T>(std::make_index_sequence<Count + 1>()))
    return count_plain_fields<T, Count + 1>();
  else
    return Count;
}
/// There are more: an array of the language, a union, or one too many.
template <class T, std::size_t... Place>
[[nodiscard]] consteval bool has_more_than(std::index_sequence<Place...>) {
  return requires { T{some_field<T, Place>()..., {}}; };
}
/// How many fields a class has; 0 if it cannot be looked into.
template <class T>
[[nodiscard]] consteval std::size_t plain_fields() {
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_empty_v<T>) {
    constexpr std::size_t count = count_plain_fields<T>();
    if constexpr (requires { T{some_base_of<T>()}; })
      return 0;
    else
      return has_more_than<T>(std::make_index_sequence<count>()) ? 0 : count;
  } else {
    return 0;
  }
}

// Structured bindings, since these name bit fields, too.
template <std::size_t N, class T>
[[nodiscard]] constexpr auto types_of_plain_fields([[maybe_unused]] T& object) {
  if constexpr (N == 1) {
    [[maybe_unused]] auto& [a] = object;
    return field_types<decltype(a)>{};
  } else if constexpr (N == 2) {
    [[maybe_unused]] auto& [a, b] = object;
    return field_types<decltype(a), decltype(b)>{};
  } else if constexpr (N == 3) {
    [[maybe_unused]] auto& [a, b, c] = object;
    return field_types<decltype(a), decltype(b), decltype(c)>{};
  } else if constexpr (N == 4) {
    [[maybe_unused]] auto& [a, b, c, d] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d)>{};
  } else if constexpr (N == 5) {
    [[maybe_unused]] auto& [a, b, c, d, e] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e)>{};
  } else if constexpr (N == 6) {
    [[maybe_unused]] auto& [a, b, c, d, e, f] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e),
                       decltype(f)>{};
  } else if constexpr (N == 7) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g)>{};
  } else if constexpr (N == 8) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h)>{};
  } else if constexpr (N == 9) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i)>{};
  } else if constexpr (N == 10) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i), decltype(j)>{};
  } else if constexpr (N == 11) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i), decltype(j), decltype(k)>{};
  } else if constexpr (N == 12) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i), decltype(j), decltype(k),
                       decltype(l)>{};
  } else if constexpr (N == 13) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i), decltype(j), decltype(k), decltype(l),
                       decltype(m)>{};
  } else if constexpr (N == 14) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i), decltype(j), decltype(k), decltype(l),
                       decltype(m), decltype(n)>{};
  } else if constexpr (N == 15) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i), decltype(j), decltype(k), decltype(l),
                       decltype(m), decltype(n), decltype(o)>{};
  } else if constexpr (N == 16) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
    return field_types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                       decltype(g), decltype(h), decltype(i), decltype(j), decltype(k), decltype(l),
                       decltype(m), decltype(n), decltype(o), decltype(p)>{};
  }
}
template <class T>
using plain_field_types = decltype(types_of_plain_fields<plain_fields<T>()>(std::declval<T&>()));

/// 'b' for bool, 'f' for floating point, 'i' and 'u' for integers, 'e' for enumerations, 0 for others.
template <class T>
[[nodiscard]] consteval char kind_of_number() {
  return std::is_same_v<T, bool>       ? 'b'
         : std::is_floating_point_v<T> ? 'f'
         : std::is_enum_v<T>           ? 'e'
         : !std::is_arithmetic_v<T>    ? '\0'
         : std::is_signed_v<T>         ? 'i'
                                       : 'u';
}
/// Initialises a field of this kind.
template <class Class, char Kind>
struct member_of_kind {
  template <class Field>
    requires(!std::is_same_v<std::remove_cv_t<Field>, Class> &&
             kind_of_number<std::remove_cv_t<Field>>() == Kind)
  operator Field() const;
};
template <class T, char Kind, std::size_t... Before, std::size_t... After>
[[nodiscard]] consteval bool has_kind_at(std::index_sequence<Before...>,
                                         std::index_sequence<After...>) {
  using any = typename by_elements<T>::any;
  return requires {
    T{repeated<any, Before>()..., member_of_kind<T, Kind>(), repeated<any, After>()...};
  };
}
/// The kinds of the elements of an aggregate with arrays, one by one; none of what is no aggregate.
template <class T>
struct kinds_of_elements {
  static constexpr std::size_t count = [] {
    if constexpr (std::is_aggregate_v<T>)
      return by_elements<T>::count();
    else
      return std::size_t{0};
  }();
  template <std::size_t I>
  [[nodiscard]] static consteval char at() {
    const auto is = []<char Kind>(std::integral_constant<char, Kind>) {
      return has_kind_at<T, Kind>(std::make_index_sequence<I>(),
                                  std::make_index_sequence<count - 1 - I>());
    };
    char found = '\0';
    const auto look = [&]<char... Kind>(std::integer_sequence<char, Kind...>) {
      ((found = is(std::integral_constant<char, Kind>()) ? Kind : found), ...);
    };
    look(std::integer_sequence<char, 'b', 'f', 'e', 'i', 'u'>());
    return found;
  }
};

/// The name of a class without what is around it and without arguments, which compilers write differently.
struct class_name_text {
  const char* first;
  std::size_t size;
};
template <class T>
[[nodiscard]] constexpr class_name_text name_of_class() {
  const char* at = __PRETTY_FUNCTION__;
  while (!(at[0] == 'T' && at[1] == ' ' && at[2] == '=')) ++at;
  at += 4;
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  class_name_text last{at, 0};
  for (; *at != '\0' && *at != '<' && *at != ';' && *at != ']'; ++at)
    if (!in_name(*at))
      last = {at + 1, 0};
    else
      ++last.size;
  return last;
}

}  // namespace mpiglot::detail
