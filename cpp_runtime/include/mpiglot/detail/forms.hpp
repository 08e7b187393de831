// The three forms of an operation: which of {MPI_X, MPI_Ix, MPI_X_init} the last call goes to.

#pragma once

#include <mpiglot/mpi/handles.hpp>
#include <mpiglot/mpi/status.hpp>

namespace mpiglot::detail {

struct now {
  static constexpr bool blocking = true;
  static constexpr bool repeats = false;

  template <class Calls, class... A>
  void operator()(Calls, const A&... a) const {
    Calls::now(a...);
  }
};

struct later {
  static constexpr bool blocking = false;
  static constexpr bool repeats = false;
  mpi::request_handle& request;

  template <class Calls, class... A>
  void operator()(Calls, const A&... a) const {
    request = Calls::later(a...);
  }
};

struct bound {
  static constexpr bool blocking = false;
  static constexpr bool repeats = true;
  mpi::request_handle& request;

  template <class Calls, class... A>
  void operator()(Calls, const A&... a) const {
    request = Calls::bound(a...);
  }
};

/// What an operation needs to know of its communicator.
struct group_view {
  mpi::comm_handle comm;
  int rank;
  int size;
};

/// A status, or none where nobody will look at it.
template <bool Wanted>
struct wanted_status {
  mpi::status value;
  [[nodiscard]] mpi::status_out out() noexcept { return value; }
};
template <>
struct wanted_status<false> {
  [[nodiscard]] static mpi::status_out out() noexcept { return {}; }
};

/// What most operations are like; a state says where it differs.
struct defaults {
  static constexpr bool one_call = true;        // no message goes before the last call
  static constexpr bool repeats = true;         // can be started again with the same memory
  static constexpr bool lengths_given = true;   // nothing is missing that depends on the buffer
  static constexpr bool cancellable = false;    // MPI_Cancel ends it
};

}  // namespace mpiglot::detail
