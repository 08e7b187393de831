// Moves the elements of a view: into a block and back, or by a derived datatype.

#pragma once

#include <cstring>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/kernels/transpose.hpp>
#include <mpiglot/detail/views/layout.hpp>
#include <mpiglot/mpi/datatypes.hpp>

namespace mpiglot::detail {

/// Copies elements of `Size` bytes between a view and a block, in the order of their indices.
template <std::size_t Size>
struct view_copy {
  std::byte* packed;
  mpi::count_t left;      ///< the number of elements still to be copied
  mpi::count_t skip = 0;  ///< the number of elements of the view still to be passed over

  /// To the block if `Packs`, otherwise to the view.
  template <bool Packs>
  void run(const view_dimension* dimensions, std::size_t rank, std::byte* at) noexcept {
    if (rank > 1) {
      mpi::count_t inner = 1;
      for (std::size_t i = 1; i < rank; ++i) inner *= dimensions[i].length;
      if (skip == 0 && left >= inner * dimensions->length)
        return run_items<Packs>(dimensions, rank, at, dimensions->length, inner);
      return run_some<Packs>(dimensions, rank, at, inner);
    }
    const mpi::count_t length = (rank == 0 ? 1 : dimensions->length) - skip;
    const mpi::count_t n = length < left ? length : left;
    const mpi::count_t stride = rank == 0 ? 0 : dimensions->stride;
    at += skip * stride;
    skip = 0;
    left -= n;
    if (stride == size)
      move<Packs>(at, static_cast<std::size_t>(n) * Size);
    else
      packed = move_single<Packs>(packed, at, stride, n);
  }

 private:
  static constexpr auto size = static_cast<mpi::count_t>(Size);

