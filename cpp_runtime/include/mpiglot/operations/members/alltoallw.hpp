// The members for alltoallw.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct alltoallw_members {
  /// Sends a part from each rank to each rank, each part with its own datatype. MPI-4.1, section
  /// 6.8. Collective.
  ///
  ///     comm.alltoallw(send_buf(a), send_counts(n), send_displs(from), send_types(t), recv_buf(b),
  ///         recv_counts(m), recv_displs(to), recv_types(u));
  ///
  /// - Needed: `send_buf`, `recv_buf`, `recv_counts`, `recv_displs`, `recv_types`
  /// - Parameters: `send_buf` (or `send_buf_out`) and `recv_buf`: contiguous ranges or raw memory;
  ///   for each rank `send_counts`, `send_displs`, `recv_counts`, `recv_displs` (any integers;
  ///   displacements in bytes), `send_types`, `recv_types` (committed); nothing is inferred; or, in
  ///   place, `send_recv_buf` with the recv_ arrays
  /// - Result: the buffers that were moved in, the receive buffer first
  /// - Messages: one
  /// - Allocates: nothing except copies of arrays whose integers are not those of MPI (`int`, or
  ///   MPI_Count with MPI_Aint if the MPI has the large-count function)
  /// - Errors: `count_error` at once if an array does not have one element for each rank
  template <class... Parameters>
  [[gnu::always_inline]] auto alltoallw(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoallw, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part from each rank to each rank, each part with its own datatype. MPI-4.1, section
  /// 6.8. Nonblocking. Returns a request, whose `wait()` gives the result of `alltoallw`.
  /// Collective.
  ///
  ///     auto request = comm.ialltoallw(send_buf(a), send_counts(n), send_displs(from),
  ///         send_types(t), recv_buf(b), recv_counts(m), recv_displs(to), recv_types(u));
  ///
  /// - Needed: `send_buf`, `recv_buf`, `recv_counts`, `recv_displs`, `recv_types`
  /// - Parameters: `send_buf` (or `send_buf_out`) and `recv_buf`: contiguous ranges or raw memory;
  ///   for each rank `send_counts`, `send_displs`, `recv_counts`, `recv_displs` (any integers;
  ///   displacements in bytes), `send_types`, `recv_types` (committed); nothing is inferred; or, in
  ///   place, `send_recv_buf` with the recv_ arrays
  /// - Result: the buffers that were moved in, the receive buffer first
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except copies of arrays whose integers are not those of MPI (`int`, or
  ///   MPI_Count with MPI_Aint if the MPI has the large-count function)
  /// - Errors: `count_error` at once if an array does not have one element for each rank
  template <class... Parameters>
  [[gnu::always_inline]] auto ialltoallw(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoallw, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part from each rank to each rank, each part with its own datatype. MPI-4.1, section
  /// 6.8. Persistent. Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.alltoallw_init(send_buf(a), send_counts(n), send_displs(from),
  ///         send_types(t), recv_buf(b), recv_counts(m), recv_displs(to), recv_types(u));
  ///
  /// - Needed: `send_buf`, `recv_buf`, `recv_counts`, `recv_displs`, `recv_types`
  /// - Parameters: `send_buf` (or `send_buf_out`) and `recv_buf`: contiguous ranges or raw memory;
  ///   for each rank `send_counts`, `send_displs`, `recv_counts`, `recv_displs` (any integers;
  ///   displacements in bytes), `send_types`, `recv_types` (committed); nothing is inferred; or, in
  ///   place, `send_recv_buf` with the recv_ arrays
  /// - Result: the buffers that were moved in, the receive buffer first
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except copies of arrays whose integers are not those of MPI (`int`, or
  ///   MPI_Count with MPI_Aint if the MPI has the large-count function)
  /// - Errors: `count_error` at once if an array does not have one element for each rank
  template <class... Parameters>
  auto alltoallw_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoallw, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
