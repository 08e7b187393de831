// Sends one message and receives another at the same time. MPI-4.1, section 3.11.
//
//   comm.sendrecv(send_buf(mine), destination(right), recv_buf(halo), source(left));
//   auto theirs = comm.sendrecv<int>(send_buf(mine), destination(right), source(left));
//   auto request = comm.isendrecv<int>(send_buf(mine), destination(right), source(left),
//                                      recv_count(10));
//
// A moved-in vector, `recv_buf(std::vector<int>())`, takes a message of any length.
//
// Members     sendrecv, isendrecv; also with the element type in angle brackets
// Needed      send_buf, destination; recv_buf, or the element type in angle brackets
// Parameters  send_buf or send_buf_out; destination; recv_buf; source (any); tag (of both
//             messages); send_tag (0); recv_tag (any); send_count (all elements); send_type;
//             recv_count (an upper bound of the length); recv_type
// Asked for   recv_count_out, status_out
// Result      the receive buffer if it was moved in, then send_buf_out, then what was asked for
// Messages    one in each direction; if the length is unknown, the arriving message is probed first
//             (MPI_Isend, MPI_Mprobe, MPI_Mrecv, MPI_Wait)
// Allocates   nothing except what the buffers need to encode, decode or grow
// Errors      an error while packing is thrown after both messages have been transferred; the
//             message sent then has no elements, and a receiver that expects an encoded value throws
//             decode_error. isendrecv throws mpi::unavailable before it sends anything where the
//             library has no MPI_Isendrecv, and where its status is empty (MPICH, Intel MPI) if
//             the result needs the length or the status; on MPICH 4.0 also for a derived
//             datatype, and if both partners are MPI_PROC_NULL. Use isend and irecv there

#pragma once

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/available.hpp>
#include <mpiglot/mpi/calls/send.hpp>
#include <mpiglot/mpi/calls/sendrecv.hpp>
#include <mpiglot/operations/message_parameters.hpp>
#include <mpiglot/operations/recv.hpp>

namespace mpiglot::operations {

/// Throws before a nonblocking exchange whose result needs the status, where the loaded library leaves
/// that empty.
template <bool WantsStatus>
void require_status_of_exchange(const char* operation) {
  if constexpr (WantsStatus) {
    static const char* const sentence = detail::library_defect("isendrecv-status-empty");
    detail::require_without_defect(sentence, operation);
  }
}

/// Throws before a nonblocking exchange that the loaded library cannot do: one with nobody, or one
/// that sends elements of a derived datatype. What `Wire` has by itself costs nothing.
template <class Wire>
void require_possible_exchange(const char* operation, mpi::datatype_handle sent, int to, int from) {
  if (to == mpi::proc_null && from == mpi::proc_null) [[unlikely]]
    detail::require_without_defect(detail::library_defect("isendrecv-with-nobody"), operation);
  if constexpr (detail::builtin<Wire>)
    if (sent == datatype_of<Wire>()) return;
  static const char* const sentence = detail::library_defect("isendrecv-frees-derived-type");
  if (sentence != nullptr && detail::is_derived(sent.native))
    detail::refuse_defect(operation, sentence);
}

/// The ranks and tags of an exchange.
template <class Arguments>
struct partners {
  static int to(Arguments& given) { return given.template get<keys::destination>().value; }
  static int from(Arguments& given) {
    return given.template value_or<keys::source>(mpi::any_source);
  }
  static int send_tag(Arguments& given) {
    return given.template value_or<keys::send_tag>(given.template value_or<keys::tag>(0));
  }
  static int recv_tag(Arguments& given) {
    return given.template value_or<keys::recv_tag>(
        given.template value_or<keys::tag>(mpi::any_tag));
  }
};

/// Sends a message and receives one of unknown length. `place(message, memory)` makes room for that
/// message, or receives and discards it and returns false. Both messages are complete when this
/// function returns.
template <class Partners, class Arguments, class Place>
[[nodiscard]] int exchange_probed(const lent& out, Arguments& given, mpi::comm_handle comm,
                                  mpi::status& status, Place place) {
  mpi::request_handle sending;
  int code = mpi::calls::send::later(sending, out.address, out.count, out.type, Partners::to(given),
                                     Partners::send_tag(given), comm);
  if (code != MPI_SUCCESS) [[unlikely]]
    return code;
  detail::found_message message;
  code =
      detail::find_message(Partners::from(given), Partners::recv_tag(given), comm, message, status);
  if (code == MPI_SUCCESS) {
    lent in;
    if (place(message, in)) code = detail::take_message_now(in, message, mpi::status_out(status));
  }
  const int send_code = detail::wait_for(sending, {});
  return code != MPI_SUCCESS ? code : send_code;
}

/// The receiving side of an exchange: another rank waits for what this one sends, whatever fails.
template <class Arguments>
using receiving_while_sending = receiving<Arguments, recv::probes<Arguments>, true,
                                          detail::sink_of<Arguments, detail::absent, form::message>,
                                          detail::short_of_memory::here>;

struct sendrecv {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::send_count, keys::send_type,
                    keys::destination, keys::recv_buf, keys::recv_count, keys::recv_type,
                    keys::source, keys::tag, keys::send_tag, keys::recv_tag, keys::recv_count_out,
                    keys::status_out>;
  using needs = detail::names<keys::send_buf, keys::destination, keys::recv_buf>;
  using length = keys::recv_count;

