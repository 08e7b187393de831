// Receives one message from one rank or from any rank. MPI-4.1, sections 3.2, 3.7 and 3.8.
//
//   comm.recv(recv_buf(v), source(0));   // a message of at most v.size() elements
//   auto v = comm.recv<int>(source(0));  // a message of any length
//   auto request = comm.irecv<int>(source(0), recv_count(10));
//
// A moved-in vector, `recv_buf(std::vector<int>())`, takes a message of any length, too.
//
// Members     recv, irecv, recv_init; also with the element type in angle brackets
// Needed      recv_buf, or the element type in angle brackets
// Parameters  recv_buf; source (any); tag (any); recv_count (an upper bound of the length);
//             recv_type
// Asked for   recv_count_out, status_out
// Result      the buffer if it was moved in, then what was asked for
// Messages    one; if the length is unknown, a matched probe comes first (MPI_Mprobe, MPI_Mrecv;
//             where an MPI has none, MPI_Probe: then no other thread may receive)
// Allocates   nothing except what the buffer needs to grow, decode or unpack
// Errors      too_small if the message does not fit; the message is received before that is thrown.
//             Below checks of level `normal`, and in irecv and recv_init, where MPI finds it: an
//             error of class MPI_ERR_TRUNCATE, and Open MPI writes what does not fit behind the
//             memory. With them, recv looks at the length first (MPI_Mprobe)

#pragma once

#include <mpiglot/detail/arguments/agreeing.hpp>
#include <mpiglot/detail/engine/arrival.hpp>
#include <mpiglot/detail/engine/engine.hpp>
#include <mpiglot/mpi/calls/recv.hpp>

namespace mpiglot::operations {

/// True if the message came from MPI_PROC_NULL: it is empty, which is not an encoded value. (With
/// MPICH, the status does not always say so, which is a defect of MPICH.)
template <class Arguments>
[[nodiscard]] bool is_from_nobody(Arguments& given, const mpi::status& status) noexcept {
  if constexpr (Arguments::template has<keys::source>)
    return given.template get<keys::source>().value == mpi::proc_null;
  else
    return status.source() == mpi::proc_null;
}

/// The common part of receiving operations: the buffer, the status and the requested values. With
/// `Probes`, the length of the message is probed before it is received. With `Waited`, another rank
/// waits for this one, so this rank takes part even after a failure.
template <class Arguments, bool Probes, bool Waited = Probes,
          class Sink = detail::sink_of<Arguments, detail::absent, form::message>,
          detail::short_of_memory Where = detail::short_of_memory::behind>
struct receiving : detail::defaults {
  using sink = Sink;
  using adapter = typename sink::adapter;
  using wire = typename adapter::wire;
  static constexpr bool wants_status = adapter::learns_length || detail::is_told<Arguments> ||
                                       Arguments::template has<keys::recv_count_out> ||
                                       Arguments::template has<keys::status_out>;
  static constexpr bool movable = adapter::movable;
  // Nothing can be received into some views: their message is taken all the same.
  static constexpr bool narrows = detail::narrows<adapter>;
  using failure_type =
      detail::failure_if<narrows || (Waited && (detail::keeps_place_failure<adapter, Where> ||
                                                Arguments::template has<keys::recv_count>))>;

  explicit receiving(Arguments&& given)
      : arguments(static_cast<Arguments&&>(given)), received(arguments, arguments) {}

  [[nodiscard]] mpi::datatype_handle type() {
    return arguments.template value_or<keys::recv_type>(datatype_of<wire>());
  }
  /// Makes room for `recv_count` elements.
  void place_counted() {
    room = detail::meant<wire>(failure, arguments.template get<keys::recv_count>().value,
                               received.room());
    if constexpr (narrows && !Waited) require_room(received.room(), room);
    received.place(failure, room);
  }
  /// Takes all the room that there is. A view into which nothing can be received is a failure.
  void place_all() {
    room = received.room();
    if constexpr (narrows) received.place(failure, room);
  }
  /// Makes room for a message that was probed, with this status. Returns false if its size is not a
  /// multiple of the element size.
  bool place_probed(auto& message, const mpi::status& probed) {
    room = detail::length_or_drain(probed, type(), message);
    if (room < 0) [[unlikely]]
      return false;
    place_or_drain(message, probed);
    return true;
  }
  /// A message that was found leaves its sender waiting until it is received.
  void place_or_drain([[maybe_unused]] const auto& message,
                      [[maybe_unused]] const mpi::status& probed) {
#if defined(__cpp_exceptions)
    if constexpr (!decltype(received)::keeps) {
      try {
        received.place(failure, room);
      } catch (...) {
        detail::drain(message, probed);
        throw;
      }
      return;
    }
#endif
    received.place(failure, room);
  }
  void finish() {
    failure.rethrow();
    if constexpr (Probes)
      if (room < 0) [[unlikely]]
        detail::refuse_odd_length();
    if constexpr (wants_status) {
      const count_t n = Probes ? room : detail::arrived(status.value, type());
      if constexpr (adapter::learns_length)
        if (adapter::uniform || n != 0 || !is_from_nobody(arguments, status.value)) [[likely]]
          received.buffer().unpack(n);
      detail::deliver_count<keys::recv_count_out>(arguments, n);
      if constexpr (Arguments::template has<keys::status_out>) {
        auto& told = arguments.template get<keys::status_out>().value;
        told = status.value;
        if constexpr (Arguments::template has<keys::source>)
          if (arguments.template get<keys::source>().value == mpi::proc_null)
            detail::tell_nobody(told);
      }
    }
  }
  [[nodiscard]] bool keeps_memory() const noexcept { return received.keeps_memory(); }
  auto results() { return detail::results<keys::recv_buf>(received, arguments); }

