// Moves the elements of a view: into a block and back, or by a derived datatype.

#pragma once

#include <cstring>

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
      if constexpr (kernels::has_transpose<Size>)
        if (dimensions->stride == size && skip == 0 && left >= inner * dimensions->length)
          return run_transposed<Packs>(dimensions + 1, rank - 1, at, dimensions->length, inner);
      const mpi::count_t first = skip / inner;
      skip %= inner;
      at += first * dimensions->stride;
      for (mpi::count_t i = first; i < dimensions->length && left > 0;
           ++i, at += dimensions->stride)
        run<Packs>(dimensions + 1, rank - 1, at);
      return;
    }
    const mpi::count_t length = (rank == 0 ? 1 : dimensions->length) - skip;
    const mpi::count_t n = length < left ? length : left;
    const mpi::count_t stride = rank == 0 ? 0 : dimensions->stride;
    at += skip * stride;
    skip = 0;
    left -= n;
    if (stride == size) {
      move<Packs>(at, static_cast<std::size_t>(n) * Size);
    } else {
      for (mpi::count_t i = 0; i < n; ++i) move<Packs>(at + i * stride, Size);
    }
  }

 private:
  static constexpr auto size = static_cast<mpi::count_t>(Size);

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
    const kernels::lines<std::byte> there{at, dimensions->stride};
    const kernels::lines<std::byte> block{packed, apart * size};
    if constexpr (Packs)
      kernels::transpose<Size>(block, {there.first, there.pitch}, length, dimensions->length);
    else
      kernels::transpose<Size>(there, {block.first, block.pitch}, dimensions->length, length);
    packed += dimensions->length * size;
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
  const mpi::aint_t places[] = {0, static_cast<mpi::aint_t>(items * dimensions->stride)};
  const mpi::datatype_handle types[] = {first, last};
  return mpi::unique_datatype(mpi::type_create_struct(lengths, places, types));
}

}  // namespace mpiglot::detail
