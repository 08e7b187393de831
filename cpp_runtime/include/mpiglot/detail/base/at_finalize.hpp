// Functions that MPI_Finalize calls first: attributes of MPI_COMM_SELF. MPI-4.1, section 11.2.4.

#pragma once

#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

/// Makes MPI_Finalize call `function` before it does anything else. Returns MPI's error code.
[[nodiscard, gnu::cold]] inline int call_at_finalize(
    MPI_Comm_delete_attr_function* function) noexcept {
  int key = MPI_KEYVAL_INVALID;
  int code = MPIGLOT_MPI(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, function, &key, nullptr);
  if (code != MPI_SUCCESS) return code;
  code = MPIGLOT_MPI(MPI_Comm_set_attr)(MPI_COMM_SELF, key, nullptr);
  MPIGLOT_MPI(MPI_Comm_free_keyval)(&key);
  return code;
}

}  // namespace mpiglot::detail
