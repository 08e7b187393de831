// Objects with several owners: which were written already, and which were read.

#pragma once

#include <cstdint>
#include <cstring>
#include <new>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/dismantling.hpp>
#include <mpiglot/detail/codec/encode_error.hpp>
#include <mpiglot/detail/codec/owners.hpp>

namespace mpiglot::detail {

/// One address for each type.
template <class T>
inline constexpr char type_tag = 0;

/// Numbers objects from 1 on, in the order in which shared pointers to them are first met. Allocates
/// at the first one. Refuses pointers that the receiver could not restore.
class addresses {
 public:
  struct answer {
    std::size_t number;
    bool first;
  };

  /// `owns` is false of a weak pointer, which another one must back.
  template <class Pointer>
  [[nodiscard]] answer number_of(const Pointer& pointer, bool owns = true) {
    using object = std::remove_cv_t<typename Pointer::element_type>;
    const object* const where = const_cast<const object*>(pointer.get());
    const void* const type = &type_tag<owning_form<Pointer>>;
    if (2 * count_ >= index_.size()) grow();
    const std::size_t mask = index_.size() - 1;
    std::size_t i = hash(where) & mask;
    for (; index_[i] != 0; i = (i + 1) & mask) {
      entry& met = met_[index_[i] - 1];
      if (met.object != where || met.type != type) continue;
      if (owns && !met.owned) {
        met.owned = true;
        --lent_;
      }
      return {index_[i], false};
    }
    const void* owner = nullptr;
    if constexpr (has_owner<Pointer>) {
      owner = other_owner<object>(pointer, where);
      if (owner != nullptr) ++owners_;
    }
    met_[count_] = {where, type, owner, owns};
    if (!owns) ++lent_;
    index_[i] = static_cast<std::uint32_t>(++count_);
    return {count_, true};
  }

  /// At the end: all objects are owned, and no owner was met at two places, with an object and a part
  /// of it.
  void check_owners() const {
    if (lent_ != 0) [[unlikely]]
      refuse_value("a weak pointer refers to an object that nothing in the value owns");
    if (owners_ > 1) [[unlikely]]
      compare_owners();
  }

 private:
  struct entry {
    const void* object;
    const void* type;   // an object and its first member have one address
    const void* owner;  // null if there is no other pointer to the object, or that is not known
    bool owned;         // not only by weak pointers
  };

  // Checks what the pointer tells alone. A pointer that is the only one has nothing to agree with.
  template <class Object, class Pointer>
  [[nodiscard]] static const void* other_owner(const Pointer& pointer, const void* where) {
    const void* words[2];
    std::memcpy(words, &pointer, sizeof words);
    if (words[0] != where || words[1] == nullptr)
      refuse_value("a shared pointer does not own what it points to");
    if constexpr (owner_has_class<Pointer> && std::is_class_v<Object> && !std::is_final_v<Object>)
      if (!may_hold<Object>(words[1]))
        refuse_value("a shared pointer points to a base or a part of the object that it owns");
    return pointer.use_count() != 1 ? words[1] : nullptr;
  }

  [[nodiscard]] static std::size_t hash(const void* object) noexcept {
    return (reinterpret_cast<std::uintptr_t>(object) * 0x9E3779B97F4A7C15u) >> 20;
  }
  template <class T>
  [[nodiscard]] static block<T> zeros(std::size_t size) {
    block<T> made(size);
    std::memset(made.data(), 0, size * sizeof(T));
    return made;
  }
  [[gnu::noinline]] void grow() {
    if (count_ >= std::uint32_t{1} << 31) refuse_value("more than 2147483648 shared objects");
    const std::size_t size = index_.size() == 0 ? 32 : 2 * index_.size();
    met_.resize(size / 2);
    index_ = zeros<std::uint32_t>(size);
    for (std::size_t k = 0; k < count_; ++k) {
      std::size_t i = hash(met_[k].object) & (size - 1);
      while (index_[i] != 0) i = (i + 1) & (size - 1);
      index_[i] = static_cast<std::uint32_t>(k + 1);
    }
  }

