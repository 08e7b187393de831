// Objects cached on a communicator, not on a wrapper of it: each hangs on the MPI_Comm as an
// attribute, so that a raw communicator that one rank wraps anew has what the others have. A duplicate
// starts anew, on all ranks.

#pragma once

#include <cstdint>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// One kind of cached object: how it is made and deleted, and the key of its attribute, which is made
/// for the first communicator and freed with the last, so that MPI can be finalized and initialised
/// again (sessions). One atomic word says how many communicators hold it: no lock is held while MPI
/// is called, and a key is only freed when nobody can be using it.
struct cached_kind {
  void* (*make)(mpi::comm_handle comm);
  void (*destroy)(void* object) noexcept;
  std::uint64_t word = 0;  // key in the upper half, holders in the lower
};

/// The object cached on a communicator; made at its first use, and freed with the communicator. Costs
/// an attribute look-up. Throws `mpi::error`.
[[nodiscard]] void* cached_on(cached_kind& kind, mpi::comm_handle comm);

template <class T>
struct kind_of_cached {
  static inline constinit cached_kind kind{
      [](mpi::comm_handle comm) -> void* { return new_to_take_part<T>(comm); },
      [](void* object) noexcept { delete static_cast<T*>(object); }};
};

/// The `T` of a communicator, made from its handle.
template <class T>
[[nodiscard]] T& cached_on(mpi::comm_handle comm) {
  return *static_cast<T*>(cached_on(kind_of_cached<T>::kind, comm));
}

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/base/cached.ipp>
#endif
