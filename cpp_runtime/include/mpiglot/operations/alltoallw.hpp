// alltoallw: a part from each rank to each rank, each of its own datatype. MPI-4.1, section 6.8.
//
//   comm.alltoallw(send_buf(a), send_counts(n), send_displs(at), send_types(t),
//                  recv_buf(b), recv_counts(m), recv_displs(to), recv_types(u));
//
// Parameters  send_buf and recv_buf (contiguous ranges or raw memory), for each rank: send_counts,
//             send_displs, recv_counts, recv_displs (`int`; displacements in bytes), send_types,
//             recv_types (committed); nothing is inferred
// Result      none
// Messages    one
// Allocates   nothing
// Errors      count_error at once, if an array does not have one element for each rank

#pragma once

#include <mpiglot/detail/collectives/common.hpp>

namespace mpiglot {

/// The datatype of each part that is sent: a contiguous range of `mpi::datatype_handle`.
template <class Array>
[[nodiscard]] parameter<keys::send_types, Array> send_types(Array&& types) {
  return {static_cast<Array&&>(types)};
}
/// The datatype of each part that is received.
template <class Array>
[[nodiscard]] parameter<keys::recv_types, Array> recv_types(Array&& types) {
  return {static_cast<Array&&>(types)};
}

namespace operations {

struct alltoallw {
  using accepts =
      detail::names<keys::send_buf, keys::send_counts, keys::send_displs, keys::send_types,
                    keys::recv_buf, keys::recv_counts, keys::recv_displs, keys::recv_types>;
  using needs = accepts;
  using length = keys::recv_counts;

  template <class Arguments>
  struct state : detail::defaults {
    using source_type = detail::sender<Arguments, form::message>;
    using sink_type =
        detail::port_of<detail::parameter_of<Arguments, keys::recv_buf>, form::message>;
    static constexpr const char* name = "alltoallw";
    static constexpr bool movable = source_type::movable && sink_type::movable;

    state(const detail::group_view& on, Arguments&& given)
        : group(on),
          arguments(static_cast<Arguments&&>(given)),
          source(arguments),
          received(detail::open<sink_type>(arguments.template get<keys::recv_buf>())) {}

    void prepare() {
      if constexpr (detail::checked<Arguments, checks::light>)
        if (!(fits<keys::send_counts>() && fits<keys::send_displs>() && fits<keys::send_types>() &&
              fits<keys::recv_counts>() && fits<keys::recv_displs>() && fits<keys::recv_types>()))
            [[unlikely]]
          detail::refuse_counts("counts, displacements and types need one element for each rank");
    }
    void call(auto io) {
      io(mpi::forms::alltoallw(), source.buffer().out().address, array<keys::send_counts, int>(),
         array<keys::send_displs, int>(), array<keys::send_types, mpi::datatype_handle>(),
         received.in(received.room()).address, array<keys::recv_counts, int>(),
         array<keys::recv_displs, int>(), array<keys::recv_types, mpi::datatype_handle>(),
         group.comm);
    }
    void finish() noexcept {}
    void results() noexcept {}

    template <class Key, class Element>
    [[nodiscard]] std::span<const Element> array() {
      return arguments.template get<Key>().value;
    }
    template <class Key>
    [[nodiscard]] bool fits() {
      return std::size(arguments.template get<Key>().value) == static_cast<std::size_t>(group.size);
    }

    detail::group_view group;
    Arguments arguments;
    source_type source;
    sink_type received;
  };
};

}  // namespace operations
}  // namespace mpiglot

#define MPIGLOT_OPERATION alltoallw
#define MPIGLOT_STARTS ialltoallw
#define MPIGLOT_PREPARES alltoallw_init
#include <mpiglot/detail/members.hpp>
