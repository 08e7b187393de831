// Intercommunicators: communication between two groups of processes. MPI-4.1, section 7.6.
//
//   const intercommunicator other(half, 0, world, leader_of_the_others, 1);
//   other.send(send_buf(v), destination(0));   // rank 0 of the others
//   communicator all = other.merge();

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/group.hpp>

namespace mpiglot {

/// An intercommunicator, owned or borrowed. `rank()` and `size()` refer to the local group; sources
/// and destinations are ranks of the remote group. It has the point-to-point operations.
/// Collectives have other roots and counts on intercommunicators; use `mpiglot::mpi` for them.
template <template <class> class... Plugins>
class basic_intercommunicator
    : public detail::communicator_core,
      public detail::point_to_point_members<basic_intercommunicator<Plugins...>> {
 public:
  using communicator_core::communicator_core;
  /// Connects the group of `local` with a remote group. The leaders of both groups must be members
  /// of the communicator `peer`; `local_leader` is a rank in `local`, `remote_leader` one in
  /// `peer`. Collective over both groups.
  basic_intercommunicator(mpi::comm_handle local, int local_leader, mpi::comm_handle peer,
                          int remote_leader, int tag = 0)
      : communicator_core(mpi::unique_comm(
            mpi::intercomm_create(local, local_leader, peer, remote_leader, tag))) {}

  /// The number of processes in the remote group. Local.
  [[nodiscard]] int remote_size() const { return mpi::comm_remote_size(present("remote_size")); }
  /// The remote group. Local.
  [[nodiscard]] mpiglot::group remote_group() const {
    return mpiglot::group(mpi::unique_group(mpi::comm_remote_group(present("remote_group"))));
  }
  /// Returns a communicator of both groups. The ranks of the group that gives `high` come last.
  /// Collective.
  [[nodiscard]] basic_communicator<Plugins...> merge(bool high = false) const {
    return basic_communicator<Plugins...>(
        mpi::unique_comm(mpi::intercomm_merge(present("merge"), high)));
  }
};
/// An intercommunicator without plugins.
using intercommunicator = basic_intercommunicator<>;

}  // namespace mpiglot
