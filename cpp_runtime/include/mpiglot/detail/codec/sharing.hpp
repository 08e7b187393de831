// Objects with several owners: which were written already, and which were read.

#pragma once

#include <cstdint>
#include <cstring>
#include <new>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/address_table.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/dismantling.hpp>
#include <mpiglot/detail/codec/encode_error.hpp>
#include <mpiglot/detail/codec/owners.hpp>
#include <mpiglot/detail/codec/seen.hpp>

namespace mpiglot::detail {

/// Numbers objects from 1 on, in the order in which shared pointers to them are first met. Allocates
/// at the first one. Refuses pointers that the receiver could not restore.
class addresses {
 public:
  struct answer {
    std::size_t number;
    bool first;
  };

  /// With a table of the program's own, or null.
  explicit addresses(address_table* table) : table_(table) {
    if (table == nullptr) return;
    table->clear();
    index_.resize(1);  // it has one number, and stays full
    index_.resize(0);
  }

  /// Of a pointer to a part of what it owns the number is 0: it is none of the objects. `owns` is false
  /// of a weak pointer, which another one must back.
  template <class Pointer>
  [[nodiscard]] answer number_of(const Pointer& pointer, bool owns = true) {
    const void* where = pointer.get();
    const void* type = &type_tag<owning_form<Pointer>>;
    if constexpr (registered_pointer<Pointer>) {
      where = whole_object(pointer.get());
      type = &type_tag<class_operations>;
    }
    if (is_full()) [[unlikely]]
      return number_elsewhere(pointer, owns, where, type);
    return number_at(slot_of(where, type), pointer, owns, where, type);
  }
  /// The same of a part of an object that was not met.
  template <class Pointer>
  [[nodiscard]] answer number_of_part(const Pointer& pointer) {
    const void* const type = &type_tag<owning_form<Pointer>>;
    const std::size_t i = any_slot_of(pointer.get(), type);
    if (index_[i] != 0) return {index_[i], false};
    return {add(i, {pointer.get(), type, nullptr, 1}), true};
  }
  /// The same of what pointers own whose rules tell a length.
  template <class Rule>
  [[nodiscard]] answer number_of_array(const Rule& rule, std::size_t length) {
    using pointer = std::remove_cvref_t<decltype(rule.pointer)>;
    const auto* const where = first_owned(rule);
    const std::size_t i = any_slot_of(where, &type_tag<owning_form<pointer>>);
    if (index_[i] != 0) {
      if (met_[index_[i] - 1].told != length + 1)
        refuse_value("two pointers that share an array tell different lengths");
      return {index_[i], false};
    }
    const void* owner = nullptr;
    if constexpr (has_owner<pointer>) {
      owner = other_owner(rule.pointer, where);
      if (owner != nullptr) ++owners_;
    }
    return {add(i, {where, &type_tag<owning_form<pointer>>, owner, length + 1}), true};
  }
  /// The number of the object that an owner owns; 0 if no pointer to it was met. At the end only.
  [[nodiscard]] std::size_t owned_by(const void* owner) {
    if (by_owner_.size() == 0) {
      by_owner_ = zeros<std::uint32_t>(size_for_all());
      for (std::size_t k = 0; k < count_; ++k)
        if (met_[k].owner != nullptr)
          by_owner_[slot_of_owner(met_[k].owner)] = static_cast<std::uint32_t>(k + 1);
    }
    return by_owner_[slot_of_owner(owner)];
  }
  /// The number of the next object.
  [[nodiscard]] std::size_t next() const noexcept { return count_ + 1; }
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
    std::size_t told;   // 0 if only weak pointers told of it; of an array, its length and 1 more
  };

  template <class Pointer>
  [[nodiscard]] answer number_at(std::size_t i, const Pointer& pointer, bool owns,
                                 const void* where, const void* type) {
    if (index_[i] != 0) {
      entry& met = met_[index_[i] - 1];
      if (owns && met.told == 0) {
        met.told = 1;
        --lent_;
      }
      return {index_[i], false};
    }
    return first_number_of(pointer, owns, i, where, type);
  }
  // Apart, so that the compiler knows of the usual slot what the search has found.
  template <class Pointer>
  [[nodiscard, gnu::noinline]] answer number_elsewhere(const Pointer& pointer, bool owns,
                                                       const void* where, const void* type) {
    return number_at(any_slot_of(where, type), pointer, owns, where, type);
  }
  template <class Pointer>
  [[nodiscard, gnu::noinline]] answer first_number_of(const Pointer& pointer, bool owns,
                                                      std::size_t i, const void* where,
                                                      const void* type) {
    const void* owner = nullptr;
    if constexpr (has_owner<Pointer>) {
      if constexpr (!registered_pointer<Pointer>)
        if (points_to_part(pointer)) [[unlikely]]
          return {0, false};
      owner = other_owner(pointer, where);
      if (owner != nullptr) ++owners_;
    }
    if (!owns) ++lent_;
    return {add(i, {where, type, owner, owns ? std::size_t{1} : 0}), true};
  }

