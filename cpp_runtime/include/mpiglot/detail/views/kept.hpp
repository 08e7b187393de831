// What a call with a view needs and the next one needs again: memory for packed elements, and
// committed datatypes. Both are kept for the process, within limits, until MPI_Finalize.

#pragma once

#include <cstddef>
#include <cstdint>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/views/layout.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// What is kept at most of memory that nobody uses.
inline constexpr std::size_t most_memory_kept = std::size_t{64} << 20;

/// Memory at a line of the cache. `room` is how many bytes there are, at least `size`. Null if there
/// is no such memory.
[[nodiscard]] void* borrow_memory(std::size_t size, std::size_t& room) noexcept;
/// Keeps the memory for the next who borrows, or frees it.
void return_memory(void* memory, std::size_t room) noexcept;
/// Frees all memory that nobody uses.
void free_kept_memory() noexcept;

/// An array that is borrowed, without initial values.
template <class T>
class borrowed {
 public:
  borrowed() noexcept = default;
  borrowed(borrowed&& other) noexcept : data_(other.data_), size_(other.size_), room_(other.room_) {
    other.room_ = 0;
  }
  borrowed& operator=(borrowed&&) = delete;
  ~borrowed() {
    if (room_ != 0) return_memory(data_, room_);
  }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// True if there is memory for `size` elements now. Call it once.
  [[nodiscard]] bool try_resize(std::size_t size) noexcept {
    size_ = size;
    if (size == 0) return true;
    if (size > static_cast<std::size_t>(-1) / (2 * sizeof(T))) return false;
    data_ = static_cast<T*>(borrow_memory(size * sizeof(T), room_));
    if (data_ == nullptr) room_ = 0;
    return data_ != nullptr;
  }
  /// Uses memory of the caller for `size` elements instead: then it must not be moved. Call it once.
  void lie_in(void* memory, std::size_t size) noexcept {
    data_ = static_cast<T*>(memory);
    size_ = size;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

/// The first `count` elements of a view: what its datatype depends on.
struct described_elements {
  const view_dimension* dimensions;
  std::size_t rank;
  mpi::count_t size;  ///< of an element
  mpi::datatype_handle element;
  mpi::count_t count;
};

struct kept_datatype;

/// A committed datatype that others may use, too.
class shared_datatype {
 public:
  shared_datatype() noexcept = default;
  /// Of these elements, at least one. It is found again if the datatype of an element is `permanent`:
  /// a handle that can be freed may come back as another datatype. Throws `mpi::error`.
  shared_datatype(const described_elements& elements, bool permanent);
  shared_datatype(shared_datatype&& other) noexcept : kept_(other.kept_) { other.kept_ = nullptr; }
  shared_datatype& operator=(shared_datatype&& other) noexcept {
    kept_datatype* const mine = kept_;
    kept_ = other.kept_;
    other.kept_ = mine;
    return *this;
  }
  ~shared_datatype() {
    if (kept_ != nullptr) leave();
  }

  [[nodiscard]] mpi::datatype_handle handle() const noexcept;

 private:
  void leave() noexcept;

  kept_datatype* kept_ = nullptr;
};

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/views/kept.ipp>
#endif
