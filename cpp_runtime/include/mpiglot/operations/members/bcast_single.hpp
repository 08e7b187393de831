// The members for bcast_single.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct bcast_single_members {
  /// Copies one value of the root to all ranks. MPI-4.1, section 6.4. Collective.
  ///
  ///     const int n = comm.bcast_single(send_recv_buf(rank_0_knows));
  ///
  /// - Needed: `send_recv_buf`
  /// - Parameters: `send_recv_buf`: one value on all ranks, read at the `root` only and changed
  ///   nowhere; `root` (0)
  /// - Result: the value of the root
  /// - Messages: one
  /// - Allocates: nothing
  /// - Errors: those of MPI
  template <class... Parameters>
  [[gnu::always_inline]] auto bcast_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bcast_single, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Copies one value of the root to all ranks. MPI-4.1, section 6.4. Nonblocking. Returns a
  /// request, whose `wait()` gives the result of `bcast_single`. Collective.
  ///
  ///     auto request = comm.ibcast_single(send_recv_buf(rank_0_knows));
  ///
  /// - Needed: `send_recv_buf`
  /// - Parameters: `send_recv_buf`: one value on all ranks, read at the `root` only and changed
  ///   nowhere; `root` (0)
  /// - Result: the value of the root
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing
  /// - Errors: those of MPI
  template <class... Parameters>
  [[gnu::always_inline]] auto ibcast_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bcast_single, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Copies one value of the root to all ranks. MPI-4.1, section 6.4. Persistent. Returns a
  /// request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.bcast_single_init(send_recv_buf(rank_0_knows));
  ///
  /// - Needed: `send_recv_buf`
  /// - Parameters: `send_recv_buf`: one value on all ranks, read at the `root` only and changed
  ///   nowhere; `root` (0)
  /// - Result: the value of the root
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing
  /// - Errors: those of MPI
  template <class... Parameters>
  auto bcast_single_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bcast_single, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
