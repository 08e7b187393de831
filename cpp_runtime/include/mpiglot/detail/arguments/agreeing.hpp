// The types of the elements that are sent and received, which both sides of an operation must
// mean alike: MPI would put the bytes of one into the other.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/detail/arguments/names.hpp>

namespace mpiglot::wrong_call {

template <class Sent, class Received, class Operation>
struct elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type {};
template <class Element, class Operation>
struct elements_without_default_constructor_cannot_be_made_give_a_recv_buf_that_keeps_its_size {};

}  // namespace mpiglot::wrong_call

namespace mpiglot::detail {

/// The elements of an adapter as they travel. An adapter says `using elements = ...;` where these are
/// not what its `wire` says; void: known at run time alone.
template <class Adapter>
struct elements_of {
  using type = typename Adapter::wire;
};
template <class Adapter>
  requires requires { typename Adapter::elements; }
struct elements_of<Adapter> {
  using type = typename Adapter::elements;
};

/// Of types with one datatype, one of them.
template <class T>
struct one_for_its_datatype {
  using type = T;
};
template <class T>
  requires std::is_enum_v<T>
struct one_for_its_datatype<T> : one_for_its_datatype<std::underlying_type_t<T>> {};
template <>
struct one_for_its_datatype<std::byte> {
  using type = std::byte;
};
template <>
struct one_for_its_datatype<boolean> {
  using type = bool;
};

template <class A, class B>
inline constexpr bool same_elements =
    std::is_void_v<A> || std::is_void_v<B> ||
    std::is_same_v<typename one_for_its_datatype<A>::type, typename one_for_its_datatype<B>::type>;

/// What is wrong if these adapters stand for what is sent and received; nothing where the program
/// gives datatypes.
template <class Operation, class Arguments, class Source, class Sink>
using complaint_of_elements = std::conditional_t<
    Arguments::template has<keys::send_type> || Arguments::template has<keys::recv_type> ||
        same_elements<typename elements_of<Source>::type, typename elements_of<Sink>::type>,
    nothing_wrong,
    wrong_call::elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type<
        typename elements_of<Source>::type, typename elements_of<Sink>::type, Operation>>;

/// What is wrong if a receive buffer that is resized cannot make its elements.
template <class Operation, class Sink>
using complaint_of_resizing = std::conditional_t<
    Sink::fixed || std::is_default_constructible_v<typename Sink::wire>, nothing_wrong,
    wrong_call::
        elements_without_default_constructor_cannot_be_made_give_a_recv_buf_that_keeps_its_size<
            typename Sink::wire, Operation>>;

/// A number for the elements of an adapter, the same on all ranks: their kind and size.
inline constexpr count_t unknown_elements = 0;
template <class Elements>
inline constexpr count_t kind_of_elements = is_complex<Elements>                 ? 1
                                            : std::is_floating_point_v<Elements> ? 2
                                            : __is_same(Elements, bool)          ? 3
                                            : __is_same(Elements, char)          ? 4
                                            : __is_same(Elements, std::byte)     ? 5
                                            : !std::is_integral_v<Elements>      ? 6
                                            : std::is_signed_v<Elements>         ? 7
                                                                                 : 8;
template <class Elements>
struct number_of_elements {
  using one = typename one_for_its_datatype<Elements>::type;
  static constexpr count_t value = kind_of_elements<one> << 32 | count_t{sizeof(one)};
};
template <>
struct number_of_elements<void> {
  static constexpr count_t value = unknown_elements;
};
template <class Elements>
  requires requires { typename Elements::describes_buffer; }
struct number_of_elements<Elements> {  // of at_most
  static constexpr count_t value =
      count_t{1} << 40 | number_of_elements<decltype(Elements::buffer)>::value;
};
/// The same as far as the program gives no datatypes.
template <class Arguments, class Adapter>
inline constexpr count_t agreed_elements =
    Arguments::template has<keys::send_type> || Arguments::template has<keys::recv_type> ||
            Arguments::template has<keys::send_recv_type>
        ? unknown_elements
        : number_of_elements<typename elements_of<Adapter>::type>::value;

/// The first complaint of several.
template <class First, class... Rest>
struct first_complaint {
  using type = First;
};
template <class Second, class... Rest>
struct first_complaint<nothing_wrong, Second, Rest...> : first_complaint<Second, Rest...> {};

}  // namespace mpiglot::detail
