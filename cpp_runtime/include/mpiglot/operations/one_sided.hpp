// Accesses the memory of another rank. MPI-4.1, section 12.3.
//
//   win.put(send_buf(values), target_rank(1), target_displacement(10));
//   win.get(recv_buf(values), target_rank(1), target_displacement(10));
//   win.accumulate(send_buf(values), target_rank(1), op(std::plus<>()));
//   win.get_accumulate(send_buf(values), recv_buf(before), target_rank(1), op(std::plus<>()));
//   win.fetch_and_op(send_buf(one), recv_buf(ticket), target_rank(0));
//   win.compare_and_swap(compare_buf(zero), send_buf(one), recv_buf(ticket), target_rank(0));
//   auto request = win.rget(recv_buf(std::vector<int>()), target_count(5), target_rank(1));
//
// Members     put, rput; get, rget; accumulate, raccumulate; get_accumulate, rget_accumulate;
//             fetch_and_op; compare_and_swap; of a window
// Needed      target_rank, and the buffers named below
// Parameters  put, accumulate: send_buf; get: recv_buf; get_accumulate, fetch_and_op: both
//             (fetch_and_op without send_buf reads); compare_and_swap: send_buf, compare_buf,
//             recv_buf; op (sum); target_rank; target_displacement (0), in units of the window;
//             target_count (all elements; else the first ones of each buffer) and target_type (the
//             same; target_count is then the number of items of that type)
// Result      none; of the request of rput, rget, raccumulate, rget_accumulate: the receive buffer
//             if it was moved in
// Messages    one access. It is complete, and the buffers can be used again, when the epoch ends or
//             flushes; completion of a request concerns the buffers of this rank only
// Allocates   nothing
// Errors      a buffer must be an lvalue (a request may own a moved-in buffer), and must not be
//             encoded: both are errors when compiled. At level normal, before the access is made:
//             count_error if it reaches outside of the target's memory (in a dynamic window: if the
//             displacement is not positive), error if the window has no such rank

#pragma once

#include <mpiglot/detail/access/one_sided.hpp>
#include <mpiglot/mpi/calls/accumulate.hpp>
#include <mpiglot/mpi/calls/get.hpp>
#include <mpiglot/mpi/calls/get_accumulate.hpp>
#include <mpiglot/mpi/calls/put.hpp>
#include <mpiglot/mpi/calls/raccumulate.hpp>
#include <mpiglot/mpi/calls/rget.hpp>
#include <mpiglot/mpi/calls/rget_accumulate.hpp>
#include <mpiglot/mpi/calls/rput.hpp>
#include <mpiglot/mpi/rma.hpp>

namespace mpiglot::operations {

/// Writes elements to the memory of another rank.
struct put {
  using accepts = detail::names<keys::send_buf, keys::target_rank, keys::target_displacement,
                                keys::target_count, keys::target_type>;
  using needs = detail::names<keys::send_buf, keys::target_rank>;
  using length = keys::send_buf;
  struct calls {
    static int now(auto... a) { return mpi::calls::put::now(a...); }
    static int later(mpi::request_handle& request, auto... a) {
      return mpi::calls::rput::now(a..., request);
    }
  };

  template <class Arguments>
  struct state : one_sided::outward<put, Arguments> {
    static constexpr const char* name = "put";
    static constexpr const char* function = "MPI_Put";
    using one_sided::outward<put, Arguments>::outward;

    void call(auto&& io) {
      const lent out = one_sided::first_of(this->source, this->length);
      const one_sided::target to(this->arguments, this->length,
                                 datatype_of<typename state::adapter::wire>());
      io(calls{}, out.address, out.count, out.type, to.rank, to.displacement, to.count, to.type,
         this->window);
    }
  };
};

/// Combines elements with those in the memory of another rank.
struct accumulate {
  using accepts = detail::names<keys::send_buf, keys::op, keys::target_rank,
                                keys::target_displacement, keys::target_count, keys::target_type>;
  using needs = detail::names<keys::send_buf, keys::target_rank>;
  using length = keys::send_buf;
  struct calls {
    static int now(auto... a) { return mpi::calls::accumulate::now(a...); }
    static int later(mpi::request_handle& request, auto... a) {
      return mpi::calls::raccumulate::now(a..., request);
    }
  };

  template <class Arguments>
  struct state : one_sided::outward<accumulate, Arguments> {
    static constexpr const char* name = "accumulate";
    static constexpr bool is_atomic = true;
    static constexpr const char* function = "MPI_Accumulate";
    using base = one_sided::outward<accumulate, Arguments>;
    static constexpr bool only_mpi_fails =
        base::only_mpi_fails &&
        !one_sided::combiner<Arguments, typename base::wire>::may_be_logical;
    using base::base;

