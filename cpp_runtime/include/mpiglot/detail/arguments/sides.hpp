// The two sides of an operation: what a rank sends and what it receives, each an adapter with what
// the program says about it (counts, datatypes, displacements).

#pragma once

#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/arguments/displaced_layout.hpp>
#include <mpiglot/detail/arguments/results.hpp>
#include <mpiglot/mpi/constants.hpp>

namespace mpiglot::detail {

/// Whether packing can throw.
template <class Adapter>
inline constexpr bool pack_fails = !noexcept(std::declval<Adapter&>().pack());
/// Whether making room can fail in another way than memory that runs out.
template <class Adapter>
inline constexpr bool place_fails = true;
template <class Adapter>
  requires requires { Adapter::place_fails; }
inline constexpr bool place_fails<Adapter> = Adapter::place_fails;

/// Who deals with room that cannot be made: the receiving side, or, if only memory can be missing, code behind
/// it that takes part in what is left and throws on.
enum class short_of_memory { here, behind };
template <class Adapter, short_of_memory Where>
inline constexpr bool keeps_place_failure = place_fails<Adapter> || Where == short_of_memory::here;

/// What MPI is told of a buffer: its own count and datatype, or those that the program gives.
template <class CountKey, class TypeKey, class Arguments>
[[nodiscard]] constexpr lent as_told(Arguments& given, lent memory) noexcept {
  if constexpr (Arguments::template has<CountKey>)
    memory.count = given.template get<CountKey>().value;
  if constexpr (Arguments::template has<TypeKey>) memory.type = given.template get<TypeKey>().value;
  return memory;
}

/// An adapter that lends its elements as one of a datatype must be told how many of them take part,
/// and of which datatype each is: `narrow(count, type)`.
template <class Adapter>
concept narrows = requires(Adapter& adapter, count_t n, mpi::datatype_handle type) {
  adapter.narrow(n, type);
  adapter.described();
};
/// Whether what an adapter lends is one element of a datatype, which says all that there is to say.
template <class Adapter>
[[nodiscard]] constexpr bool is_described([[maybe_unused]] const Adapter& adapter) noexcept {
  if constexpr (narrows<Adapter>)
    return adapter.described();
  else
    return false;
}
/// Receives into all the room that a buffer has. Throws if nothing can be received into it.
template <class Adapter>
void place_all([[maybe_unused]] Adapter& adapter) {
  if constexpr (narrows<Adapter>) adapter.place(adapter.room());
}

/// An adapter with memory of its own, allocated before the call, which may be missing. It is asked
/// before it is packed or lent; `reserve` throws where nothing can be received without it.
template <class Adapter>
concept needs_memory = requires(Adapter& adapter) {
  adapter.reserve();
  adapter.lacks_memory();
};
template <class Adapter>
[[nodiscard]] constexpr bool lacks_memory([[maybe_unused]] const Adapter& adapter) noexcept {
  if constexpr (needs_memory<Adapter>)
    return adapter.lacks_memory();
  else
    return false;
}

/// Each byte of what is sent by a rank that lacks memory: zero, or `poison` where a header says it.
template <class Adapter>
inline constexpr int stand_in_byte = 0;
template <class Adapter>
  requires requires(Adapter& adapter) { adapter.limit(); }
inline constexpr int stand_in_byte<Adapter> = static_cast<int>(poison);

template <class Arguments, form Form>
using source_of = adapter_of<parameter_of<Arguments, send_key<Arguments>>, Form>;

/// Remembers nothing where nothing can fail.
struct never {
  constexpr operator bool() const noexcept { return false; }
  constexpr never& operator=(bool) noexcept { return *this; }
};

/// What a rank sends. After a failure of `pack` it tells `poison` as its length and lends nothing,
/// unless it lends the same number of bytes whatever happens. Where no length travels, it sends
/// what is `expected` all the same.
template <class Arguments, form Form, class Adapter = source_of<Arguments, Form>>
class sender {
 public:
  using adapter = Adapter;
  using wire = typename adapter::wire;
  static constexpr bool owning = adapter::owning;
  static constexpr bool agreed = adapter::agreed;
  static constexpr bool uniform = adapter::uniform;
  static constexpr bool movable = adapter::movable;
  static constexpr bool divides = adapter::divides;
  static constexpr bool has_parts = detail::has_parts<adapter>;
  static constexpr bool counted = Arguments::template has<keys::send_count>;
  static constexpr bool fails = pack_fails<adapter> || counted;

