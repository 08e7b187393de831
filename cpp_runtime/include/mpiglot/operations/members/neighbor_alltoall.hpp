// The members for neighbor_alltoall.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct neighbor_alltoall_members {
  /// Sends a part of equal length to each neighbor in the topology, and receives one from each.
  /// MPI-4.1, section 8.6. Collective.
  ///
  ///     auto theirs = grid.neighbor_alltoall(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of alltoall, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: as alltoall
  /// - Messages: one; lengths that are not known are exchanged first
  /// - Allocates: as alltoall
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto neighbor_alltoall(Parameters&&... parameters) const {
    using call = detail::call_on<operations::neighbor_alltoall, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part of equal length to each neighbor in the topology, and receives one from each.
  /// MPI-4.1, section 8.6. Nonblocking. Returns a request, whose `wait()` gives the result of
  /// `neighbor_alltoall`. Collective.
  ///
  ///     auto request = grid.ineighbor_alltoall(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of alltoall, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: as alltoall
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as alltoall
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto ineighbor_alltoall(Parameters&&... parameters) const {
    using call = detail::call_on<operations::neighbor_alltoall, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part of equal length to each neighbor in the topology, and receives one from each.
  /// MPI-4.1, section 8.6. Persistent. Returns a request; each `start()` begins the operation once
  /// more. Collective.
  ///
  ///     auto request = grid.neighbor_alltoall_init(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of alltoall, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: as alltoall
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as alltoall
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  auto neighbor_alltoall_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::neighbor_alltoall, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
