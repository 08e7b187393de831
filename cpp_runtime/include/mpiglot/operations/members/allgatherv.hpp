// The members for allgatherv.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct allgatherv_members {
  /// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers may
  /// differ in length. MPI-4.1, section 6.7. Collective.
  ///
  ///     auto all = comm.allgatherv(send_buf(mine));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_count`; `send_type`; `recv_buf` (a vector by
  ///   value); `recv_type`; `recv_counts` (exchanged); `recv_displs` (one part after another); or,
  ///   in place, `send_recv_buf` with the part of each rank in its place, and `recv_counts`;
  ///   `lengths_first`
  /// - Asked for: `send_count_out`, `recv_counts_out`, `recv_displs_out`
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for
  /// - Messages: one; without `recv_counts` one if all parts are small, else two
  ///   (docs/guide/messages.md). Either all ranks give `recv_counts` or none does
  /// - Allocates: the result; without `recv_counts` 16 bytes for each rank if there are two
  ///   messages or counts are asked for; displacements if only `recv_counts` are given; what the
  ///   buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown after completion: there, and as `remote_failure` on
  ///   all other ranks
  template <class... Parameters>
  [[gnu::always_inline]] auto allgatherv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allgatherv, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers may
  /// differ in length. MPI-4.1, section 6.7. Nonblocking. Returns a request, whose `wait()` gives
  /// the result of `allgatherv`. Collective.
  ///
  ///     auto request = comm.iallgatherv(send_buf(mine), recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_count`; `send_type`; `recv_buf` (a vector by
  ///   value); `recv_type`; `recv_counts` (exchanged); `recv_displs` (one part after another); or,
  ///   in place, `send_recv_buf` with the part of each rank in its place, and `recv_counts`;
  ///   `lengths_first`
  /// - Asked for: `send_count_out`, `recv_counts_out`, `recv_displs_out`
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result; without `recv_counts` 16 bytes for each rank if there are two
  ///   messages or counts are asked for; displacements if only `recv_counts` are given; what the
  ///   buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown after completion: there, and as `remote_failure` on
  ///   all other ranks
  template <class... Parameters>
  [[gnu::always_inline]] auto iallgatherv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allgatherv, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on every rank, in the order of the ranks. The buffers may
  /// differ in length. MPI-4.1, section 6.7. Persistent. Returns a request; each `start()` begins
  /// the operation once more. Collective.
  ///
  ///     auto request = comm.allgatherv_init(send_buf(mine), recv_counts(counts));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_count`; `send_type`; `recv_buf` (a vector by
  ///   value); `recv_type`; `recv_counts` (exchanged); `recv_displs` (one part after another); or,
  ///   in place, `send_recv_buf` with the part of each rank in its place, and `recv_counts`;
  ///   `lengths_first`
  /// - Asked for: `send_count_out`, `recv_counts_out`, `recv_displs_out`
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result; without `recv_counts` 16 bytes for each rank if there are two
  ///   messages or counts are asked for; displacements if only `recv_counts` are given; what the
  ///   buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown after completion: there, and as `remote_failure` on
  ///   all other ranks
  template <class... Parameters>
  auto allgatherv_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::allgatherv, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
