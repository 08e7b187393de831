// The members for reduce_scatter_block.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct reduce_scatter_block_members {
  /// Combines the elements of all ranks and gives each rank a part of equal length. MPI-4.1,
  /// section 6.10. Collective.
  ///
  ///     auto mine = comm.reduce_scatter_block(send_buf(all), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, divisible by the
  ///   number of ranks; `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place,
  ///   `send_recv_buf`: the part of this rank is then at its beginning (a buffer that resizes keeps
  ///   only that part)
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw; mpi::unavailable on MPICH and Intel MPI if
  ///   the operation does not commute and a datatype that the program made has a gap at its end
  template <class... Parameters>
  [[gnu::always_inline]] auto reduce_scatter_block(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::reduce_scatter_block, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines the elements of all ranks and gives each rank a part of equal length. MPI-4.1,
  /// section 6.10. Nonblocking. Returns a request, whose `wait()` gives the result of
  /// `reduce_scatter_block`. Collective.
  ///
  ///     auto request = comm.ireduce_scatter_block(send_buf(all), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, divisible by the
  ///   number of ranks; `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place,
  ///   `send_recv_buf`: the part of this rank is then at its beginning (a buffer that resizes keeps
  ///   only that part)
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw; mpi::unavailable on MPICH and Intel MPI if
  ///   the operation does not commute and a datatype that the program made has a gap at its end
  template <class... Parameters>
  [[gnu::always_inline]] auto ireduce_scatter_block(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::reduce_scatter_block, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines the elements of all ranks and gives each rank a part of equal length. MPI-4.1,
  /// section 6.10. Persistent. Returns a request; each `start()` begins the operation once more.
  /// Collective.
  ///
  ///     auto request = comm.reduce_scatter_block_init(send_buf(all), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, divisible by the
  ///   number of ranks; `send_type`; op; `recv_buf` (a vector by value); `recv_type`; or, in place,
  ///   `send_recv_buf`: the part of this rank is then at its beginning (a buffer that resizes keeps
  ///   only that part)
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and memory to pack what is not contiguous
  /// - Errors: `too_small` after completion if `recv_buf` is too small; function_failure if the
  ///   function of op(f, commutative, may_throw) threw; mpi::unavailable on MPICH and Intel MPI if
  ///   the operation does not commute and a datatype that the program made has a gap at its end
  template <class... Parameters>
  auto reduce_scatter_block_init(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::reduce_scatter_block, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
