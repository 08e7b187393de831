// State that belongs to a communicator and not to a wrapper of it: it hangs on the MPI_Comm as an
// attribute, so that a raw communicator that one rank wraps anew has what the others have. A
// duplicate starts anew, on all ranks.

#pragma once

#include <cstdint>

#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// One kind of state: how it is made and deleted, and the key of its attribute, which is made for
/// the first communicator and freed with the last, so that MPI can be finalized and initialised
/// again (sessions). One atomic word says how many communicators hold it: no lock is held while MPI
/// is called, and a key is only freed when nobody can be using it.
struct state_kind {
  void* (*make)(mpi::comm_handle comm);
  void (*destroy)(void* state) noexcept;
  std::uint64_t word = 0;  // key in the upper half, holders in the lower
};

/// The state of a communicator; made at its first use, and freed with the communicator. Costs an
/// attribute look-up. Throws `mpi::error`.
[[nodiscard]] void* state_of(state_kind& kind, mpi::comm_handle comm);

template <class T>
struct kind_of_state {
  static inline constinit state_kind kind{
      [](mpi::comm_handle comm) -> void* { return new T(comm); },
      [](void* state) noexcept { delete static_cast<T*>(state); }};
};

/// The `T` of a communicator, made from its handle.
template <class T>
[[nodiscard]] T& state_of(mpi::comm_handle comm) {
  return *static_cast<T*>(state_of(kind_of_state<T>::kind, comm));
}

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/base/state_of.ipp>
#endif
