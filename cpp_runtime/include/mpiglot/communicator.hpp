// A communicator and what can be done with it. What needs more than its handle has a header of its
// own: groups (group.hpp), topologies (topology.hpp), intercommunicators (intercommunicator.hpp),
// attributes (attribute.hpp).

#pragma once

// First, so that compilers need few lines to say where a mistake in them is.
#include <mpiglot/parameters.hpp>
#include <mpiglot/request.hpp>

#include <mpiglot/operations/recv.hpp>

#include <mpiglot/detail/engine/communicator_core.hpp>
#include <mpiglot/operations/allgather.hpp>
#include <mpiglot/operations/allgatherv.hpp>
#include <mpiglot/operations/allreduce.hpp>
#include <mpiglot/operations/allreduce_single.hpp>
#include <mpiglot/operations/alltoall.hpp>
#include <mpiglot/operations/alltoallv.hpp>
#include <mpiglot/operations/alltoallw.hpp>
#include <mpiglot/operations/barrier.hpp>
#include <mpiglot/operations/bcast.hpp>
#include <mpiglot/operations/bcast_single.hpp>
#include <mpiglot/operations/exscan.hpp>
#include <mpiglot/operations/exscan_single.hpp>
#include <mpiglot/operations/gather.hpp>
#include <mpiglot/operations/gatherv.hpp>
#include <mpiglot/operations/partitioned.hpp>
#include <mpiglot/operations/probe.hpp>
#include <mpiglot/operations/reduce.hpp>
#include <mpiglot/operations/reduce_scatter.hpp>
#include <mpiglot/operations/reduce_scatter_block.hpp>
#include <mpiglot/operations/reduce_single.hpp>
#include <mpiglot/operations/scan.hpp>
#include <mpiglot/operations/scan_single.hpp>
#include <mpiglot/operations/scatter.hpp>
#include <mpiglot/operations/scatter_single.hpp>
#include <mpiglot/operations/scatterv.hpp>
#include <mpiglot/operations/send.hpp>
#include <mpiglot/operations/sendrecv.hpp>
#include <mpiglot/operations/sendrecv_replace.hpp>

