// The members for gather.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct gather_members {
  /// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers have
  /// equal lengths. MPI-4.1, section 6.5. Collective.
  ///
  ///     auto all = comm.gather(send_buf(mine), root(0));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, unless encoded;
  ///   `send_count`; `send_type`; `recv_buf` (at the `root`, a vector by value); `recv_count`;
  ///   `recv_type`; `root` (0); or, in place, `send_recv_buf`: at the `root` the whole buffer with
  ///   the `root`'s part in its place, elsewhere the part
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in; empty on other ranks
  /// - Messages: one; if buffers are encoded, their lengths are gathered first
  /// - Allocates: the result at the root, and what the buffers need to encode, decode, pack or
  ///   unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, at the root
  template <class... Parameters>
  [[gnu::always_inline]] auto gather(Parameters&&... parameters) const {
    using call = detail::call_on<operations::gather, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers have
  /// equal lengths. MPI-4.1, section 6.5. Nonblocking. Returns a request, whose `wait()` gives the
  /// result of `gather`. Collective.
  ///
  ///     auto request = comm.igather(send_buf(mine), root(0));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, unless encoded;
  ///   `send_count`; `send_type`; `recv_buf` (at the `root`, a vector by value); `recv_count`;
  ///   `recv_type`; `root` (0); or, in place, `send_recv_buf`: at the `root` the whole buffer with
  ///   the `root`'s part in its place, elsewhere the part
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in; empty on other ranks
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result at the root, and what the buffers need to encode, decode, pack or
  ///   unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, at the root
  template <class... Parameters>
  [[gnu::always_inline]] auto igather(Parameters&&... parameters) const {
    using call = detail::call_on<operations::gather, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers have
  /// equal lengths. MPI-4.1, section 6.5. Persistent. Returns a request; each `start()` begins the
  /// operation once more. Collective.
  ///
  ///     auto request = comm.gather_init(send_buf(mine), root(0));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`: equal lengths on all ranks, unless encoded;
  ///   `send_count`; `send_type`; `recv_buf` (at the `root`, a vector by value); `recv_count`;
  ///   `recv_type`; `root` (0); or, in place, `send_recv_buf`: at the `root` the whole buffer with
  ///   the `root`'s part in its place, elsewhere the part
  /// - Asked for: `send_count_out`, `recv_count_out`
  /// - Result: the receive buffer if it was not given or was moved in; empty on other ranks
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result at the root, and what the buffers need to encode, decode, pack or
  ///   unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, at the root
  template <class... Parameters>
  auto gather_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::gather, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
