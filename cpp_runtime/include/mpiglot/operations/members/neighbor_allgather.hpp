// The members for neighbor_allgather.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct neighbor_allgather_members {
  /// Sends the buffer of each rank to its neighbors in the topology. The buffers have equal
  /// lengths. MPI-4.1, section 8.6. Collective.
  ///
  ///     auto theirs = grid.neighbor_allgather(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of allgather, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`
  /// - Result: as allgather
  /// - Messages: one; lengths that are not known are exchanged first
  /// - Allocates: as allgather
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto neighbor_allgather(Parameters&&... parameters) const {
    using call = detail::call_on<operations::neighbor_allgather, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends the buffer of each rank to its neighbors in the topology. The buffers have equal
  /// lengths. MPI-4.1, section 8.6. Nonblocking. Returns a request, whose `wait()` gives the result
  /// of `neighbor_allgather`. Collective.
  ///
  ///     auto request = grid.ineighbor_allgather(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of allgather, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`
  /// - Result: as allgather
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as allgather
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto ineighbor_allgather(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_allgather, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends the buffer of each rank to its neighbors in the topology. The buffers have equal
  /// lengths. MPI-4.1, section 8.6. Persistent. Returns a request; each `start()` begins the
  /// operation once more. Collective.
  ///
  ///     auto request = grid.neighbor_allgather_init(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of allgather, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`
  /// - Result: as allgather
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as allgather
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  auto neighbor_allgather_init(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_allgather, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
