// The members for gatherv.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct gatherv_members {
  /// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers may
  /// differ in length. MPI-4.1, section 6.5. Collective.
  ///
  ///     auto all = comm.gatherv(send_buf(mine), root(0));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_count`; `send_type`; at the `root`
  ///   `recv_buf` (a vector by value), `recv_type`, `recv_counts` (gathered) and `recv_displs` (one
  ///   part after another); `root` (0); or, in place, `send_recv_buf` with `recv_counts`;
  ///   `lengths_first` (always so here)
  /// - Asked for: `send_count_out`; `recv_counts_out` and `recv_displs_out` (at the `root`)
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for;
  ///   empty on other ranks
  /// - Messages: one; without `recv_counts` the lengths are gathered first. Either all ranks give
  ///   `recv_counts` (read at the root only; others may give an empty array) or none does.
  ///   `recv_buf` and what is asked for may be given at the root only
  /// - Allocates: the result at the root; without `recv_counts` 16 bytes for each rank there; what
  ///   the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, at the root
  template <class... Parameters>
  [[gnu::always_inline]] auto gatherv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::gatherv, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers may
  /// differ in length. MPI-4.1, section 6.5. Nonblocking. Returns a request, whose `wait()` gives
  /// the result of `gatherv`. Collective.
  ///
  ///     auto request = comm.igatherv(send_buf(mine), recv_counts(counts), root(0));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_count`; `send_type`; at the `root`
  ///   `recv_buf` (a vector by value), `recv_type`, `recv_counts` (gathered) and `recv_displs` (one
  ///   part after another); `root` (0); or, in place, `send_recv_buf` with `recv_counts`;
  ///   `lengths_first` (always so here)
  /// - Asked for: `send_count_out`; `recv_counts_out` and `recv_displs_out` (at the `root`)
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for;
  ///   empty on other ranks
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result at the root; without `recv_counts` 16 bytes for each rank there; what
  ///   the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, at the root
  template <class... Parameters>
  [[gnu::always_inline]] auto igatherv(Parameters&&... parameters) const {
    using call = detail::call_on<operations::gatherv, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Gathers the buffers of all ranks on the root, in the order of the ranks. The buffers may
  /// differ in length. MPI-4.1, section 6.5. Persistent. Returns a request; each `start()` begins
  /// the operation once more. Collective.
  ///
  ///     auto request = comm.gatherv_init(send_buf(mine), recv_counts(counts), root(0));
  ///
  /// - Needed: `send_buf`
  /// - Parameters: `send_buf` or `send_buf_out`; `send_count`; `send_type`; at the `root`
  ///   `recv_buf` (a vector by value), `recv_type`, `recv_counts` (gathered) and `recv_displs` (one
  ///   part after another); `root` (0); or, in place, `send_recv_buf` with `recv_counts`;
  ///   `lengths_first` (always so here)
  /// - Asked for: `send_count_out`; `recv_counts_out` and `recv_displs_out` (at the `root`)
  /// - Result: the receive buffer if it was not given or was moved in, then what was asked for;
  ///   empty on other ranks
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: the result at the root; without `recv_counts` 16 bytes for each rank there; what
  ///   the buffers need to encode, decode, pack or unpack
  /// - Errors: an error of one rank is thrown there and, as `remote_failure`, at the root
  template <class... Parameters>
  auto gatherv_init(Parameters&&... parameters) const {
    using call = detail::call_on<operations::gatherv, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
