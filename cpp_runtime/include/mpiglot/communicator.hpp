// Communicators and their operations. Groups, topologies, intercommunicators and attributes have
// headers of their own: group.hpp, topology.hpp, intercommunicator.hpp, attribute.hpp.

#pragma once

// Included first: the compiler then prints fewer lines for an error in a parameter.
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

/// Point-to-point operations, which intracommunicators and intercommunicators have.
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

/// The base of the communicator type `Self`, below its plugins.
template <class Self>
class communicator_base : public communicator_core,
                          public point_to_point_members<Self>,
                          public collective_members<Self> {
 public:
  /// The complete communicator type, with its plugins.
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

  /// This communicator as its complete type, so that a plugin can call members of all other
  /// plugins.
  [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }

  /// Returns another object for the same communicator, which does not own it. Local.
  [[nodiscard]] Self borrow() const { return Self(handle()); }
  /// Returns a duplicate with a new context. Collective.
  [[nodiscard]] Self dup() const { return Self(this->dup_handle()); }
  [[nodiscard]] Self dup(mpi::info_handle hints) const { return Self(this->dup_handle(hints)); }
  /// Returns the communicator of the ranks that give the same color, ordered by key. It is null on
  /// ranks whose color is `mpi::undefined`. Collective.
  [[nodiscard]] Self split(int color, int key = 0) const {
    return Self(this->split_handle(color, key));
  }
  /// Returns the communicator of the ranks that share the resource `type` (`mpi::comm_type_shared`,
  /// ...). Collective.
  [[nodiscard]] Self split_type(int type, int key = 0, mpi::info_handle hints = {}) const {
    return Self(this->split_handle(type, key, hints));
  }
  /// Returns the communicator of the ranks that can share memory. Collective.
  [[nodiscard]] Self split_shared(int key = 0) const {
    return split_type(mpi::comm_type_shared, key);
  }
  /// Returns the communicator of the ranks of `group`. It is null on all other ranks. Collective
  /// over this communicator.
  [[nodiscard]] Self create(mpi::group_handle group) const {
    return Self(this->create_handle(group));
  }
  /// Returns the communicator of the ranks of `group`. Collective over the group only.
  [[nodiscard]] Self create_group(mpi::group_handle group, int tag = 0) const {
    return Self(this->create_handle(group, tag));
  }
};

/// `Base` with a stack of plugins; the last one is the outermost.
template <class Base, template <class> class... Plugins>
struct stacked {
  using type = Base;
};
template <class Base, template <class> class First, template <class> class... Rest>
struct stacked<Base, First, Rest...> {
  using type = typename stacked<First<Base>, Rest...>::type;
};

}  // namespace detail

/// An intracommunicator, owned or borrowed. It stores its rank and size, which never change.
///
///   communicator world;                         // MPI_COMM_WORLD, borrowed
///   communicator theirs(raw);                   // any MPI_Comm, borrowed
///   communicator mine = world.split(color);     // owned: freed with the object
/// An intercommunicator is refused (MPI_ERR_COMM): use `intercommunicator`. An object that owns its
/// communicator can be moved, but not copied; `borrow()` returns another object that does not own
/// it. The destructor frees an owned communicator, which is collective as MPI_Comm_free is; after
/// MPI_Finalize it does nothing. Errors of MPI are thrown if the error handler of the communicator
/// is MPI_ERRORS_RETURN. `mpiglot::environment` sets that handler, and communicators inherit it.
///
/// Plugins add members or override existing ones; docs/guide/plugins-cpp.md shows how.
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
  /// Not copyable. `borrow()` returns another object for the same communicator, `dup()` a new
  /// communicator.
  basic_communicator(const basic_communicator&) = delete;
  basic_communicator& operator=(const basic_communicator&) = delete;
};

/// A communicator without plugins. Errors are thrown; the checks are the default ones.
using communicator = basic_communicator<>;

}  // namespace mpiglot

#if MPIGLOT_BODIES
#include <mpiglot/communicator.ipp>
#endif