  explicit sender(Arguments& given)
      : adapter_(detail::open<adapter>(given.template get<send_key<Arguments>>())) {
    if constexpr (tells_types<Arguments> && requires { adapter_.tell_type(); })
      adapter_.tell_type();
  }

  [[nodiscard]] adapter& buffer() noexcept { return adapter_; }
  [[nodiscard]] bool keeps_memory() const noexcept { return detail::keeps_memory(adapter_); }

  template <class Failure>
  void pack(Failure& failure, Arguments& given) {
    if constexpr (fails)
      failed_ = !failure.attempt([&] {
        adapter_.pack();
        if constexpr (counted) {
          const count_t count = given.template get<keys::send_count>().value;
          if (!can_be_meant<wire>(count)) [[unlikely]]
            refuse_count();
          if constexpr (!Arguments::template has<keys::send_type>)
            require_room(adapter_.length(), count);
        }
        if constexpr (narrows<adapter> && (counted || Arguments::template has<keys::send_type>))
          adapter_.narrow(expected(given),
                          given.template value_or<keys::send_type>(datatype_of<wire>()));
      });
    else
      adapter_.pack();
  }

  /// Packs a view later, or copies it: only where the call gives no count and no datatype.
  template <class Failure>
  void pack_later(Failure& failure, Arguments& given) {
    if constexpr (requires { adapter_.pack_later(); })
      failed_ = !failure.attempt([&] { adapter_.pack_later(); });
    else
      pack(failure, given);
  }

  /// Packs a message. What is sent to nobody (MPI_PROC_NULL) need not be copied.
  template <class Failure>
  void pack_message(Failure& failure, Arguments& given) {
    if constexpr (requires { adapter_.pack_later(); } && !counted &&
                  !Arguments::template has<keys::send_type>)
      if (given.template get<keys::destination>().value == MPI_PROC_NULL)
        return pack_later(failure, given);
    pack(failure, given);
  }

  /// Packs one part for each rank.
  template <class Failure, class Layout>
  void pack_parts(Failure& failure, Layout& layout) {
    failed_ = !failure.attempt([&] { adapter_.pack_parts(layout); });
    if (!failed_ || agreed) return;
    for (std::size_t i = 0; i < layout.size(); ++i) layout.set_length(i, poison);
  }

  [[nodiscard]] count_t length(Arguments& given) const noexcept {
    if (cannot_lend()) [[unlikely]]
      return poison;
    if constexpr (counted) return given.template get<keys::send_count>().value;
    return adapter_.length();
  }
  [[nodiscard]] lent out(Arguments& given) {
    if (cannot_lend()) [[unlikely]]
      return {nullptr, 0, datatype_of<wire>()};
    return told(given);
  }

  /// The same for a receiver that is told no length. A codec of a program may read a value from no bytes:
  /// after a failure its adapter sends what says so. (Part of an element ends the job on MPICH.)
  [[nodiscard]] lent out_or_notice(Arguments& given) {
    if constexpr (requires { adapter::notice(); })
      if (cannot_lend()) [[unlikely]]
        return adapter::notice();
    return out(given);
  }

  /// How many elements the others count on, whatever failed here.
  [[nodiscard]] count_t expected(Arguments& given) const noexcept {
    if constexpr (counted)
      if (const count_t count = given.template get<keys::send_count>().value;
          can_be_meant<wire>(count)) [[likely]]
        return count;
    return adapter_.length();
  }
  /// As many, zeros after a failure.
  template <bool Whole = false, class Failure>
  [[nodiscard]] lent out_expected(Failure& failure, Arguments& given) {
    if (cannot_lend()) [[unlikely]]
      return zeros<Whole>(failure, expected(given));
    return told(given);
  }
  /// What `out` gives, or as many zeros if the memory for that is missing.
  template <class Failure>
  [[nodiscard, gnu::always_inline]] lent out_or_zeros(Failure& failure, Arguments& given,
                                                      count_t n) {
    if (lacks_memory(adapter_)) [[unlikely]]
      return zeros(failure, n);
    return out(given);
  }
  template <bool Whole = false, class Failure>
  [[nodiscard, gnu::always_inline]] static lent zeros(Failure& failure, count_t n) {
    const auto elements = static_cast<std::size_t>(n);
    // One datatype where memory is not short is known to the compiler, which saves instructions.
    if constexpr (Whole || !needs_memory<adapter>) {
      return {failure.whole_stand_in(elements, sizeof(wire)), n, datatype_of<wire>()};
    } else {
      const auto made =
          failure.stand_in(elements, sizeof(wire), datatype_of<wire>(), stand_in_byte<adapter>);
      return {made.address, n, made.type};
    }
  }

