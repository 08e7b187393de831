// Bodies of detail/collectives/elements_beside.hpp.

#pragma once

#include <mpiglot/detail/collectives/elements_beside.hpp>

namespace mpiglot::detail {

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE elements_beside::elements_beside(
    const void* elements, mpi::count_t n, mpi::datatype_handle type) noexcept {
  MPI_Aint bound = 0, extent = 0, true_bound = 0, true_extent = 0;
  if (n <= 0 || MPIGLOT_MPI(MPI_Type_get_extent)(type.native, &bound, &extent) != MPI_SUCCESS ||
      MPIGLOT_MPI(MPI_Type_get_true_extent)(type.native, &true_bound, &true_extent) != MPI_SUCCESS)
    return;
  const std::size_t span = static_cast<std::size_t>(true_extent) +
                           static_cast<std::size_t>(extent) * static_cast<std::size_t>(n - 1);
  memory_ = __builtin_malloc(span);
  if (memory_ == nullptr) return;
  __builtin_memcpy(memory_, static_cast<const char*>(elements) + true_bound, span);
  data_ = static_cast<char*>(memory_) - true_bound;
}

}  // namespace mpiglot::detail
