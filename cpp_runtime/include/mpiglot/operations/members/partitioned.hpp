// The members for partitioned.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct partitioned_members {
  /// Prepares a message whose partitions become ready one by one, for example each by a thread.
  /// Persistent. Returns a request; each `start()` begins the operation once more.
  ///
  ///     auto sending = comm.psend_init(send_buf(v), partitions(4), destination(1));
  ///
  /// - Needed: `send_buf` and `destination`, or `recv_buf` and `source`; `partitions`
  /// - Parameters: `send_buf` and `destination`, or `recv_buf` and `source`; `partitions`, which
  ///   divide the buffer into equal parts; `tag` (0)
  /// - Result: a persistent request with `pready` or `parrived`
  /// - Messages: decided by MPI, at most one for each partition
  /// - Allocates: the state of the persistent request, and the datatype of a view with gaps
  /// - Errors: `count_error` if the number of partitions does not divide the buffer, and of a view
  ///   with gaps its first dimension; view_error for such a view with Open MPI, which puts its
  ///   partitions into wrong places; mpi::unavailable before MPI 4.0. pready, pready_range and
  ///   pready_list throw error if the request is not started or has no such partition; at level
  ///   normal, also if a partition is marked twice after one start. parrived throws error if there
  ///   is no such partition
  template <class... Parameters>
  auto psend_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::psend_init, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Prepares to receive a message whose partitions arrive one by one. Persistent. Returns a
  /// request; each `start()` begins the operation once more.
  ///
  ///     auto receiving = comm.precv_init(recv_buf(w), partitions(4), source(0));
  ///
  /// - Needed: `send_buf` and `destination`, or `recv_buf` and `source`; `partitions`
  /// - Parameters: `send_buf` and `destination`, or `recv_buf` and `source`; `partitions`, which
  ///   divide the buffer into equal parts; `tag` (0)
  /// - Result: a persistent request with `pready` or `parrived`
  /// - Messages: decided by MPI, at most one for each partition
  /// - Allocates: the state of the persistent request, and the datatype of a view with gaps
  /// - Errors: `count_error` if the number of partitions does not divide the buffer, and of a view
  ///   with gaps its first dimension; view_error for such a view with Open MPI, which puts its
  ///   partitions into wrong places; mpi::unavailable before MPI 4.0. pready, pready_range and
  ///   pready_list throw error if the request is not started or has no such partition; at level
  ///   normal, also if a partition is marked twice after one start. parrived throws error if there
  ///   is no such partition
  template <class... Parameters>
  auto precv_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::precv_init, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
