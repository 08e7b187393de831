// bcast: the root's buffer on all ranks. MPI-4.1, section 6.4.
//
//   comm.bcast(send_recv_buf(v), root(0));
//
// Parameters  send_recv_buf, on all ranks; root (0); send_recv_count (what the buffer holds)
// Result      the buffer if it was moved in
// Messages    one; where the length is unknown to the receivers (resize_to_fit, grow_only, moved-in
//             and coded buffers) it travels first, in a message of its own
// Allocates   nothing, but what the buffer needs to make room, encode or pack

#pragma once

#include <mpiglot/detail/engine.hpp>
#include <mpiglot/mpi/collectives.hpp>

namespace mpiglot::operations {

struct bcast {
  using accepts = detail::names<keys::send_recv_buf, keys::send_recv_count, keys::root>;
  using needs = detail::names<keys::send_recv_buf>;
  using length = keys::send_recv_count;

  struct calls {
    static void now(auto... a) { mpi::bcast(a...); }
    static auto later(auto... a) { return mpi::ibcast(a...); }
    static auto bound(auto... a) { return mpi::bcast_init(a..., mpi::info_null); }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using port = detail::port_of<detail::parameter_of<Arguments, keys::send_recv_buf>, form::block>;
    static constexpr const char* name = "bcast";
    static constexpr bool count_given = Arguments::template has<keys::send_recv_count>;
    static constexpr bool one_call = port::fixed || count_given;
    static constexpr bool movable = port::movable;
    using guarded_port =
        detail::guarded<port, !one_call || count_given || detail::pack_fails<port>>;

    state(detail::group_view on, Arguments&& given)
        : group(on),
          arguments(static_cast<Arguments&&>(given)),
          buffer(detail::open<guarded_port>(arguments.template get<keys::send_recv_buf>())),
          root(arguments.template value_or<keys::root>(0)) {}

    [[nodiscard]] bool at_root() const noexcept { return group.rank == root; }

    void prepare() {
      if (at_root()) buffer.pack();
      if constexpr (count_given) {
        length = arguments.template get<keys::send_recv_count>().value;
        buffer.place(length);
      } else if constexpr (one_call) {
        length = buffer.room();
      }
    }
    bool agree() {
      length = at_root() ? buffer.length() : 0;
      mpi::bcast(&length, 1, mpi::count_, root, group.comm);
      if (length != poison && !at_root()) buffer.place(length);
      return length != poison;
    }
    void call(auto io) {
      const lent memory = at_root() && !count_given ? buffer.out() : buffer.in(length);
      io(calls{}, memory.address, memory.count, memory.type, root, group.comm);
    }
    void finish() {
      buffer.rethrow();
      if constexpr (!one_call)
        if (length == poison) [[unlikely]] detail::tell_remote_failure(root);
      if constexpr (port::learns_length)
        if (!at_root()) buffer.unpack(length);
    }
    auto results() { return detail::results<keys::send_recv_buf>(buffer, arguments); }

    detail::group_view group;
    Arguments arguments;
    guarded_port buffer;
    int root;
    count_t length = 0;
  };
};

/// The member functions of a communicator.
template <class Communicator>
struct bcast_members {
  template <class... A>
  auto bcast(A&&... a) const {
    using call = detail::call<operations::bcast, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto ibcast(A&&... a) const {
    using call = detail::call<operations::bcast, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto bcast_init(A&&... a) const {
    using call = detail::call<operations::bcast, detail::bound, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }

 private:
  const Communicator& self() const noexcept { return static_cast<const Communicator&>(*this); }
};

}  // namespace mpiglot::operations