    void call(auto&& io) {
      const lent out = one_sided::first_of(this->source, this->length);
      const one_sided::target to(this->arguments, this->length,
                                 datatype_of<typename state::adapter::wire>());
      io(calls{}, out.address, out.count, out.type, to.rank, to.displacement, to.count, to.type,
         one_sided::combiner<Arguments, typename state::wire>::applied(this->arguments,
                                                                       state::name),
         this->window);
    }
  };
};

/// Reads elements from the memory of another rank.
struct get {
  using accepts = detail::names<keys::recv_buf, keys::target_rank, keys::target_displacement,
                                keys::target_count, keys::target_type>;
  using needs = detail::names<keys::recv_buf, keys::target_rank>;
  using length = keys::target_count;
  struct calls {
    static int now(auto... a) { return mpi::calls::get::now(a...); }
    static int later(mpi::request_handle& request, auto... a) {
      return mpi::calls::rget::now(a..., request);
    }
  };

  template <class Arguments>
  struct state : one_sided::inward<get, Arguments> {
    static constexpr const char* name = "get";
    static constexpr const char* function = "MPI_Get";
    /// Whether the datatypes of both sides can differ.
    static constexpr bool types_may_differ =
        Arguments::template has<keys::target_type> ||
        !detail::has_elements<std::remove_reference_t<
            typename detail::parameter_of<Arguments, keys::recv_buf>::type>>;
    static constexpr bool only_mpi_fails =
        state::adapter::fixed && !one_sided::counts_elements<Arguments> && !types_may_differ &&
        !one_sided::checks_target<Arguments> && !detail::narrows<typename state::adapter>;
    using one_sided::inward<get, Arguments>::inward;

    void call(auto&& io) {
      const lent in = this->sink.in(this->length);
      const one_sided::target from(this->arguments, this->length,
                                   datatype_of<typename state::adapter::wire>());
      if constexpr (types_may_differ &&
                    !__is_same(std::remove_cvref_t<decltype(io)>, detail::at_once))
        if (in.type != from.type)
          detail::require_without_defect(detail::library_defect("rget-completes-early"), "rget");
      io(calls{}, in.address, in.count, in.type, from.rank, from.displacement, from.count,
         from.type, this->window);
    }
  };
};

/// Reads elements from the memory of another rank and combines them with others there.
struct get_accumulate {
  using accepts = detail::names<keys::send_buf, keys::recv_buf, keys::op, keys::target_rank,
                                keys::target_displacement, keys::target_count, keys::target_type>;
  using needs = detail::names<keys::send_buf, keys::recv_buf, keys::target_rank>;
  using length = keys::target_count;
  struct calls {
    static int now(auto... a) { return mpi::calls::get_accumulate::now(a...); }
    static int later(mpi::request_handle& request, auto... a) {
      return mpi::calls::rget_accumulate::now(a..., request);
    }
  };

  template <class Arguments>
  struct state : one_sided::inward<get_accumulate, Arguments> {
    using base = one_sided::inward<get_accumulate, Arguments>;
    using source_adapter = detail::source_of<Arguments, form::memory>;
    static constexpr const char* name = "get_accumulate";
    static constexpr bool is_atomic = true;
    static constexpr const char* function = "MPI_Get_accumulate";
    static constexpr bool movable = base::movable && source_adapter::movable;
    template <class Io>
    using verdict = typename detail::first_complaint<
        one_sided::lasting<keys::send_buf, get_accumulate, source_adapter, Io>,
        detail::complaint_of_elements<get_accumulate, Arguments, source_adapter,
                                      typename base::adapter>,
        typename base::template verdict<Io>>::type;

    state(mpi::win_handle on, Arguments&& given)
        : base(on, static_cast<Arguments&&>(given)),
          source(detail::open<source_adapter>(this->arguments.template get<keys::send_buf>())) {}

    [[nodiscard]] bool keeps_memory() const noexcept {
      return base::keeps_memory() && detail::keeps_memory(source);
    }
    void prepare() {
      sent = one_sided::packed(this->arguments, source);
      base::prepare();
    }
    void call(auto&& io) {
      const lent out = one_sided::first_of(source, sent);
      const lent in = this->sink.in(this->length);
      const one_sided::target at(this->arguments, this->length,
                                 datatype_of<typename base::adapter::wire>());
      io(calls{}, out.address, out.count, out.type, in.address, in.count, in.type, at.rank,
         at.displacement, at.count, at.type,
         one_sided::combiner<Arguments, typename state::wire>::applied(this->arguments,
                                                                       state::name),
         this->window);
    }

