// The members for allgather.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct allgather_members {
  /// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers have
  /// equal lengths. MPI-4.1, section 6.7. Collective.
  ///
  ///     auto all = comm.allgather(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, unless encoded;
  ///   `send_count`; `send_type`; `recv_buf` (a vector by value); `recv_count`; `recv_type`; or, in
  ///   place, `send_recv_buf` with the part of each rank in its place
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one; if buffers are encoded, their lengths are gathered first
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto allgather(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allgather, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers have
  /// equal lengths. MPI-4.1, section 6.7. Nonblocking. Returns a request, whose `wait()` gives the
  /// result of `allgather`. Collective.
  ///
  ///     auto request = comm.iallgather(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, unless encoded;
  ///   `send_count`; `send_type`; `recv_buf` (a vector by value); `recv_count`; `recv_type`; or, in
  ///   place, `send_recv_buf` with the part of each rank in its place
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto iallgather(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allgather, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers have
  /// equal lengths. MPI-4.1, section 6.7. Persistent. Returns a request; each `start()` begins the
  /// operation once more. Collective.
  ///
  ///     auto request = comm.allgather_init(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, unless encoded;
  ///   `send_count`; `send_type`; `recv_buf` (a vector by value); `recv_count`; `recv_type`; or, in
  ///   place, `send_recv_buf` with the part of each rank in its place
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  auto allgather_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allgather, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
