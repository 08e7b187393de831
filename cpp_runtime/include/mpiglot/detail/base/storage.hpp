// Memory that MPI is lent: arrays without initial values whose address survives a move.

#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#include <mpiglot/mpi/error.hpp>

namespace mpiglot::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  mpi::detail::raise(MPI_ERR_NO_MEM, "mpiglot");
#endif
}

/// There is no memory for what this rank needs to take part in a collective, and the others wait for it.
class cannot_take_part final : public std::bad_alloc {
 public:
  [[nodiscard]] const char* what() const noexcept override {
    return "there is no memory to take part in a collective, for which the other ranks wait";
  }
};
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_part() {
#if defined(__cpp_exceptions)
  throw cannot_take_part();
#else
  refuse_memory();
#endif
}
/// Ends the job, with that message, unless this rank is alone.
// NOLINTNEXTLINE(bugprone-exception-escape): that is how it ends
[[gnu::cold, gnu::noinline]] inline void end_if_others_wait(int ranks) noexcept {
  if (ranks > 1) refuse_part();
}
/// The same, and throws where this rank is alone.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_part_of(std::size_t ranks) {
  end_if_others_wait(static_cast<int>(ranks));
  refuse_part();
}

/// `new T(...)` where other ranks may wait for this one, so that memory is asked for twice. Throws
/// `cannot_take_part`.
template <class T, class... A>
[[nodiscard]] T* new_to_take_part(A&&... a) {
  static constexpr bool wide = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  struct box {
    [[nodiscard]] static void* taken() noexcept {
      if constexpr (wide)
        return ::operator new(sizeof(T), std::align_val_t{alignof(T)}, std::nothrow);
      else
        return ::operator new(sizeof(T), std::nothrow);
    }
    void* memory = taken();

    ~box() {
      if constexpr (wide)
        ::operator delete(memory, std::align_val_t{alignof(T)});
      else
        ::operator delete(memory);
    }
  } room;
  if (room.memory == nullptr) [[unlikely]]
    room.memory = box::taken();
  if (room.memory == nullptr) [[unlikely]]
    refuse_part();
  T* const made = ::new (room.memory) T(static_cast<A&&>(a)...);
  room.memory = nullptr;
  return made;
}

/// Frees what the library keeps for later (views/kept.ipp), once it keeps something.
using freeing = void (*)() noexcept;
inline constinit freeing free_kept = nullptr;
/// Memory of an encoding that nobody uses, or null (kept_encoding.hpp). Its first bytes are its size.
inline constinit void* kept_encoding = nullptr;
/// Tries once more, with what the library kept, or another thread has freed meanwhile.
[[nodiscard, gnu::cold, gnu::noinline]] inline void* realloc_again(void* memory,
                                                                   std::size_t size) noexcept {
  if (const auto give_back = __atomic_load_n(&free_kept, __ATOMIC_RELAXED)) give_back();
  std::free(__atomic_exchange_n(&kept_encoding, nullptr, __ATOMIC_ACQ_REL));
  return std::realloc(memory, size);
}

/// An array on the heap for trivially copyable elements; new elements have no value yet.
template <class T>
class block {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  block() noexcept = default;
  explicit block(std::size_t size) { resize(size); }
  block(block&& other) noexcept : data_(other.data_), size_(other.size_), room_(other.room_) {
    other.data_ = nullptr;
    other.size_ = other.room_ = 0;
  }
  block& operator=(block&& other) noexcept {
    block old(static_cast<block&&>(*this));
    data_ = other.data_;
    size_ = other.size_;
    room_ = other.room_;
    other.data_ = nullptr;
    other.size_ = other.room_ = 0;
    return *this;
  }
  ~block() {
    if (data_ != nullptr) std::free(data_);
  }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// How many elements there is memory for.
  [[nodiscard]] std::size_t room() const noexcept { return room_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }

  /// Gives the memory away; whoever gets it frees it (std::free).
  [[nodiscard]] T* release() noexcept {
    T* const data = data_;
    data_ = nullptr;
    size_ = room_ = 0;
    return data;
  }

  /// Takes memory of std::malloc for `room` elements, if there is none.
  void adopt(void* memory, std::size_t room) noexcept {
    data_ = static_cast<T*>(memory);
    room_ = room;
  }

  /// True if there is memory for `size` elements now, which have no value then.
  [[nodiscard]] bool try_resize(std::size_t size) noexcept {
    if (size > room_ && !grown(size)) [[unlikely]]
      return false;
    size_ = size;
    return true;
  }
  /// Keeps the elements there are. Throws std::bad_alloc.
  void resize(std::size_t size) {
    if (size > room_) grow(size);
    size_ = size;
  }

  /// The same of memory without which this rank cannot take part in a collective.
  void resize_to_take_part(std::size_t size) {
    if (size > room_ && !grown(size)) [[unlikely]]
      refuse_part();
    size_ = size;
  }
  /// The same with so many ranks.
  void resize_with_others(std::size_t size, std::size_t ranks) {
    if (size > room_ && !grown(size)) [[unlikely]]
      refuse_part_of(ranks);
    size_ = size;
  }

  /// Adds `count` elements at the end; grows by doubling, at first to `least`. Throws
  /// std::bad_alloc.
  void append(const T* elements, std::size_t count) {
    if (count == 0) return;
    std::memcpy(extend(count), elements, count * sizeof(T));
  }
  /// The same without values: returns the first of the new elements.
  [[nodiscard]] T* extend(std::size_t count) {
    reserve_more(count);
    return extend_within(count);
  }
  /// Memory for so many more elements.
  void reserve_more(std::size_t count) {
    if (count > room_ - size_) [[unlikely]]
      grow_by(count);
  }
  /// `extend` where there is memory for the elements.
  [[nodiscard]] T* extend_within(std::size_t count) noexcept {
    const std::size_t old = size_;
    size_ = old + count;
    return data_ + old;
  }

 private:
  static constexpr std::size_t least = 128;

  [[gnu::noinline]] void grow_by(std::size_t count) {
    const std::size_t twice = room_ == 0 ? least : 2 * room_;
    grow(count > twice - size_ ? size_ + count : twice);
  }
  void grow(std::size_t room) {
    if (!grown(room)) [[unlikely]]
      refuse_memory();
  }
  [[nodiscard]] bool grown(std::size_t room) noexcept {
    const bool possible = room <= static_cast<std::size_t>(-1) / sizeof(T);
    if (!possible) return false;
    const std::size_t size = room * sizeof(T);
    void* memory = data_ == nullptr ? std::malloc(size) : std::realloc(data_, size);
    if (memory == nullptr) [[unlikely]] {
      memory = realloc_again(data_, size);
      if (memory == nullptr) return false;
    }
    data_ = static_cast<T*>(memory);
    room_ = room;
    return true;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

using bytes = block<std::byte>;

}  // namespace mpiglot::detail
