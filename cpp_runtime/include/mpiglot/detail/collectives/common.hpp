// What the collective operations share: who sends in place, how many parts there are, which checks.

#pragma once

#include <mpiglot/detail/arguments/agreeing.hpp>
#include <mpiglot/detail/engine/engine.hpp>
#include <mpiglot/detail/merged/slot_header.hpp>
#include <mpiglot/detail/merged/vector_variants.hpp>
#include <mpiglot/detail/views/layout.hpp>

namespace mpiglot::wrong_call {

template <class Parameter, class Operation>
struct elements_are_divided_without_a_limit_give_no_at_most {};
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
/// What is wrong with a limit of elements that are divided into parts: only coded items have one each.
template <class Adapter, class Key, class Operation>
using complaint_about_limit = std::conditional_t<
    has_limit<Adapter> && !Adapter::divides,
    wrong_call::elements_are_divided_without_a_limit_give_no_at_most<Key, Operation>,
    nothing_wrong>;

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
/// Memory that every processor reaches: arrays, and what has taken it from `std::allocator`. A span may
/// lie in a device.
template <class T>
concept from_usual_allocator = requires {
  requires __is_same(typename T::allocator_type, std::allocator<typename T::value_type>);
};
template <class T>
concept holds_its_elements =
    requires { requires sizeof(T) == std::tuple_size<T>::value * sizeof(typename T::value_type); };
template <class T>
inline constexpr bool in_host_memory =
    std::is_array_v<T> || holds_its_elements<T> || from_usual_allocator<T>;

/// Whether data that came by a count is looked at where the program gave its memory: in calls whose buffer
/// fits, nothing else need be kept until then.
template <class Arguments, class Buffer, class Adapter>
inline constexpr bool looks_at_given =
    checked<Arguments, checks::light> && in_host_memory<std::remove_cvref_t<Buffer>> &&
    lies_as_it_travels<Arguments, Buffer, Adapter>;
/// Whether its beginning is looked at: it may be what the root tells instead. Only where the root may tell:
/// in blocking forms.
template <class Io, class Arguments, class Buffer, class Adapter>
inline constexpr bool checks_data =
    Io::blocking &&
    (looks_at_given<Arguments, Buffer, Adapter> ||
     (checked<Arguments, checks::normal> && lies_as_it_travels<Arguments, Buffer, Adapter>));
/// Whether `count` elements fit; if what is given is looked at, also whether there are any.
template <bool Looks, class Wire>
[[nodiscard, gnu::always_inline]] constexpr bool fits_in(std::size_t count,
                                                         std::size_t room) noexcept {
  if constexpr (!Looks) {
    return count <= room;
  } else {
    if constexpr (reach_of_marks<Wire> > 1)
      if (room < reach_of_marks<Wire>) return false;
    return count - 1 < room;
  }
}
template <class Buffer>
[[nodiscard, gnu::always_inline]] inline int look_at_given(const Buffer& given,
                                                           slot_mark mark) noexcept {
  if (!begins_with_mark(std::data(given))) [[likely]]
    return MPI_SUCCESS;
  return merged::look_for_length(std::data(given), std::size(given), sizeof(*std::data(given)),
                                 mark);
}
/// Whether the end of a buffer is looked at, which a shorter message leaves as it is. Only of elements
/// without gaps, which MPI need not write.
template <class Arguments, class Buffer, class Adapter>
inline constexpr bool checks_end = false;
template <class Arguments, class Buffer, class Adapter>
  requires(checked<Arguments, checks::light> && lies_as_it_travels<Arguments, Buffer, Adapter>)
inline constexpr bool checks_end<Arguments, Buffer, Adapter> =
    bytes_say_the_value<typename Adapter::wire>;
/// Whether the processor reaches this memory. Who chooses a level says that it does.
template <class Arguments, class Buffer = void>
[[nodiscard]] bool reaches([[maybe_unused]] const void* memory) noexcept {
  return Arguments::checking != as_asked || in_host_memory<std::remove_cvref_t<Buffer>> ||
         can_be_read(memory);
}
/// The mark at the end: at level `normal`; where that is asked for, if the processor reaches the memory. Forms that do
/// not block have it then in programs that are compiled without NDEBUG.
template <class Arguments>
class end_mark {
  static constexpr bool chosen =
      checked<Arguments, checks::normal> && Arguments::checking != as_asked;
#ifdef NDEBUG
  static constexpr bool may_be_asked = Arguments::checking == as_asked;
#else
  static constexpr bool may_be_asked = !chosen;
#endif

 public:
  template <class Io>
  void write(const lent& memory, std::size_t width, [[maybe_unused]] const group_view& group) {
    if constexpr (chosen)
      mark_end(memory.address, memory.count, width);
    else if constexpr (may_be_asked && (!Io::blocking || Arguments::checking == as_asked))
      written_ = asked_to_look(group) && mark_end_if_reached(memory.address, memory.count, width);
  }
  void require(const lent& memory, std::size_t width) const {
    if (chosen || (may_be_asked && written_)) require_end(memory.address, memory.count, width);
  }

