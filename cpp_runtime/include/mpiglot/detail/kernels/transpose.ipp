// Squares of elements that fit the vector registers, in blocks that fit the first cache. Which
// registers there are is asked at run time.

#pragma once

#include <cstring>
#include <utility>

#include <mpiglot/detail/kernels/transpose.hpp>

namespace mpiglot::detail::kernels {

template <std::size_t Size>
struct bits_of;
template <>
struct bits_of<1> {
  using type = unsigned char;
};
template <>
struct bits_of<2> {
  using type = unsigned short;
};
template <>
struct bits_of<4> {
  using type = unsigned int;
};
template <>
struct bits_of<8> {
  using type = unsigned long long;
};

/// A square of elements, one register a line. All loops are unrolled, so that no line is in memory.
template <std::size_t Size, int Lanes, class Line = std::make_integer_sequence<int, Lanes>>
struct square;
template <std::size_t Size, int Lanes, int... Line>
struct square<Size, Lanes, std::integer_sequence<int, Line...>> {
  typedef typename bits_of<Size>::type line __attribute__((vector_size(Size * Lanes)));
  line lines[static_cast<std::size_t>(Lanes)];

  [[gnu::always_inline]] inline void load(const std::byte* at, std::ptrdiff_t pitch) noexcept {
    (static_cast<void>(std::memcpy(&lines[Line], at + Line * pitch, sizeof(line))), ...);
  }
  [[gnu::always_inline]] inline void store(std::byte* at, std::ptrdiff_t pitch) const noexcept {
    (static_cast<void>(std::memcpy(at + Line * pitch, &lines[Line], sizeof(line))), ...);
  }
  /// Exchanges the off-diagonal halves of pairs of lines, for each power of two.
  template <int Apart = Lanes / 2>
  [[gnu::always_inline]] inline void transpose() noexcept {
    (exchange<Apart, Line>(), ...);
    if constexpr (Apart > 1) transpose<Apart / 2>();
  }

