// Bodies of detail/collectives/elements_beside.hpp.

#pragma once

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/collectives/elements_beside.hpp>

namespace mpiglot::detail {

/// The bytes that elements reach, from `begin` on; none if there are no elements.
struct reach_of_elements {
  MPI_Aint begin = 0;
  std::size_t size = 0;

  reach_of_elements(mpi::count_t n, mpi::datatype_handle type) noexcept {
    MPI_Aint bound = 0, extent = 0, true_extent = 0;
    if (n <= 0 || MPIGLOT_MPI(MPI_Type_get_extent)(type.native, &bound, &extent) != MPI_SUCCESS ||
        MPIGLOT_MPI(MPI_Type_get_true_extent)(type.native, &begin, &true_extent) != MPI_SUCCESS)
      return;
    size = static_cast<std::size_t>(true_extent) +
           static_cast<std::size_t>(extent) * static_cast<std::size_t>(n - 1);
  }
};

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE elements_beside::elements_beside(
    const void* elements, mpi::count_t n, mpi::datatype_handle type) noexcept {
  const reach_of_elements reach(n, type);
  if (reach.size == 0) return;
  memory_ = __builtin_malloc(reach.size);
  if (memory_ == nullptr) return;
  __builtin_memcpy(memory_, static_cast<const char*>(elements) + reach.begin, reach.size);
  data_ = static_cast<char*>(memory_) - reach.begin;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void* memory_of_rank_0(
    void* none, mpi::count_t n, mpi::datatype_handle type) noexcept {
  if (library_defect("reduce-null-receive-buffer") == nullptr) return none;
  static thread_local std::byte* kept = nullptr;  // until the thread ends
  static thread_local std::size_t size = 0;
  const reach_of_elements reach(n, type);
  if (size < reach.size) {
    __builtin_free(kept);
    kept = static_cast<std::byte*>(__builtin_malloc(reach.size));
    size = kept != nullptr ? reach.size : 0;
  }
  return reach.size == 0 || kept == nullptr ? none : kept - reach.begin;
}

}  // namespace mpiglot::detail
