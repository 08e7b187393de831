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
#include <mpiglot/mpi/forms.hpp>

namespace mpiglot::operations {

struct recv {
  using accepts = detail::names<keys::recv_buf, keys::recv_type, keys::source, keys::tag,
                                keys::recv_count, keys::recv_count_out, keys::status_out>;
  using needs = detail::names<keys::recv_buf>;
  using length = keys::recv_count;

  // The status is where the request is waited for.
  struct calls {
    static auto now(const auto&... a) noexcept { return mpi::forms::recv::now(a...); }
    static auto later(void* address, const auto& count, const auto& type, int from, int tag,
                      const auto& comm, const auto&) noexcept {
      return mpi::forms::recv::later(address, count, type, from, tag, comm);
    }
    static auto bound(void* address, const auto& count, const auto& type, int from, int tag,
                      const auto& comm, const auto&) noexcept {
      return mpi::forms::recv::bound(address, count, type, from, tag, comm);
    }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using sink = detail::sink_of<Arguments, detail::absent, form::message>;
    using port = typename sink::port;
    using wire = typename port::wire;
    static constexpr const char* name = "recv";
    static constexpr bool count_given = Arguments::template has<keys::recv_count>;
    static constexpr bool one_call = port::fixed || count_given;
    static constexpr bool wants_status = port::learns_length ||
                                         Arguments::template has<keys::recv_count_out> ||
                                         Arguments::template has<keys::status_out>;
    static constexpr bool cancellable = true;
    static constexpr bool movable = port::movable;
    using failure_type = std::conditional_t<one_call, detail::fails_at_once,
                                            detail::failure_if<detail::place_fails<port>>>;

    state(const detail::group_view& group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)),
          received(arguments, arguments),
          comm(group.comm) {}

    void prepare() {
      if constexpr (count_given) {
        room = arguments.template get<keys::recv_count>().value;
        received.place(failure, room);
      } else if constexpr (one_call) {
        room = received.room();
      }
    }
    bool agree(int& code) {
      const auto probed = mpi::nothrow::mprobe(from(), tag(), comm, status.out());
      code = probed.code;
      if (code != MPI_SUCCESS) [[unlikely]] return false;
      message = probed.value;
      room = count();
      received.place(failure, room);
      return true;
    }
    void call(auto io) {
      const lent memory = received.in(failure, arguments, room);
      if constexpr (one_call)
        io(calls{}, memory.address, memory.count, memory.type, from(), tag(), comm, status.out());
      else
        io(mpi::forms::mrecv(), memory.address, memory.count, memory.type, message, status.out());
    }
    void finish() {
      failure.rethrow();
      if constexpr (wants_status) {
        const count_t n = one_call ? count() : room;
        if constexpr (port::learns_length) received.buffer().unpack(n);
        detail::deliver_count<keys::recv_count_out>(arguments, n);
        if constexpr (Arguments::template has<keys::status_out>)
          arguments.template get<keys::status_out>().value = status.value;
      }
    }
    auto results() { return detail::results<keys::recv_buf>(received, arguments); }

    [[nodiscard]] int from() { return arguments.template value_or<keys::source>(mpi::any_source); }
    [[nodiscard]] int tag() { return arguments.template value_or<keys::tag>(mpi::any_tag); }
    [[nodiscard]] count_t count() {
      const count_t n = mpi::get_count(status.value, datatype_of<wire>());
      if (n < 0) [[unlikely]] detail::refuse_counts("a message is no multiple of the type");
      return n;
    }

    Arguments arguments;
    [[no_unique_address]] failure_type failure;
    detail::receiver<sink, Arguments, failure_type> received;
    mpi::comm_handle comm;
    count_t room = 0;
    [[no_unique_address]] detail::wanted_status<wants_status || !one_call> status;
    [[no_unique_address]] std::conditional_t<one_call, detail::absent, mpi::message_handle> message;
  };
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION recv
#define MPIGLOT_STARTS irecv
#define MPIGLOT_PREPARES recv_init
#include <mpiglot/detail/members.hpp>
