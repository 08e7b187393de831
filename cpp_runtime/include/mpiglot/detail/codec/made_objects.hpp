// Objects in memory of `operator new`, each made by its default constructor: one of them may be deleted,
// and arrays of them are freed in the same way.

#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

template <class T>
inline constexpr bool is_overaligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;

/// Memory for `n` objects. Throws std::bad_alloc.
template <class T>
[[nodiscard]] T* memory_for(std::size_t n) {
  if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) refuse_memory();
  if constexpr (is_overaligned<T>)
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{alignof(T)}));
  else
    return static_cast<T*>(::operator new(n * sizeof(T)));
}
template <class T>
void give_memory_back(T* memory) noexcept {
  auto* const there = const_cast<void*>(static_cast<const void*>(memory));
  if constexpr (is_overaligned<T>)
    ::operator delete(there, std::align_val_t{alignof(T)});
  else
    ::operator delete(there);
}
template <class T>
void destroy_objects(T* first, std::size_t n) noexcept {
  if (first == nullptr) return;
  if constexpr (!std::is_trivially_destructible_v<T>)
    for (std::size_t i = 0; i < n; ++i) first[i].~T();
  detail::give_memory_back(first);
}

/// What a constructor does not set is zero.
template <class T>
void make_object(T* at) {
  static_assert(std::is_default_constructible_v<T>,
                "mpiglot: what a pointer of a hook leads to needs a default constructor");
  std::memset(static_cast<void*>(at), 0, sizeof(T));
  if constexpr (!std::is_trivially_default_constructible_v<T>) {
    __asm__ volatile("" : : "r"(at) : "memory");
    ::new (static_cast<void*>(at)) T();
  }
}
template <class T>
struct objects_in_the_making {
  T* first;
  std::size_t n = 0;
  ~objects_in_the_making() { destroy_objects(first, n); }
};
template <class T>
[[nodiscard]] T* make_objects(std::size_t n) {
  objects_in_the_making<T> made{memory_for<T>(n)};
  for (; made.n < n; ++made.n) detail::make_object(made.first + made.n);
  T* const first = made.first;
  made.first = nullptr;
  return first;
}

}  // namespace mpiglot::detail
