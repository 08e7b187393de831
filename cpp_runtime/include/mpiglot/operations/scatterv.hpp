// scatterv: to each rank its part of the root's buffer. MPI-4.1, section 6.6.
//
//   auto mine = comm.scatterv(send_buf(all), send_counts(counts), root(0));
//
// Parameters  send_buf, send_counts (both only looked at on the root; coded ranges give one element
//             to each rank and need no counts), send_displs (one part after another); recv_buf (a
//             vector by value), recv_count (told by the root); root (0)
// Result      the received buffer if it was not given or was moved in
// Messages    one; where the length is unknown (no recv_count, and the buffer resizes or is coded)
//             it travels first, in a scatter of one integer
// Allocates   the result; on the root displacements, unless given; what the buffers need to encode,
//             decode, pack or unpack
// Errors      of the root are thrown there and, as remote_failure, everywhere; where lengths do not
//             travel, wrong counts end the job

#pragma once

#include <mpiglot/detail/engine.hpp>
#include <mpiglot/mpi/collectives.hpp>

namespace mpiglot::operations {

struct scatterv {
  using accepts = detail::names<keys::send_buf, keys::send_counts, keys::send_displs,
                                keys::recv_buf, keys::recv_count, keys::root>;
  using needs = detail::names<keys::send_buf>;
  using length = keys::recv_count;
  using lengths = keys::send_counts;

  struct calls {
    static void now(auto... a) { mpi::scatterv(a...); }
    static auto later(auto... a) { return mpi::iscatterv(a...); }
    static auto bound(auto... a) { return mpi::scatterv_init(a..., mpi::info_null); }
  };

  template <class Arguments>
  struct state : detail::defaults {
    using source_port = detail::source_of<Arguments, form::elements>;
    using sink = detail::sink_of<Arguments, typename source_port::part, form::block>;
    using sink_port = typename sink::type;
    using table = detail::parts_of<Arguments, keys::send_counts, keys::send_displs>;
    static constexpr const char* name = "scatterv";
    static constexpr bool count_given = Arguments::template has<keys::recv_count>;
    static constexpr bool one_call = count_given || sink_port::fixed;
    static constexpr bool lengths_given = source_port::divides != table::given && table::complete;
    static constexpr bool movable = source_port::movable && sink_port::movable;

    state(detail::group_view on, Arguments&& given)
        : group(on),
          arguments(static_cast<Arguments&&>(given)),
          source(detail::open<detail::guarded<source_port>>(
              arguments.template get<keys::send_buf>())),
          received(sink::open(arguments, source)),
          root(arguments.template value_or<keys::root>(0)),
          parts(table::open(arguments, at_root() ? group.size : 0)) {}

    [[nodiscard]] bool at_root() const noexcept { return group.rank == root; }

    void prepare() {
      if (at_root()) divide();
      if constexpr (count_given)
        received.place(length = arguments.template get<keys::recv_count>().value);
      else if constexpr (one_call)
        received.place(length = received.room());
    }
    void divide() {
      if constexpr (source_port::divides) {
        source.pack_parts(parts);
        parts.lay_out();
      } else {
        source.pack();
        source.require([this] {
          if (!parts.are_for(static_cast<std::size_t>(group.size)))
            detail::refuse_counts("send_counts and send_displs have one element per rank");
          parts.lay_out();
          detail::require_room(source.source_port::length(), parts.extent());
        });
        if constexpr (one_call)
          if (source.failed() && group.size > 1)
            detail::end_job("scatterv: send_counts do not fit the ranks or send_buf");
      }
    }
    bool agree() {
      using integer = std::remove_cvref_t<decltype(*parts.lengths())>;
      integer told = 0;
      detail::block<integer> refusal;
      if (at_root() && source.failed()) {
        refusal.resize(static_cast<std::size_t>(group.size));
        for (std::size_t i = 0; i < refusal.size(); ++i) refusal[i] = static_cast<integer>(poison);
      }
      mpi::scatter(refusal.size() != 0 ? refusal.data() : parts.lengths(), 1,
                   datatype_of<integer>(), &told, 1, datatype_of<integer>(), root, group.comm);
      length = told;
      if (length != poison) received.place(length);
      return length != poison;
    }
    void call(auto io) {
      const lent out = source.out();
      const lent in = received.in(length);
      parts.visit([&](auto counts, auto displacements) {
        io(calls{}, out.address, counts, displacements, out.type, in.address, in.count, in.type,
           root, group.comm);
      });
    }
    void finish() {
      source.rethrow();
      if (length == poison) [[unlikely]] detail::tell_remote_failure(root);
      received.rethrow();
      received.unpack(length);
    }
    auto results() { return detail::results<keys::recv_buf>(received, arguments); }

    detail::group_view group;
    Arguments arguments;
    detail::guarded<source_port> source;
    detail::guarded<sink_port> received;
    int root;
    count_t length = 0;
    typename table::type parts;
  };
};

/// The member functions of a communicator.
template <class Communicator>
struct scatterv_members {
  template <class... A>
  auto scatterv(A&&... a) const {
    using call = detail::call<operations::scatterv, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto iscatterv(A&&... a) const {
    using call = detail::call<operations::scatterv, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }
  template <class... A>
  [[nodiscard]] auto scatterv_init(A&&... a) const {
    using call = detail::call<operations::scatterv, detail::bound, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(self(), static_cast<A&&>(a)...);
  }

 private:
  const Communicator& self() const noexcept { return static_cast<const Communicator&>(*this); }
};

}  // namespace mpiglot::operations
