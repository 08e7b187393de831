// The memory of windows. What MPI allocates is not always aligned for its elements: more is allocated
// then, and the program's memory begins behind the beginning of MPI's. And memory of the program that
// MPICH 4.0 cannot make a window of: its UCX rounds the address down to a multiple of 16, and accesses
// of other ranks reach that much before the window.

#pragma once

#include <cstdint>
#include <cstdlib>

#include <mpiglot/detail/access/window_targets.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/rma.hpp>
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
      MPIGLOT_WAITING(MPI_Allreduce)(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, comm.native),
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

/// Elements of a window that MPI allocates.
struct window_elements {
  /// Of this rank, in bytes.
  mpi::aint_t size;
  mpi::aint_t unit;
  std::size_t alignment;
};
struct made_window {
  mpi::unique_win window;
  std::unique_ptr<window_targets> targets;
};

/// The bytes from an address to the next one that is aligned.
[[nodiscard]] inline mpi::aint_t to_aligned(const void* address, std::size_t alignment) noexcept {
  return static_cast<mpi::aint_t>(
      (alignment - reinterpret_cast<std::uintptr_t>(address) % alignment) % alignment);
}
template <class T>
void require_aligned(const void* address) {
  if (to_aligned(address, alignof(T)) != 0) [[unlikely]]
    refuse_argument(MPI_ERR_ARG,
                    "the memory of this window is not aligned for this type: allocate the window "
                    "with elements of it");
}

/// Every MPI aligns memory of windows for the types of C without extensions.
inline constexpr std::size_t usual_window_alignment = alignof(double);

/// Whether the memory of any rank is not aligned. Collective, one message.
[[nodiscard, gnu::cold, gnu::noinline]] inline bool misaligned_anywhere(
    mpi::comm_handle comm, const void* memory, const window_elements& elements) {
  int found = elements.size > 0 && to_aligned(memory, elements.alignment) != 0;
  mpi::detail::check(
      MPIGLOT_WAITING(MPI_Allreduce)(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, comm.native),
      "MPI_Allreduce");
  return found != 0;
}

[[nodiscard]] inline bool is_last_rank(mpi::comm_handle comm) {
  int size = 0;
  int rank = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_size)(comm.native, &size), "MPI_Comm_size");
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank), "MPI_Comm_rank");
  return rank == size - 1;
}
/// Whether the memory of a shared window is contiguous: that is the default.
[[nodiscard]] inline bool asks_for_contiguous([[maybe_unused]] mpi::info_handle hints) {
  if (!hints) return true;
  char value[8] = "";
  int found = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Info_get)(hints.native, "alloc_shared_noncontig",
                                               sizeof value - 1, value, &found),
                     "MPI_Info_get");
  return found == 0 || value[0] != 't';
}

/// The elements of a window with more memory than they need, and aligned in it. `Make` makes a window
/// of so many bytes, with displacements in bytes. `only_last`: the ranks' memory is contiguous, and
/// stays so. Collective.
template <class Make>
[[nodiscard]] made_window make_aligned(mpi::comm_handle comm, const window_elements& elements,
                                       bool only_last, Make make) {
  const auto room = static_cast<mpi::aint_t>(elements.alignment);
  const bool has_room = !only_last || is_last_rank(comm);
  const auto made = make(elements.size + (has_room ? room : 0), mpi::aint_t{1});
  mpi::unique_win window(made.win);
  const mpi::aint_t before = to_aligned(made.baseptr, elements.alignment);
  auto targets = exchange_targets(comm, {.size = elements.size,
                                         .unit = elements.unit,
                                         .before = elements.size > 0 || has_room ? before : 0,
                                         .counted = elements.unit});
  if (only_last) {
    // Memory that is not contiguous has no room behind it where it is not the last.
    const mpi::aint_t last = (*targets)[targets->ranks - 1].before;
    for (int rank = 0; rank < targets->ranks; ++rank)
      if ((*targets)[rank].size > 0 && (*targets)[rank].before != last) {
        static_cast<void>(window.reset());
        return make_aligned(comm, elements, false, make);
      }
  }
  return {static_cast<mpi::unique_win&&>(window),
          static_cast<std::unique_ptr<window_targets>&&>(targets)};
}

/// Throws on all ranks if one has no memory for its part, where MPI ends the job then (defect
/// no-memory-for-window) or hangs (windows-without-memory-hang). `shared`: the ranks share their memory.
/// Collective.
[[gnu::cold, gnu::noinline]] inline void require_free(mpi::comm_handle comm, mpi::aint_t size,
                                                      bool shared) {
  if (library_defect("no-memory-for-window") == nullptr &&
      library_defect("windows-without-memory-hang") == nullptr)
    return;
  double needed = static_cast<double>(size);
  if (shared)
    mpi::detail::check(
        MPIGLOT_WAITING(MPI_Allreduce)(MPI_IN_PLACE, &needed, 1, MPI_DOUBLE, MPI_SUM, comm.native),
        "MPI_Allreduce");
  constexpr double most = 0x1p62;
  void* const memory = needed < most ? std::malloc(static_cast<std::size_t>(needed) + 1) : nullptr;
  std::free(memory);
  int ranks = 0;
  int rank = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_size)(comm.native, &ranks), "MPI_Comm_size");
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank), "MPI_Comm_rank");
  int failed = memory == nullptr ? rank : ranks;
  mpi::detail::check(
      MPIGLOT_WAITING(MPI_Allreduce)(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, comm.native),
      "MPI_Allreduce");
  if (memory == nullptr)
    refuse_argument(MPI_ERR_NO_MEM, "there is no memory for a window of so many elements");
  if (failed < ranks) tell_remote_failure(failed);
}

/// A window whose memory MPI allocates, aligned for its elements on all ranks. `shared`: the ranks share
/// it; `contiguous`: it is contiguous then. `exchanges`: every rank learns the memory of all. Collective.
template <class Make>
[[nodiscard]] made_window make_window(mpi::comm_handle comm, const window_elements& elements,
                                      bool shared, bool contiguous, bool exchanges, Make make) {
#if !defined(SMPI_H)
  require_free(comm, elements.size, shared);
#endif
  const auto made = make(elements.size, elements.unit);
  mpi::unique_win window(made.win);
#if !defined(SMPI_H)
  if (elements.alignment > usual_window_alignment &&
      misaligned_anywhere(comm, made.baseptr, elements)) {
    static_cast<void>(window.reset());
    return make_aligned(comm, elements, contiguous, make);
  }
  if (exchanges || defect_of_atomics(comm) != nullptr)
    return {static_cast<mpi::unique_win&&>(window),
            exchange_targets(comm, {.size = elements.size, .unit = elements.unit, .before = 0})};
#else
  static_cast<void>(comm), static_cast<void>(contiguous), static_cast<void>(exchanges);
#endif
  return {static_cast<mpi::unique_win&&>(window), nullptr};
}

}  // namespace mpiglot::detail
