// The members for alltoall.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct alltoall_members {
  /// Sends a part of equal length from each rank to each rank. MPI-4.1, section 6.8. Collective.
  ///
  ///     auto theirs = comm.alltoall(send_buf(parts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: the same length on all ranks, divisible by the
  ///   number of ranks (an encoded range: one element for each rank); `send_count` (for each rank);
  ///   `send_type`; `recv_buf` (a vector by value); `recv_count`; `recv_type`; or, in place,
  ///   `send_recv_buf`
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one; if buffers are encoded, their lengths are exchanged first
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto alltoall(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoall, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part of equal length from each rank to each rank. MPI-4.1, section 6.8. Nonblocking.
  /// Returns a request, whose `wait()` gives the result of `alltoall`. Collective.
  ///
  ///     auto request = comm.ialltoall(send_buf(parts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: the same length on all ranks, divisible by the
  ///   number of ranks (an encoded range: one element for each rank); `send_count` (for each rank);
  ///   `send_type`; `recv_buf` (a vector by value); `recv_count`; `recv_type`; or, in place,
  ///   `send_recv_buf`
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto ialltoall(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoall, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part of equal length from each rank to each rank. MPI-4.1, section 6.8. Persistent.
  /// Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.alltoall_init(send_buf(parts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: the same length on all ranks, divisible by the
  ///   number of ranks (an encoded range: one element for each rank); `send_count` (for each rank);
  ///   `send_type`; `recv_buf` (a vector by value); `recv_count`; `recv_type`; or, in place,
  ///   `send_recv_buf`
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  auto alltoall_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoall, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
