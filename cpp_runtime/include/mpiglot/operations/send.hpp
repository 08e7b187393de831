// send: one message to one rank. MPI-4.1, sections 3.2 and 3.7.
//
//   comm.send(send_buf(v), destination(1), tag(7));
//
// Parameters  send_buf (or send_buf_out), destination; tag (0)
// Result      the buffer if it was moved into send_buf_out
// Messages    one
// Allocates   nothing, but what the buffer needs to encode or pack
// Errors      what fails while packing is thrown at once; nothing was sent then

#pragma once

#include <mpiglot/detail/engine.hpp>
#include <mpiglot/mpi/forms.hpp>

namespace mpiglot::operations {

struct send {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_count,
                                keys::send_type, keys::destination, keys::tag>;
  using needs = detail::names<keys::send_buf, keys::destination>;
  using length = keys::send_buf;

  template <class Arguments>
  struct state : detail::defaults {
    using source_type = detail::sender<Arguments, form::message>;
    static constexpr const char* name = "send";
    static constexpr bool repeats = source_type::uniform;
    static constexpr bool movable = source_type::movable;

    state(const detail::group_view& group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)), source(arguments), comm(group.comm) {}

    void prepare() {
      detail::fails_at_once nothing_sent;
      source.pack(nothing_sent, arguments);
    }
    void call(auto io) {
      const lent memory = source.out(detail::no_failure(), arguments);
      io(mpi::forms::send(), memory.address, memory.count, memory.type,
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

}  // namespace mpiglot::operations

#define MPIGLOT_OPERATION send
#define MPIGLOT_STARTS isend
#define MPIGLOT_PREPARES send_init
#include <mpiglot/detail/members.hpp>
