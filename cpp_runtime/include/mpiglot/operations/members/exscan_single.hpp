// The members for exscan_single.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct exscan_single_members {
  /// Combines one value of each rank before this one. MPI-4.1, section 6.11. Collective.
  ///
  ///     const auto before = comm.exscan_single(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op; `values_on_rank_0` (a value-initialized value)
  /// - Result: the combined value; on rank 0 that of `values_on_rank_0`
  /// - Messages: one
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto exscan_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::exscan_single, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank before this one. MPI-4.1, section 6.11. Nonblocking. Returns a
  /// request, whose `wait()` gives the result of `exscan_single`. Collective.
  ///
  ///     auto request = comm.iexscan_single(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op; `values_on_rank_0` (a value-initialized value)
  /// - Result: the combined value; on rank 0 that of `values_on_rank_0`
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto iexscan_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::exscan_single, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank before this one. MPI-4.1, section 6.11. Persistent. Returns a
  /// request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.exscan_single_init(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op; `values_on_rank_0` (a value-initialized value)
  /// - Result: the combined value; on rank 0 that of `values_on_rank_0`
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  auto exscan_single_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::exscan_single, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
