// Receives a message that a matched probe has found. MPI-4.1, section 3.8.3.
//
//   auto v = comm.mprobe(source(0)).recv(recv_buf(std::vector<int>()));
//
// Members     recv, irecv of the message
// Parameters  recv_buf; recv_type
// Asked for   recv_count_out, status_out
// Result      the buffer if it was moved in, then what was asked for
// Messages    one, already matched
// Allocates   nothing except what the buffer needs to grow, decode or unpack
// Errors      too_small if the message does not fit; the message is received before that is thrown

#pragma once

#include <mpiglot/mpi/calls/mrecv.hpp>
#include <mpiglot/operations/recv.hpp>

namespace mpiglot {

class matched_message;

namespace keys {
struct matched {};
}  // namespace keys

namespace detail {

/// The communicator and the rank for error messages, because the communicator object may have been
/// destroyed.
struct whereabouts {
  const group_view& group;
  [[nodiscard]] mpi::comm_handle handle() const noexcept { return group.comm; }
  [[nodiscard]] int rank() const noexcept { return group.rank; }
  static void on_error(const error&) noexcept {}
};
template <>
struct core_type<whereabouts> {
  using type = whereabouts;
};

}  // namespace detail

namespace operations {

struct mrecv {
  using accepts =
      detail::names<keys::recv_buf, keys::recv_type, keys::recv_count_out, keys::status_out>;
  using needs = detail::names<keys::recv_buf>;
  using length = keys::recv_buf;

  struct calls {
    static int now(void* address, const auto& count, const auto& type, auto& message,
                   const auto& status) noexcept {
      return mpi::calls::mrecv::now(address, count, type, message, status);
    }
    static int later(mpi::request_handle& request, void* address, const auto& count,
                     const auto& type, auto& message, const auto&) noexcept {
      return mpi::calls::mrecv::later(request, address, count, type, message);
    }
  };

  template <class Arguments>
  struct state : receiving<Arguments, true> {
    using base = receiving<Arguments, true>;
    using base::arguments, base::failure, base::received, base::room, base::status;
    static constexpr const char* name = "mrecv";
    static constexpr bool cancellable = true;

    state(const detail::group_view& group, Arguments&& given)
        : base(static_cast<Arguments&&>(given)), comm(group.comm) {
      auto& matched = arguments.template get<keys::matched>().value;
      if (!matched.pending()) detail::refuse_argument(MPI_ERR_REQUEST, "the message was received");
      status.value = matched.status();
      message = matched.release();
    }

    void prepare() { static_cast<void>(base::place_probed(message, status.value)); }
    void call(auto io) {
      if (room < 0) [[unlikely]]
        return;
      const lent memory = received.in(failure, arguments, room);
      io(calls{}, memory.address, memory.count, memory.type, message, status.out());
    }

    [[nodiscard]] int from() const noexcept { return status.value.source(); }

    mpi::comm_handle comm;
    mpi::message_handle message;
  };

  /// The receive of `Message`, which is passed as an additional argument.
  template <class Message, class Io, class... A>
  struct call {
    using hidden = parameter<keys::matched, Message&>;
    using given = detail::checked_arguments<checks::light, std::remove_cvref_t<A>..., hidden>;
    using verdict = detail::verdict_of<mrecv, Io, given, std::remove_cvref_t<A>...>;

    static auto perform(const detail::group_view& group, Message& message, A&&... a) {
      if constexpr (!detail::is_right<verdict>)
        return detail::anything<detail::values_of<std::remove_cvref_t<A>...>>();
      else if constexpr (Io::blocking)
        return detail::run_throwing<state<given>>(detail::whereabouts{group}, group,
                                                  given{{static_cast<A&&>(a)..., hidden{message}}});
      else
        return request<state<given>>(group, given{{static_cast<A&&>(a)..., hidden{message}}});
    }
  };
};

}  // namespace operations
}  // namespace mpiglot
