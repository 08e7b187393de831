// Bodies of communicator.hpp, and of what knows a communicator by its core.

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/learned.hpp>

namespace mpiglot::detail {

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void communicator_core::ask() {
  if (!handle()) return;
  rank_ = mpi::comm_rank(handle());
  size_ = mpi::comm_size(handle());
}

[[gnu::noinline]] MPIGLOT_INLINE learned& learned_of(mpi::comm_handle comm) {
  return state_of<learned>(comm);
}

MPIGLOT_INLINE learned& learned_in(const group_view& group) {
  return group.core != nullptr ? group.core->learned() : learned_of(group.comm);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void require_agreement(const group_view& group,
                                                                   count_t first, count_t second,
                                                                   const char* what_differs) {
  const long long mine[] = {first, -first, second, -second};
  long long least[4];
  const int code =
      MPIGLOT_MPI(MPI_Allreduce)(mine, least, 4, MPI_LONG_LONG, MPI_MIN, group.comm.native);
  if (code != MPI_SUCCESS) raise(code, "a check that all ranks agree");
  if (least[0] != -least[1] || least[2] != -least[3]) tell_disagreement(what_differs);
}

[[gnu::noinline]] MPIGLOT_INLINE void raise_on(const communicator_core& comm, int code,
                                               const char* operation) {
  raise_at(comm.handle(), comm.rank(), code, operation);
}

[[gnu::noinline]] MPIGLOT_INLINE void locate_on(const communicator_core& comm, error& failure,
                                                const char* operation) {
  failure.locate(operation, comm.handle(), comm.rank());
}

}  // namespace mpiglot::detail
