// allgatherv: everybody's buffer on everybody, one after another. MPI-4.1, section 6.7.
//
//   auto all = comm.allgatherv(send_buf(mine));
//
// Parameters  send_buf (or send_buf_out); recv_buf (a vector by value), recv_counts (exchanged),
//             recv_displs (one part after another)
// Asked for   recv_counts_out, recv_displs_out
// Result      the received buffer if it was not given or was moved in, then what was asked for
// Messages    one; without recv_counts the lengths travel first, in an allgather of one MPI_Count
// Allocates   the result; without recv_counts one array of 16 bytes per rank; displacements if only
//             recv_counts are given; what the buffers need to encode, decode, pack or unpack
// Errors      of one rank are thrown after completion: there, and as remote_failure on the others

#pragma once

#include <mpiglot/detail/engine.hpp>
#include <mpiglot/mpi/collectives.hpp>

namespace mpiglot::operations {

struct allgatherv {
  using accepts =
      detail::names<keys::send_buf, keys::send_buf_out, keys::recv_buf, keys::recv_counts,
                    keys::recv_displs, keys::recv_counts_out, keys::recv_displs_out>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::recv_counts;
  using lengths = keys::recv_counts;

  struct calls {
    static void now(auto... a) { mpi::allgatherv(a...); }
    static auto later(auto... a) { return mpi::iallgatherv(a...); }
    static auto bound(auto... a) { return mpi::allgatherv_init(a..., mpi::info_null); }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using source_port = detail::source_of<Arguments, form::block>;
    using sink = detail::sink_of<Arguments, typename source_port::gathered, form::elements>;
    using sink_port = typename sink::type;
    using table = detail::parts_of<Arguments, keys::recv_counts, keys::recv_displs>;
    static constexpr const char* name = "allgatherv";
    static constexpr bool one_call = table::given || source_port::agreed;
    static constexpr bool lengths_given = table::complete;
    static constexpr bool movable = source_port::movable && sink_port::movable;
    static constexpr bool places =
        !one_call || detail::places_known<typename table::type, sink_port>;
    using guarded_source = detail::guarded<source_port, detail::pack_fails<source_port>>;

    state(detail::group_view on, Arguments&& given)
        : group(on),
          arguments(static_cast<Arguments&&>(given)),
          source(detail::open<guarded_source>(
              arguments.template get<detail::send_key<Arguments>>())),
          received(sink::template open<places>(arguments, source)),
          parts(table::open(arguments, group.size)) {}

    void prepare() {
      source.pack();
      if constexpr (one_call) detail::lay_out_known(parts, group.size, source, received);
    }
    bool agree() {
      const count_t mine = source.length();
      mpi::allgather(&mine, 1, mpi::count_, parts.lengths(), 1, mpi::count_, group.comm);
      received.place(parts.lay_out());
      return parts.failed() < 0;
    }
    void call(auto io) {
      const lent out = source.out();
      const lent in = received.in(0);  // its address and type; the lengths are in `parts`
      parts.visit([&](auto counts, auto displacements) {
        io(calls{}, out.address, out.count, out.type, in.address, counts, displacements, in.type,
           group.comm);
      });
    }
    void finish() {
      source.rethrow();
      if constexpr (!one_call)
        if (parts.failed() >= 0) [[unlikely]] detail::tell_remote_failure(parts.failed());
      received.rethrow();
      received.unpack_parts(parts);
      detail::deliver_parts(arguments, parts);
    }
    auto results() { return detail::results<keys::recv_buf>(received, source, arguments); }

    detail::group_view group;
    Arguments arguments;
    guarded_source source;
    typename sink::template held<places> received;
    typename table::type parts;
  };
};

/// The member functions of a communicator.
template <class Communicator>
struct allgatherv_members {
  template <class... A>
  auto allgatherv(A&&... a) const {
    using call = detail::call<operations::allgatherv, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto iallgatherv(A&&... a) const {
    using call = detail::call<operations::allgatherv, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto allgatherv_init(A&&... a) const {
    using call = detail::call<operations::allgatherv, detail::bound, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }

 private:
  const Communicator& self() const noexcept { return static_cast<const Communicator&>(*this); }
};

}  // namespace mpiglot::operations
