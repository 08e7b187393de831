// What a `buffer_adapter` must have, member by member, so that a missing one is one error that names
// it. docs/guide/buffers.md is the guide.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/arguments/names.hpp>

namespace mpiglot::wrong_call {

template <class Member, class Buffer, class Operation>
struct buffer_adapter_lacks_member {};

}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

/// Stands for any layout.
struct any_layout {
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] count_t length(std::size_t) const noexcept;
  [[nodiscard]] count_t displacement(std::size_t) const noexcept;
  [[nodiscard]] count_t extent() const noexcept;
  [[nodiscard]] bool is_from_nobody(std::size_t) const noexcept;
  void set_length(std::size_t, count_t) noexcept;
};

template <class T>
concept a_number = std::is_integral_v<std::remove_cvref_t<T>>;
template <class T>
concept a_loan = std::is_same_v<std::remove_cvref_t<T>, lent>;

}  // namespace mpiglot::detail

/// The members of a `buffer_adapter`, as compilers name one that is missing or has another signature:
/// types, constants (`static constexpr bool`), then functions. `is_in` asks whether `Adapter` has it.
namespace mpiglot::adapter_member {

struct wire {
  template <class Adapter, class>
  static constexpr bool is_in = requires { typename Adapter::wire; };
};
struct gathered {
  template <class Adapter, class>
  static constexpr bool is_in = requires { typename Adapter::gathered; };
};
struct part {
  template <class Adapter, class>
  static constexpr bool is_in = requires { typename Adapter::part; };
};

struct fixed {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::fixed>(); };
};
struct agreed {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::agreed>(); };
};
struct uniform {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::uniform>(); };
};
struct divides {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::divides>(); };
};
struct writable {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::writable>(); };
};
struct owning {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::owning>(); };
};
struct movable {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::movable>(); };
};
struct learns_length {
  template <class Adapter, class>
  static constexpr bool is_in = requires { std::bool_constant<Adapter::learns_length>(); };
};

/// `explicit buffer_adapter(Buffer&& buffer)`
struct constructor {
  template <class Adapter, class Buffer>
  static constexpr bool is_in =
      requires(Buffer&& buffer) { Adapter(static_cast<Buffer&&>(buffer)); };
};
/// Only if `movable`.
struct move_constructor {
  template <class Adapter, class>
  static constexpr bool is_in = !Adapter::movable || std::is_move_constructible_v<Adapter>;
};
/// `Buffer take()`, only if `owning`.
struct take {
  template <class Adapter, class>
  static constexpr bool is_in = !Adapter::owning || requires(Adapter& adapter) { adapter.take(); };
};

/// `void pack()`
struct pack {
  template <class Adapter, class>
  static constexpr bool is_in = requires(Adapter& adapter) { adapter.pack(); };
};
/// `count_t length() const`
struct length {
  template <class Adapter, class>
  static constexpr bool is_in = requires(const Adapter& adapter) {
    { adapter.length() } -> detail::a_number;
  };
};
/// `lent out()`
struct out {
  template <class Adapter, class>
  static constexpr bool is_in = requires(Adapter& adapter) {
    { adapter.out() } -> detail::a_loan;
  };
};
/// `template <class Layout> void pack_parts(Layout& layout)`, only if `divides`.
struct pack_parts {
  template <class Adapter, class>
  static constexpr bool is_in =
      !Adapter::divides ||
      requires(Adapter& adapter, detail::any_layout& layout) { adapter.pack_parts(layout); };
};

/// `count_t room() const`
struct room {
  template <class Adapter, class>
  static constexpr bool is_in = requires(const Adapter& adapter) {
    { adapter.room() } -> detail::a_number;
  };
};
/// `void place(count_t n)`
struct place {
  template <class Adapter, class>
  static constexpr bool is_in = requires(Adapter& adapter, count_t n) { adapter.place(n); };
};
/// `lent in(count_t n)`
struct in {
  template <class Adapter, class>
  static constexpr bool is_in = requires(Adapter& adapter, count_t n) {
    { adapter.in(n) } -> detail::a_loan;
  };
};
/// `void unpack(count_t n)`
struct unpack {
  template <class Adapter, class>
  static constexpr bool is_in = requires(Adapter& adapter, count_t n) { adapter.unpack(n); };
};
/// `template <class Layout> void unpack_parts(const Layout& layout)`
struct unpack_parts {
  template <class Adapter, class>
  static constexpr bool is_in = requires(Adapter& adapter, const detail::any_layout& layout) {
    adapter.unpack_parts(layout);
  };
};

/// None is missing.
struct none {
  template <class, class>
  static constexpr bool is_in = false;
};

}  // namespace mpiglot::adapter_member

namespace mpiglot::detail {

/// The first of these members that an adapter lacks.
template <class Adapter, class Buffer, class First, class... Rest>
struct first_missing_of : first_missing_of<Adapter, Buffer, Rest...> {};
template <class Adapter, class Buffer, class First, class... Rest>
  requires(!First::template is_in<Adapter, Buffer>)
struct first_missing_of<Adapter, Buffer, First, Rest...> {
  using type = First;
};

template <class Adapter, class Buffer, class... Members>
using missing_among =
    typename first_missing_of<Adapter, Buffer, Members..., adapter_member::none>::type;

template <class Adapter, class Buffer>
using missing_always =
    missing_among<Adapter, Buffer, adapter_member::wire, adapter_member::gathered,
                  adapter_member::part, adapter_member::fixed, adapter_member::agreed,
                  adapter_member::uniform, adapter_member::divides, adapter_member::writable,
                  adapter_member::owning, adapter_member::movable, adapter_member::learns_length,
                  adapter_member::constructor, adapter_member::move_constructor,
                  adapter_member::take>;
template <class Adapter, class Buffer>
using missing_to_send = missing_among<Adapter, Buffer, adapter_member::pack, adapter_member::length,
                                      adapter_member::out, adapter_member::pack_parts>;
template <class Adapter, class Buffer>
using missing_to_receive =
    missing_among<Adapter, Buffer, adapter_member::room, adapter_member::place, adapter_member::in,
                  adapter_member::unpack, adapter_member::unpack_parts>;

template <class Adapter, class Buffer, bool Sent, bool Received>
[[nodiscard]] consteval auto missing_in_adapter() {
  using always = missing_always<Adapter, Buffer>;
  if constexpr (!__is_same(always, adapter_member::none)) {
    return always();
  } else if constexpr (Sent && !__is_same(missing_to_send<Adapter, Buffer>, adapter_member::none)) {
    return missing_to_send<Adapter, Buffer>();
  } else if constexpr (Received && Adapter::writable) {
    return missing_to_receive<Adapter, Buffer>();
  } else {
    return adapter_member::none();
  }
}

/// The buffer that another kind is put around: at_most(bytes, x).
template <class Buffer>
struct wrapped {
  using type = void;
};

/// The first member that the adapter for `Buffer` lacks for what is done with it, or `none`. Those of
/// this library lack none: they say `is_complete`, and tests check it.
template <class Buffer, bool Sent, bool Received>
[[nodiscard]] consteval auto missing_member() {
  using inner = typename wrapped<std::remove_cvref_t<Buffer>>::type;
  if constexpr (!std::is_void_v<inner>) {
    return missing_member<inner, Sent, Received>();
  } else {
    using adapter = buffer_adapter<Buffer, form::elements, resize_policy::automatic>;
    if constexpr (!buffer<Buffer> || requires { typename adapter::is_complete; })
      return adapter_member::none();
    else
      return missing_in_adapter<adapter, Buffer, Sent, Received>();
  }
}

}  // namespace mpiglot::detail
