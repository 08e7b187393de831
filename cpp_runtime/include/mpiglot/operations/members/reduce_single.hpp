// The members for reduce_single.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct reduce_single_members {
  /// Combines one value of each rank; the result is at the root. MPI-4.1, section 6.9.1.
  /// Collective.
  ///
  ///     const auto sum = comm.reduce_single(send_buf(x), op(std::plus<>()), root(0));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op; `root` (0)
  /// - Result: the combined value; unspecified on other ranks
  /// - Messages: one
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto reduce_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::reduce_single, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank; the result is at the root. MPI-4.1, section 6.9.1.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `reduce_single`.
  /// Collective.
  ///
  ///     auto request = comm.ireduce_single(send_buf(x), op(std::plus<>()), root(0));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op; `root` (0)
  /// - Result: the combined value; unspecified on other ranks
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto ireduce_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::reduce_single, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank; the result is at the root. MPI-4.1, section 6.9.1.
  /// Persistent. Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.reduce_single_init(send_buf(x), op(std::plus<>()), root(0));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op; `root` (0)
  /// - Result: the combined value; unspecified on other ranks
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  auto reduce_single_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::reduce_single, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
