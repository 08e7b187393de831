// send, bsend, ssend, rsend: one message to one rank. MPI-4.1, sections 3.2, 3.4 and 3.7.
//
//   comm.send(send_buf(v), destination(1), tag(7));
//   auto sent = comm.issend(send_buf(as_serialized(map)), destination(1));
//
// `bsend` copies to a buffer (bsend_buffer.hpp) and returns; `ssend` is complete when the receive has
// begun; `rsend` may only be called when the receive is there already.
//
// Parameters  send_buf (or send_buf_out), destination; tag (0), send_count (all), send_type
// Result      the buffer if it was moved into send_buf_out
// Messages    one
// Allocates   nothing, but what the buffer needs to encode or pack
// Errors      what fails while packing is thrown at once; nothing was sent then

#pragma once

#include <mpiglot/detail/engine.hpp>
#include <mpiglot/mpi/calls/bsend.hpp>
#include <mpiglot/mpi/calls/rsend.hpp>
#include <mpiglot/mpi/calls/send.hpp>
#include <mpiglot/mpi/calls/ssend.hpp>

namespace mpiglot::operations {

/// The four modes, which differ in the MPI function only.
template <class Operation, class Calls>
struct sending {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_count,
                                keys::send_type, keys::destination, keys::tag>;
  using needs = detail::names<keys::send_buf, keys::destination>;
  using length = keys::send_buf;

  template <class Arguments>
  struct state : detail::defaults {
    using source_type = detail::sender<Arguments, form::message>;
    static constexpr const char* name = Operation::name;
    static constexpr bool repeats = source_type::uniform;
    static constexpr bool movable = source_type::movable;

    state(const detail::group_view& group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)), source(arguments), comm(group.comm) {}

    void prepare() {
      detail::fails_at_once nothing_sent;
      source.pack(nothing_sent, arguments);
    }
    void call(auto io) {
      const lent memory = source.out(arguments);
      io(Calls(), memory.address, detail::lone(memory.count), memory.type,
         arguments.template get<keys::destination>().value,
         arguments.template value_or<keys::tag>(0), comm);
    }
    void finish() noexcept {}
    auto results() {
      if constexpr (Arguments::template has<keys::send_buf_out>)
        return detail::results<keys::send_buf_out>(source, arguments);
    }

    Arguments arguments;
    source_type source;
    mpi::comm_handle comm;
  };
};

struct send : sending<send, mpi::calls::send> {
  static constexpr const char* name = "send";
};
struct bsend : sending<bsend, mpi::calls::bsend> {
  static constexpr const char* name = "bsend";
};
struct ssend : sending<ssend, mpi::calls::ssend> {
  static constexpr const char* name = "ssend";
};
struct rsend : sending<rsend, mpi::calls::rsend> {
  static constexpr const char* name = "rsend";
};

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION send
#define MPIGLOT_STARTS isend
#define MPIGLOT_PREPARES send_init
#include <mpiglot/detail/members.hpp>
#define MPIGLOT_OPERATION bsend
#define MPIGLOT_STARTS ibsend
#define MPIGLOT_PREPARES bsend_init
#include <mpiglot/detail/members.hpp>
#define MPIGLOT_OPERATION ssend
#define MPIGLOT_STARTS issend
#define MPIGLOT_PREPARES ssend_init
#include <mpiglot/detail/members.hpp>
#define MPIGLOT_OPERATION rsend
#define MPIGLOT_STARTS irsend
#define MPIGLOT_PREPARES rsend_init
#include <mpiglot/detail/members.hpp>
