// The members for recv.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct recv_members {
  /// Receives one message from one rank or from any rank. MPI-4.1, sections 3.2, 3.7 and 3.8.
  ///
  ///     comm.recv(recv_buf(v), source(0));
  ///
  /// - Needed: `recv_buf`, or the element type in angle brackets
  /// - Parameters: `recv_buf`; `source` (any); `tag` (any); `recv_count` (an upper bound of the
  ///   length); `recv_type`
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: the buffer if it was moved in, then what was asked for
  /// - Messages: one; if the length is unknown, a matched probe comes first (MPI_Mprobe, MPI_Mrecv;
  ///   where an MPI has none, MPI_Probe: then no other thread may receive)
  /// - Allocates: nothing except what the buffer needs to grow, decode or unpack
  /// - Errors: `too_small` if the message does not fit; the message is received before that is
  ///   thrown. Below checks of level `normal`, and in irecv and recv_init, where MPI finds it: an
  ///   error of class MPI_ERR_TRUNCATE, and Open MPI writes what does not fit behind the memory.
  ///   With them, recv looks at the length first (MPI_Mprobe)
  template <class... Parameters>
  [[gnu::always_inline]] auto recv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::recv, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `recv` that receives elements of type `T`.
  ///
  ///     auto v = comm.recv<int>(source(0));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto recv(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::recv, T>;
    using call = detail::call_on<operations::recv, detail::now, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `recv` that makes a `View` of these extents and receives into it.
  ///
  ///     auto v = comm.recv<View>(extents(3, 4), source(0));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  [[gnu::always_inline]] auto recv(Parameters&&... parameters) const {
    using call = detail::call_made<operations::recv, detail::now, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }

  /// Receives one message from one rank or from any rank. MPI-4.1, sections 3.2, 3.7 and 3.8.
  /// Nonblocking. Returns a request, whose `wait()` gives the result of `recv`.
  ///
  ///     auto request = comm.irecv(recv_buf(v), source(0));
  ///
  /// - Needed: `recv_buf`, or the element type in angle brackets
  /// - Parameters: `recv_buf`; `source` (any); `tag` (any); `recv_count` (an upper bound of the
  ///   length); `recv_type`
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: the buffer if it was moved in, then what was asked for
  /// - Messages: one; if the length is unknown, a matched probe comes first (MPI_Mprobe, MPI_Mrecv;
  ///   where an MPI has none, MPI_Probe: then no other thread may receive)
  /// - Allocates: nothing except what the buffer needs to grow, decode or unpack
  /// - Errors: `too_small` if the message does not fit; the message is received before that is
  ///   thrown. Below checks of level `normal`, and in irecv and recv_init, where MPI finds it: an
  ///   error of class MPI_ERR_TRUNCATE, and Open MPI writes what does not fit behind the memory.
  ///   With them, recv looks at the length first (MPI_Mprobe)
  template <class... Parameters>
  [[gnu::always_inline]] auto irecv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::recv, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `irecv` that receives elements of type `T`.
  ///
  ///     auto request = comm.irecv<int>(source(0), recv_count(10));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  [[gnu::always_inline]] auto irecv(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::recv, T>;
    using call = detail::call_on<operations::recv, detail::later, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `irecv` that makes a `View` of these extents and receives into it.
  ///
  ///     auto request = comm.irecv<View>(extents(3, 4), source(0));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  [[gnu::always_inline]] auto irecv(Parameters&&... parameters) const {
    using call = detail::call_made<operations::recv, detail::later, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }

  /// Receives one message from one rank or from any rank. MPI-4.1, sections 3.2, 3.7 and 3.8.
  /// Persistent. Returns a request; each `start()` begins the operation once more.
  ///
  ///     auto request = comm.recv_init(recv_buf(v), source(0));
  ///
  /// - Needed: `recv_buf`, or the element type in angle brackets
  /// - Parameters: `recv_buf`; `source` (any); `tag` (any); `recv_count` (an upper bound of the
  ///   length); `recv_type`
  /// - Asked for: `recv_count_out`, `status_out`
  /// - Result: the buffer if it was moved in, then what was asked for
  /// - Messages: one; if the length is unknown, a matched probe comes first (MPI_Mprobe, MPI_Mrecv;
  ///   where an MPI has none, MPI_Probe: then no other thread may receive)
  /// - Allocates: nothing except what the buffer needs to grow, decode or unpack
  /// - Errors: `too_small` if the message does not fit; the message is received before that is
  ///   thrown. Below checks of level `normal`, and in irecv and recv_init, where MPI finds it: an
  ///   error of class MPI_ERR_TRUNCATE, and Open MPI writes what does not fit behind the memory.
  ///   With them, recv looks at the length first (MPI_Mprobe)
  template <class... Parameters>
  auto recv_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::recv, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// `recv_init` that receives elements of type `T`.
  ///
  ///     auto request = comm.recv_init<int>(source(0), recv_count(10));
  template <class T, class... Parameters>
    requires(detail::no_argument_is<T, Parameters...>)
  auto recv_init(Parameters&&... parameters) const {
    using into = detail::typed_recv_buf<operations::recv, T>;
    using call = detail::call_on<operations::recv, detail::bound, Self, into, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         into{}, static_cast<Parameters&&>(parameters)...);
  }

  /// `recv_init` that makes a `View` of these extents and receives into it.
  ///
  ///     auto request = comm.recv_init<View>(extents(3, 4), source(0));
  template <class View, class... Parameters>
    requires(detail::gives_extents<Parameters...>)
  auto recv_init(Parameters&&... parameters) const {
    using call = detail::call_made<operations::recv, detail::bound, Self, View, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this),
                         detail::made_for<View, Parameters>::put(parameters)...);
  }
};

}  // namespace mpiglot::operations
