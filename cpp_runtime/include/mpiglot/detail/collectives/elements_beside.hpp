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

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/collectives/elements_beside.ipp>
#endif
