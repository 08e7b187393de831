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
//             encoded: both are errors when compiled

#pragma once

#include <mpiglot/detail/arguments/agreeing.hpp>
#include <mpiglot/detail/access/on_handle.hpp>
#include <mpiglot/detail/collectives/reduction.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/calls/accumulate.hpp>
#include <mpiglot/mpi/calls/get.hpp>
#include <mpiglot/mpi/calls/get_accumulate.hpp>
#include <mpiglot/mpi/calls/put.hpp>
#include <mpiglot/mpi/calls/raccumulate.hpp>
#include <mpiglot/mpi/calls/rget.hpp>
#include <mpiglot/mpi/calls/rget_accumulate.hpp>
#include <mpiglot/mpi/calls/rput.hpp>
#include <mpiglot/mpi/rma.hpp>

namespace mpiglot {
namespace wrong_call {
template <class Function>
struct one_sided_operations_are_those_of_mpi_give_no_function {};
}  // namespace wrong_call

namespace keys {
struct target_rank {};
struct target_displacement {};
struct target_count {};
struct target_type {};
struct compare_buf : buffer {};
}  // namespace keys

/// The rank whose memory is accessed.
[[nodiscard]] inline parameter<keys::target_rank, int> target_rank(int rank) { return {rank}; }
/// The position in the target memory where the access begins, in units of the window; in a dynamic
/// window, an address.
[[nodiscard]] inline parameter<keys::target_displacement, mpi::aint_t> target_displacement(
    mpi::aint_t displacement) {
  return {displacement};
}
/// The number of elements at the target. Default: the number of elements of the local buffer.
[[nodiscard]] inline parameter<keys::target_count, count_t> target_count(count_t n) { return {n}; }
parameter<keys::target_rank, int> target_rank(detail::no_whole_number auto) = delete;
parameter<keys::target_displacement, int> target_displacement(detail::no_whole_number auto) =
    delete;
parameter<keys::target_count, int> target_count(detail::no_whole_number auto) = delete;
/// The datatype of the elements at the target. Default: the datatype of the local buffer.
[[nodiscard]] inline parameter<keys::target_type, mpi::datatype_handle> target_type(
    mpi::datatype_handle type) {
  return {type};
}
/// The value with which the target memory is compared.
template <class Value>
[[nodiscard]] parameter<keys::compare_buf, Value> compare_buf(Value&& value) {
  return {static_cast<Value&&>(value)};
}

namespace operations {
namespace one_sided {

/// The target of an access: rank, displacement, count and datatype.
struct target {
  int rank;
  mpi::aint_t displacement;
  count_t count;
  mpi::datatype_handle type;

  template <class Arguments>
  target(Arguments& given, count_t n, mpi::datatype_handle of)
      : rank(given.template get<keys::target_rank>().value),
        displacement(given.template value_or<keys::target_displacement>(mpi::aint_t{0})),
        count(given.template value_or<keys::target_count>(n)),
        type(given.template value_or<keys::target_type>(of)) {}
};

/// The common part of all accesses, which are one MPI call each.
struct access : detail::defaults {
  static constexpr const char* later_prefix = "r";

  void prepare() noexcept {}
  void finish() noexcept {}
  void rethrow() noexcept {}
  void results() noexcept {}
};

/// Checks the ownership of a buffer. MPI uses the buffers until the epoch ends, so only a request
/// may own them.
template <class Key, class Operation, class Adapter, class Io>
using lasting = std::conditional_t<
    !Adapter::uniform, wrong_call::buffer_is_encoded_and_not_laid_out_in_memory<Key, Operation>,
    std::conditional_t<
        Io::blocking && Adapter::owning,
        wrong_call::buffer_must_live_until_the_epoch_ends_give_an_lvalue<Key, Operation>,
        detail::nothing_wrong>>;

/// The operation at the target. Default: sum. Windows accept only the predefined operations of MPI.
template <class Arguments, class Wire>
struct combiner {
  static constexpr bool given = Arguments::template has<keys::op>;
  template <class Key>
  [[nodiscard]] static consteval auto find_problem() {
    if constexpr (!given) {
      return detail::nothing_wrong();
    } else {
      using type = typename detail::parameter_of<Arguments, Key>::type;
      if constexpr (std::is_convertible_v<type, mpi::op_handle> || __is_same(type, MPI_Op))
        return detail::nothing_wrong();
      else if constexpr (detail::known_as<type>::known)
        return std::conditional_t<
            detail::known_as<type>::template fits<Wire>, detail::nothing_wrong,
            wrong_call::operation_has_no_meaning_for_this_type_give_a_function<Wire>>();
      else
        return wrong_call::one_sided_operations_are_those_of_mpi_give_no_function<type>();
    }
  }
  using problem = decltype(find_problem<keys::op>());