    source_adapter source;
    count_t sent = 0;
  };
};

/// Reads one element from the memory of another rank and combines it with another there.
struct fetch_and_op {
  using accepts = detail::names<keys::send_buf, keys::recv_buf, keys::op, keys::target_rank,
                                keys::target_displacement>;
  using needs = detail::names<keys::recv_buf, keys::target_rank>;
  using length = keys::recv_buf;
  struct calls {
    static int now(auto... a) { return mpi::nothrow::fetch_and_op(a...).code; }
  };

  template <class Arguments>
  struct state : one_sided::inward<fetch_and_op, Arguments> {
    static constexpr const char* name = "fetch_and_op";
    static constexpr bool is_atomic = true;
    static constexpr const char* function = "MPI_Fetch_and_op";
    using base = one_sided::inward<fetch_and_op, Arguments>;
    using base::base;
    static constexpr bool reads = !Arguments::template has<keys::send_buf>;

    template <class Io>
    [[nodiscard]] static consteval auto find_problem() {
      if constexpr (reads)
        return typename base::template verdict<Io>();
      else
        return typename detail::first_complaint<
            one_sided::lasting<keys::send_buf, fetch_and_op,
                               detail::source_of<Arguments, form::memory>, Io>,
            detail::complaint_of_elements<fetch_and_op, Arguments,
                                          detail::source_of<Arguments, form::memory>,
                                          typename base::adapter>,
            typename base::template verdict<Io>>::type();
    }
    template <class Io>
    using verdict = decltype(find_problem<Io>());

    void prepare() { require_room(this->sink.room(), 1); }
    void call(auto&& io) {
      const void* operand = nullptr;
      mpi::op_handle op = mpi::no_op;
      if constexpr (!reads) {
        using source_adapter = detail::source_of<Arguments, form::memory>;
        auto source = detail::open<source_adapter>(this->arguments.template get<keys::send_buf>());
        require_room(source.length(), 1);
        operand = source.out().address;
        op = one_sided::combiner<Arguments, typename state::wire>::applied(this->arguments,
                                                                           state::name);
      }
      const one_sided::target at(this->arguments, 1, datatype_of<typename state::wire>());
      io(calls{}, operand, this->sink.in(1).address, at.type, at.rank, at.displacement, op,
         this->window);
    }
    void finish() noexcept {}
    void results() noexcept {}
  };
};

/// Reads one element from the memory of another rank and replaces it if it equals compare_buf.
struct compare_and_swap {
  using accepts = detail::names<keys::send_buf, keys::compare_buf, keys::recv_buf,
                                keys::target_rank, keys::target_displacement>;
  using needs = detail::names<keys::send_buf, keys::compare_buf, keys::recv_buf, keys::target_rank>;
  using length = keys::recv_buf;
  struct calls {
    static int now(auto... a) { return mpi::nothrow::compare_and_swap(a...).code; }
  };

  template <class Arguments>
  struct state : one_sided::inward<compare_and_swap, Arguments> {
    static constexpr const char* name = "compare_and_swap";
    static constexpr bool is_atomic = true;
    static constexpr const char* function = "MPI_Compare_and_swap";
    using base = one_sided::inward<compare_and_swap, Arguments>;
    using base::base;
    template <class Key>
    using adapter_at = detail::adapter_of<detail::parameter_of<Arguments, Key>, form::memory>;
    template <class Io>
    using verdict = typename detail::first_complaint<
        one_sided::lasting<keys::send_buf, compare_and_swap, adapter_at<keys::send_buf>, Io>,
        one_sided::lasting<keys::compare_buf, compare_and_swap, adapter_at<keys::compare_buf>, Io>,
        detail::complaint_of_elements<compare_and_swap, Arguments, adapter_at<keys::send_buf>,
                                      typename base::adapter>,
        detail::complaint_of_elements<compare_and_swap, Arguments, adapter_at<keys::compare_buf>,
                                      typename base::adapter>,
        typename base::template verdict<Io>>::type;

    void prepare() { require_room(this->sink.room(), 1); }
    void call(auto&& io) {
      const one_sided::target at(this->arguments, 1, datatype_of<typename state::wire>());
      io(calls{}, address<keys::send_buf>(), address<keys::compare_buf>(), this->sink.in(1).address,
         at.type, at.rank, at.displacement, this->window);
    }
    void finish() noexcept {}
    void results() noexcept {}

   private:
    template <class Key>
    [[nodiscard]] const void* address() {
      using side = adapter_at<Key>;
      auto source = detail::open<side>(this->arguments.template get<Key>());
      require_room(source.length(), 1);
      return source.out().address;
    }
  };
};

}  // namespace mpiglot::operations
