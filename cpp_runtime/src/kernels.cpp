// The kernels that move elements, for each size that they have.

#include <mpiglot/detail/kernels/transpose.ipp>

namespace mpiglot::detail::kernels {

#define MPIGLOT_TRANSPOSE(size)                                                   \
  template void transpose<size>(lines<std::byte> to, lines<const std::byte> from, \
                                std::ptrdiff_t rows, std::ptrdiff_t columns) noexcept
MPIGLOT_TRANSPOSE(1);
MPIGLOT_TRANSPOSE(2);
MPIGLOT_TRANSPOSE(4);
MPIGLOT_TRANSPOSE(8);
MPIGLOT_TRANSPOSE(16);
#undef MPIGLOT_TRANSPOSE

}  // namespace mpiglot::detail::kernels
