// allreduce: everybody's elements combined, on everybody. MPI-4.1, section 6.9.
//
//   auto sums = comm.allreduce(send_buf(mine), op(mpi::sum));
//
// Parameters  send_buf (or send_buf_out), equally long on all ranks; op; recv_buf (a vector by
//             value)
// Result      the received buffer if it was not given or was moved in
// Messages    one
// Allocates   the result; room to pack what does not lie one after another
// Errors      too_small after completion, if recv_buf does not hold what send_buf does

#pragma once

#include <mpiglot/detail/engine.hpp>
#include <mpiglot/mpi/collectives.hpp>

namespace mpiglot::operations {

struct allreduce {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::recv_buf, keys::op>;
  using needs = detail::names<keys::send_buf, keys::op>;
  using length = keys::send_buf;

  struct calls {
    static void now(auto... a) { mpi::allreduce(a...); }
    static auto later(auto... a) { return mpi::iallreduce(a...); }
    static auto bound(auto... a) { return mpi::allreduce_init(a..., mpi::info_null); }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using source_port = detail::source_of<Arguments, form::elements>;
    using sink = detail::sink_of<Arguments, typename source_port::gathered, form::elements>;
    using sink_port = typename sink::type;
    static constexpr const char* name = "allreduce";
    static constexpr bool one_call = source_port::uniform;
    static constexpr bool movable = source_port::movable && sink_port::movable;

    state(detail::group_view group, Arguments&& given)
        : arguments(static_cast<Arguments&&>(given)),
          source(detail::open<source_port>(arguments.template get<detail::send_key<Arguments>>())),
          received(sink::open(arguments, source)),
          comm(group.comm) {}

    void prepare() { source.pack(); }
    void call(auto io) {
      const lent out = source.out();
      received.place(out.count);
      const lent in = received.in(out.count);
      io(calls{}, out.address, in.address, out.count, out.type,
         arguments.template get<keys::op>().value, comm);
    }
    void finish() {
      received.rethrow();
      received.unpack(source.length());
    }
    auto results() { return detail::results<keys::recv_buf>(received, source, arguments); }

    Arguments arguments;
    source_port source;
    detail::guarded<sink_port> received;
    mpi::comm_handle comm;
  };
};

/// The member functions of a communicator.
template <class Communicator>
struct allreduce_members {
  template <class... A>
  auto allreduce(A&&... a) const {
    using call = detail::call<operations::allreduce, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto iallreduce(A&&... a) const {
    using call = detail::call<operations::allreduce, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto allreduce_init(A&&... a) const {
    using call = detail::call<operations::allreduce, detail::bound, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }

 private:
  const Communicator& self() const noexcept { return static_cast<const Communicator&>(*this); }
};

}  // namespace mpiglot::operations