 private:
  [[maybe_unused]] bool written_ = false;
};

/// Whether a state looks by itself whether MPIGLOT_CHECKS asks for the comparison of what ranks give: one
/// whose arguments cannot be copied. Others are compared before they are made (engine.hpp).
template <class Arguments>
inline constexpr bool asks_itself =
    Arguments::checking >= as_asked ||
    (checked<Arguments, checks::light> && !checked<Arguments, checks::communication> &&
     !std::is_trivially_copyable_v<Arguments>);
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

/// Where nothing lies; some MPIs look for an address.
inline std::byte no_neighbor;
/// Calls with both sides of a neighborhood. Of one on which there is nobody it tells as much as of the other: with
/// nothing there Open MPI leaves at once, and neighbors wait (defect neighbor-count-without-neighbors).
template <class Operation, class Io>
[[gnu::always_inline]] inline void call_with_sides(Io io, mpi::comm_handle comm, const lent& out,
                                                   const lent& in, bool no_destinations,
                                                   bool no_sources) {
  const auto call = [&](const lent& sent, void* from, const lent& received, void* to) {
    io(typename Operation::calls(), from, sent.count, sent.type, to, received.count, received.type,
       comm);
  };
  if (no_sources) [[unlikely]]
    return call(out, out.address != nullptr ? out.address : &no_neighbor, out,
                in.address != nullptr ? in.address : &no_neighbor);
  if (no_destinations) [[unlikely]]
    return call(in, out.address != nullptr ? out.address : &no_neighbor, in, in.address);
  call(out, out.address, in, in.address);
}
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

/// The least and the greatest of numbers that must be alike, as ranks find the least in one message.
struct alike {
  static constexpr count_t unknown = __LONG_LONG_MAX__;
  count_t least = unknown;
  count_t least_negated = unknown;

  void add(count_t other) noexcept {
    if (other < least) least = other;
    if (-other < least_negated) least_negated = -other;
  }
  void add(const alike& other) noexcept {
    if (other.least != unknown) add(other.least);
  }
  [[nodiscard]] bool differ() const noexcept { return least != unknown && least != -least_negated; }
};
/// What the views of a call say of their shapes, for each number of dimensions from 2 to 8: numbers
/// that stand for the extents but the outermost, of which a root has more than the others.
struct shapes {
  static constexpr std::size_t kinds = 7;
  alike of[kinds];

