// Intercommunicators: two groups of processes that send to each other. MPI-4.1, section 7.6.
//
//   const intercommunicator other(half, 0, world, leader_of_the_others, 1);
//   other.send(send_buf(v), destination(0));   // rank 0 of the others
//   communicator all = other.merge();

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/group.hpp>

namespace mpiglot {

/// Two groups: `rank()` and `size()` are those of this one, ranks in messages those of the other.
/// It has the operations between two ranks; for collectives, whose roots and counts have another
/// meaning here, there is `mpiglot::mpi`. Owned or borrowed.
template <template <class> class... Plugins>
class basic_intercommunicator
    : public detail::communicator_core,
      public detail::point_to_point_members<basic_intercommunicator<Plugins...>> {
 public:
  using communicator_core::communicator_core;
  /// From the groups of two communicators, whose leaders meet in a third, `peer`; `local_leader`
  /// and `remote_leader` are ranks in `local` and in `peer`. Collective over both groups.
  basic_intercommunicator(mpi::comm_handle local, int local_leader, mpi::comm_handle peer,
                          int remote_leader, int tag = 0)
      : communicator_core(mpi::unique_comm(
            mpi::intercomm_create(local, local_leader, peer, remote_leader, tag))) {}

  /// The number of processes in the remote group. Local.
  [[nodiscard]] int remote_size() const { return mpi::comm_remote_size(handle()); }
  /// The remote group. Local.
  [[nodiscard]] mpiglot::group remote_group() const {
    return mpiglot::group(mpi::unique_group(mpi::comm_remote_group(handle())));
  }
  /// Both groups in one communicator; the one that says `high` comes last. Collective.
  [[nodiscard]] basic_communicator<Plugins...> merge(bool high = false) const {
    return basic_communicator<Plugins...>(mpi::unique_comm(mpi::intercomm_merge(handle(), high)));
  }
};
/// An intercommunicator without plugins.
using intercommunicator = basic_intercommunicator<>;

}  // namespace mpiglot
