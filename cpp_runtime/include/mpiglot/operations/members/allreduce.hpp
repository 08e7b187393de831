// The members for allreduce.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct allreduce_members {
  /// Combines the elements of all ranks; the result is on every rank. MPI-4.1, section 6.9.6.
  /// Collective.
  ///
  ///     auto sums = comm.allreduce(send_buf(mine), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks; `send_count`;
  ///   `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place, `send_recv_buf`
  /// - Asked for: `send_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto allreduce(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allreduce, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines the elements of all ranks; the result is on every rank. MPI-4.1, section 6.9.6.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `allreduce`. Collective.
  ///
  ///     auto request = comm.iallreduce(send_buf(mine), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks; `send_count`;
  ///   `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place, `send_recv_buf`
  /// - Asked for: `send_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto iallreduce(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allreduce, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines the elements of all ranks; the result is on every rank. MPI-4.1, section 6.9.6.
  /// Persistent. Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.allreduce_init(send_buf(mine), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks; `send_count`;
  ///   `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place, `send_recv_buf`
  /// - Asked for: `send_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  auto allreduce_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allreduce, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
