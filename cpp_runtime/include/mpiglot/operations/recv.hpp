// recv: one message from one rank, or from any. MPI-4.1, sections 3.2, 3.7 and 3.8.
//
//   comm.recv(recv_buf(v), source(0));                        // as long as v, or shorter
//   auto v = comm.recv(recv_buf(std::vector<int>()));         // as long as the message
//
// Parameters  recv_buf; source (any), tag (any), recv_count (the most that may come)
// Asked for   recv_count_out, status_out
// Result      the buffer if it was moved in, then what was asked for
// Messages    one; where the length is unknown, the message is probed first (MPI_Mprobe, MPI_Mrecv)
// Allocates   nothing, but what the buffer needs to make room, decode or unpack
// Errors      too_small after the message is received, if it does not fit

#pragma once

#include <mpiglot/detail/engine.hpp>

namespace mpiglot::operations {

struct recv {
  using accepts = detail::names<keys::recv_buf, keys::source, keys::tag, keys::recv_count,
                                keys::recv_count_out, keys::status_out>;
  using needs = detail::names<keys::recv_buf>;
  using length = keys::recv_count;

  struct calls {
    static void now(auto address, auto count, auto type, int from, int tag, auto comm,
                    mpi::status_out status) {
      mpi::recv(address, count, type, from, tag, comm, status);
    }
    static auto later(auto address, auto count, auto type, int from, int tag, auto comm,
                      mpi::status_out) {
      return mpi::irecv(address, count, type, from, tag, comm);
    }
    static auto bound(auto address, auto count, auto type, int from, int tag, auto comm,
                      mpi::status_out) {
      return mpi::recv_init(address, count, type, from, tag, comm);
    }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using port = detail::port_of<detail::parameter_of<Arguments, keys::recv_buf>, form::message>;
    using wire = typename port::wire;
    static constexpr const char* name = "recv";
    static constexpr bool count_given = Arguments::template has<keys::recv_count>;
    static constexpr bool one_call = port::fixed || count_given;
    static constexpr bool wants_status = port::learns_length ||
                                         Arguments::template has<keys::recv_count_out> ||
                                         Arguments::template has<keys::status_out>;
    static constexpr bool cancellable = true;
    static constexpr bool movable = port::movable;
    using guarded_port = detail::guarded<port, !one_call>;

    state(detail::group_view group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)),
          buffer(detail::open<guarded_port>(arguments.template get<keys::recv_buf>())),
          comm(group.comm) {}

    void prepare() {
      if constexpr (count_given) {
        room = arguments.template get<keys::recv_count>().value;
        buffer.place(room);
      } else if constexpr (one_call) {
        room = buffer.room();
      }
    }
    bool agree() {
      message = mpi::mprobe(from(), tag(), comm, status.out());
      room = received();
      buffer.place(room);
      return true;
    }
    void call(auto io) {
      const lent memory = buffer.in(room);
      if constexpr (one_call)
        io(calls{}, memory.address, memory.count, memory.type, from(), tag(), comm, status.out());
      else
        mpi::mrecv(memory.address, memory.count, memory.type, message, status.out());
    }
    void finish() {
      buffer.rethrow();
      if constexpr (wants_status) {
        const count_t n = one_call ? received() : room;
        if constexpr (port::learns_length) buffer.unpack(n);
        if constexpr (Arguments::template has<keys::recv_count_out>)
          arguments.template get<keys::recv_count_out>().value = n;
        if constexpr (Arguments::template has<keys::status_out>)
          arguments.template get<keys::status_out>().value = status.value;
      }
    }
    auto results() { return detail::results<keys::recv_buf>(buffer, arguments); }

    [[nodiscard]] int from() { return arguments.template value_or<keys::source>(mpi::any_source); }
    [[nodiscard]] int tag() { return arguments.template value_or<keys::tag>(mpi::any_tag); }
    [[nodiscard]] count_t received() {
      const count_t n = mpi::get_count(status.value, datatype_of<wire>());
      if (n < 0) [[unlikely]] detail::refuse_counts("a message is no multiple of the type");
      return n;
    }

    Arguments arguments;
    guarded_port buffer;
    mpi::comm_handle comm;
    count_t room = 0;
    [[no_unique_address]] detail::wanted_status<wants_status || !one_call> status;
    [[no_unique_address]] std::conditional_t<one_call, detail::absent, mpi::message_handle> message;
  };
};

/// The member functions of a communicator.
template <class Communicator>
struct recv_members {
  template <class... A>
  auto recv(A&&... a) const {
    using call = detail::call<operations::recv, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto irecv(A&&... a) const {
    using call = detail::call<operations::recv, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto recv_init(A&&... a) const {
    using call = detail::call<operations::recv, detail::bound, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }

 private:
  const Communicator& self() const noexcept { return static_cast<const Communicator&>(*this); }
};

}  // namespace mpiglot::operations