  // `wait` of the request provides the status.
  struct calls {
    static int now(const auto&... a) noexcept { return mpi::calls::sendrecv::now(a...); }
    static int later(mpi::request_handle& request, const void* sent, const auto& count,
                     const auto& type, int to, int tag, void* received, const auto& room,
                     const auto& recv_type, int from, int recv_tag, const auto& comm,
                     const auto&) noexcept {
      return mpi::calls::sendrecv::later(request, sent, count, type, to, tag, received, room,
                                         recv_type, from, recv_tag, comm);
    }
  };

  template <class Arguments>
  struct state : receiving_while_sending<Arguments> {
    using base = receiving_while_sending<Arguments>;
    using base::arguments, base::failure, base::received, base::room, base::status;
    using source_type = detail::sender<Arguments, form::message>;
    using partner = partners<Arguments>;
    static constexpr const char* name = "sendrecv";
    static constexpr bool one_call = !recv::probes<Arguments>;
    static constexpr bool movable = base::movable && source_type::movable;

    state(const detail::group_view& group, Arguments&& given)
        : base(static_cast<Arguments&&>(given)), source(arguments), comm(group.comm) {}

    void prepare() {
      if constexpr (Arguments::template has<keys::recv_count>) {
        base::place_counted();
      } else if constexpr (one_call) {
        base::place_all();
      }
      source.pack_message(unsent, arguments);
    }
    bool agree(int& code) {
      code =
          exchange_probed<partner>(source.out_or_notice(arguments), arguments, comm, status.value,
                                   [this](detail::found_message& message, lent& in) {
                                     if (!base::place_probed(message, status.value)) return false;
                                     in = received.in(failure, arguments, room);
                                     return true;
                                   });
      return false;
    }
    void call(auto io) {
      if constexpr (!decltype(io)::blocking && mpi::has_isendrecv)
        require_status_of_exchange<base::wants_status>("isendrecv");
      const lent out = source.out_or_notice(arguments);
      if constexpr (!decltype(io)::blocking && mpi::has_isendrecv)
        require_possible_exchange<typename source_type::wire>(
            "isendrecv", out.type, partner::to(arguments), partner::from(arguments));
      const lent in = received.in(failure, arguments, room);
      io(calls(), out.address, out.count, out.type, partner::to(arguments),
         partner::send_tag(arguments), in.address, in.count, in.type, partner::from(arguments),
         partner::recv_tag(arguments), comm, status.out());
    }
    void finish() {
      unsent.rethrow();
      base::finish();
    }
    [[nodiscard]] bool keeps_memory() const noexcept {
      return base::keeps_memory() && source.keeps_memory();
    }
    auto results() { return detail::results<keys::recv_buf>(received, source, arguments); }
    [[nodiscard]] int from() { return partner::from(arguments); }

    source_type source;
    [[no_unique_address]] detail::failure_if<source_type::fails> unsent;
    mpi::comm_handle comm;
  };
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/sendrecv.hpp>
