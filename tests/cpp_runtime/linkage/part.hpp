// What each of two shared libraries does with mpiglot, of its own.

#pragma once

#include <mpi.h>

#include <vector>

#define LINKAGE_VISIBLE __attribute__((visibility("default")))

namespace first {
LINKAGE_VISIBLE std::vector<int> gather(MPI_Comm comm, const std::vector<int>& mine);
LINKAGE_VISIBLE void fail(MPI_Comm comm);
}  // namespace first

namespace second {
LINKAGE_VISIBLE std::vector<int> gather(MPI_Comm comm, const std::vector<int>& mine);
LINKAGE_VISIBLE void fail(MPI_Comm comm);
}  // namespace second
