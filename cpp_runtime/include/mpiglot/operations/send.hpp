// Sends one message to one rank. MPI-4.1, sections 3.2, 3.4 and 3.7.
//
//   comm.send(send_buf(v), destination(1), tag(7));
//
// The modes differ in when the blocking form returns. `send`: when the buffer can be used again.
// `bsend`: at once; MPI copies the message to the attached buffer (bsend_buffer.hpp). `ssend`: when
// the matching receive has started. `rsend`: as `send`; the matching receive must already be
// posted.
//
// Members     send, isend, send_init; bsend, ibsend, bsend_init; ssend, issend, ssend_init; rsend,
//             irsend, rsend_init
// Parameters  send_buf or send_buf_out; destination; tag (0); send_count (all elements); send_type
// Result      the buffer, if it was moved into send_buf_out
// Messages    one
// Allocates   nothing except what the buffer needs to encode or pack
// Errors      an error while packing is thrown at once, and no message is sent

#pragma once

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/engine/engine.hpp>
#include <mpiglot/mpi/calls/bsend.hpp>
#include <mpiglot/mpi/calls/rsend.hpp>
#include <mpiglot/mpi/calls/send.hpp>
#include <mpiglot/mpi/calls/ssend.hpp>

namespace mpiglot::operations {

/// The four send modes. They differ only in the MPI function.
template <class Operation, class Calls>
struct sending {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::send_count,
                                keys::send_type, keys::destination, keys::tag>;
  using needs = detail::names<keys::send_buf, keys::destination>;
  using length = keys::send_buf;

  template <class Arguments, class Adapter = detail::source_of<Arguments, form::message>>
  struct state : detail::defaults {
    using source_type = detail::sender<Arguments, form::message, Adapter>;
    using by_fit = detail::adapters_by_fit<Adapter>;
    static constexpr bool may_fit = by_fit::differ;
    using fitting = state<Arguments, typename by_fit::fitting>;
    using unfit = state<Arguments, typename by_fit::unfit>;
    static constexpr const char* name = Operation::name;
    static constexpr bool repeats = source_type::uniform;
    static constexpr bool movable = source_type::movable;

    state(const detail::group_view& group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)), source(arguments), comm(group.comm) {}

    [[nodiscard, gnu::always_inline]] static bool fits(const detail::group_view&,
                                                       const auto&... parameters) noexcept {
      return detail::fits_parameter<typename by_fit::fitting, detail::send_key<Arguments>>(
          parameters...);
    }

    void prepare() {
      detail::fails_at_once nothing_sent;
      source.pack_message(nothing_sent, arguments);
    }
    void call(auto io) {
      const lent memory = source.out(arguments);
      io(Calls(), memory.address, detail::lone(memory.count), memory.type,
         arguments.template get<keys::destination>().value,
         arguments.template value_or<keys::tag>(0), comm);
    }
    [[nodiscard]] static bool starts_once() noexcept
      requires(requires { Operation::starts_once(); })
    {
      return Operation::starts_once();
    }
    [[nodiscard]] bool keeps_memory() const noexcept { return source.keeps_memory(); }
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

/// Sends one message to one rank, in the standard mode.
struct send : sending<send, mpi::calls::send> {
  static constexpr const char* name = "send";
};
/// Sends one message to one rank, in the buffered mode: MPI copies it to the attached buffer.
struct bsend : sending<bsend, mpi::calls::bsend> {
  static constexpr const char* name = "bsend";
  /// True if MPI sends other bytes when a prepared message is started again (Open MPI 4.1).
  [[nodiscard, gnu::cold]] static bool starts_once() noexcept {
    static const char* const sentence = detail::library_defect("persistent-bsend-sends-others");
    return sentence != nullptr;
  }
};
/// Sends one message to one rank, in the synchronous mode: complete when the receive has started.
struct ssend : sending<ssend, mpi::calls::ssend> {
  static constexpr const char* name = "ssend";
};
/// Sends one message to one rank, in the ready mode: the receive must already be posted.
struct rsend : sending<rsend, mpi::calls::rsend> {
  static constexpr const char* name = "rsend";
};

}  // namespace mpiglot::operations

#include <mpiglot/operations/members/send.hpp>
