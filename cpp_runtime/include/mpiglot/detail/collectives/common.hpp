// What the collective operations share: who sends in place, how many parts there are, which checks.

#pragma once

#include <mpiglot/detail/arguments/agreeing.hpp>
#include <mpiglot/detail/engine/engine.hpp>
#include <mpiglot/detail/merged/vector_variants.hpp>
#include <mpiglot/detail/views/layout.hpp>

namespace mpiglot::wrong_call {

template <class Parameter, class Operation>
struct buffer_is_no_single_value {};
template <class Parameter, class Operation>
struct buffer_is_encoded_give_send_buf_and_recv_buf {};
template <class Parameter, class Operation>
struct encoded_value_is_no_list_with_an_element_for_each_rank {};

}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

template <class Operation>
inline constexpr bool is_rooted = Operation::accepts::template contain<keys::root>;

// The triples of an operation where it needs more than one.
template <class Operation>
struct unequal_calls_of {
  using type = typename Operation::calls;
};
template <class Operation>
  requires requires { typename Operation::unequal_calls; }
struct unequal_calls_of<Operation> {
  using type = typename Operation::unequal_calls;
};
template <class Operation>
using unequal_calls = typename unequal_calls_of<Operation>::type;
template <class Operation>
using lengths_by = typename Operation::lengths_by;

/// Whether a buffer has a limit (at_most.hpp), and whether its bytes are not its elements.
template <class Adapter>
concept has_limit = requires(Adapter& adapter) { adapter.limit(); };
template <class Adapter>
inline constexpr bool is_encoded = Adapter::divides || has_limit<Adapter>;

/// In place a rank's part lies among the others, which parts of encoded buffers do not.
template <class Arguments, class Adapter, class Operation>
using complaint_in_place = std::conditional_t<
    in_place<Arguments> && is_encoded<Adapter>,
    wrong_call::buffer_is_encoded_give_send_buf_and_recv_buf<keys::send_recv_buf, Operation>,
    nothing_wrong>;
template <class Sink, class Arguments, class Operation>
using complaint_of_parts =
    std::conditional_t<takes_parts<typename Sink::adapter>,
                       complaint_in_place<Arguments, typename Sink::adapter, Operation>,
                       wrong_call::encoded_value_is_no_list_with_an_element_for_each_rank<
                           recv_key<Arguments>, Operation>>;

/// What is sent is what is received, unless it is received in place.
template <class Operation, class Arguments, class Source, class Sink>
struct complaint_between {
  using type = typename first_complaint<
      complaint_of_elements<Operation, Arguments, typename Source::adapter, typename Sink::adapter>,
      complaint_of_resizing<Operation, typename Sink::adapter>>::type;
};
template <class Operation, class Arguments, class Source, class Sink>
  requires in_place<Arguments>
struct complaint_between<Operation, Arguments, Source, Sink> {
  using type = nothing_wrong;
};

/// The sending side of an operation that may be in place.
template <class Arguments, form Form>
struct sending_of {
  using type = sender<Arguments, Form>;
  using gathered = typename type::adapter::gathered;
  using part = typename type::adapter::part;
};
template <class Arguments, form Form>
  requires in_place<Arguments>
struct sending_of<Arguments, Form> {
  using type =
      placed_sender<adapter_of<parameter_of<Arguments, keys::send_recv_buf>, form::elements>>;
  using gathered = absent;
  using part = absent;
};

// What a rank gets when parts of such a buffer are exchanged.
template <class Message>
struct exchanged {
  using type = typename Message::gathered;
};
template <class Message>
  requires requires { typename Message::type::adapter::exchanged; }
struct exchanged<Message> {
  using type = typename Message::type::adapter::exchanged;
};
template <class Message>
using exchanged_t = typename exchanged<Message>::type;

/// The default buffer of an operation: for one that gives a single value, that value.
template <class Buffer>
struct single_of {
  using type = Buffer;
};
template <class Element>
struct single_of<std::vector<Element>> {
  using type = Element;
};
template <class Operation, class Buffer>
struct default_buffer {
  using type = Buffer;
};
template <class Operation, class Buffer>
  requires requires { Operation::single; }