namespace mpiglot {

namespace detail {

/// Messages between two ranks, which intercommunicators have, too.
template <class Self>
class point_to_point_members : public operations::send_members<Self>,
                               public operations::bsend_members<Self>,
                               public operations::ssend_members<Self>,
                               public operations::rsend_members<Self>,
                               public operations::recv_members<Self>,
                               public operations::probe_members<Self>,
                               public operations::iprobe_members<Self>,
                               public operations::mprobe_members<Self>,
                               public operations::improbe_members<Self>,
                               public operations::sendrecv_members<Self>,
                               public operations::sendrecv_replace_members<Self>,
                               public operations::partitioned_members<Self> {};

template <class Self>
class collective_members : public operations::allgather_members<Self>,
                           public operations::allgatherv_members<Self>,
                           public operations::allreduce_members<Self>,
                           public operations::allreduce_single_members<Self>,
                           public operations::alltoall_members<Self>,
                           public operations::alltoallv_members<Self>,
                           public operations::alltoallw_members<Self>,
                           public operations::barrier_members<Self>,
                           public operations::bcast_members<Self>,
                           public operations::bcast_single_members<Self>,
                           public operations::exscan_members<Self>,
                           public operations::exscan_single_members<Self>,
                           public operations::gather_members<Self>,
                           public operations::gatherv_members<Self>,
                           public operations::reduce_members<Self>,
                           public operations::reduce_scatter_members<Self>,
                           public operations::reduce_scatter_block_members<Self>,
                           public operations::reduce_single_members<Self>,
                           public operations::scan_members<Self>,
                           public operations::scan_single_members<Self>,
                           public operations::scatter_members<Self>,
                           public operations::scatter_single_members<Self>,
                           public operations::scatterv_members<Self> {};

/// A communicator of type `Self` below its plugins.
template <class Self>
class communicator_base : public communicator_core,
                          public point_to_point_members<Self>,
                          public collective_members<Self> {
 public:
  /// The whole communicator, plugins included.
  using communicator_type = Self;

  /// MPI_COMM_WORLD.
  communicator_base() : communicator_core(mpi::comm_handle(mpi::comm_world)) {}
  explicit communicator_base(mpi::comm_handle borrowed) : communicator_core(borrowed) {
    this->require_one_group();
  }
  explicit communicator_base(MPI_Comm borrowed) : communicator_core(borrowed) {
    this->require_one_group();
  }
  explicit communicator_base(mpi::unique_comm owned)
      : communicator_core(static_cast<mpi::unique_comm&&>(owned)) {
    this->require_one_group();
  }

  /// This communicator as a plugin sees it that calls the members of all the others.
  [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }

  /// Another object for the same communicator, which borrows it. Local.
  [[nodiscard]] Self borrow() const { return Self(handle()); }
  /// A duplicate with a context of its own. Collective.
  [[nodiscard]] Self dup() const { return Self(this->dup_handle()); }
  [[nodiscard]] Self dup(mpi::info_handle hints) const { return Self(this->dup_handle(hints)); }
  /// The ranks with the same color, ordered by key; null where the color is `mpi::undefined`.
  /// Collective.
  [[nodiscard]] Self split(int color, int key = 0) const {
    return Self(this->split_handle(color, key));
  }
  /// The ranks that share what `type` says (`mpi::comm_type_shared` ...). Collective.
  [[nodiscard]] Self split_type(int type, int key = 0, mpi::info_handle hints = {}) const {
    return Self(this->split_handle(type, key, hints));
  }
  /// The ranks that can share memory. Collective.
  [[nodiscard]] Self split_shared(int key = 0) const {
    return split_type(mpi::comm_type_shared, key);
  }
  /// The ranks of a group; null on the others. Collective over the communicator.
  [[nodiscard]] Self create(mpi::group_handle group) const {
    return Self(this->create_handle(group));
  }
  /// The ranks of a group. Collective over the group alone.
  [[nodiscard]] Self create_group(mpi::group_handle group, int tag = 0) const {
    return Self(this->create_handle(group, tag));
  }
};

/// `Base` with plugins stacked on it, the last one outermost.
template <class Base, template <class> class... Plugins>
struct stacked {
  using type = Base;
};
template <class Base, template <class> class First, template <class> class... Rest>
struct stacked<Base, First, Rest...> {
  using type = typename stacked<First<Base>, Rest...>::type;
};

}  // namespace detail

/// A communicator of one group, borrowed or owned. It remembers rank and size, which never change.
///
///   communicator world;                         // MPI_COMM_WORLD, borrowed
///   communicator theirs(raw);                   // any MPI_Comm, borrowed
///   communicator mine = world.split(color);     // owned: freed with the object
///
/// Two groups, which send to each other, are an `intercommunicator`; refused here (MPI_ERR_COMM).
/// One that owns can be moved, not copied; `borrow()` gives another object that does not own.
/// Freeing is collective where MPI says so, and does nothing once MPI is finalized. Errors of MPI
/// are thrown if the communicator returns them (MPI_ERRORS_RETURN), as those do that come from
/// `mpiglot::environment`.
///
/// Plugins add members or override those there are; docs/guide/plugins-cpp.md shows how.
template <template <class> class... Plugins>
class basic_communicator
    : public detail::stacked<detail::communicator_base<basic_communicator<Plugins...>>,
                             Plugins...>::type {
  using base = typename detail::stacked<detail::communicator_base<basic_communicator<Plugins...>>,
                                        Plugins...>::type;

 public:
  using base::base;
  basic_communicator() = default;
  basic_communicator(basic_communicator&&) = default;
  basic_communicator& operator=(basic_communicator&&) = default;
  /// Not copied: `borrow()` gives another object for the same communicator, `dup()` a new one.
  basic_communicator(const basic_communicator&) = delete;
  basic_communicator& operator=(const basic_communicator&) = delete;
};

/// A communicator without plugins: errors are thrown, checks are the default ones.
using communicator = basic_communicator<>;

}  // namespace mpiglot

#if MPIGLOT_BODIES
#include <mpiglot/communicator.ipp>
#endif
