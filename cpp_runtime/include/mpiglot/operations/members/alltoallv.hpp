// The members for alltoallv.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct alltoallv_members {
  /// Sends a part from each rank to each rank. The parts may differ in length. MPI-4.1, section
  /// 6.8. Collective.
  ///
  ///     auto theirs = comm.alltoallv(send_buf(parts), send_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_counts` (an encoded range has one element
  ///   for each rank and needs none); `send_displs` (one part after another); `send_type`;
  ///   `recv_buf` (a vector by value); `recv_counts` (exchanged); `recv_displs` (one part after
  ///   another); `recv_type`; or, in place, `send_recv_buf` with `recv_counts`; `lengths_first`
  /// - Asked for: `send_counts_out`, `recv_counts_out`, `recv_displs_out`, `send_displs_out`
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for
  /// - Messages: one; without `recv_counts` one if all parts are small, else two
  ///   (docs/guide/messages.md). Either all ranks give `recv_counts` or none does
  /// - Allocates: the result; 16 bytes for each rank for counts and displacements that are not
  ///   given; what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto alltoallv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoallv, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part from each rank to each rank. The parts may differ in length. MPI-4.1, section
  /// 6.8. Nonblocking. Returns a request, whose `wait()` gives the result of `alltoallv`.
  /// Collective.
  ///
  ///     auto request = comm.ialltoallv(send_buf(parts), send_counts(counts), recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_counts` (an encoded range has one element
  ///   for each rank and needs none); `send_displs` (one part after another); `send_type`;
  ///   `recv_buf` (a vector by value); `recv_counts` (exchanged); `recv_displs` (one part after
  ///   another); `recv_type`; or, in place, `send_recv_buf` with `recv_counts`; `lengths_first`
  /// - Asked for: `send_counts_out`, `recv_counts_out`, `recv_displs_out`, `send_displs_out`
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result; 16 bytes for each rank for counts and displacements that are not
  ///   given; what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  [[gnu::always_inline]] auto ialltoallv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoallv, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part from each rank to each rank. The parts may differ in length. MPI-4.1, section
  /// 6.8. Persistent. Returns a request; each `start()` begins the operation once more. Collective.
  ///
  ///     auto request = comm.alltoallv_init(send_buf(parts), send_counts(counts),
  ///         recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_counts` (an encoded range has one element
  ///   for each rank and needs none); `send_displs` (one part after another); `send_type`;
  ///   `recv_buf` (a vector by value); `recv_counts` (exchanged); `recv_displs` (one part after
  ///   another); `recv_type`; or, in place, `send_recv_buf` with `recv_counts`; `lengths_first`
  /// - Asked for: `send_counts_out`, `recv_counts_out`, `recv_displs_out`, `send_displs_out`
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result; 16 bytes for each rank for counts and displacements that are not
  ///   given; what the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, on the ranks that
  ///   needed its data
  template <class... Parameters>
  auto alltoallv_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::alltoallv, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
