// How the bags of an operation are shared out: which one has the parts of all ranks, where a rank is
// in a grid, and what is wrong with a bag.

#pragma once

#include <mpiglot/layouts/tuple_parts.hpp>
#include <mpiglot/parameters.hpp>

namespace mpiglot::layouts {

namespace wrong_layout {

template <auto Name>
struct parts_differ_name_the_dimension_of_the_receivers_in_alltoall;
struct communicator_of_a_traverser_must_have_a_name;
struct this_is_no_traverser_give_one_of_bags_and_structures;
struct bags_sent_and_received_have_elements_of_different_types;
struct elements_to_receive_into_are_const;
struct elements_of_a_tuple_cannot_be_reduced_fix_a_member;
template <class Key>
struct the_traverser_knows_the_counts;
template <class Key>
struct parameter_missing;
struct scatter_is_not_in_place_give_send_buf_and_recv_buf;
template <auto Name>
struct a_member_of_the_tuple_has_no_dimension_like_that_of_the_rank;

}  // namespace wrong_layout

namespace detail {

/// The axes of which a dimension consists, the major one first.
template <auto Name, std::size_t Root, class L, class S>
[[nodiscard]] constexpr auto components(const axis<Name, Root, L, S>& of) {
  return list<axis<Name, Root, L, S>>{of};
}
template <auto Name, class Major, class Minor>
[[nodiscard]] constexpr auto components(const merged_axis<Name, Major, Minor>& of) {
  return detail::components(of.major) + detail::components(of.minor);
}
template <auto Name, std::size_t Root, class S>
[[nodiscard]] constexpr auto components(const dealt_axis<Name, Root, S>& of) {
  return list<dealt_axis<Name, Root, S>>{of};
}
/// The same space with the dimension `Name` outermost, in its components.
template <auto Name, class Root, class Axes>
[[nodiscard]] constexpr auto rank_first(const mapping<Root, Axes>& of) {
  return mapping{
      of.root, detail::components(detail::axis_in<Name>(of.axes)) + detail::without<Name>(of.axes)};
}
template <class Axes>
inline constexpr bool any_uneven = false;
template <class... Axes>
inline constexpr bool any_uneven<list<Axes...>> =
    (is_uneven<typename length_type<Axes>::type> || ...);

/// Whether some ranks have the same part, since a part of the rank goes nowhere.
template <class Axes>
inline constexpr bool any_nowhere = false;
template <auto... Names, std::size_t... Roots, class... L, class... S>
inline constexpr bool any_nowhere<list<axis<Names, Roots, L, S>...>> = ((Roots == nowhere) || ...);
/// Whether the parts of the ranks are not one step apart: told by type, so that all ranks know it.
template <auto Name, class Order>
inline constexpr bool parts_vary =
    any_uneven<decltype(Order::axes)> ||
    any_nowhere<decltype(detail::components(detail::axis_in<Name>(std::declval<Order>().axes)))>;

/// What is wrong with a traverser whose rank has got its length.
template <class Order, class Length, class Verdict>
struct sized_verdict {
  using type = Verdict;
};
template <class Order, class Length>
struct sized_verdict<Order, Length, nothing_wrong> {
  using sized =
      decltype(detail::apply(std::declval<const Order&>(), std::declval<const Length&>()));
  using type = ready_or_wrong<sized>;
};

/// Where a rank is in a grid: along some of its dimensions, and in the others.
struct place_in_grid {
  count_t rest;
  count_t along;
  count_t others;
};
template <auto... Dimensions, class... Axes>
constexpr void place_along(place_in_grid& place, count_t& size, const list<Axes...>& parts) {
  const auto next = [&]<class Axis>(const Axis& part) {
    const count_t length = detail::length_of(part);
    size /= length;
    const count_t at = place.rest / size;
    place.rest %= size;
    count_t& in = (same_name<Axis::name, Dimensions> || ...) ? place.along : place.others;
    in = in * length + at;
  };
  (next(static_cast<const Axes&>(parts)), ...);
}

/// The type of an order in which the index of a dimension is fixed.
template <auto Name, class Order>
using fixed_type = decltype(detail::fixed<Name>(std::declval<const Order&>(), count_t{}));

/// Which buffers of an operation have the parts of all ranks.
struct own_parts {
  template <class Key>
  static constexpr bool has_all = false;
};
/// Of one part, with equal lengths on all ranks.
struct equal_parts : own_parts {
  static constexpr bool has_equal_lengths = true;
};
struct combined_parts : equal_parts {
  static constexpr bool combines = true;
};
struct all_parts {
  template <class Key>
  static constexpr bool has_all = true;
};
struct sent_by_root {
  static constexpr bool refuses_in_place = true;
  template <class Key>
  static constexpr bool has_all = !mpiglot::detail::is_written<Key>;
};
struct received_from_all {
  template <class Key>
  static constexpr bool has_all = mpiglot::detail::is_written<Key>;
};

/// A bag, also of a tuple.
template <class Buffer>
inline constexpr bool is_any_bag = is_bag<Buffer> || is_tuple_bag<Buffer>;
/// The type of a bag's elements, `void` of another parameter.
template <class Parameter>
struct element_of_parameter {
  using type = void;
};
template <class Key, class Buffer, resize_policy Policy>
  requires is_bag<std::remove_cvref_t<Buffer>>
struct element_of_parameter<parameter<Key, Buffer, Policy>> {
  using type = std::remove_const_t<typename std::remove_cvref_t<Buffer>::element>;
};
template <class Key, class Buffer, resize_policy Policy>
  requires is_tuple_bag<std::remove_cvref_t<Buffer>>
struct element_of_parameter<parameter<Key, Buffer, Policy>> {
  template <class... Members>
  static auto of(const std::tuple<Members...>&)
      -> tuple_elements<typename decltype(Members::root)::element...>;
  using type = decltype(of(std::declval<Buffer&>().members()));
};
template <class Parameter>
using element_sent_by = typename element_of_parameter<Parameter>::type;
template <class... Element>
inline constexpr bool elements_agree = true;
template <class First, class... More>
inline constexpr bool elements_agree<First, More...> =
    (std::is_void_v<First> || ((std::is_void_v<More> || std::is_same_v<First, More>) && ...)) &&
    elements_agree<More...>;

/// What is wrong with the parts of a traverser where all ranks need equal lengths: the dimension that is
/// shorter on some of them.
template <class Role, class Axes>
struct lengths_of_parts {
  using type = nothing_wrong;
};
template <class Role, class... Axes>
  requires requires { Role::has_equal_lengths; }
struct lengths_of_parts<Role, list<Axes...>> {
  using type = first_wrong_of<right_if<
      !is_uneven<typename length_type<Axes>::type>,
      wrong_layout::parts_of_the_ranks_have_unequal_lengths_in_the_dimension<Axes::name>>...>;
};

template <class Parameter>
struct key_of_parameter {
  using type = void;
};
template <class Key, class Value, resize_policy Policy>
struct key_of_parameter<parameter<Key, Value, Policy>> {
  using type = Key;
};
/// The verdict about parameters of which one is needed.
template <class Key, class... Parameters>
using given_or_wrong = right_if<
    (std::is_same_v<typename key_of_parameter<std::remove_cvref_t<Parameters>>::type, Key> || ...),
    wrong_layout::parameter_missing<Key>>;

/// Whether a role takes a parameter at all.
template <class Role, class Parameter>
struct place_verdict {
  using type = nothing_wrong;
};
template <class Role, class Buffer, resize_policy Policy>
  requires requires { Role::refuses_in_place; }
struct place_verdict<Role, parameter<keys::send_recv_buf, Buffer, Policy>> {
  using type = wrong_layout::scatter_is_not_in_place_give_send_buf_and_recv_buf;
};

/// Counts, places and datatypes, which a traverser gives itself.
template <class Key>
inline constexpr bool counts_elements =
    std::is_base_of_v<keys::counts, Key> || std::is_same_v<Key, keys::send_count> ||
    std::is_same_v<Key, keys::recv_count> || std::is_same_v<Key, keys::send_recv_count> ||
    std::is_same_v<Key, keys::send_type> || std::is_same_v<Key, keys::recv_type> ||
    std::is_same_v<Key, keys::send_recv_type> || std::is_same_v<Key, keys::send_types> ||
    std::is_same_v<Key, keys::recv_types>;

/// What is wrong with a bag as the buffer of an operation, or with another parameter.
template <auto Name, class Order, class Role, class Parameter>
struct parameter_verdict {
  using type = nothing_wrong;
};
template <auto Name, class Order, class Role, class Key, class Value, resize_policy Policy>
  requires counts_elements<Key>
struct parameter_verdict<Name, Order, Role, parameter<Key, Value, Policy>> {
  using type = wrong_layout::the_traverser_knows_the_counts<Key>;
};
template <auto Name, class Order, class Role, class Key, class Buffer, resize_policy Policy>
  requires(mpiglot::detail::is_buffer_key<Key> && !is_any_bag<std::remove_cvref_t<Buffer>>)
struct parameter_verdict<Name, Order, Role, parameter<Key, Buffer, Policy>> {
  using type = wrong_layout::buffer_has_no_named_dimensions_give_a_bag;
};
template <auto Name, class Order, class Role, class Key, class Buffer, resize_policy Policy>
  requires(mpiglot::detail::is_buffer_key<Key> && is_bag<std::remove_cvref_t<Buffer>>)
struct parameter_verdict<Name, Order, Role, parameter<Key, Buffer, Policy>> {
  using structure = mapping_type<std::remove_cvref_t<Buffer>>;
  static constexpr bool all = Role::template has_all<Key> && !parts_vary<Name, Order>;
  template <bool All>
  static auto axes(const Order& of) {
    if constexpr (All)
      return detail::rank_first<Name>(of);
    else
      return detail::fixed<Name>(of, count_t{});
  }
  using order = decltype(axes<all>(std::declval<const Order&>()));
  using spread = decltype(axes<Role::template has_all<Key>>(std::declval<const Order&>()));
  using element = typename std::remove_cvref_t<Buffer>::element;
  using written =
      std::conditional_t<mpiglot::detail::is_written<Key>,
                         first_wrong_of<right_if<!std::is_const_v<element>,
                                                 wrong_layout::elements_to_receive_into_are_const>,
                                        typename places_verdict<structure, spread>::type>,
                         nothing_wrong>;
  using type = first_wrong_of<
      right_if<std::is_lvalue_reference_v<Buffer> || std::is_pointer_v<memory_of<Buffer>>,
               wrong_layout::bag_that_owns_memory_must_have_a_name>,
      typename alignment_verdict<structure, order>::type, written>;
};

/// Whether a member of a tuple has all dimensions of which the rank consists.
template <class Member, class Order>
struct rank_verdict;
template <class Member, class Space, class... Axes>
struct rank_verdict<Member, mapping<Space, list<Axes...>>> {
  using type = first_wrong_of<right_if<
      found_along<Member, Space, Axes>::value,
      wrong_layout::a_member_of_the_tuple_has_no_dimension_like_that_of_the_rank<Axes::name>>...>;
};
/// What is wrong with a bag of a tuple: with a member of it. `Order` is that of a part, `Spread` that
/// of all parts if the bag has them.
template <class Tuple, class Ranks, class Order, class Spread, bool Written>
struct tuple_verdict;
template <auto Name, std::size_t A, class Size, class... Members, class Ranks, class Order,
          class Spread, bool Written>
struct tuple_verdict<tuple_of<Name, A, Size, Members...>, Ranks, Order, Spread, Written> {
  template <class Member, class All>
  using order = decltype(detail::order_of_member<Member>(
      std::declval<const All&>(), std::declval<const std::tuple<Members...>&>()));
  template <class Member>
  using places = std::conditional_t<Written, places_verdict<Member, order<Member, Spread>>,
                                    std::type_identity<nothing_wrong>>;
  using type = first_wrong_of<typename rank_verdict<Members, Ranks>::type...,
                              typename alignment_verdict<Members, order<Members, Order>>::type...,
                              typename places<Members>::type...>;
};
template <auto Name, class Order, class Role, class Key, class Buffer, resize_policy Policy>
  requires(mpiglot::detail::is_buffer_key<Key> && is_tuple_bag<std::remove_cvref_t<Buffer>>)
struct parameter_verdict<Name, Order, Role, parameter<Key, Buffer, Policy>> {
  using bag = std::remove_cvref_t<Buffer>;
  static constexpr bool all = Role::template has_all<Key>;
  static constexpr bool written = mpiglot::detail::is_written<Key>;
  static auto spread(const Order& of) {
    if constexpr (all)
      return detail::rank_first<Name>(of);
    else
      return detail::fixed<Name>(of, count_t{});
  }
  static auto ranks(const Order& of) {
    if constexpr (all) {
      return mapping{of.root, detail::components(detail::axis_in<Name>(of.axes))};
    } else {
      return mapping{of.root, list<>()};
    }
  }
  using order = fixed_type<Name, Order>;
  using type = first_wrong_of<
      right_if<!requires { Role::combines; },
               wrong_layout::elements_of_a_tuple_cannot_be_reduced_fix_a_member>,
      right_if<std::is_lvalue_reference_v<Buffer> || std::is_pointer_v<memory_of<Buffer>>,
               wrong_layout::bag_that_owns_memory_must_have_a_name>,
      right_if<!written || !std::is_const_v<typename bag::byte>,
               wrong_layout::elements_to_receive_into_are_const>,
      typename tuple_verdict<mapping_type<bag>, decltype(ranks(std::declval<const Order&>())),
                             order, decltype(spread(std::declval<const Order&>())), written>::type>;
};

/// What is wrong with a bag of an exchange: what is sent has one index of `From`, what is received one
/// of `To`, and all of the other.
template <auto From, auto To, class Order, class Parameter>
struct exchanged_verdict {
  using type = nothing_wrong;
};
template <auto From, auto To, class Order, class Key, class Buffer, resize_policy Policy>
  requires((mpiglot::detail::is_buffer_key<Key> || counts_elements<Key>) &&
           has_dimension<Order, From> && has_dimension<Order, To> && !same_name<From, To>)
struct exchanged_verdict<From, To, Order, parameter<Key, Buffer, Policy>> {
  template <auto Fixed, auto Spread>
  using verdict_on = parameter_verdict<Spread, fixed_type<Fixed, Order>, all_parts,
                                       parameter<Key, Buffer, Policy>>;
  using type = typename std::conditional_t<mpiglot::detail::is_written<Key>, verdict_on<To, From>,
                                           verdict_on<From, To>>::type;
};

}  // namespace detail

}  // namespace mpiglot::layouts
