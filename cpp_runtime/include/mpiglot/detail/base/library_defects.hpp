// Defects of the MPI library that is loaded, which may be another one than the program was compiled
// with: known from its version text, asked once.

#pragma once

#include <mpiglot/error.hpp>
#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

/// The sentence of a defect of provision/matrix.json if the loaded library has it, else null. The
/// same on all ranks that load the same library. Makes no MPI call after the first time.
[[nodiscard, gnu::cold]] const char* library_defect(const char* id) noexcept;

/// Throws `unavailable` with the sentence of a defect.
[[noreturn, gnu::cold]] void refuse_defect(const char* operation, const char* sentence);

/// Throws if the loaded library has the defect.
[[gnu::cold]] inline void require_without_defect(const char* sentence, const char* operation) {
  if (sentence != nullptr) refuse_defect(operation, sentence);
}

/// True if MPI has no name for a datatype: somebody constructed it.
[[nodiscard, gnu::cold]] bool is_derived(MPI_Datatype type) noexcept;

/// True if elements of a datatype are farther from each other than the bytes from its first to its last one.
[[nodiscard, gnu::cold]] bool has_outer_gap(MPI_Datatype type) noexcept;

/// Whether MPI_Allgatherv takes no displacement on one process (defect allgatherv-ignores-displacements
/// of MPICH 4.0). Set with the first communicator.
inline constinit bool ignores_displacements = false;
/// Whether errors of persistent operations are lost if several requests are asked for at once (defect
/// persistent-errors-lost-among-several). Set with the first communicator.
inline constinit bool loses_errors_of_several = false;
/// Whether MPI_Waitall never returns if a request has failed (defect failed-request-in-waitall of Open
/// MPI 4.1, with MPI_THREAD_MULTIPLE). Set with the first communicator.
inline constinit bool waits_alone = false;
/// Whether accesses to files crash if several requests are asked for at once (defect file-requests-in-testall
/// of MPICH and Intel MPI). Set with the first communicator.
inline constinit bool asks_files_alone = false;
/// Sets these. Returns true.
[[gnu::cold]] bool learn_defects();
/// Where the only part goes on one process: to `first`, or if MPI ignores the displacement, so many
/// elements behind it.
[[nodiscard, gnu::cold]] void* place_of_only_part(void* first, mpi::count_t displacement,
                                                  mpi::datatype_handle type) noexcept;

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/base/library_defects.ipp>
#endif
