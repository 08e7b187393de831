// gather: everybody's buffer on the root, one after another. MPI-4.1, section 6.5.
//
//   auto all = comm.gather(send_buf(mine), root(0));
//
// Parameters  send_buf (or send_buf_out), equally long on all ranks unless it is coded; recv_buf
//             (on the root, a vector by value); root (0)
// Result      the received buffer if it was not given or was moved in; empty on other ranks
// Messages    one; coded buffers: the lengths are gathered first
// Allocates   the result on the root; what the buffers need to encode, decode, pack or unpack
// Errors      of one rank are thrown there and, as remote_failure, on the root

#pragma once

#include <mpiglot/detail/engine.hpp>
#include <mpiglot/mpi/collectives.hpp>

namespace mpiglot::operations {

struct gather {
  using accepts = detail::names<keys::send_buf, keys::send_buf_out, keys::recv_buf, keys::root>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::send_buf;

  struct calls {
    static void now(auto... a) { mpi::gather(a...); }
    static auto later(auto... a) { return mpi::igather(a...); }
    static auto bound(auto... a) { return mpi::gather_init(a..., mpi::info_null); }
  };
  struct calls_of_unequal {
    static void now(auto... a) { mpi::gatherv(a...); }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using source_port = detail::source_of<Arguments, form::block>;
    using sink = detail::sink_of<Arguments, typename source_port::gathered, form::elements>;
    using sink_port = typename sink::type;
    static constexpr const char* name = "gather";
    static constexpr bool one_call = source_port::uniform;
    static constexpr bool movable = source_port::movable && sink_port::movable;

    state(detail::group_view on, Arguments&& given)
        : group(on),
          arguments(static_cast<Arguments&&>(given)),
          source(detail::open<detail::guarded<source_port>>(
              arguments.template get<detail::send_key<Arguments>>())),
          received(sink::open(arguments, source)),
          root(arguments.template value_or<keys::root>(0)),
          parts{at_root() ? static_cast<std::size_t>(group.size) : 0} {}

    [[nodiscard]] bool at_root() const noexcept { return group.rank == root; }

    void prepare() { source.pack(); }
    bool agree() {
      const count_t mine = source.length();
      mpi::gather(&mine, 1, mpi::count_, parts.lengths(), 1, mpi::count_, root, group.comm);
      if (at_root()) received.place(parts.lay_out());
      return true;  // only the root knows about the others; a rank that failed sends nothing
    }
    void call(auto io) {
      const lent out = source.out();
      if constexpr (one_call) {
        parts.each = source.length();
        if (at_root()) received.place(parts.extent());
        const lent in = received.in(parts.each);
        io(calls{}, out.address, out.count, out.type, in.address, in.count, in.type, root,
           group.comm);
      } else {
        const lent in = received.in(0);
        parts.visit([&](auto counts, auto displacements) {
          io(calls_of_unequal{}, out.address, out.count, out.type, in.address, counts,
             displacements, in.type, root, group.comm);
        });
      }
    }
    void finish() {
      source.rethrow();
      if (!at_root()) return;
      if constexpr (!one_call)
        if (parts.failed() >= 0) [[unlikely]] detail::tell_remote_failure(parts.failed());
      received.rethrow();
      received.unpack_parts(parts);
    }
    auto results() { return detail::results<keys::recv_buf>(received, source, arguments); }

    detail::group_view group;
    Arguments arguments;
    detail::guarded<source_port> source;
    detail::guarded<sink_port> received;
    int root;
    std::conditional_t<one_call, detail::equal_parts, detail::parts> parts;
  };
};

/// The member functions of a communicator.
template <class Communicator>
struct gather_members {
  template <class... A>
  auto gather(A&&... a) const {
    using call = detail::call<operations::gather, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto igather(A&&... a) const {
    using call = detail::call<operations::gather, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto gather_init(A&&... a) const {
    using call = detail::call<operations::gather, detail::bound, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }

 private:
  const Communicator& self() const noexcept { return static_cast<const Communicator&>(*this); }
};

}  // namespace mpiglot::operations
