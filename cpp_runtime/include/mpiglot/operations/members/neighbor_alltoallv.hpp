// The members for neighbor_alltoallv.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct neighbor_alltoallv_members {
  /// Sends a part to each neighbor in the topology, and receives one from each. The parts may
  /// differ in length. MPI-4.1, section 8.6. Collective.
  ///
  ///     auto theirs = grid.neighbor_alltoallv(send_buf(mine), send_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of alltoallv, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_counts_out`
  /// - Result: as alltoallv
  /// - Messages: one; lengths that are not known are exchanged first. Either all ranks give
  ///   `recv_counts` or none does
  /// - Allocates: as alltoallv
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto neighbor_alltoallv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::neighbor_alltoallv, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part to each neighbor in the topology, and receives one from each. The parts may
  /// differ in length. MPI-4.1, section 8.6. Nonblocking. Returns a request, whose `wait()` gives
  /// the result of `neighbor_alltoallv`. Collective.
  ///
  ///     auto request = grid.ineighbor_alltoallv(send_buf(mine), send_counts(counts),
  ///         recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of alltoallv, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_counts_out`
  /// - Result: as alltoallv
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as alltoallv
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto ineighbor_alltoallv(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_alltoallv, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part to each neighbor in the topology, and receives one from each. The parts may
  /// differ in length. MPI-4.1, section 8.6. Persistent. Returns a request; each `start()` begins
  /// the operation once more. Collective.
  ///
  ///     auto request = grid.neighbor_alltoallv_init(send_buf(mine), send_counts(counts),
  ///         recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of alltoallv, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_counts_out`
  /// - Result: as alltoallv
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as alltoallv
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  auto neighbor_alltoallv_init(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_alltoallv, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
