// The members for send.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct send_members {
  /// Sends one message to one rank, in the standard mode.
  ///
  ///     comm.send(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto send(Parameters&&... parameters) const {
    using call = detail::call_on<operations::send, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the standard mode. Nonblocking. Returns a request, whose
  /// `wait()` gives the result of `send`.
  ///
  ///     auto request = comm.isend(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto isend(Parameters&&... parameters) const {
    using call = detail::call_on<operations::send, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the standard mode. Persistent. Returns a request; each
  /// `start()` begins the operation once more.
  ///
  ///     auto request = comm.send_init(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  auto send_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::send, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

template <class Self>
struct bsend_members {
  /// Sends one message to one rank, in the buffered mode: MPI copies it to the attached buffer.
  ///
  ///     comm.bsend(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto bsend(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bsend, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the buffered mode: MPI copies it to the attached buffer.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `bsend`.
  ///
  ///     auto request = comm.ibsend(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto ibsend(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bsend, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the buffered mode: MPI copies it to the attached buffer.
  /// Persistent. Returns a request; each `start()` begins the operation once more.
  ///
  ///     auto request = comm.bsend_init(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  auto bsend_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::bsend, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

template <class Self>
struct ssend_members {
  /// Sends one message to one rank, in the synchronous mode: complete when the receive has started.
  ///
  ///     comm.ssend(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto ssend(Parameters&&... parameters) const {
    using call = detail::call_on<operations::ssend, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the synchronous mode: complete when the receive has started.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `ssend`.
  ///
  ///     auto request = comm.issend(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto issend(Parameters&&... parameters) const {
    using call = detail::call_on<operations::ssend, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the synchronous mode: complete when the receive has started.
  /// Persistent. Returns a request; each `start()` begins the operation once more.
  ///
  ///     auto request = comm.ssend_init(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  auto ssend_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::ssend, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

template <class Self>
struct rsend_members {
  /// Sends one message to one rank, in the ready mode: the receive must already be posted.
  ///
  ///     comm.rsend(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto rsend(Parameters&&... parameters) const {
    using call = detail::call_on<operations::rsend, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the ready mode: the receive must already be posted.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `rsend`.
  ///
  ///     auto request = comm.irsend(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  [[gnu::always_inline]] auto irsend(Parameters&&... parameters) const {
    using call = detail::call_on<operations::rsend, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends one message to one rank, in the ready mode: the receive must already be posted.
  /// Persistent. Returns a request; each `start()` begins the operation once more.
  ///
  ///     auto request = comm.rsend_init(send_buf(v), destination(1), tag(7));
  ///
  /// - Needed: `send_buf`, `destination`
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `tag` (0); `send_count` (all
  ///   elements); `send_type`
  /// - Result: the buffer, if it was moved into `send_buf_out`
  /// - Messages: one
  /// - Allocates: nothing except what the buffer needs to encode or pack
  /// - Errors: an error while packing is thrown at once, and no message is sent
  template <class... Parameters>
  auto rsend_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::rsend, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
