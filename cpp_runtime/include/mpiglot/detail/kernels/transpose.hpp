// Transposes matrices of small elements, at the speed of the cache.

#pragma once

#include <cstddef>

#include <mpiglot/error.hpp>

namespace mpiglot::detail::kernels {

/// Where the lines of a matrix lie: the first of them, and the bytes from one to the next. The
/// elements of a line follow each other.
template <class Byte>
struct lines {
  Byte* first;
  std::ptrdiff_t pitch;

  [[nodiscard, gnu::always_inline]] Byte* at(std::ptrdiff_t line,
                                             std::ptrdiff_t byte) const noexcept {
    return first + line * pitch + byte;
  }
};

/// True for elements of `Size` bytes that can be transposed.
template <std::size_t Size>
inline constexpr bool has_transpose =
    Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16;

/// `to` gets `rows` lines of `columns` elements: element c of its line r is element r of the line c
/// of `from`. They must not share memory.
template <std::size_t Size>
void transpose(lines<std::byte> to, lines<const std::byte> from, std::ptrdiff_t rows,
               std::ptrdiff_t columns) noexcept;

}  // namespace mpiglot::detail::kernels

#if MPIGLOT_BODIES
#include <mpiglot/detail/kernels/transpose.ipp>
#endif