  Arguments arguments;
  [[no_unique_address]] failure_type failure;
  detail::receiver<sink, Arguments, failure_type, Where> received;
  count_t room = 0;
  [[no_unique_address]] detail::wanted_status<wants_status || Probes> status;
};

struct recv {
  using accepts = detail::names<keys::recv_buf, keys::recv_type, keys::source, keys::tag,
                                keys::recv_count, keys::recv_count_out, keys::status_out>;
  using needs = detail::names<keys::recv_buf>;
  using length = keys::recv_count;

  // `wait` of the request provides the status.
  struct calls {
    static int now(const auto&... a) noexcept { return mpi::calls::recv::now(a...); }
    static int later(mpi::request_handle& request, void* address, const auto& count,
                     const auto& type, int from, int tag, const auto& comm, const auto&) noexcept {
      return mpi::calls::recv::later(request, address, count, type, from, tag, comm);
    }
    static int bound(mpi::request_handle& request, void* address, const auto& count,
                     const auto& type, int from, int tag, const auto& comm, const auto&) noexcept {
      return mpi::calls::recv::bound(request, address, count, type, from, tag, comm);
    }
  };

  template <class Arguments>
  static constexpr bool probes =
      !detail::adapter_of<detail::parameter_of<Arguments, keys::recv_buf>, form::message>::fixed &&
      !Arguments::template has<keys::recv_count>;

  template <class Arguments, class Sink = detail::sink_of<Arguments, detail::absent, form::message>>
  struct state : receiving<Arguments, probes<Arguments>, probes<Arguments>, Sink> {
    using base = receiving<Arguments, probes<Arguments>, probes<Arguments>, Sink>;
    using base::arguments, base::failure, base::received, base::room, base::status;
    static constexpr const char* name = "recv";
    using complaint = detail::complaint_of_resizing<recv, typename base::adapter>;
    using by_fit = detail::adapters_by_fit<typename base::adapter>;
    static constexpr bool may_fit = by_fit::differ;
    using fitting = state<Arguments, detail::sink_with<Sink, typename by_fit::fitting>>;
    using unfit = state<Arguments, detail::sink_with<Sink, typename by_fit::unfit>>;
    static constexpr bool one_call = !probes<Arguments>;
    static constexpr bool may_look = one_call;
    static constexpr bool cancellable = true;

    state(const detail::group_view& group, Arguments&& given)
        : base(static_cast<Arguments&&>(given)), comm(group.comm) {}

    [[nodiscard, gnu::always_inline]] static bool fits(const detail::group_view&,
                                                       const auto&... parameters) noexcept {
      return detail::fits_parameter<typename by_fit::fitting, keys::recv_buf>(parameters...);
    }

    void prepare() {
      if constexpr (Arguments::template has<keys::recv_count>) {
        base::place_counted();
      } else if constexpr (one_call) {
        base::place_all();
      }
    }
    bool agree(int& code) {
      mpi::status probed;  // not a member, so that the compiler can keep the state in registers
      detail::found_message found;
      code = detail::find_message(from(), tag(), comm, found, probed);
      if (code != MPI_SUCCESS) [[unlikely]]
        return false;
      status.value = probed;
      const bool whole = base::place_probed(found, probed);
      message = found;
      return whole;
    }
    void call(auto io) {
      const lent memory = received.in(failure, arguments, room);
      if constexpr (one_call && decltype(io)::blocking &&
                    detail::checked<Arguments, checks::normal>)
        io.code = detail::receive_if_it_fits(memory, from(), tag(), comm, status.out());
      else if constexpr (one_call)
        io(calls{}, memory.address, detail::lone(memory.count), memory.type, from(), tag(), comm,
           status.out());
      else
        detail::take_message(io, memory, message);
    }

    [[nodiscard]] int from() { return arguments.template value_or<keys::source>(mpi::any_source); }
    [[nodiscard]] int tag() { return arguments.template value_or<keys::tag>(mpi::any_tag); }

    mpi::comm_handle comm;
    [[no_unique_address]] std::conditional_t<one_call, detail::absent, detail::found_message>
        message;
  };
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/recv.hpp>
