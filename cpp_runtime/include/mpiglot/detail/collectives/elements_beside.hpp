// A copy of what a rank gives to a reduction in place, for MPIs that fail in place.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

/// Copies `n` elements byte by byte. Without memory for that, `data()` is null.
class elements_beside {
 public:
  elements_beside(const void* elements, mpi::count_t n, mpi::datatype_handle type) noexcept;
  elements_beside(const elements_beside&) = delete;
  elements_beside& operator=(const elements_beside&) = delete;
  ~elements_beside() { __builtin_free(memory_); }

  [[nodiscard]] void* data() const noexcept { return data_; }

 private:
  void* memory_ = nullptr;
  void* data_ = nullptr;
};

/// What rank 0 gives as the receive buffer of a reduction to another rank: `none`, or where MPI uses it (defect
/// reduce-null-receive-buffer of MPICH 3.4), memory that lives until the next such call of the thread.
[[nodiscard, gnu::cold]] void* memory_of_rank_0(void* none, mpi::count_t n,
                                                mpi::datatype_handle type) noexcept;

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/collectives/elements_beside.ipp>
#endif