struct default_buffer<Operation, Buffer> : single_of<Buffer> {};
template <class Operation>
inline constexpr bool gives_one_value = requires { requires Operation::single; };
template <class Operation, class Buffer>
using single_or = typename default_buffer<Operation, Buffer>::type;

[[nodiscard]] inline lent lent_in_place() noexcept {
  return {MPI_IN_PLACE, 0, mpi::datatype_handle{MPI_BYTE}};
}

/// Whether nobody looks at the lengths of what arrived: neither the adapter nor the program.
template <class Arguments, class Adapter>
inline constexpr bool lengths_unseen = false;
template <class Arguments, class Adapter>
  requires requires { Adapter::ignores_parts; }
inline constexpr bool lengths_unseen<Arguments, Adapter> =
    !Arguments::template has<keys::recv_counts_out> &&
    !Arguments::template has<keys::recv_displs_out> &&
    !Arguments::template has<keys::recv_displs> && !Arguments::template has<keys::recv_type>;

/// Whether a rank deals with all others, not with neighbors only.
template <class Operation>
inline constexpr bool sees_all = !requires { Operation::neighbors; };

/// Raw memory counts in units of a datatype that is known at run time.
template <class Adapter>
concept counts_elements = !requires(typename Adapter::gathered& memory) { memory.address; };
/// Whether the part that a rank sends to itself can be compared with what its counts say of it: both
/// are numbers of the same elements.
template <class Arguments, class Source, class Sink>
inline constexpr bool counts_alike =
    __is_same(typename Source::wire, typename Sink::wire) && counts_elements<Source> &&
    counts_elements<Sink> && !Arguments::template has<keys::send_type> &&
    !Arguments::template has<keys::recv_type>;
/// Whether a rank can compare its own part with its counts: it sends from a buffer of its own, and
/// knows which part that is.
template <class Operation, class Arguments, class Sender, class Sink>
inline constexpr bool sees_own_part = false;
template <class Operation, class Arguments, class Sender, class Sink>
  requires(sees_all<Operation> && requires { typename Sender::adapter; })
inline constexpr bool sees_own_part<Operation, Arguments, Sender, Sink> =
    counts_alike<Arguments, typename Sender::adapter, Sink>;
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_own_part() {
  refuse_counts("the count of this rank's own part is not the length of what it sends to itself");
}

/// Whether elements lie in memory as they travel, so that what has arrived can be looked at.
template <class Arguments, class Buffer, class Adapter>
inline constexpr bool lies_as_it_travels = false;
template <class Arguments, class Buffer, class Adapter>
  requires(has_elements<std::remove_reference_t<Buffer>> &&
           !Arguments::template has<keys::recv_type> &&
           !Arguments::template has<keys::send_recv_type>)
inline constexpr bool lies_as_it_travels<Arguments, Buffer, Adapter> =
    !needs_memory<Adapter> && !is_encoded<Adapter> &&
    __is_same(typename Adapter::wire,
              std::remove_cv_t<element_t<std::remove_reference_t<Buffer>>>) &&
    !has_own_datatype<typename Adapter::wire>;
/// Whether the beginning of data that came by a count is looked at: it may be what the root tells
/// instead. Only where the root may tell: in blocking forms.
template <class Io, class Arguments, class Buffer, class Adapter>
inline constexpr bool checks_data = Io::blocking && checked<Arguments, checks::normal> &&
                                    lies_as_it_travels<Arguments, Buffer, Adapter>;
/// Whether the end of a buffer is looked at, which a shorter message leaves as it is. Only of elements
/// without gaps, which MPI need not write.
template <class Arguments, class Buffer, class Adapter>
inline constexpr bool checks_end = false;
template <class Arguments, class Buffer, class Adapter>
  requires(checked<Arguments, checks::normal> && lies_as_it_travels<Arguments, Buffer, Adapter>)
inline constexpr bool checks_end<Arguments, Buffer, Adapter> =
    bytes_say_the_value<typename Adapter::wire>;

