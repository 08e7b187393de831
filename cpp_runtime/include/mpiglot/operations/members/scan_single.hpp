// The members for scan_single.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct scan_single_members {
  /// Combines one value of each rank up to and including this one. MPI-4.1, section 6.11.
  /// Collective.
  ///
  ///     const auto sum = comm.scan_single(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op
  /// - Result: the combined value
  /// - Messages: one
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto scan_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scan_single, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank up to and including this one. MPI-4.1, section 6.11.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `scan_single`. Collective.
  ///
  ///     auto request = comm.iscan_single(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op
  /// - Result: the combined value
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  [[gnu::always_inline]] auto iscan_single(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scan_single, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Combines one value of each rank up to and including this one. MPI-4.1, section 6.11.
  /// Persistent. Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.scan_single_init(send_buf(x), op(std::plus<>()));
  ///
  /// - Needed: `send_buf`, `op`
  /// - Parameters: `send_buf`, one value; op
  /// - Result: the combined value
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except memory to pack what is not contiguous
  /// - Errors: function_failure if the function of op(f, commutative, may_throw) threw
  template <class... Parameters>
  auto scan_single_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scan_single, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
