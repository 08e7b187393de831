// Fields that take a fixed number of bytes. Those that follow each other are encoded and decoded with
// one look at the room for all of them.

#pragma once

#include <cstddef>
#include <cstring>

#include <mpiglot/detail/codec/padding.hpp>
#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

/// Whether each value of the type takes as many bytes. A class that lists its fields is not looked
/// into, since it may contain itself.
template <class T>
[[nodiscard]] consteval bool takes_fixed_bytes() {
  if constexpr (encodes_itself<T> || lists_fields<T>) {
    return false;
  } else if constexpr (byte_run<T>) {
    return true;
  } else if constexpr (std::is_bounded_array_v<T> || fixed_array<T> || tuple_like<T>) {
    return !any_part<T>([]<class Part>(Part*) { return !takes_fixed_bytes<Part>(); });
  } else {
    return false;
  }
}
/// How many; 0 if that differs.
template <class T>
[[nodiscard]] consteval std::size_t fixed_bytes() {
  return takes_fixed_bytes<T>() ? smallest<T>() : 0;
}

/// The fields of a class, and where among them are runs of such fields. The byte that says whether a
/// pointer owns something belongs to the run before it.
template <class... Fields>
struct field_runs {
  static constexpr std::size_t bytes[sizeof...(Fields) + 1] = {fixed_bytes<Fields>()..., 0};
  static constexpr bool points[sizeof...(Fields) + 1] = {
      ((owning_pointer<Fields> || is_owned_object<Fields>) && !registered_pointer<Fields>)...,
      false};

  /// Whether a run begins with this field.
  static constexpr bool begins(std::size_t i) {
    return bytes[i] != 0 && (i == 0 || bytes[i - 1] == 0);
  }
  /// Whether the first byte of this field, which is not fixed, belongs to the run before it.
  static constexpr bool ends_run(std::size_t i) {
    return bytes[i] == 0 && points[i] && i > 0 && bytes[i - 1] != 0;
  }
  /// The bytes of the run that begins with this field.
  static constexpr std::size_t length(std::size_t i) {
    std::size_t sum = 0;
    for (; bytes[i] != 0; ++i) sum += bytes[i];
    return sum + (points[i] ? 1 : 0);
  }
};

/// The object that a pointer owns, or null.
template <class Pointer>
[[nodiscard]] auto* owned_by(const Pointer& field) noexcept {
  if constexpr (is_owned_object<Pointer>)
    return static_cast<const typename Pointer::object*>(field.pointer);
  else
    return static_cast<const typename Pointer::element_type*>(field.get());
}

/// Whether a field of fixed size lies in memory as it is encoded; if it is `Checked`, also that all
/// bytes are values.
template <class T, bool Checked>
[[nodiscard]] consteval bool lies_as_encoded() {
  if constexpr (byte_run<T>)
    return !Checked || copied_run<T>;
  else if constexpr (std::is_bounded_array_v<T>)
    return lies_as_encoded<std::remove_extent_t<T>, Checked>();
  else if constexpr (fixed_array<T>)
    return sizeof(T) == fixed_bytes<T>() && lies_as_encoded<typename T::value_type, Checked>();
  else
    return false;
}

/// Copies a field to where the encoding is, and moves on.
template <class T>
void put_fixed(std::byte*& at, const T& value) noexcept {
  if constexpr (lies_as_encoded<T, false>()) {
    std::memcpy(at, __builtin_addressof(value), sizeof(T));
    clear_padding<T>(at, 1);
    at += sizeof(T);
  } else if constexpr (std::is_bounded_array_v<T> || fixed_array<T>) {
    for (const auto& element : value) detail::put_fixed(at, element);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      using std::get;
      (detail::put_fixed(at, get<I>(value)), ...);
    }(std::make_index_sequence<std::tuple_size<T>::value>());
  }
}

}  // namespace mpiglot::detail