/// Whether a state looks by itself whether MPIGLOT_CHECKS asks for the comparison of what ranks give: one
/// whose arguments cannot be copied. Others are compared before they are made (engine.hpp).
template <class Arguments>
inline constexpr bool asks_itself =
    checked<Arguments, checks::light> && !checked<Arguments, checks::communication> &&
    !std::is_trivially_copyable_v<Arguments>;
/// Whether a state compares what ranks give, since its communicator's type or the environment wants it.
template <class Arguments, bool = asks_itself<Arguments>>
struct comparing {
  static constexpr bool possible = checked<Arguments, checks::communication>;
  explicit constexpr comparing(const group_view&) noexcept {}
  static constexpr bool now = possible;
};
template <class Arguments>
struct comparing<Arguments, true> {
  static constexpr bool possible = true;
  explicit comparing(const group_view& group) noexcept : now(asked_to_compare(group)) {}
  bool now;
};

/// How many ranks send to this one.
template <class Operation>
[[nodiscard]] int sources(const group_view& group) {
  if constexpr (requires { Operation::neighbors; })
    return Operation::neighbors(group).sources;
  else
    return group.size;
}
/// How many ranks this one sends to.
template <class Operation>
[[nodiscard]] int destinations(const group_view& group) {
  if constexpr (requires { Operation::neighbors; })
    return Operation::neighbors(group).destinations;
  else
    return group.size;
}

template <class Operation, class Layout>
[[nodiscard, gnu::cold, gnu::noinline]] count_t require_lengths(
    [[maybe_unused]] const group_view& group, Layout& layout) {
  const int missing = layout.require_lengths();
  int expected = 0;
  if constexpr (!sees_all<Operation>)
    if (missing != 0) expected = decltype(Operation::neighbors(group))::missing_sources(group);
  if (missing != expected) refuse_unmarked();
  return layout.sum();
}
/// Reads lengths that arrived alone; gives their sum. Throws `count_error` if data came from a rank, or nothing:
/// beyond the edge of a grid there is MPI_PROC_NULL, which tells no length.
template <class Operation, class Layout>
[[nodiscard]] count_t read_lengths(const group_view& group, Layout& layout) {
  const count_t all = layout.unmark();
  return all >= 0 ? all : require_lengths<Operation>(group, layout);
}

template <class Table, class Layout, bool Deferred = false, class Arguments>
[[nodiscard]] Layout make_layout(Arguments& arguments, int size) {
  if constexpr (Deferred)
    return Layout(static_cast<std::size_t>(size), typename Layout::deferred());
  else if constexpr (__is_same(Layout, equal_layout))
    return {static_cast<std::size_t>(size)};
  else
    return Table::open(arguments, size);
}

/// Whether the library computes displacements or lengths itself, and so can check them at no cost.
template <class Layout>
inline constexpr bool computes_layout = true;
template <class Layout>
  requires requires { Layout::computes; }
inline constexpr bool computes_layout<Layout> = Layout::computes;

/// What the views of a call say of their shapes, for each number of dimensions from 2 to 8: the
/// least and the greatest of the numbers that stand for the extents but the outermost, of which a
/// root has more than the others.
struct shapes {
  static constexpr std::size_t kinds = 7;
  static constexpr count_t none = __LONG_LONG_MAX__;
  count_t least[kinds];
  count_t least_negated[kinds];

  shapes() noexcept {
    for (std::size_t i = 0; i < kinds; ++i) least[i] = least_negated[i] = none;
  }
  template <class Adapter>
  void add([[maybe_unused]] const Adapter& adapter) noexcept {
    if constexpr (requires { adapter.shape(); }) {
      const auto [dimensions, inner] = adapter.shape();
      if (dimensions < 2 || dimensions >= 2 + kinds) return;
      count_t& lower = least[dimensions - 2];
      count_t& upper = least_negated[dimensions - 2];
      if (inner < lower) lower = inner;
      if (-inner < upper) upper = -inner;
    }
  }
};