 private:
  template <int Apart, int Upper>
  [[gnu::always_inline]] inline void exchange() noexcept {
    if constexpr ((Upper & Apart) == 0) {
      const line above = lines[Upper];
      const line below = lines[Upper + Apart];
      lines[Upper] = __builtin_shufflevector(
          above, below, ((Line & Apart) == 0 ? Line : Lanes + Line - Apart)...);
      lines[Upper + Apart] = __builtin_shufflevector(
          above, below, ((Line & Apart) == 0 ? Line + Apart : Lanes + Line)...);
    }
  }
};

/// One by one.
template <std::size_t Size>
struct single {
  std::byte value[Size];
  [[gnu::always_inline]] inline void load(const std::byte* at, std::ptrdiff_t) noexcept {
    std::memcpy(value, at, Size);
  }
  [[gnu::always_inline]] inline void store(std::byte* at, std::ptrdiff_t) const noexcept {
    std::memcpy(at, value, Size);
  }
  [[gnu::always_inline]] inline void transpose() noexcept {}
};
template <std::size_t Size, int Lanes>
struct tile_of {
  using type = square<Size, Lanes>;
};
template <std::size_t Size>
struct tile_of<Size, 1> {
  using type = single<Size>;
};

/// A region of whole squares, row by row of `to`.
template <std::size_t Size, int Lanes>
[[gnu::always_inline]] inline void transpose_region(lines<std::byte> to,
                                                    lines<const std::byte> from, std::ptrdiff_t row,
                                                    std::ptrdiff_t last_row, std::ptrdiff_t column,
                                                    std::ptrdiff_t last_column) noexcept {
  constexpr auto size = static_cast<std::ptrdiff_t>(Size);
  for (std::ptrdiff_t r = row; r < last_row; r += Lanes)
    for (std::ptrdiff_t c = column; c < last_column; c += Lanes) {
      typename tile_of<Size, Lanes>::type elements;
      elements.load(from.at(c, r * size), from.pitch);
      elements.transpose();
      elements.store(to.at(r, c * size), to.pitch);
    }
}

/// Tiles are as long as a line of the cache. Blocks are many tiles high, so that what is read of each
/// line is long (memory likes that), and some elements wide. Wide registers read pages in a row.
template <std::size_t Size, int Lanes, int High = 16, int Wide = 64>
[[gnu::always_inline]] inline void transpose_by(lines<std::byte> to, lines<const std::byte> from,
                                                std::ptrdiff_t rows,
                                                std::ptrdiff_t columns) noexcept {
  constexpr std::ptrdiff_t of_cache = 64 / static_cast<std::ptrdiff_t>(Size);
  constexpr std::ptrdiff_t tile = of_cache > Lanes ? of_cache : Lanes;
  constexpr std::ptrdiff_t high = High * tile;
  constexpr std::ptrdiff_t wide = Wide;
  const std::ptrdiff_t whole_rows = rows - rows % Lanes;
  const std::ptrdiff_t whole_columns = columns - columns % Lanes;
  const auto least = [](std::ptrdiff_t a, std::ptrdiff_t b) { return a < b ? a : b; };
  for (std::ptrdiff_t row = 0; row < whole_rows; row += high) {
    const std::ptrdiff_t last_row = least(row + high, whole_rows);
    for (std::ptrdiff_t column = 0; column < whole_columns; column += wide) {
      const std::ptrdiff_t last_column = least(column + wide, whole_columns);
      for (std::ptrdiff_t c = column; c < last_column; c += tile)
        for (std::ptrdiff_t r = row; r < last_row; r += tile)
          transpose_region<Size, Lanes>(to, from, r, least(r + tile, last_row), c,
                                        least(c + tile, last_column));
    }
  }
  transpose_region<Size, 1>(to, from, 0, whole_rows, whole_columns, columns);
  transpose_region<Size, 1>(to, from, whole_rows, rows, 0, columns);
}

/// How many elements of `Size` bytes a register of `bytes` has; 1 if squares of them would not pay.
template <std::size_t Size>
[[nodiscard]] constexpr int lanes(std::size_t bytes) noexcept {
  const std::size_t n = bytes / Size;
  return static_cast<int>(n > 16 ? 16 : n < 2 || Size > 8 ? 1 : n);
}

#if defined(__x86_64__)
template <std::size_t Size>
[[gnu::target("avx2")]] void transpose_avx2(lines<std::byte> to, lines<const std::byte> from,
                                            std::ptrdiff_t rows, std::ptrdiff_t columns) noexcept {
  transpose_by<Size, lanes<Size>(Size < 4 ? 16 : 32)>(to, from, rows, columns);
}
/// For elements of 8 bytes: smaller ones gain nothing.
template <std::size_t Size>
  requires(Size == 8)
[[gnu::target("avx512f")]] void transpose_avx512(lines<std::byte> to, lines<const std::byte> from,
                                                 std::ptrdiff_t rows,
                                                 std::ptrdiff_t columns) noexcept {
  transpose_by<Size, lanes<Size>(64), 64, 16>(to, from, rows, columns);
}
#endif
/// With what every processor of this kind has.
template <std::size_t Size>
void transpose_base(lines<std::byte> to, lines<const std::byte> from, std::ptrdiff_t rows,
                    std::ptrdiff_t columns) noexcept {
  transpose_by<Size, lanes<Size>(16)>(to, from, rows, columns);
}

template <std::size_t Size>
void transpose(lines<std::byte> to, lines<const std::byte> from, std::ptrdiff_t rows,
               std::ptrdiff_t columns) noexcept {
#if defined(__x86_64__)
  if constexpr (Size == 8)
    if (__builtin_cpu_supports("avx512f")) return transpose_avx512<Size>(to, from, rows, columns);
  if (__builtin_cpu_supports("avx2")) return transpose_avx2<Size>(to, from, rows, columns);
#endif
  transpose_base<Size>(to, from, rows, columns);
}

}  // namespace mpiglot::detail::kernels
