// Structures that lie in memory of their own, which is freed at once: `arena_of<T>`.
//
//   struct tree {                 // the arena frees the nodes, so there is no destructor
//     double value = 0;
//     tree* left = nullptr;
//     tree* right = nullptr;
//     static void fields(auto& self, auto&& visit) {
//       visit(self.value, mpiglot::owned(self.left), mpiglot::owned(self.right));
//     }
//   };
//   mpiglot::arena_of<tree> all;
//   comm.recv(recv_buf(deep(all)), source(0));  // the sender: send_buf(deep(root)), a `tree`
//   use(all->left);

#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

#include <mpiglot/codec.hpp>
#include <mpiglot/detail/codec/arena_memory.hpp>

namespace mpiglot {

namespace wrong_call {

template <class Class, class Field>
struct field_needs_a_destructor {};

}  // namespace wrong_call

namespace detail {

/// Blocks of memory, each twice as large as the one before, up to a limit. They can be used again.
class arena_blocks final : public std::pmr::memory_resource, public arena_memory {
 public:
  arena_blocks() noexcept : arena_memory(static_cast<std::pmr::memory_resource*>(this)) {}
  arena_blocks(const arena_blocks&) = delete;
  arena_blocks& operator=(const arena_blocks&) = delete;
  ~arena_blocks() override {
    reset();
    while (spare_ != nullptr) ::operator delete(std::exchange(spare_, spare_->before));
  }
  /// Ends the use of all memory, and keeps it.
  void reset() noexcept {
    while (last_ != nullptr) {
      block* const next = std::exchange(last_, last_->before);
      next->before = std::exchange(spare_, next);
    }
    use(nullptr, 0);
  }
  /// The bytes of all blocks.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct alignas(std::max_align_t) block {
    block* before;
    std::size_t size;
  };
  static constexpr std::size_t first_block = 4096;
  static constexpr std::size_t largest_block = std::size_t{1} << 20;

  void* take_elsewhere(std::size_t size, std::size_t alignment) override {
    if (size > static_cast<std::size_t>(-1) / 2 - alignment - sizeof(block)) refuse_memory();
    const std::size_t needed = sizeof(block) + size + alignment;
    block* next = spare_;
    if (next != nullptr && next->size >= needed) {
      spare_ = next->before;
      next->before = last_;
    } else {
      const std::size_t room = needed > next_ ? needed : next_;
      next = ::new (::operator new(room)) block{last_, room};
      bytes_ += room;
      if (next_ < largest_block) next_ *= 2;
    }
    last_ = next;
    use(reinterpret_cast<std::byte*>(next + 1), next->size - sizeof(block));
    return take(size, alignment);
  }
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    return take(size, alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  block* last_ = nullptr;
  block* spare_ = nullptr;
  std::size_t next_ = first_block;
  std::size_t bytes_ = 0;
};

/// Not inlined, since g++ prints all functions that the call was inlined into.
template <class Mistake>
[[gnu::error("mpiglot: an arena runs no destructors")]] void refuse_in_arena();
template <class Class, class Field>
[[gnu::cold, gnu::noinline]] void refuse_in_arena_of() {
  refuse_in_arena<wrong_call::field_needs_a_destructor<Class, Field>>();
}

/// Refuses what needs a destructor, in a field of `Class` and in all that it leads to. The compiler
/// looks as it generates this code; it is not meant to run, and does nothing without an object.
template <class Class, class T>
void require_no_destructor(void* object) {
  if (object == nullptr) return;
  if constexpr (encodes_itself<T>) {
    refuse_in_arena_of<Class, T>();
  } else if constexpr (lists_fields<T>) {
    visit_listed(*static_cast<T*>(object), [object]<class... Field>(Field&&...) {
      (require_no_destructor<T, std::remove_cvref_t<Field>>(object), ...);
    });
  } else if constexpr (is_base_parts<T>) {
    [object]<class Self, class... Bases>(base_parts<Self, Bases...>*) {
      (require_no_destructor<Class, Bases>(object), ...);
    }(static_cast<T*>(nullptr));
  } else if constexpr (is_rule_of_each<T>) {
    require_no_destructor<Class, decltype(T::of(std::declval<typename T::pointer&>()))>(object);
  } else if constexpr (is_observed_object<T> || byte_run<T>) {
    return;
  } else if constexpr (is_rule<T>) {
    if constexpr (requires(T& rule) { rule.pointer.get(); } || registered_pointer<T>)
      refuse_in_arena_of<Class, T>();
    else
      require_no_destructor<Class, typename T::object>(object);
  } else if constexpr (std::is_bounded_array_v<T> || tuple_like<T> || optional_like<T> ||
                       variant_like<T> || fixed_array<T> || pmr_container<T>) {
    any_part<T>([object]<class Part>(Part*) {
      require_no_destructor<Class, Part>(object);
      return false;
    });
  } else {
    refuse_in_arena_of<Class, T>();
  }
}

}  // namespace detail

/// A `T` and all that it owns, in memory that is freed at once: no destructor of these objects is run.
/// A receive buffer of `deep` and `as_serialized`; what is sent to it is a `T`. Also a send buffer.
/// Pointers of the language that have a rule (`mpiglot/fields.hpp`) lead to objects in the arena, and
/// containers of std::pmr take their memory from it, so that they may grow as long as it lives.
/// `T` may have no field of another kind that owns memory: that is refused when the program is
/// compiled. Moving an arena moves no object. Not thread-safe.
template <class T>
class arena_of {
 public:
  /// What it holds.
  using in_arena = T;

