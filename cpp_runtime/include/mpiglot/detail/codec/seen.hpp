// Which objects were met already.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// One address for each type.
template <class T>
inline constexpr char type_tag = 0;

/// The whole value that is encoded, decoded or emptied. Pointers in it may lead back to it.
struct root_value {
  const void* object = nullptr;
  const void* type = nullptr;

  template <class T>
  [[nodiscard]] bool is(const T* other) const noexcept {
    return is(other, &type_tag<std::remove_cv_t<T>>);
  }
  [[nodiscard]] bool is(const void* other, const void* its_type) const noexcept {
    return other == object && its_type == type;
  }
  /// Null if it has another type.
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return type == &type_tag<T> ? const_cast<T*>(static_cast<const T*>(object)) : nullptr;
  }
};

/// A set of objects: an object and its first member have one address, so the type tells them apart.
class seen_objects {
 public:
  enum class answer { first, again, no_memory };

  [[nodiscard]] answer meet(const void* object, const void* type) noexcept {
    if (2 * count_ >= met_.size() && !grown()) return answer::no_memory;
    entry* const found = place_of({object, type});
    if (found->object != nullptr) return answer::again;
    *found = {object, type};
    ++count_;
    return answer::first;
  }

 private:
  struct entry {
    const void* object;
    const void* type;
  };

  [[nodiscard]] entry* place_of(entry wanted) noexcept {
    const std::size_t mask = met_.size() - 1;
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(wanted.object);
    auto i = cast_to<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 20);
    for (;; ++i) {
      entry& at = met_[i & mask];
      if (at.object == nullptr || (at.object == wanted.object && at.type == wanted.type))
        return &at;
    }
  }
  [[nodiscard]] bool grown() noexcept {
    block<entry> before(static_cast<block<entry>&&>(met_));
    const std::size_t size = before.size() == 0 ? 32 : 2 * before.size();
    if (!met_.try_resize(size)) {
      met_ = static_cast<block<entry>&&>(before);
      return false;
    }
    std::memset(static_cast<void*>(met_.data()), 0, size * sizeof(entry));
    for (std::size_t k = 0; k < before.size(); ++k)
      if (before[k].object != nullptr) *place_of(before[k]) = before[k];
    return true;
  }

  block<entry> met_;  // a power of two, at most half of them used
  std::size_t count_ = 0;
};

}  // namespace mpiglot::detail
