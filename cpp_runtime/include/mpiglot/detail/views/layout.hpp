// The normalised layout of a view: lengths and byte strides, the last index fastest. Dimensions of
// one element are left out, and neighbours that follow each other in memory are merged.

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot {

/// A view cannot be communicated: its extents or strides exceed 64 bits, it has elements but no
/// address, or it would be received into and two of its elements may share memory.
class view_error : public error {
 public:
  explicit view_error(const char* reason) noexcept
      : error(MPI_ERR_BUFFER, mpi::error_class{MPI_ERR_BUFFER}, "mpiglot", reason) {}
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_view(const char* reason) {
  mpi::detail::fail(view_error(reason));
}

/// A number that stands for all those that were mixed so far, with one more.
[[nodiscard]] constexpr std::uint64_t mixed_with(std::uint64_t mixed,
                                                 std::uint64_t number) noexcept {
  mixed = (mixed + number) * 0x9e3779b97f4a7c15U;
  return mixed ^ (mixed >> 32U);
}

/// The element `steps` steps after this one, each of `Unit` bytes.
template <mpi::count_t Unit, class T>
[[nodiscard]] constexpr T* stepped(T* first, mpi::count_t steps) noexcept {
  if constexpr (Unit == sizeof(T)) {
    return first + cast_to<std::ptrdiff_t>(steps);
  } else {
    using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return reinterpret_cast<T*>(reinterpret_cast<byte*>(first) + steps * Unit);
  }
}

/// One dimension of a view: `length` items, each `stride` bytes after the one before.
struct view_dimension {
  mpi::count_t length;
  mpi::count_t stride;
};

/// The layout of a view of at most `Rank` dimensions. Call `add` for each dimension, the slowest
/// index first, then `finish`.
template <std::size_t Rank>
class view_layout {
 public:
  using count_t = mpi::count_t;

  /// `size` is the number of bytes of an element.
  constexpr explicit view_layout(count_t size) noexcept : size_(size) {}

  /// Adds a dimension of `length` items; `stride` counts elements.
  constexpr void add(count_t length, count_t stride) noexcept { add(length, stride, size_); }
  /// The same where `stride` counts `unit` bytes.
  constexpr void add(count_t length, count_t stride, count_t unit) noexcept {
    if (length < 0) fault_ = "a view has a negative extent";
    if (length == 0) empty_ = true;
    if (length <= 1) return;
    count_t to_next = 0;
    too_large_ |= __builtin_mul_overflow(elements_, length, &elements_);
    too_large_ |= __builtin_mul_overflow(stride, unit, &to_next);
    if (!merged(length, to_next)) dimensions_[rank_++] = {length, to_next};
  }
  /// Completes the layout: an empty view has no dimensions, and one that is too large is a fault.
  constexpr void finish() noexcept {
    if (empty_) elements_ = static_cast<count_t>(rank_ = 0);
    if (empty_ || fault_ != nullptr) return;
    if (!too_large_) too_large_ = span_overflows();
    if (too_large_) fault_ = "the extents and strides of a view exceed 64 bits";
  }

  /// The reason why the view cannot be used, or null.
  [[nodiscard]] constexpr const char* fault() const noexcept { return fault_; }
  /// The number of elements. Zero if there is a fault.
  [[nodiscard]] constexpr count_t elements() const noexcept {
    return fault_ == nullptr ? elements_ : 0;
  }
  [[nodiscard]] constexpr std::size_t rank() const noexcept { return rank_; }
  /// The dimensions, the slowest index first.
  [[nodiscard]] constexpr const view_dimension* dimensions() const noexcept { return dimensions_; }

  /// True if the elements follow each other in memory in the order of their indices.
  [[nodiscard]] constexpr bool is_contiguous() const noexcept {
    return rank_ == 0 || (rank_ == 1 && dimensions_[0].stride == size_);
  }

  /// True unless each stride exceeds what the dimensions of smaller strides span. Two elements
  /// never share memory if this is false.
  [[nodiscard]] constexpr bool may_overlap() const noexcept {
    std::uint64_t span = static_cast<std::uint64_t>(size_);
    bool taken[places] = {};
    for (std::size_t done = 0; done < rank_; ++done) {
      std::size_t next = rank_;
      for (std::size_t i = 0; i < rank_; ++i)
        if (!taken[i] && (next == rank_ || distance(i) < distance(next))) next = i;
      if (distance(next) < span) return true;
      taken[next] = true;
      span += distance(next) * static_cast<std::uint64_t>(dimensions_[next].length - 1);
    }
    return false;
  }

 private:
  static constexpr std::size_t places = Rank == 0 ? 1 : Rank;

  [[nodiscard]] constexpr bool merged(count_t length, count_t stride) noexcept {
    count_t whole = 0;
    if (rank_ == 0 || __builtin_mul_overflow(length, stride, &whole)) return false;
    view_dimension& outer = dimensions_[rank_ - 1];
    count_t together = 0;
    if (outer.stride != whole || __builtin_mul_overflow(outer.length, length, &together))
      return false;
    outer = {together, stride};
    return true;
  }
  // The distance of the first element from the last, and of the lowest address from the highest.
  [[nodiscard]] constexpr bool span_overflows() const noexcept {
    count_t below = 0;
    count_t above = size_;
    for (std::size_t i = 0; i < rank_; ++i) {
      count_t reach = 0;
      count_t& end = dimensions_[i].stride < 0 ? below : above;
      if (__builtin_mul_overflow(dimensions_[i].length - 1, dimensions_[i].stride, &reach) ||
          __builtin_add_overflow(end, reach, &end))
        return true;
    }
    count_t span = 0;
    return __builtin_sub_overflow(above, below, &span);
  }
  [[nodiscard]] constexpr std::uint64_t distance(std::size_t i) const noexcept {
    const auto stride = static_cast<std::uint64_t>(dimensions_[i].stride);
    return dimensions_[i].stride < 0 ? 0 - stride : stride;
  }

  count_t size_;
  count_t elements_ = 1;
  std::size_t rank_ = 0;
  view_dimension dimensions_[places] = {};
  const char* fault_ = nullptr;
  bool empty_ = false;
  bool too_large_ = false;
};

}  // namespace detail
}  // namespace mpiglot