  [[nodiscard]] auto take() { return adapter_.take(); }

 private:
  static constexpr bool lends_always = (adapter::fixed || adapter::agreed) && !counted;

  [[nodiscard]] bool cannot_lend() const noexcept {
    return failed_ && (!lends_always || lacks_memory(adapter_));
  }
  [[nodiscard]] lent told(Arguments& given) {
    if (is_described(adapter_)) return adapter_.out();
    return as_told<keys::send_count, keys::send_type>(given, adapter_.out());
  }

  adapter adapter_;
  [[no_unique_address]] std::conditional_t<fails || divides, bool, never> failed_{};
};

/// What a rank sends lies in the receiving buffer already.
template <class Sink>
class placed_sender {
 public:
  using wire = typename Sink::wire;
  static constexpr bool owning = false;
  static constexpr bool agreed = false;
  static constexpr bool uniform = Sink::uniform;
  static constexpr bool movable = true;
  static constexpr bool divides = false;
  static constexpr bool fails = false;

  template <class Arguments>
  explicit placed_sender(Arguments&) noexcept {}
  [[nodiscard]] static constexpr bool keeps_memory() noexcept { return true; }
};

/// What an operation receives into when no buffer is given: a `Default`, which is part of the
/// result; and what it receives into otherwise.
template <class Arguments, class Default, form Form>
struct sink_of {
  using buffer = Default;
  using adapter = mpiglot::buffer_adapter<Default, Form, resize_to_fit>;

  // A default that is bounded takes the limit of what it stands for.
  template <class Source>
  [[nodiscard]] static adapter open(Arguments&, Source& source) {
    if constexpr (requires { source.buffer().limit(); })
      return adapter(Default{{}, source.buffer().limit()});
    else
      return adapter(Default{});
  }
};

template <class Arguments, class Default, form Form>
  requires(Arguments::template has<recv_key<Arguments>>)
struct sink_of<Arguments, Default, Form> {
  using buffer = typename parameter_of<Arguments, recv_key<Arguments>>::type;
  using adapter = adapter_of<parameter_of<Arguments, recv_key<Arguments>>, Form>;

  template <class Source>
  [[nodiscard]] static adapter open(Arguments& given, Source&) {
    return detail::open<adapter>(given.template get<recv_key<Arguments>>());
  }
};

/// What a rank receives. After a failure of `place` it receives into scratch memory.
template <class Sink, class Arguments, class Failure, short_of_memory Where = short_of_memory::here>
class receiver {
 public:
  using adapter = typename Sink::adapter;
  using wire = typename adapter::wire;
  static constexpr bool owning = adapter::owning;
  static constexpr bool movable = adapter::movable;
  static constexpr bool fixed = adapter::fixed;
  static constexpr bool keeps = Failure::possible && keeps_place_failure<adapter, Where>;

  template <class Source>
  receiver(Arguments& given, Source& source) : adapter_(Sink::open(given, source)) {
    if constexpr (tells_types<Arguments> && requires { adapter_.tell_type(); })
      adapter_.tell_type();
    if constexpr (narrows<adapter> && Arguments::template has<keys::recv_type>)
      adapter_.narrow(adapter_.room(), given.template get<keys::recv_type>().value);
  }

  [[nodiscard]] adapter& buffer() noexcept { return adapter_; }
  [[nodiscard]] bool keeps_memory() const noexcept { return detail::keeps_memory(adapter_); }
  [[nodiscard]] count_t room() const noexcept { return adapter_.room(); }

  /// Before lengths travel: whether there is the memory that the adapter needs for itself.
  void reserve([[maybe_unused]] Failure& failure) {
    if constexpr (needs_memory<adapter>) failure.attempt([&] { adapter_.reserve(); });
  }
  /// `Whole`: MPI may read what it has received, to pass it on or to combine it.
  template <bool Whole = false>
  void place(Failure& failure, count_t n) {
    if constexpr (keeps) {
      if (!failure.attempt([&] { adapter_.place(n); })) [[unlikely]]
        make_scratch<Whole>(failure, n);
    } else {
      adapter_.place(n);
    }
  }
  /// What is sent in place lies here. After a failure this is scratch memory with zeros.
  template <bool Whole = false>
  void pack(Failure& failure) {
    if constexpr (Failure::possible && needs_memory<adapter>) {
      if (!failure.attempt([&] { adapter_.pack(); })) [[unlikely]]
        make_scratch<Whole>(failure, adapter_.room());
    } else {
      adapter_.pack();
    }
  }
  [[nodiscard]] lent out(const Failure& failure) {
    if constexpr (keeps)
      if (unplaced_) [[unlikely]]
        return scratch(failure, adapter_.length());
    return adapter_.out();
  }

