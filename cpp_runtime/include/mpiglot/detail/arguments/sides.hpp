// The two sides of an operation: what a rank sends and what it receives, each a port with what the
// program says about it (counts, datatypes, displacements).

#pragma once

#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/arguments/placed_parts.hpp>
#include <mpiglot/detail/arguments/results.hpp>
#include <mpiglot/mpi/constants.hpp>

namespace mpiglot::detail {

/// Whether packing can throw.
template <class Port>
inline constexpr bool pack_fails = !noexcept(std::declval<Port&>().pack());
/// Whether making room can fail in another way than memory that runs out.
template <class Port>
inline constexpr bool place_fails = true;
template <class Port>
  requires requires { Port::place_fails; }
inline constexpr bool place_fails<Port> = Port::place_fails;

/// What MPI is told of a buffer: its own count and datatype, or those that the program gives.
template <class CountKey, class TypeKey, class Arguments>
[[nodiscard]] constexpr lent as_told(Arguments& given, lent memory) noexcept {
  if constexpr (Arguments::template has<CountKey>)
    memory.count = given.template get<CountKey>().value;
  if constexpr (Arguments::template has<TypeKey>) memory.type = given.template get<TypeKey>().value;
  return memory;
}

template <class Arguments, form Form>
using source_of = port_of<parameter_of<Arguments, send_key<Arguments>>, Form>;

/// Remembers nothing where nothing can fail.
struct never {
  constexpr operator bool() const noexcept { return false; }
  constexpr never& operator=(bool) noexcept { return *this; }
};

/// What a rank sends. After a failure of `pack` it tells `poison` as its length and lends nothing,
/// unless it lends the same number of bytes whatever happens. Where no length travels, it sends
/// what is `expected` all the same.
template <class Arguments, form Form>
class sender {
 public:
  using port = source_of<Arguments, Form>;
  using wire = typename port::wire;
  static constexpr bool owning = port::owning;
  static constexpr bool agreed = port::agreed;
  static constexpr bool uniform = port::uniform;
  static constexpr bool movable = port::movable;
  static constexpr bool divides = port::divides;
  static constexpr bool has_parts = detail::has_parts<port>;
  static constexpr bool counted = Arguments::template has<keys::send_count>;
  static constexpr bool fails = pack_fails<port> || counted;

  explicit sender(Arguments& given)
      : port_(detail::open<port>(given.template get<send_key<Arguments>>())) {}

  [[nodiscard]] port& buffer() noexcept { return port_; }

  template <class Failure>
  void pack(Failure& failure, Arguments& given) {
    if constexpr (fails)
      failed_ = !failure.attempt([&] {
        port_.pack();
        if constexpr (counted) {
          const count_t count = given.template get<keys::send_count>().value;
          if (!can_be_meant<wire>(count)) [[unlikely]]
            refuse_count();
          if constexpr (!Arguments::template has<keys::send_type>)
            require_room(port_.length(), count);
        }
      });
    else
      port_.pack();
  }

  /// Packs one part for each rank.
  template <class Failure, class Parts>
  void pack_parts(Failure& failure, Parts& parts) {
    failed_ = !failure.attempt([&] { port_.pack_parts(parts); });
    if (!failed_ || agreed) return;
    for (std::size_t i = 0; i < parts.size(); ++i) parts.set_length(i, poison);
  }

  [[nodiscard]] count_t length(Arguments& given) const noexcept {
    if (!lends_always && failed_) [[unlikely]]
      return poison;
    if constexpr (counted) return given.template get<keys::send_count>().value;
    return port_.length();
  }
  [[nodiscard]] lent out(Arguments& given) {
    if (!lends_always && failed_) [[unlikely]]
      return {nullptr, 0, datatype_of<wire>()};
    return as_told<keys::send_count, keys::send_type>(given, port_.out());
  }

  /// How many elements the others count on, whatever failed here.
  [[nodiscard]] count_t expected(Arguments& given) const noexcept {
    if constexpr (counted)
      if (const count_t count = given.template get<keys::send_count>().value;
          can_be_meant<wire>(count)) [[likely]]
        return count;
    return port_.length();
  }
  /// As many, zeros after a failure.
  template <class Failure>
  [[nodiscard]] lent out_expected(Failure& failure, Arguments& given) {
    if (!lends_always && failed_) [[unlikely]]
      return zeros(failure, expected(given));
    return as_told<keys::send_count, keys::send_type>(given, port_.out());
  }
  template <class Failure>
  [[nodiscard]] static lent zeros(Failure& failure, count_t n) {
    return {failure.stand_in(static_cast<std::size_t>(n) * sizeof(wire)), n, datatype_of<wire>()};
  }

