// What each of two shared libraries does with mpiglot, of its own: one is linked, the other opened
// while the program runs, and closed before MPI ends.

#pragma once

#include <mpi.h>

#include <vector>

#define LINKAGE_VISIBLE __attribute__((visibility("default")))

struct part_functions {
  std::vector<int> (*gather)(MPI_Comm comm, const std::vector<int>& mine);
  void (*fail)(MPI_Comm comm);
};

namespace first {
LINKAGE_VISIBLE std::vector<int> gather(MPI_Comm comm, const std::vector<int>& mine);
LINKAGE_VISIBLE void fail(MPI_Comm comm);
}  // namespace first

/// The same of either library, for whoever opens it.
extern "C" LINKAGE_VISIBLE const part_functions functions_of_part;