  [[nodiscard]] lent in(const Failure& failure, Arguments& given, count_t n) {
    if constexpr (keeps)
      if (unplaced_) [[unlikely]]
        return scratch(failure, n);
    lent memory = adapter_.in(n);
    if (is_described(adapter_)) return memory;
    if constexpr (Arguments::template has<keys::recv_type>)
      memory.type = given.template get<keys::recv_type>().value;
    return memory;
  }

  [[nodiscard]] auto take() { return adapter_.take(); }

 private:
  template <bool Whole>
  [[gnu::always_inline]] void make_scratch(Failure& failure, count_t n) {
    const auto elements = static_cast<std::size_t>(n);
    if constexpr (Whole || !needs_memory<adapter>)
      failure.make_whole_scratch(elements, sizeof(wire));
    else
      failure.make_scratch(elements, sizeof(wire), datatype_of<wire>());
    unplaced_ = true;
  }
  [[nodiscard]] static lent scratch(const Failure& failure, count_t n) {
    if constexpr (needs_memory<adapter>)
      return {failure.scratch(), n, failure.scratch_type(datatype_of<wire>())};
    else
      return {failure.scratch(), n, datatype_of<wire>()};
  }

  adapter adapter_;
  [[no_unique_address]] std::conditional_t<keeps, bool, never> unplaced_{};
};

/// The counts and displacements of one side, given as `CountsKey` and `DisplsKey` or computed.
/// `given`: the program gives them; `placed`: it gives displacements alone.
template <class Arguments, class CountsKey, class DisplsKey>
struct layout_of {
  static constexpr bool given = Arguments::template has<CountsKey>;
  static constexpr bool placed = !given && Arguments::template has<DisplsKey>;

  template <class Key>
  struct held {
    using type = absent;
  };
  template <class Key>
    requires(Arguments::template has<Key>)
  struct held<Key> {
    using type = typename parameter_of<Arguments, Key>::type;
  };
  using counts_type = typename held<CountsKey>::type;
  using displs_type = typename held<DisplsKey>::type;
  static constexpr bool movable = survives_moves<counts_type> && survives_moves<displs_type>;
  static constexpr bool keeps_memory = owns_elements<counts_type> && owns_elements<displs_type>;

  template <class Key>
  [[nodiscard]] static constexpr auto array(Arguments& arguments) -> typename held<Key>::type&& {
    using array_type = typename held<Key>::type;
    if constexpr (Arguments::template has<Key>)
      return static_cast<array_type&&>(arguments.template get<Key>().value);
    else
      return static_cast<absent&&>(no_array);
  }

  [[nodiscard]] static auto open(Arguments& arguments, int size) {
    if constexpr (placed)
      return displaced_layout<displs_type>(static_cast<std::size_t>(size),
                                           array<DisplsKey>(arguments));
    else if constexpr (!given)
      return computed_layout(static_cast<std::size_t>(size));
    else if constexpr (lendable<counts_type, displs_type>)
      return given_layout<counts_type, displs_type>(array<CountsKey>(arguments),
                                                    array<DisplsKey>(arguments));
    else
      return copied_layout<displs_type>(array<CountsKey>(arguments), array<DisplsKey>(arguments));
  }
  using type = decltype(open(std::declval<Arguments&>(), 0));
};

/// Arrays of a layout that are compared with the room of a buffer by one look.
template <class Layout>
concept seen_at_once = requires(const Layout& table) { table.lies_in(std::size_t(), count_t()); };

/// Throws unless arrays that the program gives have one element for each of `ranks`, which
/// describe parts of a buffer.
template <class Layout>
void require_layout(const Layout& table, std::size_t ranks) {
  if constexpr (requires { table.are_for(ranks); }) {
    if (!table.are_for(ranks)) [[unlikely]]
      refuse_counts("counts and displacements need one element for each rank");
    if (table.any_negative()) [[unlikely]]
      refuse_counts("a count is negative, or a displacement before the buffer");
  }
}

}  // namespace mpiglot::detail
