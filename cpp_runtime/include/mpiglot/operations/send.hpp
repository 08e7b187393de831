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

namespace mpiglot::operations {

struct send {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::destination, keys::tag>;
  using needs = detail::names<keys::send_buf, keys::destination>;
  using length = keys::send_buf;

  struct calls {
    static void now(auto... a) { mpi::send(a...); }
    static auto later(auto... a) { return mpi::isend(a...); }
    static auto bound(auto... a) { return mpi::send_init(a...); }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using port = detail::source_of<Arguments, form::message>;
    static constexpr const char* name = "send";
    static constexpr bool repeats = port::uniform;
    static constexpr bool movable = port::movable;

    state(detail::group_view group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)),
          buffer(detail::open<port>(arguments.template get<detail::send_key<Arguments>>())),
          comm(group.comm) {}

    void prepare() { buffer.pack(); }
    void call(auto io) {
      const lent memory = buffer.out();
      io(calls{}, memory.address, memory.count, memory.type,
         arguments.template get<keys::destination>().value,
         arguments.template value_or<keys::tag>(0), comm);
    }
    void finish() noexcept {}
    auto results() {
      if constexpr (Arguments::template has<keys::send_buf_out>)
        return detail::results<keys::send_buf_out>(buffer, arguments);
    }

    Arguments arguments;
    port buffer;
    mpi::comm_handle comm;
  };
};

/// The member functions of a communicator.
template <class Communicator>
struct send_members {
  template <class... A>
  auto send(A&&... a) const {
    using call = detail::call<operations::send, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto isend(A&&... a) const {
    using call = detail::call<operations::send, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto send_init(A&&... a) const {
    using call = detail::call<operations::send, detail::bound, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }

 private:
  const Communicator& self() const noexcept { return static_cast<const Communicator&>(*this); }
};

}  // namespace mpiglot::operations