/// How the lengths of a call travel: not at all where each rank gives its counts or all know them.
enum class lengths_travel_by { nothing, slots, lengths_alone, encoded_bytes };
template <class State>
[[nodiscard]] lengths_travel_by way_of_lengths(const State& state) noexcept {
  if constexpr (requires { requires State::travels_as_bytes; }) {
    return lengths_travel_by::encoded_bytes;
  } else if constexpr (requires { State::merges; }) {
    constexpr auto way =
        State::merges ? lengths_travel_by::slots : lengths_travel_by::lengths_alone;
    if constexpr (requires { requires State::compares_lengths; })
      return state.lengths_travel ? way : lengths_travel_by::nothing;
    else
      return State::one_call ? lengths_travel_by::nothing : way;
  } else {
    return lengths_travel_by::nothing;
  }
}

/// In place of a length, of a rank that takes any.
inline constexpr count_t any_length = -1 - __LONG_LONG_MAX__;
/// Throws on all ranks unless all call the same operation with the same two numbers, a root and a
/// length for example, elements of one type and views of one shape, combine by the same operation, and
/// lengths travel in one way.
/// One message (level `communication`). If a rank lacks what it needs to take part, the others throw
/// `remote_failure`.
void require_agreement(const group_view& group, const char* operation, count_t first,
                       count_t second, const char* what_differs,
                       count_t elements = unknown_elements, bool lacks = false,
                       const shapes& views = {}, lengths_travel_by way = lengths_travel_by::nothing,
                       count_t combined_by = 0);
/// The same of the buffers that take part on this rank. One that lacks memory, or is a view that
/// cannot be used, throws why.
template <class Source, class Received>
void require_agreement_of(auto& state, Source& source, Received& received, count_t first,
                          count_t second, const char* what_differs, count_t elements) {
  bool lacks = false;
  const char* fault = nullptr;
  shapes views;
  const auto add = [&](const auto& adapter) {
    if constexpr (requires { adapter.fault(); })
      if (fault == nullptr) fault = adapter.fault();
    lacks = lacks || lacks_memory(adapter) || fault != nullptr;
    views.add(adapter);
  };
  if constexpr (requires { source.buffer(); }) {
    if constexpr (requires { state.uses_source(); }) {
      if (state.uses_source()) add(source.buffer());
    } else {
      add(source.buffer());
    }
  }
  if constexpr (requires { state.uses_received(); }) {
    if (state.uses_received()) add(received.buffer());
  } else {
    add(received.buffer());
  }
  count_t combined_by = 0;
  if constexpr (requires { state.op; }) combined_by = mark_of_operation(state.op);
  require_agreement(state.group, state.name, first, second, what_differs, elements, lacks, views,
                    way_of_lengths(state), combined_by);
  if (!lacks) [[likely]]
    return;
  state.failure.rethrow();
  if (fault != nullptr) refuse_view(fault);
  refuse_memory();
}

/// Throws unless `rank` is a rank of a group of `size`.
inline void require_rank(int rank, int size) {
  if (rank < 0 || rank >= size) [[unlikely]]
    refuse_argument(MPI_ERR_ROOT, "there is no such rank; ranks are 0 to size() - 1");
}

/// Puts parts whose lengths are known by now where the program says, if it does.
template <class State>
void place_where_told(State& state) {
  if constexpr (requires { state.layout.place(); })
    state.failure.attempt([&] { state.layout.place(); });
}

/// The receiving side of an operation, for code that knows no type.
template <class State>
[[nodiscard]] merged::receiving receiving_of(State& state) {
  using wire = typename decltype(state.received)::wire;
  constexpr auto place = [](void* receiving, count_t all) -> merged::room {
    State& self = *static_cast<State*>(receiving);
    if constexpr (requires { self.layout.place(); }) {
      place_where_told(self);
      all = self.layout.lay_out();
    }
    self.received.place(self.failure, all);
    const lent memory = self.received.in(self.failure, self.arguments, all);
    return {memory, merged::is_plain<wire>(memory)};
  };
  return {&state, place, sizeof(wire)};
}

/// Throws what failed before the last message, here or on a rank that said so.
template <class State>
void throw_failures(State& state) {
  state.failure.rethrow();
  if constexpr (!State::one_call) {
    const int failed = State::merges ? state.failed : state.layout.failed();
    if (failed >= 0) [[unlikely]]
      tell_remote_failure(failed);
  }
}

}  // namespace mpiglot::detail
