// Values whose bytes the encoder counts before it writes them: of a fixed size, short runs of elements
// behind their number, and tuples of such. Those that follow each other are encoded with one look at the
// room for all of them.

#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include <mpiglot/detail/codec/fixed_fields.hpp>
#include <mpiglot/detail/codec/format.hpp>
#include <mpiglot/detail/codec/long_runs.hpp>
#include <mpiglot/detail/codec/padding.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

template <class T>
using element_of_run = std::remove_cvref_t<decltype(*std::declval<const T&>().data())>;

/// Strings and vectors of numbers: their number and their elements, which are copied at once.
template <class T>
concept counted_run = !encodes_itself<T> && !lists_fields<T> && !is_rule<T> && !byte_run<T> &&
                      !tuple_like<T> && !fixed_array<T> && !path_like<T> && run_of_bytes<const T>;
/// One that is no long run as long as its number takes one byte.
template <class T>
concept short_run = counted_run<T> && wide_lengths * sizeof(element_of_run<T>) <= long_run;

/// Whether the bytes of a value can be counted before. A class that lists its fields is not looked into,
/// since it may contain itself.
template <class T>
[[nodiscard]] consteval bool joins() {
  if constexpr (short_run<T> || takes_fixed_bytes<T>())
    return smallest<T>() != 0;
  else if constexpr (tuple_like<T> && !encodes_itself<T> && !lists_fields<T>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (joins<std::remove_cv_t<std::tuple_element_t<I, T>>>() && ...);
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  else
    return false;
}
/// Whether that takes a look at the value.
template <class T>
[[nodiscard]] consteval bool joins_runs() {
  return joins<T>() && !takes_fixed_bytes<T>();
}

/// The bytes of the elements of short runs. They are more than `most_counted` if one is not short.
inline constexpr std::size_t most_counted = static_cast<std::size_t>(-1) / 4;
template <class T>
[[nodiscard]] std::size_t bytes_of_runs([[maybe_unused]] const T& value) noexcept {
  if constexpr (!joins_runs<T>()) {
    return 0;
  } else if constexpr (short_run<T>) {
    const std::size_t n = value.size();
    if (n >= wide_lengths) [[unlikely]]
      return most_counted + 1;
    return n * sizeof(element_of_run<T>);
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using std::get;
      std::size_t sum = 0;
      // One that is not short decides, and no sum wraps.
      const auto add = [&](std::size_t more) { sum = more > most_counted ? more : sum + more; };
      (add(detail::bytes_of_runs(get<I>(value))), ...);
      return sum;
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  }
}

/// Copies a value, whose runs are short, to where the encoding is, and moves on.
template <class T>
void put_joined(std::byte*& at, const T& value) noexcept {
  if constexpr (takes_fixed_bytes<T>()) {
    put_fixed(at, value);
  } else if constexpr (short_run<T>) {
    using element = element_of_run<T>;
    const std::size_t n = value.size();
    const auto* const first = value.data();
    *at++ = static_cast<std::byte>(n);
    if (n == 0) return;
    std::memcpy(at, static_cast<const void*>(first), n * sizeof(element));
    clear_padding<element>(at, n);
    at += n * sizeof(element);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      using std::get;
      (detail::put_joined(at, get<I>(value)), ...);
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  }
}

/// The fields of a class, and where among them are groups of values that join. The byte that says
/// whether a pointer owns something belongs to the group before it.
template <class... Fields>
struct field_groups {
  static constexpr bool joining[sizeof...(Fields) + 1] = {joins<Fields>()..., false};
  static constexpr bool looked_at[sizeof...(Fields) + 1] = {joins_runs<Fields>()..., false};
  static constexpr std::size_t least[sizeof...(Fields) + 1] = {
      (joins<Fields>() ? smallest<Fields>() : 0)..., 0};
  static constexpr bool points[sizeof...(Fields) + 1] = {
      ((owning_pointer<Fields> || is_owned_object<Fields>) && !registered_pointer<Fields>)...,
      false};

  /// Whether a group begins with this field.
  static constexpr bool begins(std::size_t i) { return joining[i] && (i == 0 || !joining[i - 1]); }
  /// Whether the first byte of this field, which does not join, belongs to the group before it.
  static constexpr bool ends_group(std::size_t i) {
    return !joining[i] && points[i] && i > 0 && joining[i - 1];
  }
  /// The first field behind the group that begins with this one.
  static constexpr std::size_t end(std::size_t i) {
    while (joining[i]) ++i;
    return i;
  }
  /// The bytes of the group without the elements of runs.
  static constexpr std::size_t length(std::size_t i) {
    std::size_t sum = 0;
    for (; joining[i]; ++i) sum += least[i];
    return sum + (points[i] ? 1 : 0);
  }
  /// Whether the group has runs.
  static constexpr bool has_runs(std::size_t i) {
    for (; joining[i]; ++i)
      if (looked_at[i]) return true;
    return false;
  }
};

}  // namespace mpiglot::detail
