// How much of what a read asks for lies before the end of the file. MPI may say that it has read beyond it (defects
// collective-read-tells-too-much and strided-read-tells-too-much).

#pragma once

#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// Whether MPI says so of a read of this rank alone, into a buffer of this datatype.
[[nodiscard, gnu::cold]] bool tells_too_much(mpi::file_handle file, mpi::datatype_handle buffer);

/// Of the bytes that a read is said to have given, from `offset` on: those before the end of the file.
[[nodiscard, gnu::cold]] mpi::count_t bytes_before_end(mpi::file_handle file, mpi::offset_t offset,
                                                       mpi::count_t told);

/// The same of a read by the shared pointer, which was at `first` before it, and at `last` after it. Throws
/// `unavailable` if other ranks read meanwhile and it matters which of them was the first.
[[nodiscard, gnu::cold]] mpi::count_t bytes_before_end(mpi::file_handle file, mpi::offset_t first,
                                                       mpi::offset_t last, mpi::count_t told);

/// Where this rank will begin in a read in the order of the ranks, if it asks for so much: as offset in the view. -1 where that cannot be known: the file is sequential, or neither MPI_COMM_WORLD nor a session has its processes.
/// Collective over the file, before the read.
[[nodiscard, gnu::cold]] mpi::offset_t place_in_order(mpi::file_handle file, mpi::count_t count,
                                                      mpi::datatype_handle type);

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/access/file_ends.ipp>
#endif
