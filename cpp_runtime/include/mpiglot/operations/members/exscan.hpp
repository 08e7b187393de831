// The members for exscan.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct exscan_members {
  /// Combines the elements of the ranks before this one. MPI-4.1, section 6.11. Collective.
  ///
  ///     auto sums = comm.exscan(send_buf(mine), op(std::plus<>()), values_on_rank_0(0));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks; `send_count`;
  ///   `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place, `send_recv_buf`;
  ///   `values_on_rank_0`: one value, or one for each element (without it the buffer of rank 0 is
  ///   unchanged, and zero if it is returned by value)
  /// - Asked for: `send_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto exscan(Parameters&&... parameters) const {
    using call = detail::call_on<operations::exscan, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines the elements of the ranks before this one. MPI-4.1, section 6.11. Nonblocking.
  /// Returns a request, whose `wait()` gives the result of `exscan`. Collective.
  ///
  ///     auto request = comm.iexscan(send_buf(mine), op(std::plus<>()), values_on_rank_0(0));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks; `send_count`;
  ///   `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place, `send_recv_buf`;
  ///   `values_on_rank_0`: one value, or one for each element (without it the buffer of rank 0 is
  ///   unchanged, and zero if it is returned by value)
  /// - Asked for: `send_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto iexscan(Parameters&&... parameters) const {
    using call = detail::call_on<operations::exscan, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines the elements of the ranks before this one. MPI-4.1, section 6.11. Persistent. Returns
  /// a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.exscan_init(send_buf(mine), op(std::plus<>()), values_on_rank_0(0));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks; `send_count`;
  ///   `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place, `send_recv_buf`;
  ///   `values_on_rank_0`: one value, or one for each element (without it the buffer of rank 0 is
  ///   unchanged, and zero if it is returned by value)
  /// - Asked for: `send_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  auto exscan_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::exscan, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
