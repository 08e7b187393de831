// The members for scatter.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct scatter_members {
  /// Sends an equal part of the root's buffer to each rank. MPI-4.1, section 6.6. Collective.
  ///
  ///     auto mine = comm.scatter(send_buf(all), root(0));
  ///
  /// - Parameters: `send_buf` or `send_buf_out`: read at the `root` only; other ranks may leave it
  ///   out if `recv_buf` or the type in angle brackets tells the element type; an encoded range has
  ///   one element for each rank; `send_count` (the length divided by the number of ranks);
  ///   `send_type`; `recv_buf` (a vector by value); `recv_count` (sent by the `root`); `recv_type`;
  ///   `root` (0); or, in place, `send_recv_buf`: at the `root` all parts, of which its own stays,
  ///   elsewhere the part
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one with `recv_count` (on all ranks or on none), `send_type` or `recv_type`, of
  ///   single values and raw memory, and of the nonblocking and persistent forms; otherwise the
  ///   length is sent: in one message with the parts if these are small, else in two
  ///   (docs/guide/messages.md)
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of the root, such as a missing `send_buf`, is thrown there and, if the
  ///   length is sent, as `remote_failure` on all other ranks; otherwise they receive zeros
  template <class... Parameters>
  [[gnu::always_inline]] auto scatter(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scatter, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `scatter` that receives elements of type `T`. Collective.
  ///
  ///     auto mine = comm.scatter<int>(root(0));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto scatter(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::scatter, T>;
    using call = detail::call_on<operations::scatter, detail::now, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `scatter` that makes a `View` of these extents and receives into it. Collective.
  ///
  ///     auto mine = comm.scatter<View>(extents(3, 4), root(0));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  [[gnu::always_inline]] auto scatter(Parameters&&... parameters) const {
    using call = detail::call_made<operations::scatter, detail::now, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }

  /// Sends an equal part of the root's buffer to each rank. MPI-4.1, section 6.6. Nonblocking.
  /// Returns a request, whose `wait()` gives the result of `scatter`. Collective.
  ///
  ///     auto request = comm.iscatter(send_buf(all), recv_count(3), root(0));
  ///
  /// - Parameters: `send_buf` or `send_buf_out`: read at the `root` only; other ranks may leave it
  ///   out if `recv_buf` or the type in angle brackets tells the element type; an encoded range has
  ///   one element for each rank; `send_count` (the length divided by the number of ranks);
  ///   `send_type`; `recv_buf` (a vector by value); `recv_count` (sent by the `root`); `recv_type`;
  ///   `root` (0); or, in place, `send_recv_buf`: at the `root` all parts, of which its own stays,
  ///   elsewhere the part
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of the root, such as a missing `send_buf`, is thrown there and, if the
  ///   length is sent, as `remote_failure` on all other ranks; otherwise they receive zeros
  template <class... Parameters>
  [[gnu::always_inline]] auto iscatter(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scatter, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `iscatter` that receives elements of type `T`. Collective.
  ///
  ///     auto request = comm.iscatter<int>(recv_count(3), root(0));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto iscatter(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::scatter, T>;
    using call = detail::call_on<operations::scatter, detail::later, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `iscatter` that makes a `View` of these extents and receives into it. Collective.
  ///
  ///     auto request = comm.iscatter<View>(extents(3, 4), root(0));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  [[gnu::always_inline]] auto iscatter(Parameters&&... parameters) const {
    using call = detail::call_made<operations::scatter, detail::later, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }

  /// Sends an equal part of the root's buffer to each rank. MPI-4.1, section 6.6. Persistent.
  /// Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.scatter_init(send_buf(all), recv_count(3), root(0));
  ///
  /// - Parameters: `send_buf` or `send_buf_out`: read at the `root` only; other ranks may leave it
  ///   out if `recv_buf` or the type in angle brackets tells the element type; an encoded range has
  ///   one element for each rank; `send_count` (the length divided by the number of ranks);
  ///   `send_type`; `recv_buf` (a vector by value); `recv_count` (sent by the `root`); `recv_type`;
  ///   `root` (0); or, in place, `send_recv_buf`: at the `root` all parts, of which its own stays,
  ///   elsewhere the part
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result, and what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of the root, such as a missing `send_buf`, is thrown there and, if the
  ///   length is sent, as `remote_failure` on all other ranks; otherwise they receive zeros
  template <class... Parameters>
  auto scatter_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::scatter, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `scatter_init` that receives elements of type `T`. Collective.
  ///
  ///     auto request = comm.scatter_init<int>(recv_count(3), root(0));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  auto scatter_init(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::scatter, T>;
    using call = detail::call_on<operations::scatter, detail::bound, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `scatter_init` that makes a `View` of these extents and receives into it. Collective.
  ///
  ///     auto request = comm.scatter_init<View>(extents(3, 4), root(0));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  auto scatter_init(Parameters&&... parameters) const {
    using call = detail::call_made<operations::scatter, detail::bound, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }
};

}  // namespace mpiglot::operations