  [[gnu::noinline]] void compare_owners() const {
    block<const void*> seen = zeros<const void*>(index_.size());
    const std::size_t mask = seen.size() - 1;
    for (std::size_t k = 0; k < count_; ++k) {
      const void* const owner = met_[k].owner;
      if (owner == nullptr) continue;
      std::size_t i = hash(owner) & mask;
      for (; seen[i] != nullptr; i = (i + 1) & mask)
        if (seen[i] == owner)
          refuse_value("two shared pointers own one object and point to different parts of it");
      seen[i] = owner;
    }
  }

  block<entry> met_;
  block<std::uint32_t> index_;  // numbers from 1; a power of two, at most half of them used
  std::size_t count_ = 0;
  std::size_t owners_ = 0;
  std::size_t lent_ = 0;
};

/// The shared pointers of one value, by the number of what they point to. They do not move.
class shared_objects {
 public:
  shared_objects() noexcept = default;
  shared_objects(const shared_objects&) = delete;
  shared_objects& operator=(const shared_objects&) = delete;
  ~shared_objects() {
    for (std::size_t i = 0; i < count_; ++i) at(i).kind->let_go(at(i).room);
    for (std::size_t i = 0; i < pages_.size(); ++i) delete pages_[i];
  }

  /// The number of the next object.
  [[nodiscard]] std::size_t next() const noexcept { return count_ + 1; }
  /// Keeps another owner. `pointer` is one without const.
  template <class Pointer>
  void remember(const Pointer& pointer) {
    if (count_ == pages_.size() * page_size) add_page();
    entry& made = at(count_);
    if constexpr (fits<Pointer>)
      ::new (static_cast<void*>(made.room)) Pointer(pointer);
    else
      ::new (static_cast<void*>(made.room)) const Pointer*(new Pointer(pointer));
    made.kind = &kind_of<Pointer>;
    ++count_;
  }

  /// Empties all objects, so that they own none of each other.
  void empty() noexcept {
    for (std::size_t i = count_; i > 0; --i) at(i - 1).kind->empty(at(i - 1).room);
  }

  /// Nothing if there is no such object, or one of another type.
  template <class Pointer>
  [[nodiscard]] const Pointer* find(unsigned long long number) noexcept {
    if (number == 0 || number > count_) return nullptr;
    entry& found = at(static_cast<std::size_t>(number - 1));
    return found.kind == &kind_of<Pointer> ? &in<Pointer>(found.room) : nullptr;
  }

 private:
  struct kind_of_pointer {
    void (*empty)(std::byte* room) noexcept;
    void (*let_go)(std::byte* room) noexcept;
  };
  struct entry {
    const kind_of_pointer* kind;
    alignas(void*) std::byte room[2 * sizeof(void*)];
  };
  static constexpr std::size_t page_size = 64;
  struct page {
    entry all[page_size];
  };

  template <class Pointer>
  static constexpr bool fits =
      sizeof(Pointer) <= sizeof(entry::room) && alignof(Pointer) <= alignof(void*);
  template <class Pointer>
  [[nodiscard]] static const Pointer& in(std::byte* room) noexcept {
    if constexpr (fits<Pointer>)
      return *std::launder(reinterpret_cast<Pointer*>(room));
    else
      return **std::launder(reinterpret_cast<const Pointer**>(room));
  }
  template <class Pointer>
  static void empty_object_of(std::byte* room) noexcept {
    detail::empty_object(*in<Pointer>(room));
  }
  template <class Pointer>
  static void end(std::byte* room) noexcept {
    if constexpr (fits<Pointer>)
      in<Pointer>(room).~Pointer();
    else
      delete &in<Pointer>(room);
  }
  /// Its address tells the type, too.
  template <class Pointer>
  static constexpr kind_of_pointer kind_of{empty_object_of<Pointer>, end<Pointer>};

  [[nodiscard]] entry& at(std::size_t i) noexcept {
    return pages_[i / page_size]->all[i % page_size];
  }
  [[gnu::noinline]] void add_page() {
    page* const made = new page;
    pages_.append(&made, 1);
  }

  block<page*> pages_;
  std::size_t count_ = 0;
};

}  // namespace mpiglot::detail
