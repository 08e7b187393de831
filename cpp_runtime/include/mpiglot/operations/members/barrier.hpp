// The members for barrier.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct barrier_members {
  /// Returns on each rank when all ranks have called it. MPI-4.1, section 6.3. Collective.
  ///
  ///     comm.barrier();
  ///
  /// - Parameters: none
  /// - Result: none
  /// - Messages: one
  /// - Allocates: nothing
  /// - Errors: those of MPI
  template <class... Parameters>
  [[gnu::always_inline]] auto barrier(Parameters&&... parameters) const {
    using call = detail::call_on<operations::barrier, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Returns on each rank when all ranks have called it. MPI-4.1, section 6.3. Nonblocking. Returns
  /// a request, whose `wait()` gives the result of `barrier`. Collective.
  ///
  ///     auto request = comm.ibarrier();
  ///
  /// - Parameters: none
  /// - Result: none
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing
  /// - Errors: those of MPI
  template <class... Parameters>
  [[gnu::always_inline]] auto ibarrier(Parameters&&... parameters) const {
    using call = detail::call_on<operations::barrier, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Returns on each rank when all ranks have called it. MPI-4.1, section 6.3. Persistent. Returns
  /// a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.barrier_init();
  ///
  /// - Parameters: none
  /// - Result: none
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing
  /// - Errors: those of MPI
  template <class... Parameters>
  auto barrier_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::barrier, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
