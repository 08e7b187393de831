// The members for sendrecv_replace.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct sendrecv_replace_members {
  /// Sends a buffer and replaces its contents by the message received. MPI-4.1, section 3.11.
  ///
  ///     comm.sendrecv_replace(send_recv_buf(v), destination(right), source(left));
  ///
  /// - Needed: `send_recv_buf`, `destination`
  /// - Parameters: `send_recv_buf`; `destination`; `source` (any); `tag` (of both messages);
  ///   `send_tag` (0); `recv_tag` (any)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: the buffer if it was moved in, with the length of the message received (at most the
  ///   length sent, unless the buffer is encoded), then what was asked for
  /// - Messages: one in each direction; encoded messages are probed first, as in sendrecv
  /// - Allocates: nothing except what the buffer needs; an encoded buffer is copied before it is
  ///   sent
  /// - Errors: MPI_ERR_TRUNCATE of MPI if more arrives than was sent; otherwise as in sendrecv
  template <class... Parameters>
  [[gnu::always_inline]] auto sendrecv_replace(Parameters&&... parameters) const {
    using call = detail::call_on<operations::sendrecv_replace, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a buffer and replaces its contents by the message received. MPI-4.1, section 3.11.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `sendrecv_replace`.
  ///
  ///     auto request = comm.isendrecv_replace(send_recv_buf(v), destination(right), source(left));
  ///
  /// - Needed: `send_recv_buf`, `destination`
  /// - Parameters: `send_recv_buf`; `destination`; `source` (any); `tag` (of both messages);
  ///   `send_tag` (0); `recv_tag` (any)
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: the buffer if it was moved in, with the length of the message received (at most the
  ///   length sent, unless the buffer is encoded), then what was asked for
  /// - Messages: one in each direction; encoded messages are probed first, as in sendrecv
  /// - Allocates: nothing except what the buffer needs; an encoded buffer is copied before it is
  ///   sent
  /// - Errors: MPI_ERR_TRUNCATE of MPI if more arrives than was sent; otherwise as in sendrecv
  template <class... Parameters>
  [[gnu::always_inline]] auto isendrecv_replace(Parameters&&... parameters) const {
    using call = detail::call_on<operations::sendrecv_replace, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
