// Up to which size counts and payload together are faster than one after another: data per MPI.
//
// Bytes of one slot, its header of 8 included; measured with `cpp_runtime/benchmarks/messages.py`.
// The ranks of a job must agree on them, so they are fixed when a program is compiled.

#pragma once

#include <cstddef>

#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

struct merge_limits {
#if defined(OPEN_MPI) || defined(MPI_ABI)
  static constexpr std::size_t bcast = 256;  // a message of more is no longer sent inline
  static constexpr std::size_t allgatherv = 256;
  static constexpr std::size_t alltoallv = 256;
  static constexpr std::size_t scatterv = 256;
#else
  static constexpr std::size_t bcast = 1024;
  static constexpr std::size_t allgatherv = 1024;
  static constexpr std::size_t alltoallv = 1024;
  static constexpr std::size_t scatterv = 1024;
#endif
#if defined(OPEN_MPI)
  /// Two messages that take the fast path are faster than one that does not.
  static constexpr std::size_t bcast_in_two = 2 * bcast;
  /// How much of a long encoded value begins in the first message, so that the second one stays
  /// below the size from which MPI asks the receiver first (4096 bytes) as the textbook's would.
  static constexpr std::size_t bcast_beginning = 192;
#else
  static constexpr std::size_t bcast_in_two = 0;
  static constexpr std::size_t bcast_beginning = 28;  // MPICH's smallest packet
#endif
  /// The slots of all ranks: past that their size costs more than a message.
  static constexpr std::size_t together = std::size_t{64} * 1024;
  /// The same where they all leave from one rank.
  static constexpr std::size_t together_from_root = std::size_t{16} * 1024;
  /// And where parts differ: how many bytes of slots may be empty, beside four times what is sent.
  static constexpr std::size_t empty = std::size_t{8} * 1024;
};

}  // namespace mpiglot::detail
