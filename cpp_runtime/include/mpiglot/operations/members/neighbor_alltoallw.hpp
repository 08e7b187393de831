// The members for neighbor_alltoallw.hpp, made from its first comment by
// ci/pages/members.py. DO NOT EDIT.

#pragma once

namespace mpiglot::operations {

template <class Self>
struct neighbor_alltoallw_members {
  /// Sends a part to each neighbor in the topology and receives one from each, each part with its
  /// own datatype. MPI-4.1, section 8.6. Collective.
  ///
  ///     grid.neighbor_alltoallw(send_buf(field), send_counts(ones), send_displs(edges),
  ///         send_types(t), recv_buf(halo), recv_counts(ones), recv_displs(to), recv_types(u));
  ///
  /// - Needed: `send_buf`, `send_counts`, `send_displs`, `send_types`, `recv_buf`, `recv_counts`,
  ///   `recv_displs`, `recv_types`
  /// - Parameters: those of alltoallw, except in place; the arrays have one element for each
  ///   neighbor, in the order of MPI
  /// - Result: as alltoallw
  /// - Messages: one
  /// - Allocates: nothing except copies of arrays whose integers are not those of MPI (`int` or
  ///   MPI_Count as counts, MPI_Aint as displacements)
  /// - Errors: `count_error` at once if an array does not have one element for each neighbor
  template <class... Parameters>
  [[gnu::always_inline]] auto neighbor_alltoallw(Parameters&&... parameters) const {
    using call = detail::call_on<operations::neighbor_alltoallw, detail::now, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part to each neighbor in the topology and receives one from each, each part with its
  /// own datatype. MPI-4.1, section 8.6. Nonblocking. Returns a request, whose `wait()` gives the
  /// result of `neighbor_alltoallw`. Collective.
  ///
  ///     auto request = grid.ineighbor_alltoallw(send_buf(field), send_counts(ones),
  ///         send_displs(edges), send_types(t), recv_buf(halo), recv_counts(ones), recv_displs(to),
  ///         recv_types(u));
  ///
  /// - Needed: `send_buf`, `send_counts`, `send_displs`, `send_types`, `recv_buf`, `recv_counts`,
  ///   `recv_displs`, `recv_types`
  /// - Parameters: those of alltoallw, except in place; the arrays have one element for each
  ///   neighbor, in the order of MPI
  /// - Result: as alltoallw
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except copies of arrays whose integers are not those of MPI (`int` or
  ///   MPI_Count as counts, MPI_Aint as displacements)
  /// - Errors: `count_error` at once if an array does not have one element for each neighbor
  template <class... Parameters>
  [[gnu::always_inline]] auto ineighbor_alltoallw(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_alltoallw, detail::later, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }

  /// Sends a part to each neighbor in the topology and receives one from each, each part with its
  /// own datatype. MPI-4.1, section 8.6. Persistent. Returns a request; each `start()` begins the
  /// operation once more. Collective.
  ///
  ///     auto request = grid.neighbor_alltoallw_init(send_buf(field), send_counts(ones),
  ///         send_displs(edges), send_types(t), recv_buf(halo), recv_counts(ones), recv_displs(to),
  ///         recv_types(u));
  ///
  /// - Needed: `send_buf`, `send_counts`, `send_displs`, `send_types`, `recv_buf`, `recv_counts`,
  ///   `recv_displs`, `recv_types`
  /// - Parameters: those of alltoallw, except in place; the arrays have one element for each
  ///   neighbor, in the order of MPI
  /// - Result: as alltoallw
  /// - Messages: one MPI call; lengths that a receiver does not know must be given
  /// - Allocates: nothing except copies of arrays whose integers are not those of MPI (`int` or
  ///   MPI_Count as counts, MPI_Aint as displacements)
  /// - Errors: `count_error` at once if an array does not have one element for each neighbor
  template <class... Parameters>
  auto neighbor_alltoallw_init(Parameters&&... parameters) const {
    using call =
        detail::call_on<operations::neighbor_alltoallw, detail::bound, Self, Parameters...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(static_cast<const Self&>(*this), static_cast<Parameters&&>(parameters)...);
  }
};

}  // namespace mpiglot::operations
