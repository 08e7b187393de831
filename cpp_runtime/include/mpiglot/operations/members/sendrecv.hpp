// The members for sendrecv.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct sendrecv_members {
  /// Sends one message and receives another at the same time. MPI-4.1, section 3.11.
  ///
  ///     comm.sendrecv(send_buf(mine), destination(right), recv_buf(halo), source(left));
  ///
  /// - Needed: `send_buf`, `destination`; `recv_buf`, or the element type in angle brackets
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `recv_buf`; `source` (any); `tag`
  ///   (of both messages); `send_tag` (0); `recv_tag` (any); `send_count` (all elements);
  ///   `send_type`; `recv_count` (an upper bound of the length); `recv_type`
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: the receive buffer if it was moved in, then `send_buf_out`, then what was asked for
  /// - Messages: one in each direction; if the length is unknown, the arriving message is probed
  ///   first (MPI_Isend, MPI_Mprobe, MPI_Mrecv, MPI_Wait)
  /// - Allocates: nothing except what the buffers need to encode, decode or grow
  /// - Errors: an error while packing is thrown after both messages have been transferred; the
  ///   message sent then has no elements, and a receiver that expects an encoded value throws
  ///   `decode_error`. isendrecv throws mpi::unavailable before it sends anything where the library
  ///   has no MPI_Isendrecv, and where its status is empty (MPICH, Intel MPI) if the result needs
  ///   the length or the status; on MPICH 4.0 also for a derived datatype, and if both partners are
  ///   MPI_PROC_NULL. Use isend and irecv there
  template <class... Parameters>
  [[gnu::always_inline]] auto sendrecv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::sendrecv, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `sendrecv` that receives elements of type `T`.
  ///
  ///     auto theirs = comm.sendrecv<int>(send_buf(mine), destination(right), source(left));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto sendrecv(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::sendrecv, T>;
    using call = detail::call_on<operations::sendrecv, detail::now, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `sendrecv` that makes a `View` of these extents and receives into it.
  ///
  ///     auto theirs = comm.sendrecv<View>(extents(3, 4), send_buf(mine), destination(right),
  ///         source(left));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  [[gnu::always_inline]] auto sendrecv(Parameters&&... parameters) const {
    using call = detail::call_made<operations::sendrecv, detail::now, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }

  /// Sends one message and receives another at the same time. MPI-4.1, section 3.11. Nonblocking.
  /// Returns a request, whose `wait()` gives the result of `sendrecv`.
  ///
  ///     auto request = comm.isendrecv(send_buf(mine), destination(right), recv_buf(halo),
  ///         source(left));
  ///
  /// - Needed: `send_buf`, `destination`; `recv_buf`, or the element type in angle brackets
  /// - Parameters: `send_buf` or `send_buf_out`; `destination`; `recv_buf`; `source` (any); `tag`
  ///   (of both messages); `send_tag` (0); `recv_tag` (any); `send_count` (all elements);
  ///   `send_type`; `recv_count` (an upper bound of the length); `recv_type`
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: the receive buffer if it was moved in, then `send_buf_out`, then what was asked for
  /// - Messages: one in each direction; if the length is unknown, the arriving message is probed
  ///   first (MPI_Isend, MPI_Mprobe, MPI_Mrecv, MPI_Wait)
  /// - Allocates: nothing except what the buffers need to encode, decode or grow
  /// - Errors: an error while packing is thrown after both messages have been transferred; the
  ///   message sent then has no elements, and a receiver that expects an encoded value throws
  ///   `decode_error`. isendrecv throws mpi::unavailable before it sends anything where the library
  ///   has no MPI_Isendrecv, and where its status is empty (MPICH, Intel MPI) if the result needs
  ///   the length or the status; on MPICH 4.0 also for a derived datatype, and if both partners are
  ///   MPI_PROC_NULL. Use isend and irecv there
  template <class... Parameters>
  [[gnu::always_inline]] auto isendrecv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::sendrecv, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `isendrecv` that receives elements of type `T`.
  ///
  ///     auto request = comm.isendrecv<int>(send_buf(mine), destination(right), source(left),
  ///         recv_count(10));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto isendrecv(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::sendrecv, T>;
    using call = detail::call_on<operations::sendrecv, detail::later, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `isendrecv` that makes a `View` of these extents and receives into it.
  ///
  ///     auto request = comm.isendrecv<View>(extents(3, 4), send_buf(mine), destination(right),
  ///         source(left));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  [[gnu::always_inline]] auto isendrecv(Parameters&&... parameters) const {
    using call = detail::call_made<operations::sendrecv, detail::later, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }
};

}  // namespace mpiglot::operations
