// Bodies of operations/partitioned.hpp.

#pragma once

#include <mpiglot/mpi/partitioned.hpp>
#include <mpiglot/operations/partitioned.hpp>

namespace mpiglot::detail {

MPIGLOT_INLINE void pready(int first, int last, mpi::request_handle request) {
  if (first == last)
    mpi::pready(first, request);
  else
    mpi::pready_range(first, last, request);
}

MPIGLOT_INLINE bool parrived(mpi::request_handle request, int partition) {
  return mpi::parrived(request, partition);
}

}  // namespace mpiglot::detail