  // Whether the index has no room, or is not used.
  [[nodiscard]] bool is_full() const noexcept { return 2 * count_ >= index_.size(); }
  // Where the number of an object is or will be in the index.
  [[nodiscard]] std::size_t slot_of(const void* where, const void* type) const noexcept {
    const std::size_t mask = index_.size() - 1;
    std::size_t i = hash(where) & mask;
    for (; index_[i] != 0; i = (i + 1) & mask) {
      const entry& met = met_[index_[i] - 1];
      if (met.object == where && met.type == type) break;
    }
    return i;
  }
  [[nodiscard]] std::size_t any_slot_of(const void* where, const void* type) {
    if (table_ != nullptr) return slot_in_table(where, type);
    if (is_full()) grow();
    return slot_of(where, type);
  }
  // The program's table has the numbers; the index has the one that was asked for last.
  [[nodiscard]] std::size_t slot_in_table(const void* where, const void* type) {
    in_table_ = &table_->number(where, type);
    const std::uint32_t number = *in_table_;
    if (number > count_ ||
        (number != 0 && (met_[number - 1].object != where || met_[number - 1].type != type)))
      refuse_value("a table of addresses has another number than was written into it");
    if (count_ == met_.size()) {
      require_fewer();
      met_.resize(2 * count_ + 16);
    }
    index_.data()[0] = number;
    return 0;
  }
  // The same for owners.
  [[nodiscard]] std::size_t slot_of_owner(const void* owner) const noexcept {
    const std::size_t mask = by_owner_.size() - 1;
    std::size_t i = hash(owner) & mask;
    while (by_owner_[i] != 0 && met_[by_owner_[i] - 1].owner != owner) i = (i + 1) & mask;
    return i;
  }
  [[nodiscard]] std::size_t add(std::size_t slot, entry made) {
    met_[count_] = made;
    index_[slot] = static_cast<std::uint32_t>(++count_);
    if (table_ != nullptr) *in_table_ = index_[slot];
    return count_;
  }

  // What else owns the object, or null if nothing does. Checks what the pointer tells alone.
  template <class Pointer>
  [[nodiscard]] static const void* other_owner(const Pointer& pointer, const void* where) {
    const two_words words = words_of(pointer);
    if ((words.object != where && !registered_pointer<Pointer>) || words.owner == nullptr)
      refuse_value("a shared pointer does not own what it points to");
    return pointer.use_count() != 1 ? words.owner : nullptr;
  }

  [[nodiscard]] static std::size_t hash(const void* object) noexcept {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(object);
    return cast_to<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 20);
  }
  template <class T>
  [[nodiscard]] static block<T> zeros(std::size_t size) {
    block<T> made(size);
    std::memset(made.data(), 0, size * sizeof(T));
    return made;
  }
  void require_fewer() const {
    if (count_ >= std::uint32_t{1} << 31) refuse_value("more than 2147483648 shared objects");
  }
  // Of a table that is at most half full.
  [[nodiscard]] std::size_t size_for_all() const noexcept {
    std::size_t size = 32;
    while (size < 2 * count_) size *= 2;
    return size;
  }
  [[gnu::noinline]] void grow() {
    require_fewer();
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
    block<const void*> seen = zeros<const void*>(size_for_all());
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

  address_table* table_;
  std::uint32_t* in_table_ = nullptr;
  block<entry> met_;
  block<std::uint32_t> by_owner_;
  block<std::uint32_t> index_;  // numbers from 1; a power of two, at most half of them used
  std::size_t count_ = 0;
  std::size_t owners_ = 0;
  std::size_t lent_ = 0;
};

/// Whether a part that a pointer leads to may be an object of its own: it is no base, and owns nothing.
template <class Pointer>
inline constexpr bool part_may_be_alone =
    (!std::is_class_v<typename Pointer::element_type> ||
     std::is_final_v<typename Pointer::element_type>) &&
    !may_own<std::remove_cv_t<typename Pointer::element_type>>();

/// What the decoder keeps of an object that is shared: one of its pointers.
template <class Pointer>
struct held_pointer {
  using owner_type = owner_of_any<Pointer>;
  Pointer pointer;
  [[nodiscard]] owner_type owning() const noexcept { return pointer; }
  void empty() const noexcept { empty_object(*pointer, false); }
  void destroy() const noexcept {}
};
/// Of a class that is registered: the object, and an owner that tells nothing of the class.
template <class Owner>
struct held_registered {
  using owner_type = Owner;
  Owner owner;
  [[nodiscard]] const Owner& owning() const noexcept { return owner; }
  void* object;
  const class_operations* of;
  void empty() const noexcept {
    dismantler by(false);
    of->empty(by, object);
  }
  void destroy() const noexcept {}
};
/// Or one of the pointers to an array. `Pointer` may be one of the language, which frees nothing.
template <class Object, class Pointer, bool One>
struct held_array {
  Pointer pointer;
  std::size_t count;