  /// Whether it may be a logical one, with which Open MPI does nothing: of a class
  /// without elements that is known when this is compiled.
  template <class Key>
  [[nodiscard]] static consteval bool find_logical() {
    if constexpr (!given) {
      return false;
    } else {
      using type = std::remove_cvref_t<typename detail::parameter_of<Arguments, Key>::type>;
      constexpr auto is = []<class... Logical>(const Logical&...) {
        return (__is_same(type, Logical) || ...);
      };
      return !std::is_empty_v<type> ||
             is(mpi::land, mpi::lor, mpi::lxor, std::logical_and<>(), std::logical_or<>(),
                std::logical_and<Wire>(), std::logical_or<Wire>(), logical_xor());
    }
  }
  static constexpr bool may_be_logical = find_logical<keys::op>();
  [[nodiscard]] static mpi::op_handle applied(Arguments& arguments, const char* operation) {
    const mpi::op_handle op = of(arguments);
    if constexpr (may_be_logical)
      if (op.native == MPI_LAND || op.native == MPI_LOR || op.native == MPI_LXOR)
        detail::require_without_defect(detail::library_defect("accumulate-ignores-logical"),
                                       operation);
    return op;
  }
  [[nodiscard]] static mpi::op_handle of(Arguments& arguments) {
    if constexpr (given)
      return detail::reduction<typename detail::parameter_of<Arguments, keys::op>::type, Wire>(
                 arguments.template get<keys::op>().value)
          .handle();
    else
      return mpi::sum;
  }
};

/// True if `target_count` counts elements of the buffer. With `target_type` it counts items of that
/// type, which the elements of the whole buffer fill.
template <class Arguments>
inline constexpr bool counts_elements =
    Arguments::template has<keys::target_count> && !Arguments::template has<keys::target_type>;

/// The number of elements of type `Wire` that `target_count` asks for.
template <class Wire, class Arguments>
[[nodiscard]] count_t asked(Arguments& given) {
  detail::fails_at_once nothing_moved;
  return detail::meant<Wire>(nothing_moved, given.template get<keys::target_count>().value, 0);
}

/// What a rank sends: the whole buffer, or the first elements.
template <class Arguments, class Adapter>
[[nodiscard]] count_t packed(Arguments& given, Adapter& source) {
  source.pack();
  if constexpr (!counts_elements<Arguments>) {
    return source.length();
  } else {
    const count_t n = asked<typename Adapter::wire>(given);
    require_room(source.length(), n);
    if constexpr (detail::narrows<Adapter>) source.narrow(n, datatype_of<typename Adapter::wire>());
    return n;
  }
}
/// The first `n` elements of a packed buffer.
template <class Adapter>
[[nodiscard]] lent first_of(Adapter& source, count_t n) {
  lent out = source.out();
  if (!detail::is_described(source)) out.count = n;
  return out;
}

/// put and accumulate: data moves from this rank to the target.
template <class Self, class Arguments>
struct outward : access {
  using adapter = detail::source_of<Arguments, form::memory>;
  using wire = typename adapter::wire;
  static constexpr bool movable = adapter::movable;
  static constexpr bool only_mpi_fails =
      !detail::pack_fails<adapter> && !counts_elements<Arguments>;
  template <class Io>
  using verdict =
      typename detail::first_complaint<lasting<keys::send_buf, Self, adapter, Io>,
                                       typename combiner<Arguments, wire>::problem>::type;

  outward(mpi::win_handle on, Arguments&& given)
      : arguments(static_cast<Arguments&&>(given)),
        window(on),
        source(detail::open<adapter>(arguments.template get<keys::send_buf>())) {}

  [[nodiscard]] bool keeps_memory() const noexcept { return detail::keeps_memory(source); }
  void prepare() { length = packed(arguments, source); }

  Arguments arguments;
  mpi::win_handle window;
  adapter source;
  count_t length = 0;
};

/// get and the operations that return data: data moves from the target to this rank. The length is
/// that of the buffer, or `target_count` if it counts elements or the buffer resizes.
template <class Self, class Arguments>
struct inward : access {
  using adapter = detail::adapter_of<detail::parameter_of<Arguments, keys::recv_buf>, form::memory>;
  using wire = typename adapter::wire;
  static constexpr bool sized = adapter::fixed || Arguments::template has<keys::target_count>;
  static constexpr bool movable = adapter::movable;
  template <class Io>
  using verdict = typename detail::first_complaint<
      lasting<keys::recv_buf, Self, adapter, Io>,
      std::conditional_t<sized, detail::nothing_wrong,
                         wrong_call::parameter_missing<keys::target_count, Self>>,
      typename combiner<Arguments, wire>::problem>::type;

  inward(mpi::win_handle on, Arguments&& given)
      : arguments(static_cast<Arguments&&>(given)),
        window(on),
        sink(detail::open<adapter>(arguments.template get<keys::recv_buf>())) {}

  void prepare() {
    if constexpr (adapter::fixed && !counts_elements<Arguments>) {
      length = sink.room();
      detail::place_all(sink);
    } else {
      sink.place(length = asked<wire>(arguments));
    }
  }
  [[nodiscard]] bool keeps_memory() const noexcept { return detail::keeps_memory(sink); }
  void finish() { sink.unpack(length); }
  auto results() { return detail::results<keys::recv_buf>(sink, arguments); }

  Arguments arguments;
  mpi::win_handle window;
  adapter sink;
  count_t length = 0;
};

}  // namespace one_sided

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
    static constexpr bool only_mpi_fails = state::adapter::fixed &&
                                           !one_sided::counts_elements<Arguments> &&
                                           !detail::narrows<typename state::adapter>;
    using one_sided::inward<get, Arguments>::inward;

    void call(auto&& io) {
      const lent in = this->sink.in(this->length);
      const one_sided::target from(this->arguments, this->length,
                                   datatype_of<typename state::adapter::wire>());
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

}  // namespace operations
}  // namespace mpiglot
