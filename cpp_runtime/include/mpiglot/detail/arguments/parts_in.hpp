// Whether all parts that arrays of counts and displacements describe lie in a buffer.

#pragma once

#include <cstddef>

#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

/// Whether no count is negative, and each part that has elements lies in a buffer of `room` elements.
[[nodiscard]] bool parts_lie_in(const int* counts, const int* places, std::size_t parts,
                                std::size_t room) noexcept;

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/arguments/parts_in.ipp>
#endif
