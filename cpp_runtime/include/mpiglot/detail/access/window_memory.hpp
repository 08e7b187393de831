// Memory of the program that MPICH 4.0 cannot make a window of: its UCX rounds the address down to
// a multiple of 16, and accesses of other ranks reach that much before the window.

#pragma once

#include <cstdint>

#include <mpiglot/error.hpp>
#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

inline constexpr std::size_t mpich_window_alignment = 16;

#if defined(MPICH_VERSION)

/// Whether the library in use, which may be another one than the program was compiled with, is
/// MPICH 4.0.
[[nodiscard, gnu::cold]] inline bool misplaces_windows() noexcept {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  static const bool does = [] {
    int length = 0;
    if (MPIGLOT_MPI(MPI_Get_library_version)(text, &length) != MPI_SUCCESS) return false;
    constexpr char vendor[] = "MPICH Version:";
    const char* version = text;
    for (const char* each = vendor; *each != '\0'; ++each, ++version)
      if (*version != *each) return false;
    while (*version == ' ' || *version == '\t') ++version;
    return version[0] == '4' && version[1] == '.' && version[2] == '0';
  }();
  return does;
}

/// Throws on all ranks if the memory of one is such memory. Collective, one message.
[[gnu::cold, gnu::noinline]] inline void refuse_misplaced(mpi::comm_handle comm, const void* memory,
                                                          mpi::aint_t size) {
  if (!misplaces_windows()) return;
  int found = size > 0 && reinterpret_cast<std::uintptr_t>(memory) % mpich_window_alignment != 0;
  mpi::detail::check(
      MPIGLOT_MPI(MPI_Allreduce)(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, comm.native),
      "MPI_Allreduce");
  if (found != 0)
    refuse_argument(MPI_ERR_BASE,
                    "MPICH 4.0 reaches beside the memory of a window that does not begin at a "
                    "multiple of 16 bytes, here or on another rank: align it (alignas(16)), or use "
                    "window::allocate");
}

#else

inline void refuse_misplaced(mpi::comm_handle, const void*, mpi::aint_t) noexcept {}

#endif

}  // namespace mpiglot::detail
