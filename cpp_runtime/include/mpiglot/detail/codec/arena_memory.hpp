// The memory of an arena, as the decoder sees it.

#pragma once

#include <cstddef>
#include <cstdint>

#include <mpiglot/detail/codec/type_categories.hpp>

namespace mpiglot::detail {

/// Gives memory that is never given back one by one.
class arena_memory {
 public:
  /// Takes memory for an object of this size. Throws std::bad_alloc.
  [[nodiscard]] void* take(std::size_t size, std::size_t alignment) {
    const std::size_t skipped =
        (alignment - reinterpret_cast<std::uintptr_t>(at_) % alignment) % alignment;
    if (left_ < skipped || left_ - skipped < size) [[unlikely]]
      return take_elsewhere(size, alignment);
    std::byte* const made = at_ + skipped;
    at_ = made + size;
    left_ -= skipped + size;
    return made;
  }
  /// Its std::pmr::memory_resource.
  [[nodiscard]] void* resource() const noexcept { return resource_; }

 protected:
  explicit arena_memory(void* resource) noexcept : resource_(resource) {}
  ~arena_memory() = default;
  /// What is free is this, from now on.
  void use(std::byte* at, std::size_t size) noexcept {
    at_ = at;
    left_ = size;
  }

 private:
  virtual void* take_elsewhere(std::size_t size, std::size_t alignment) = 0;

  void* resource_;
  std::byte* at_ = nullptr;
  std::size_t left_ = 0;
};

/// An `arena_of<T>`.
template <class T>
concept arena_holder = requires { typename T::in_arena; };
template <class T>
[[nodiscard]] consteval bool codable_or_in_arena() {
  if constexpr (arena_holder<T>)
    return codable<typename T::in_arena>();
  else
    return codable<T>();
}

/// A container of std::pmr: its allocator names a memory resource.
template <class T>
concept pmr_container = requires(const T& t) {
  t.size();
  t.get_allocator().resource();
};

}  // namespace mpiglot::detail
