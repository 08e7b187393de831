// The members for bcast.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct bcast_members {
  /// Copies the buffer of the root to all ranks. MPI-4.1, section 6.4. Collective.
  ///
  ///     comm.bcast(send_recv_buf(v), root(0));
  ///
  /// - Needed: `send_recv_buf`
  /// - Parameters: `send_recv_buf`; `root` (0); `send_recv_count` (the length; given on all ranks
  ///   or on none); `send_recv_type`; `lengths_first`
  /// - Asked for: `send_recv_count_out`
  /// - Result: the buffer if it was moved in
  /// - Messages: one with `send_recv_count` or `send_recv_type`, of a single value, of raw memory,
  ///   and of ibcast and bcast_init; otherwise the length is sent: in one message with the data if
  ///   that is small, else in two, and from 2^20 elements on there is an MPI_Allreduce between them
  ///   (docs/guide/messages.md); of encoded values, each run of elements of 64 KiB or more is a
  ///   message of its own, after an MPI_Allreduce, and what exceeds 512 KiB follows in messages of
  ///   that size
  /// - Allocates: nothing except what the buffer needs to grow, encode or pack
  /// - Errors: if the length is sent: `too_small` or `count_error` on a rank whose buffer cannot
  ///   change its length and has another one; an error of the root is thrown there, and as
  ///   `remote_failure` on all other ranks
  template <class... Parameters>
  [[gnu::always_inline]] auto bcast(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bcast, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Copies the buffer of the root to all ranks. MPI-4.1, section 6.4. Nonblocking. Returns a
  /// request, whose `wait()` gives the result of `bcast`. Collective.
  ///
  ///     auto request = comm.ibcast(send_recv_buf(v), root(0));
  ///
  /// - Needed: `send_recv_buf`
  /// - Parameters: `send_recv_buf`; `root` (0); `send_recv_count` (the length; given on all ranks
  ///   or on none); `send_recv_type`; `lengths_first`
  /// - Asked for: `send_recv_count_out`
  /// - Result: the buffer if it was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except what the buffer needs to grow, encode or pack
  /// - Errors: if the length is sent: `too_small` or `count_error` on a rank whose buffer cannot
  ///   change its length and has another one; an error of the root is thrown there, and as
  ///   `remote_failure` on all other ranks
  template <class... Parameters>
  [[gnu::always_inline]] auto ibcast(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bcast, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Copies the buffer of the root to all ranks. MPI-4.1, section 6.4. Persistent. Returns a
  /// request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.bcast_init(send_recv_buf(v), root(0));
  ///
  /// - Needed: `send_recv_buf`
  /// - Parameters: `send_recv_buf`; `root` (0); `send_recv_count` (the length; given on all ranks
  ///   or on none); `send_recv_type`; `lengths_first`
  /// - Asked for: `send_recv_count_out`
  /// - Result: the buffer if it was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except what the buffer needs to grow, encode or pack
  /// - Errors: if the length is sent: `too_small` or `count_error` on a rank whose buffer cannot
  ///   change its length and has another one; an error of the root is thrown there, and as
  ///   `remote_failure` on all other ranks
  template <class... Parameters>
  auto bcast_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bcast, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