  /// Holds nothing.
  arena_of() noexcept = default;
  /// Takes the objects of another arena, which then holds nothing.
  arena_of(arena_of&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        root_(std::exchange(other.root_, nullptr)) {}
  /// Frees what it holds, then does the same.
  arena_of& operator=(arena_of&& other) noexcept {
    arena_of taken(static_cast<arena_of&&>(other));
    std::swap(memory_, taken.memory_);
    std::swap(root_, taken.root_);
    return *this;
  }
  /// Frees all memory at once.
  ~arena_of() { delete memory_; }

  /// Whether it holds a value: one that was received.
  [[nodiscard]] explicit operator bool() const noexcept { return root_ != nullptr; }
  /// The value. There must be one.
  [[nodiscard]] T& operator*() const noexcept { return *root_; }
  /// Its members.
  [[nodiscard]] T* operator->() const noexcept { return root_; }
  /// The bytes of its blocks of memory.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return memory_ == nullptr ? 0 : memory_->bytes();
  }
  /// Replaces the value by that of an encoding. Its memory is used again, so that the second value of
  /// this size needs no allocation. Throws `decode_error`, and holds nothing then. Long runs that were
  /// left out of the encoding get their places in `left_out`.
  void decode(const std::byte* from, std::size_t size, detail::long_runs* left_out = nullptr) {
    if (size == static_cast<std::size_t>(-1)) [[unlikely]]  // never: for the compiler to look
      detail::require_no_destructor<arena_of, T>(root_);
    begin();
    root_ = detail::decoder(from, size, memory_, left_out).template read_into_arena<T>();
  }
  /// The same from a source, whose first bytes may be in memory already.
  void decode(detail::byte_source& from, detail::byte_source::view first = {},
              detail::long_runs* left_out = nullptr) {
    begin();
    root_ = detail::decoder(from, first, memory_, left_out).template read_into_arena<T>();
  }

 private:
  void begin() {
    root_ = nullptr;
    if (memory_ == nullptr)
      memory_ = new detail::arena_blocks();
    else
      memory_->reset();
  }

  detail::arena_blocks* memory_ = nullptr;
  T* root_ = nullptr;
};

}  // namespace mpiglot
