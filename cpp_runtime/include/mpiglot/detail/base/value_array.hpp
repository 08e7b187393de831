// `std::valarray`, whose header is not needed: its members tell it.

#pragma once

#include <cstddef>

namespace mpiglot::detail {

template <class T>
concept value_array = requires(T& t, std::size_t n) {
  typename T::value_type;
  t.cshift(1);
  t.sum();
  t.resize(n);
  t.size();
  requires __is_same(decltype(begin(t)), typename T::value_type*);
};

/// The address of the elements. An empty array has none.
template <class Array>
[[nodiscard]] auto first_of(Array& array) noexcept {
  return array.size() == 0 ? nullptr : begin(array);
}

/// Gives the array `n` elements and keeps those that fit; its own `resize` drops them.
template <class Array>
void resize_kept(Array& array, std::size_t n) {
  Array resized(n);
  const std::size_t kept = n < array.size() ? n : array.size();
  for (std::size_t i = 0; i < kept; ++i)
    resized[i] = static_cast<typename Array::value_type&&>(array[i]);
  array.swap(resized);
}

}  // namespace mpiglot::detail
