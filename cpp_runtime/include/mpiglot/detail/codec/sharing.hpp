// Objects with several owners: which were written already, and which were read.

#pragma once

#include <cstdint>

#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// What stands before an object that may have been written already.
enum class reference : unsigned char { none, first, again };

/// One address for each type.
template <class T>
inline constexpr char type_tag = 0;

/// Numbers objects in the order in which they are first met. Allocates at the first one.
class addresses {
 public:
  struct answer {
    std::size_t number;
    bool first;
  };

  template <class Pointer>
  [[nodiscard]] answer number_of(const Pointer& pointer) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    slot& found = place_of(pointer.get(), &type_tag<Pointer>);
    if (found.object != nullptr) return {found.number, false};
    found = {pointer.get(), &type_tag<Pointer>, count_};
    return {count_++, true};
  }

 private:
  struct slot {
    const void* object;
    const void* type;  // an object and its first member have one address
    std::size_t number;
  };

  // The size is a power of two, and half of the slots are free.
  [[nodiscard]] slot& place_of(const void* object, const void* type) noexcept {
    const auto bits = reinterpret_cast<std::uintptr_t>(object) * 0x9E3779B97F4A7C15u;
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = (bits >> 20) & mask;
    while (slots_[i].object != nullptr && (slots_[i].object != object || slots_[i].type != type))
      i = (i + 1) & mask;
    return slots_[i];
  }

  void grow() {
    block<slot> old = static_cast<block<slot>&&>(slots_);
    slots_ = block<slot>(old.size() == 0 ? 32 : 2 * old.size());
    for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = {};
    for (std::size_t i = 0; i < old.size(); ++i)
      if (old[i].object != nullptr) place_of(old[i].object, old[i].type) = old[i];
  }

  block<slot> slots_;
  std::size_t count_ = 0;
};

/// The shared pointers of one value, by the number of what they point to.
class shared_objects {
 public:
  shared_objects() noexcept = default;
  shared_objects(const shared_objects&) = delete;
  shared_objects& operator=(const shared_objects&) = delete;
  ~shared_objects() {
    for (std::size_t i = 0; i < all_.size(); ++i) delete all_[i];
  }

  template <class Pointer>
  void remember(const Pointer& pointer) {
    const base* const made = new owner<Pointer>(pointer);
    all_.append(&made, 1);
  }

  /// Nothing if there is no such object, or one of another type.
  template <class Pointer>
  [[nodiscard]] const Pointer* find(unsigned long long number) const noexcept {
    if (number >= all_.size()) return nullptr;
    const base* const found = all_[static_cast<std::size_t>(number)];
    if (found->type != &type_tag<Pointer>) return nullptr;
    return &static_cast<const owner<Pointer>*>(found)->pointer;
  }

 private:
  struct base {
    explicit base(const void* tag) noexcept : type(tag) {}
    base(const base&) = delete;
    base& operator=(const base&) = delete;
    virtual ~base() = default;
    const void* type;
  };
  template <class Pointer>
  struct owner final : base {
    explicit owner(const Pointer& shared) : base(&type_tag<Pointer>), pointer(shared) {}
    Pointer pointer;
  };

  block<const base*> all_;
};

}  // namespace mpiglot::detail