  template <class Adapter>
  void add(const Adapter& adapter) noexcept {
    const auto [dimensions, inner] = adapter.shape();
    if (dimensions >= 2 && dimensions < 2 + kinds) of[dimensions - 2].add(inner);
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
/// Whether elements are sent from where they are received, as far as ranks must agree about it. With a root
/// that is its own business.
enum class in_place_as { any, beside, placed };
template <class Operation, bool Placed>
inline constexpr in_place_as place_of_elements =
    is_rooted<Operation> || !sees_all<Operation> ? in_place_as::any
    : Placed                                     ? in_place_as::placed
                                                 : in_place_as::beside;
template <class Operation, class State>
[[nodiscard]] constexpr in_place_as place_of_elements_in() noexcept {
  if constexpr (requires { State::placed; })
    return place_of_elements<Operation, State::placed>;
  else
    return in_place_as::any;
}

/// A number for the elements of MPI that a datatype consists of, whatever their order and places; 0 if that
/// is not known. Datatypes of which one has twice the elements of the other have numbers of which one is twice
/// the other, so that lengths in units of different datatypes can be compared.
[[nodiscard]] count_t signature_of(mpi::datatype_handle type);
/// So many of these units.
[[nodiscard]] inline count_t weighed(count_t n, count_t unit) noexcept {
  return static_cast<count_t>(static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(unit) &
                              ~std::uint64_t{0} >> 3U);
}
/// Whether the program says in which datatype the elements of an adapter travel.
template <class Arguments, class Adapter, class TypeKey>
inline constexpr bool given_type =
    Arguments::template has<TypeKey> || std::is_void_v<typename elements_of<Adapter>::type>;
/// The datatype of the elements of an adapter as a number, `signature_of`; 0 where its bytes are not they.
template <class Arguments, class TypeKey, class Adapter>
[[nodiscard]] count_t unit_of([[maybe_unused]] Arguments& given,
                              [[maybe_unused]] const Adapter& adapter) {
  if constexpr (is_encoded<Adapter>)
    return 0;
  else if constexpr (Arguments::template has<TypeKey>)
    return signature_of(given.template get<TypeKey>().value);
  else if constexpr (requires { adapter.type(); })
    return signature_of(adapter.type());
  else if constexpr (requires {
                       requires !std::is_void_v<typename elements_of<Adapter>::type>;
                       datatype_of<typename Adapter::wire>();
                     })
    return signature_of(datatype_of<typename Adapter::wire>());
  else
    return 0;
}
/// What is sent to each rank, and what is expected from each, in units that all ranks share.
template <class Arguments, class TypeKey, class Adapter>
[[nodiscard]] alike weight_of(Arguments& given, const Adapter& adapter, count_t n) {
  alike found;
  if (n != any_length)
    if (const count_t unit = unit_of<Arguments, TypeKey>(given, adapter); unit != 0)
      found.add(weighed(n, unit));
  return found;
}

/// What ranks compare that is known when a call is compiled.
struct compared_facts {
  count_t form;  // a number for the operation in its form, "ibcast" for example
  count_t elements = unknown_elements;
  in_place_as in_place = in_place_as::any;
  const char* what_differs = "";  // of the two numbers of `given_alike`
};
/// A number for a text.
[[nodiscard]] consteval count_t mark_of_text(const char* text) {
  count_t mark = 0;
  for (; *text != 0; ++text) mark = (mark * 131 + *text) % 1000000007;
  return mark;
}
template <class Io, class State>
inline constexpr compared_facts form_alone{mark_of_text(form_name<State, Io>.text)};

/// What all ranks of a call must give alike.
struct given_alike {
  const compared_facts* known;
  count_t first = 0;  // a root for example, and a length or `any_length`
  count_t second = 0;
  alike weight = {};  // of what is sent to each
  count_t combined_by = 0;
  const shapes* views = nullptr;
  lengths_travel_by lengths = lengths_travel_by::nothing;
  bool lacks = false;  // what this rank needs to take part
};

/// The order in which the call that this thread makes goes through elements, as a number: that of a traverser
/// of layouts. 0: another call.
inline thread_local constinit count_t traversed_by = 0;
/// Says so while it lives.
class traversing {
 public:
  explicit traversing(count_t mark) noexcept { traversed_by = mark; }
  traversing(const traversing&) = delete;
  traversing& operator=(const traversing&) = delete;
  ~traversing() { traversed_by = 0; }
};
/// Throws on all ranks unless all give the same. One message (level `communication`). If a rank lacks what
/// it needs to take part, the others throw `remote_failure`.
void require_agreement(const group_view& group, const given_alike& mine);
/// The same of the buffers that take part on this rank. One that lacks memory, or is a view that
/// cannot be used, throws why.
template <class Io, class Operation, class State, class Adapter>
inline constexpr compared_facts facts_of{
    mark_of_text(form_name<State, Io>.text),
    agreed_elements<std::remove_cvref_t<decltype(std::declval<State&>().arguments)>, Adapter>,
    place_of_elements_in<Operation, State>(), State::what_differs};
template <class Io, class Operation, class State, class Source, class Received>
void require_agreement_of(State& state, Source& source, Received& received, count_t first,
                          count_t second, const alike& sent_to_each = {}) {
  using known = std::remove_cvref_t<decltype(received.buffer())>;
  given_alike mine{&facts_of<Io, Operation, State, known>, first, second, sent_to_each};
  const char* fault = nullptr;
  shapes views;
  const auto add = [&](const auto& adapter) {
    if constexpr (requires { adapter.fault(); })
      if (fault == nullptr) fault = adapter.fault();
    mine.lacks = mine.lacks || lacks_memory(adapter) || fault != nullptr;
    if constexpr (requires { adapter.shape(); }) {
      views.add(adapter);
      mine.views = &views;
    }
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
  if constexpr (requires { state.op; }) mine.combined_by = mark_of_operation(state.op);
  mine.lengths = way_of_lengths(state);
  require_agreement(state.group, mine);
  if (!mine.lacks) [[likely]]
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

/// What fails where room is made between two messages, for an operation that may have them.
template <bool Possible>
struct parked_of {
  using type = absent;
};
#if defined(__cpp_exceptions)
template <>
struct parked_of<true> {
  using type = kept_failure::parked;
};
#endif
template <bool Possible>
using parked_if = typename parked_of<Possible>::type;
/// In the place of the first rank that failed: none did, or this one had no room between two messages.
inline constexpr int nobody_failed = -1;
inline constexpr int failed_to_place = -2;
template <class State>
concept parks = requires(State& state) { state.parked.rethrow(); };

/// The first rank that failed, unless this one has a reason of its own to throw.
template <class State>
void take_failed(State& state, int rank) noexcept {
  if (rank >= 0) [[unlikely]]
    if (state.failed != failed_to_place) state.failed = rank;
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
#if defined(__cpp_exceptions)
    if constexpr (parks<State>) {
      try {
        self.received.place(self.failure, all);
      } catch (...) {
        self.parked = kept_failure::park(all, sizeof(wire));
        self.failed = failed_to_place;
        return {{self.parked.scratch(), all, datatype_of<wire>()}, true};
      }
    } else {
      self.received.place(self.failure, all);
    }
#else
    self.received.place(self.failure, all);
#endif
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
    if (State::merges ? failed != nobody_failed : failed >= 0) [[unlikely]] {
      if constexpr (parks<State>)
        if (failed == failed_to_place) state.parked.rethrow();
      tell_remote_failure(failed);
    }
  }
}

}  // namespace mpiglot::detail