  // A part of the elements, whose outermost items are not all whole.
  template <bool Packs>
  [[gnu::noinline]] void run_some(const view_dimension* dimensions, std::size_t rank, std::byte* at,
                                  mpi::count_t inner) noexcept {
    mpi::count_t i = skip / inner;
    skip %= inner;
    if (skip != 0) {  // the last elements of an item
      run<Packs>(dimensions + 1, rank - 1, at + i * dimensions->stride);
      ++i;
    }
    const mpi::count_t after = dimensions->length - i;
    const mpi::count_t whole = left / inner < after ? left / inner : after;
    if (whole > 0) run_items<Packs>(dimensions, rank, at + i * dimensions->stride, whole, inner);
    i += whole;
    if (i < dimensions->length && left > 0)
      run<Packs>(dimensions + 1, rank - 1, at + i * dimensions->stride);
  }
  // All elements of the first `items` items of the outermost dimension, `inner` of each.
  template <bool Packs>
  [[gnu::always_inline]] void run_items(const view_dimension* dimensions, std::size_t rank,
                                        std::byte* at, mpi::count_t items,
                                        mpi::count_t inner) noexcept {
    if constexpr (kernels::has_transpose<Size>)
      if (dimensions->stride == size)
        return run_transposed<Packs>(dimensions + 1, rank - 1, at, items, inner);
    if (rank == 2) {
      if (dimensions[1].stride == size) return run_rows<Packs>(dimensions, at, items);
      return run_singles<Packs>(dimensions, at, items);
    }
    for (mpi::count_t i = 0; i < items; ++i, at += dimensions->stride)
      run<Packs>(dimensions + 1, rank - 1, at);
  }
  // All elements of a view whose slowest index is the fastest in memory: `length` elements follow each
  // other there, and lie `apart` elements apart in the block.
  template <bool Packs>
  void run_transposed(const view_dimension* dimensions, std::size_t rank, std::byte* at,
                      mpi::count_t length, mpi::count_t apart) noexcept {
    std::byte* const begin = packed;
    transpose_inner<Packs>(dimensions, rank, at, length, apart);
    packed = begin + length * apart * size;
    left -= length * apart;
  }
  template <bool Packs>
  void transpose_inner(const view_dimension* dimensions, std::size_t rank, std::byte* at,
                       mpi::count_t length, mpi::count_t apart) noexcept {
    if (rank > 1) {
      for (mpi::count_t i = 0; i < dimensions->length; ++i, at += dimensions->stride)
        transpose_inner<Packs>(dimensions + 1, rank - 1, at, length, apart);
      return;
    }
    const kernels::lines<std::byte> there{at, static_cast<std::ptrdiff_t>(dimensions->stride)};
    const kernels::lines<std::byte> block{packed, cast_to<std::ptrdiff_t>(apart * size)};
    if constexpr (Packs)
      kernels::transpose<Size>(block, {there.first, there.pitch}, length, dimensions->length);
    else
      kernels::transpose<Size>(there, {block.first, block.pitch}, dimensions->length, length);
    packed += dimensions->length * size;
  }
  // The first `rows` rows of a matrix whose elements have gaps.
  template <bool Packs>
  void run_singles(const view_dimension* dimensions, std::byte* at, mpi::count_t rows) noexcept {
    const view_dimension row = dimensions[1];
    std::byte* block = packed;
    for (mpi::count_t i = 0; i < rows; ++i, at += dimensions->stride)
      block = move_single<Packs>(block, at, row.stride, row.length);
    packed = block;
    left -= rows * row.length;
  }
  // `n` elements that have gaps. Gives back where the block goes on.
  template <bool Packs>
  [[gnu::always_inline]] static std::byte* move_single(std::byte* block, std::byte* at,
                                                       mpi::count_t stride,
                                                       mpi::count_t n) noexcept {
    for (mpi::count_t i = 0; i < n; ++i, block += Size, at += stride)
      std::memcpy(Packs ? block : at, Packs ? at : block, Size);
    return block;
  }
  // The first `rows` rows of a matrix whose rows have no gaps. A call of memcpy would take longer
  // than a short row.
  template <bool Packs>
  void run_rows(const view_dimension* dimensions, std::byte* at, mpi::count_t rows) noexcept {
    const auto n = static_cast<std::size_t>(dimensions[1].length) * Size;
    left -= rows * dimensions[1].length;
    if constexpr (Size <= 4)
      if (n >= 4 && n <= 8) return run_short<Packs, 4>(dimensions->stride, at, n, rows);
    if (n >= 8 && n <= 16) return run_short<Packs, 8>(dimensions->stride, at, n, rows);
    if (n >= 16 && n <= 32) return run_short<Packs, 16>(dimensions->stride, at, n, rows);
    if (n >= 32 && n <= 64) return run_short<Packs, 32>(dimensions->stride, at, n, rows);
    if (n >= 64 && n <= 128) return run_short<Packs, 64>(dimensions->stride, at, n, rows);
    for (mpi::count_t i = 0; i < rows; ++i, at += dimensions->stride) move<Packs>(at, n);
  }
  // Rows of `Half` to two times `Half` bytes: the first `Half` of them, and the last.
  template <bool Packs, std::size_t Half>
  void run_short(mpi::count_t pitch, std::byte* at, std::size_t n, mpi::count_t rows) noexcept {
    for (mpi::count_t i = 0; i < rows; ++i, at += pitch, packed += n) {
      std::byte* const to = Packs ? packed : at;
      const std::byte* const from = Packs ? at : packed;
      std::memcpy(to, from, Half);
      std::memcpy(to + (n - Half), from + (n - Half), Half);
    }
  }
  template <bool Packs>
  void move(std::byte* at, std::size_t n) noexcept {
    if constexpr (Packs)
      std::memcpy(packed, at, n);
    else
      std::memcpy(at, packed, n);
    packed += n;
  }
};

/// From how many bytes on MPI moves a message by a derived datatype faster than it is packed.
/// Measured: `benchmarks/views/run --runs`, `benchmarks/layouts/run --only sizes`.
struct least_described {
  mpi::count_t message;       ///< in all
  mpi::count_t element;       ///< of single elements that have gaps
  mpi::count_t one_stride;    ///< that follow each other, where there is one stride
  mpi::count_t more_strides;  ///< the same with several
};
#if defined(OPEN_MPI)
inline constexpr least_described described_from{1 << 10, 128, 128, 128};
#else
inline constexpr least_described described_from{1 << 14, 128, 128, 16};
#endif
/// Whether a broadcast of a view is a message in this, too.
#if defined(OPEN_MPI)
inline constexpr bool describes_broadcasts = true;
#else
inline constexpr bool describes_broadcasts = false;
#endif
/// Whether a message of so many elements is packed, and not described by a datatype.
[[nodiscard]] constexpr bool packs_message(const view_dimension* dimensions, std::size_t rank,
                                           mpi::count_t size, mpi::count_t elements) noexcept {
  const view_dimension& inner = dimensions[rank - 1];
  if (elements * size < described_from.message) return true;
  if (inner.stride != size) return size < described_from.element;
  return inner.length * size < (rank > 2 ? described_from.more_strides : described_from.one_stride);
}

/// Whether `n` items of a datatype are `n` elements that follow each other.
[[nodiscard]] inline bool is_of_one_element(mpi::datatype_handle type, mpi::count_t size) {
  const auto place = mpi::type_get_extent(type);
  return mpi::type_size(type) == size && place.extent == size && place.lb == 0;
}

/// Creates the datatype of a part of a view: of all elements of `rank` dimensions, except that the
/// outermost one has `length` items; the outermost dimension first.
[[nodiscard]] inline mpi::unique_datatype view_datatype(const view_dimension* dimensions,
                                                        std::size_t rank, mpi::count_t size,
                                                        mpi::datatype_handle element,
                                                        mpi::count_t length) {
  const view_dimension* inner = dimensions + rank - 1;
  mpi::count_t run = 1;
  if (inner->stride == size && inner != dimensions) run = (inner--)->length;
  mpi::unique_datatype whole(mpi::type_create_hvector(inner == dimensions ? length : inner->length,
                                                      run, inner->stride, element));
  while (inner-- != dimensions)
    whole = mpi::unique_datatype(mpi::type_create_hvector(
        inner == dimensions ? length : inner->length, 1, inner->stride, whole));
  return whole;
}

/// Creates the datatype of the first `n` elements of a view in the order of their indices, at least
/// one.
[[nodiscard]] inline mpi::unique_datatype view_datatype_of_first(const view_dimension* dimensions,
                                                                 std::size_t rank,
                                                                 mpi::count_t size,
                                                                 mpi::datatype_handle element,
                                                                 mpi::count_t n) {
  mpi::count_t inner = 1;
  for (std::size_t i = 1; i < rank; ++i) inner *= dimensions[i].length;
  const mpi::count_t items = n / inner;
  const mpi::count_t rest = n % inner;
  if (rest == 0) return view_datatype(dimensions, rank, size, element, items);
  mpi::unique_datatype last = view_datatype_of_first(dimensions + 1, rank - 1, size, element, rest);
  if (items == 0) return last;
  const mpi::unique_datatype first = view_datatype(dimensions, rank, size, element, items);
  const int lengths[] = {1, 1};
  const mpi::aint_t places[] = {0, cast_to<mpi::aint_t>(items * dimensions->stride)};
  const mpi::datatype_handle types[] = {first, last};
  return mpi::unique_datatype(mpi::type_create_struct(lengths, places, types));
}

}  // namespace mpiglot::detail