  [[nodiscard]] auto take() { return port_.take(); }

 private:
  static constexpr bool lends_always = (port::fixed || port::agreed) && !counted;

  port port_;
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
};

/// What an operation receives into when no buffer is given: a `Default`, which is part of the
/// result; and what it receives into otherwise.
template <class Arguments, class Default, form Form>
struct sink_of {
  using port = mpiglot::port<Default, Form, resize_to_fit>;

  // A default that is bounded takes the limit of what it stands for.
  template <class Source>
  [[nodiscard]] static port open(Arguments&, Source& source) {
    if constexpr (requires { source.buffer().limit(); })
      return port(Default{{}, source.buffer().limit()});
    else
      return port(Default{});
  }
};

template <class Arguments, class Default, form Form>
  requires(Arguments::template has<recv_key<Arguments>>)
struct sink_of<Arguments, Default, Form> {
  using port = port_of<parameter_of<Arguments, recv_key<Arguments>>, Form>;

  template <class Source>
  [[nodiscard]] static port open(Arguments& given, Source&) {
    return detail::open<port>(given.template get<recv_key<Arguments>>());
  }
};

/// What a rank receives. After a failure of `place` it receives into scratch memory.
template <class Sink, class Arguments, class Failure>
class receiver {
 public:
  using port = typename Sink::port;
  using wire = typename port::wire;
  static constexpr bool owning = port::owning;
  static constexpr bool movable = port::movable;
  static constexpr bool fixed = port::fixed;

  template <class Source>
  receiver(Arguments& given, Source& source) : port_(Sink::open(given, source)) {}

  [[nodiscard]] port& buffer() noexcept { return port_; }
  [[nodiscard]] count_t room() const noexcept { return port_.room(); }

  void place(Failure& failure, count_t n) {
    if constexpr (Failure::possible && place_fails<port>) {
      if (!failure.attempt([&] { port_.place(n); })) [[unlikely]] {
        failure.make_scratch(static_cast<std::size_t>(n) * sizeof(wire));
        unplaced_ = true;
      }
    } else {
      failure.attempt([&] { port_.place(n); });
    }
  }

  [[nodiscard]] lent in(const Failure& failure, Arguments& given, count_t n) {
    if constexpr (Failure::possible && place_fails<port>)
      if (unplaced_) [[unlikely]]
        return {failure.scratch(), n, datatype_of<wire>()};
    lent memory = port_.in(n);
    if constexpr (Arguments::template has<keys::recv_type>)
      memory.type = given.template get<keys::recv_type>().value;
    return memory;
  }

  [[nodiscard]] auto take() { return port_.take(); }

 private:
  port port_;
  [[no_unique_address]] std::conditional_t<Failure::possible && place_fails<port>, bool, never>
      unplaced_{};
};

/// The counts and displacements of one side, given as `CountsKey` and `DisplsKey` or computed.
/// `given`: the program gives them; `placed`: it gives displacements alone.
template <class Arguments, class CountsKey, class DisplsKey>
struct parts_of {
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
      return placed_parts<displs_type>(static_cast<std::size_t>(size), array<DisplsKey>(arguments));
    else if constexpr (!given)
      return parts(static_cast<std::size_t>(size));
    else if constexpr (lendable<counts_type, displs_type>)
      return given_parts<counts_type, displs_type>(array<CountsKey>(arguments),
                                                   array<DisplsKey>(arguments));
    else
      return copied_parts<displs_type>(array<CountsKey>(arguments), array<DisplsKey>(arguments));
  }
  using type = decltype(open(std::declval<Arguments&>(), 0));
};

/// Throws unless arrays that the program gives have one element for each of `ranks`, which
/// describe parts of a buffer.
template <class Parts>
void require_parts(const Parts& table, std::size_t ranks) {
  if constexpr (requires { table.are_for(ranks); }) {
    if (!table.are_for(ranks)) [[unlikely]]
      refuse_counts("counts and displacements need one element for each rank");
    if (table.any_negative()) [[unlikely]]
      refuse_counts("a count is negative, or a displacement before the buffer");
  }
}

}  // namespace mpiglot::detail
