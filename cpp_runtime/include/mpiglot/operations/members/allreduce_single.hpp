// The members for allreduce_single.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct allreduce_single_members {
  /// Combines one value of each rank; the result is on every rank. MPI-4.1, section 6.9.6.
  /// Collective.
  ///
  ///     const auto sum = comm.allreduce_single(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op
  /// - Result: the combined value
  /// - Messages: one
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto allreduce_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allreduce_single, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank; the result is on every rank. MPI-4.1, section 6.9.6.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `allreduce_single`.
  /// Collective.
  ///
  ///     auto request = comm.iallreduce_single(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op
  /// - Result: the combined value
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto iallreduce_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allreduce_single, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank; the result is on every rank. MPI-4.1, section 6.9.6.
  /// Persistent. Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.allreduce_single_init(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op
  /// - Result: the combined value
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  auto allreduce_single_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allreduce_single, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