  void empty() const noexcept {
    if constexpr (may_own<Object>())
      for (const Object *at = &pointer[0], *const end = at + count; at != end; ++at)
        empty_object(*at, false);
  }
  void destroy() const noexcept {
    if constexpr (std::is_pointer_v<Pointer>) {
      if constexpr (One)
        delete pointer;
      else
        delete[] pointer;
    }
  }
};

/// The shared objects of one value, by their numbers. They do not move.
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
  /// Makes room for the next object, which may throw.
  void reserve() {
    if (count_ == pages_.size() * page_size) add_page();
  }
  /// Keeps another owner. `Held` is one of a pointer without const.
  template <class Held>
  void remember(Held held) {
    reserve();
    entry& made = at(count_);
    if constexpr (fits<Held>)
      ::new (static_cast<void*>(made.room)) Held(static_cast<Held&&>(held));
    else
      ::new (static_cast<void*>(made.room)) const Held*(new Held(static_cast<Held&&>(held)));
    made.kind = &kind_of<Held>;
    ++count_;
  }

  /// Empties all objects, so that they own none of each other, and frees those that no pointer frees.
  void empty() noexcept {
    for (std::size_t i = count_; i > 0; --i) at(i - 1).kind->empty(at(i - 1).room);
    for (std::size_t i = count_; i > 0; --i) at(i - 1).kind->destroy(at(i - 1).room);
  }

  /// Gives another pointer that owns an object. False if there is no such object, or no such pointer.
  template <class Owner>
  [[nodiscard]] bool owner_of(unsigned long long number, Owner& owner) noexcept {
    if (number == 0 || number > count_) return false;
    const entry& found = at(static_cast<std::size_t>(number - 1));
    if (found.kind->owner_type != &type_tag<Owner>) return false;
    found.kind->give_owner(found.room, &owner);
    return true;
  }
  /// Nothing if there is no such object, or one of another type.
  template <class Held>
  [[nodiscard]] const Held* find(unsigned long long number) noexcept {
    if (number == 0 || number > count_) return nullptr;
    entry& found = at(static_cast<std::size_t>(number - 1));
    return found.kind == &kind_of<Held> ? &in<Held>(found.room) : nullptr;
  }

 private:
  struct kind_of_held {
    void (*empty)(std::byte* room) noexcept;
    void (*destroy)(std::byte* room) noexcept;
    void (*let_go)(std::byte* room) noexcept;
    const void* owner_type;  // or null
    void (*give_owner)(const std::byte* room, void* owner) noexcept;
  };
  struct entry {
    const kind_of_held* kind;
    alignas(void*) std::byte room[2 * sizeof(void*)];
  };
  static constexpr std::size_t page_size = 64;
  struct page {
    entry all[page_size];
  };

  template <class Held>
  static constexpr bool fits =
      sizeof(Held) <= sizeof(entry::room) && alignof(Held) <= alignof(void*);
  template <class Held>
  [[nodiscard]] static const Held& in(const std::byte* room) noexcept {
    if constexpr (fits<Held>)
      return *std::launder(reinterpret_cast<const Held*>(room));
    else
      return **std::launder(reinterpret_cast<const Held* const*>(room));
  }
  template <class Held>
  static void empty_held(std::byte* room) noexcept {
    in<Held>(room).empty();
  }
  template <class Held>
  static void destroy_held(std::byte* room) noexcept {
    in<Held>(room).destroy();
  }
  template <class Held>
  static void end(std::byte* room) noexcept {
    if constexpr (fits<Held>)
      in<Held>(room).~Held();
    else
      delete &in<Held>(room);
  }
  template <class Held>
  [[nodiscard]] static constexpr const void* owner_type_of() noexcept {
    if constexpr (requires { typename Held::owner_type; })
      return &type_tag<typename Held::owner_type>;
    else
      return nullptr;
  }
  template <class Held>
  static void give_owner_of([[maybe_unused]] const std::byte* room,
                            [[maybe_unused]] void* owner) noexcept {
    if constexpr (requires { typename Held::owner_type; })
      *static_cast<typename Held::owner_type*>(owner) = in<Held>(room).owning();
  }
  /// Its address tells the type, too.
  template <class Held>
  static constexpr kind_of_held kind_of{empty_held<Held>, destroy_held<Held>, end<Held>,
                                        owner_type_of<Held>(), give_owner_of<Held>};

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
