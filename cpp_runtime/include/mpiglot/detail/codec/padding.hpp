// Bytes of a value that mean nothing: padding of classes, and six of the sixteen of a `long double`.
// They are zero in an encoding, so that equal values have equal bytes.

#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define MPIGLOT_CLEARS_PADDING 1
#endif
#endif
/// Whether the compiler tells where the padding of classes is: g++ does, clang 19 does not.
inline constexpr bool clears_padding_of_classes =
#if defined(MPIGLOT_CLEARS_PADDING)
    true;
#else
    false;
#endif

/// The bytes of a floating-point number that are used. On x86 a `long double` has ten.
template <class T>
inline constexpr std::size_t used_bytes =
    std::is_same_v<T, long double> && __LDBL_MANT_DIG__ == 64 ? 10 : sizeof(T);

/// Whether values that are copied as bytes may have such bytes.
template <class T>
[[nodiscard]] consteval bool may_have_padding() {
  if constexpr (std::is_bounded_array_v<T>)
    return may_have_padding<std::remove_all_extents_t<T>>();
  else if constexpr (fixed_array<T>)
    return may_have_padding<typename T::value_type>();
  else if constexpr (is_complex<T>)
    return may_have_padding<typename T::value_type>();
  else if constexpr (std::is_class_v<T> || std::is_union_v<T>)
    return clears_padding_of_classes && std::is_trivially_copyable_v<T> &&
           !__has_unique_object_representations(T);
  else
    return used_bytes<T> != sizeof(T);
}

/// Makes these bytes zero in copies of `n` values. The memory need not be aligned for them. There is
/// nothing to do, and no code, for a class without padding.
template <class T>
void clear_padding([[maybe_unused]] std::byte* first, [[maybe_unused]] std::size_t n) noexcept {
  if constexpr (!may_have_padding<T>()) {
  } else if constexpr (std::is_bounded_array_v<T>) {
    using element = std::remove_all_extents_t<T>;
    detail::clear_padding<element>(first, n * (sizeof(T) / sizeof(element)));
  } else if constexpr (fixed_array<T>) {
    using element = typename T::value_type;
    detail::clear_padding<element>(first, n * (sizeof(T) / sizeof(element)));
  } else if constexpr (is_complex<T>) {
    detail::clear_padding<typename T::value_type>(first, 2 * n);
  } else if constexpr (std::is_floating_point_v<T>) {
    for (std::size_t i = 0; i < n; ++i)
      std::memset(first + i * sizeof(T) + used_bytes<T>, 0, sizeof(T) - used_bytes<T>);
  } else {
#if defined(MPIGLOT_CLEARS_PADDING)
    using anywhere [[gnu::aligned(1)]] = T;
    for (std::size_t i = 0; i < n; ++i)
      __builtin_clear_padding(reinterpret_cast<anywhere*>(first + i * sizeof(T)));
#endif
  }
}

/// Whether values have such bytes, as far as can be seen in little memory.
template <class T>
[[nodiscard]] bool has_padding() noexcept {
  if constexpr (!may_have_padding<T>() || sizeof(T) > 4096) {
    return may_have_padding<T>();
  } else {
    std::byte image[sizeof(T)];
    std::memset(image, 0xFF, sizeof(T));
    detail::clear_padding<T>(image, 1);
    for (const std::byte each : image)
      if (each != std::byte{0xFF}) return true;
    return false;
  }
}

}  // namespace mpiglot::detail

#undef MPIGLOT_CLEARS_PADDING
