// Equal partitions of a view with gaps, each one item of a datatype: for messages in partitions.

#pragma once

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/views/moving.hpp>

namespace mpiglot::detail {

// Open MPI (5.0.11 and before) begins partition i after i times the size of a partition's datatype, not
// its extent, and ignores the datatype if the sender has one of another size.
#if defined(OPEN_MPI)
inline constexpr bool partitions_take_datatypes = false;
#else
inline constexpr bool partitions_take_datatypes = true;
#endif

/// Creates the datatype of the first of `n` equal partitions of the first `elements` elements of a view,
/// at least one. `n` items of it, one after the other, are all of them in the order of their indices.
/// Throws `count_error` if there is none: partitions lie at equal distances only if each is some items
/// of the outermost dimension. Throws `view_error` where MPI would put partitions into wrong places.
[[nodiscard]] inline mpi::unique_datatype partition_datatype(const view_dimension* dimensions,
                                                             std::size_t rank, mpi::count_t size,
                                                             mpi::datatype_handle element,
                                                             mpi::count_t elements,
                                                             mpi::count_t n) {
  mpi::count_t inner = 1;
  for (std::size_t i = 1; i < rank; ++i) inner *= dimensions[i].length;
  const mpi::count_t items = n > 0 ? elements / inner / n : 0;
  if (items == 0 || items * n * inner != elements) [[unlikely]]
    refuse_counts("partitions of a view with gaps must divide its first dimension");
  if (!partitions_take_datatypes)
    refuse_view("this MPI puts partitions of a view with gaps into wrong places");
  const mpi::unique_datatype one = view_datatype(dimensions, rank, size, element, items);
  mpi::unique_datatype spaced(
      mpi::type_create_resized(one, 0, cast_to<mpi::aint_t>(items * dimensions->stride)));
  mpi::type_commit(spaced);
  return spaced;
}

}  // namespace mpiglot::detail
