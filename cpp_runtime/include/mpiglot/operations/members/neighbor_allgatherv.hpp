// The members for neighbor_allgatherv.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct neighbor_allgatherv_members {
  /// Sends the buffer of each rank to its neighbors in the topology. The buffers may differ in
  /// length. MPI-4.1, section 8.6. Collective.
  ///
  ///     auto theirs = grid.neighbor_allgatherv(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of allgatherv, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`
  /// - Result: as allgatherv
  /// - Messages: one; lengths that are not known are exchanged first. Either all ranks give
  ///   `recv_counts` or none does
  /// - Allocates: as allgatherv
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto neighbor_allgatherv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::neighbor_allgatherv, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends the buffer of each rank to its neighbors in the topology. The buffers may differ in
  /// length. MPI-4.1, section 8.6. Nonblocking. Returns a request, whose `wait()` gives the result
  /// of `neighbor_allgatherv`. Collective.
  ///
  ///     auto request = grid.ineighbor_allgatherv(send_buf(mine), recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of allgatherv, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`
  /// - Result: as allgatherv
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as allgatherv
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto ineighbor_allgatherv(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_allgatherv, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends the buffer of each rank to its neighbors in the topology. The buffers may differ in
  /// length. MPI-4.1, section 8.6. Persistent. Returns a request; each `start()` begins the
  /// operation once more. Collective.
  ///
  ///     auto request = grid.neighbor_allgatherv_init(send_buf(mine), recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: those of allgatherv, except in place; a part for or from each neighbor, in the
  ///   order of MPI
  /// - Asked for: `send_count_out`
  /// - Result: as allgatherv
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: as allgatherv
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  auto neighbor_allgatherv_init(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_allgatherv, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
