// Sends a buffer and replaces its contents by the message received. MPI-4.1, section 3.11.
//
//   comm.sendrecv_replace(send_recv_buf(v), destination(right), source(left));
//
// Members     sendrecv_replace, isendrecv_replace
// Parameters  send_recv_buf; destination; source (any); tag (of both messages); send_tag (0);
//             recv_tag (any)
// Asked for   recv_count_out, status_out
// Result      the buffer if it was moved in, with the length of the message received (at most the
//             length sent, unless the buffer is encoded), then what was asked for
// Messages    one in each direction; encoded messages are probed first, as in sendrecv
// Allocates   nothing except what the buffer needs; an encoded buffer is copied before it is sent
// Errors      MPI_ERR_TRUNCATE of MPI if more arrives than was sent; otherwise as in sendrecv

#pragma once

#include <mpiglot/mpi/calls/sendrecv_replace.hpp>
#include <mpiglot/operations/sendrecv.hpp>

namespace mpiglot::operations {

struct sendrecv_replace {
  using accepts =
      detail::names<keys::send_recv_buf, keys::destination, keys::source, keys::tag, keys::send_tag,
                    keys::recv_tag, keys::recv_count_out, keys::status_out>;
  using needs = detail::names<keys::send_recv_buf, keys::destination>;
  using length = keys::send_recv_buf;
  // Of both messages, so that no limit lets MPI receive more than was sent.
  static constexpr bool has_one_count = true;

  // `wait` of the request provides the status.
  struct calls {
    static int now(const auto&... a) noexcept { return mpi::calls::sendrecv_replace::now(a...); }
    static int later(mpi::request_handle& request, void* address, const auto& count,
                     const auto& type, int to, int tag, int from, int recv_tag, const auto& comm,
                     const auto&) noexcept {
      return mpi::calls::sendrecv_replace::later(request, address, count, type, to, tag, from,
                                                 recv_tag, comm);
    }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using adapter =
        detail::adapter_of<detail::parameter_of<Arguments, keys::send_recv_buf>, form::message>;
    using wire = typename adapter::wire;
    using partner = partners<Arguments>;
    static constexpr const char* name = "sendrecv_replace";
    // The encoded message received may have another length than the one sent.
    static constexpr bool one_call = adapter::uniform;
    static constexpr bool movable = adapter::movable;
    static constexpr bool wants_status = !one_call || adapter::learns_length ||
                                         Arguments::template has<keys::recv_count_out> ||
                                         Arguments::template has<keys::status_out>;

    state(const detail::group_view& group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)),
          buffer(detail::open<adapter>(arguments.template get<keys::send_recv_buf>())),
          comm(group.comm) {}

    void prepare() {
      if constexpr (one_call) {
        buffer.pack();
        detail::place_all(buffer);
      } else {
        unsent.attempt([this] {
          buffer.pack();
          const lent encoded = buffer.out();
          sent.append(static_cast<const wire*>(encoded.address),
                      static_cast<std::size_t>(encoded.count));
        });
      }
    }
    bool agree(int& code) {
      const lent out{sent.data(), static_cast<count_t>(sent.size()), datatype_of<wire>()};
      code = exchange_probed<partner>(
          out, arguments, comm, status.value, [this](detail::found_message& message, lent& in) {
            room = detail::length_or_drain(status.value, datatype_of<wire>(), message);
            if (room < 0) return false;
            if (unsent.attempt([this] { buffer.place(room); })) {
              in = buffer.in(room);
            } else {
              unsent.make_scratch(static_cast<std::size_t>(room), sizeof(wire),
                                  datatype_of<wire>());
              in = {unsent.scratch(), room, unsent.scratch_type(datatype_of<wire>())};
            }
            return true;
          });
      return false;
    }
    void call(auto io) {
      if constexpr (!decltype(io)::blocking && mpi::has_isendrecv)
        require_status_of_exchange<wants_status>("isendrecv_replace");
      const lent memory = buffer.out();
      if constexpr (!decltype(io)::blocking && mpi::has_isendrecv)
        require_possible_exchange<wire>("isendrecv_replace", memory.type, partner::to(arguments),
                                        partner::from(arguments));
      io(calls(), memory.address, memory.count, memory.type, partner::to(arguments),
         partner::send_tag(arguments), partner::from(arguments), partner::recv_tag(arguments), comm,
         status.out());
    }
    void finish() {
      unsent.rethrow();
      if (room < 0) [[unlikely]]
        detail::refuse_odd_length();
      if constexpr (wants_status) {
        const count_t n = one_call ? detail::arrived(status.value, datatype_of<wire>()) : room;
        if constexpr (adapter::learns_length)
          if (adapter::uniform || n != 0 || !is_from_nobody(arguments, status.value)) [[likely]]
            buffer.unpack(n);
        detail::deliver_count<keys::recv_count_out>(arguments, n);
        if constexpr (Arguments::template has<keys::status_out>)
          arguments.template get<keys::status_out>().value = status.value;
      }
    }
    [[nodiscard]] bool keeps_memory() const noexcept { return detail::keeps_memory(buffer); }
    auto results() { return detail::results<keys::send_recv_buf>(buffer, arguments); }
    [[nodiscard]] int from() { return partner::from(arguments); }

    Arguments arguments;
    adapter buffer;
    mpi::comm_handle comm;
    count_t room = 0;
    [[no_unique_address]] detail::wanted_status<wants_status> status;
    [[no_unique_address]] detail::failure_if<!one_call> unsent;
    [[no_unique_address]] std::conditional_t<one_call, detail::absent, detail::block<wire>> sent;
  };
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/sendrecv_replace.hpp>
