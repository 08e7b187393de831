// The common part of the accesses to windows (operations/one_sided.hpp): the target, the buffers and
// the operation.

#pragma once

#include <concepts>

#include <mpiglot/detail/access/window_targets.hpp>
#include <mpiglot/detail/arguments/agreeing.hpp>
#include <mpiglot/detail/access/on_handle.hpp>
#include <mpiglot/detail/collectives/reduction.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/operations/target_parameters.hpp>

namespace mpiglot {
namespace detail {

template <class Object>
concept knows_targets = requires(const Object& object) {
  { object.reached() } -> std::same_as<const window_targets*>;
};

/// At level normal, an access has the targets among its arguments.
template <class Io, class Object, class... A>
  requires(knows_targets<Object> && checking_of<Object> >= checks::normal)
struct arguments_of_access<Io, Object, A...> {
  using targets = parameter<keys::window_targets, const window_targets*>;
  using type = checked_arguments<checking_of<Object>, kept_parameter_t<Io, A>..., targets>;
  static constexpr bool changes = false;
  [[nodiscard, gnu::always_inline]] static type make(const Object& object, A&&... a) {
    return {{kept<Io, A>(static_cast<A&&>(a))..., targets{object.reached()}}};
  }
};

/// Below it, an access only has the displacement as MPI counts it. g++ keeps a request in registers
/// that is made in one place, and a blocking access where nothing is beside it: so the displacement of
/// the one is computed inline, and that of the other in an access apart.
template <class Io, class Object, class... A>
  requires(knows_targets<Object> && checking_of<Object> < checks::normal)
struct arguments_of_access<Io, Object, A...> {
  using displacement = parameter<keys::target_displacement, mpi::aint_t>;
  template <class Key, class Given>
  static constexpr bool is = __is_same(typename std::remove_cvref_t<Given>::key, Key);
  static constexpr bool placed = (is<keys::target_displacement, A> || ...);
  using type = std::conditional_t<
      placed, checked_arguments<checking_of<Object>, kept_parameter_t<Io, A>...>,
      checked_arguments<checking_of<Object>, kept_parameter_t<Io, A>..., displacement>>;

  static constexpr bool changes = Io::blocking;
  [[nodiscard]] static bool changed_by(const Object& object) noexcept {
    return object.reached() != nullptr;
  }
  static void change(const Object& object, type& given) noexcept {
    mpi::aint_t& at = given.template get<keys::target_displacement>().value;
    at = counted(object, given.template get<keys::target_rank>().value, at);
  }
  [[nodiscard, gnu::always_inline]] static type make([[maybe_unused]] const Object& object,
                                                     A&&... a) {
    if constexpr (Io::blocking && placed)
      return {{kept<Io, A>(static_cast<A&&>(a))...}};
    else if constexpr (Io::blocking)
      return {{kept<Io, A>(static_cast<A&&>(a))..., displacement{0}}};
    else if constexpr (placed)
      return {{keep(object, rank_in(a...), static_cast<A&&>(a))...}};
    else
      return {
          {kept<Io, A>(static_cast<A&&>(a))..., displacement{counted(object, rank_in(a...), 0)}}};
  }

 private:
  template <class First, class... Others>
  [[nodiscard, gnu::always_inline]] static int rank_in(const First& first,
                                                       const Others&... others) {
    if constexpr (is<keys::target_rank, First>)
      return first.value;
    else
      return rank_in(others...);
  }
  [[nodiscard, gnu::always_inline]] static mpi::aint_t counted(const Object& object, int rank,
                                                               mpi::aint_t at) noexcept {
    const window_targets* const all = object.reached();
    if (all != nullptr) [[unlikely]]
      at = moved_displacement(*all, rank, at);
    return at;
  }
  template <class Given>
  [[nodiscard, gnu::always_inline]] static decltype(auto) keep(const Object& object, int rank,
                                                               Given&& given) {
    if constexpr (is<keys::target_displacement, Given>)
      return displacement{counted(object, rank, given.value)};
    else
      return kept<Io, Given>(static_cast<Given&&>(given));
  }
};

}  // namespace detail
namespace wrong_call {
template <class Function>
struct one_sided_operations_are_those_of_mpi_give_no_function {};
}  // namespace wrong_call

namespace operations {
namespace one_sided {

/// The target of an access, as MPI is told: rank, displacement, count and datatype. At level normal,
/// making it throws if the target does not have that memory.
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
        type(given.template value_or<keys::target_type>(of)) {
    if constexpr (Arguments::template has<keys::window_targets>) {
      const detail::window_targets* const all = given.template get<keys::window_targets>().value;
      if (all == nullptr) return;
      detail::require_inside(*all, rank, displacement, count, type);
      displacement = detail::moved_displacement(*all, rank, displacement);
    }
  }
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

/// True if making the target may throw.
template <class Arguments>
inline constexpr bool checks_target = detail::checked<Arguments, checks::normal>;

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
      !detail::pack_fails<adapter> && !counts_elements<Arguments> && !checks_target<Arguments>;
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
}  // namespace operations
}  // namespace mpiglot
