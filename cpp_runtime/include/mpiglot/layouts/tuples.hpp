// Tuples: elements of different types under one name, as in a struct.
//
//   auto particle = tuple<'t'>(scalar<int>(), scalar<double>() ^ vector<'d'>(3));
//   auto b = bag(particle ^ vector<'i'>(n));         // an array of structs
//   b[idx<'t', 'i', 'd'>(lit<1>, 2, 0)] = 1.5;
//   auto positions = b ^ fix<'t'>(lit<1>);           // a bag of doubles
//   comm.bcast(send_recv_buf(b));

#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <tuple>

#include <mpiglot/layouts/traverser.hpp>
#include <mpiglot/layouts/tuple_rules.hpp>

namespace mpiglot::layouts {

namespace detail {

/// Stands for an element whose indices are wrong, so that there is one error about them.
struct no_element {
  template <class T>
  no_element& operator=(const T&);
};
inline no_element nobody;

}  // namespace detail

/// A tuple and the memory of its elements: `Memory` is a pointer to bytes, or one that owns them.
template <class Tuple, class Memory>
class tuple_bag {
 public:
  using describes_buffer = void;  ///< a buffer, and no value to be sent
  /// `std::byte`, or `const std::byte`.
  using byte = typename std::pointer_traits<Memory>::element_type;

  /// Made by `bag`.
  constexpr tuple_bag(const Tuple& tuple, Memory memory)
      : tuple_(tuple), memory_(static_cast<Memory&&>(memory)) {}
  // Not copied if it owns its memory: compilers print the name of the concept.
  tuple_bag(const tuple_bag&)
    requires detail::owns_memory_move_it_or_use_get_ref<Memory>
  = delete;
  tuple_bag& operator=(const tuple_bag&)
    requires detail::owns_memory_move_it_or_use_get_ref<Memory>
  = delete;
  tuple_bag(const tuple_bag&)
    requires std::is_pointer_v<Memory>
  = default;
  tuple_bag(tuple_bag&&) = default;
  tuple_bag& operator=(const tuple_bag&)
    requires std::is_pointer_v<Memory>
  = default;
  tuple_bag& operator=(tuple_bag&&) = default;

  /// Where the elements are.
  [[nodiscard]] constexpr const Tuple& layout() const noexcept { return tuple_; }
  /// The structures of the members.
  [[nodiscard]] constexpr const auto& members() const noexcept { return tuple_.members(); }
  /// The bytes of the memory.
  [[nodiscard]] constexpr auto bytes() const noexcept { return tuple_.bytes(); }
  /// The beginning of the memory.
  [[nodiscard]] constexpr byte* data() const noexcept { return std::to_address(memory_); }
  /// The same elements, in a bag that does not own them. It must not live longer than this one.
  [[nodiscard]] constexpr tuple_bag<Tuple, byte*> get_ref() const& noexcept {
    return {tuple_, data()};
  }
  /// Of a temporary: only if that does not own its memory.
  [[nodiscard]] constexpr tuple_bag<Tuple, byte*> get_ref() const&& noexcept {
    using verdict = detail::right_if<std::is_pointer_v<Memory>,
                                     wrong_layout::bag_that_owns_memory_must_have_a_name>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    return {tuple_, data()};
  }
  /// The element of these indices, of the type of its member. Indices of dimensions that the member
  /// does not have are not looked at. No range is checked.
  template <class... Index>
  [[nodiscard]] auto& operator[](const indices<Index...>& at) const noexcept {
    using verdict = typename Tuple::template element_verdict<indices<Index...>>::type;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (detail::is_right<verdict>) {
      const auto& member = tuple_.member_at(at);
      return *mpiglot::detail::stepped<1>(memory_of(member), detail::elements_before(member, at));
    } else {
      return detail::nobody;
    }
  }
  /// The memory as one of elements of this member, whose places count bytes in it.
  template <class Member>
  [[nodiscard]] auto* memory_of(const Member& member) const noexcept {
    using element = typename std::remove_cvref_t<decltype(member.root)>::element;
    using wanted = std::conditional_t<std::is_const_v<byte>, const element, element>;
    return reinterpret_cast<wanted*>(data());
  }

 private:
  friend struct detail::memory_of_bags;

  Tuple tuple_;
  Memory memory_;
};

namespace detail {

template <class Of>
inline constexpr bool is_tuple_bag = false;
template <class Tuple, class Memory>
inline constexpr bool is_tuple_bag<tuple_bag<Tuple, Memory>> = true;
template <class Tuple, class Memory>
struct memory_type<tuple_bag<Tuple, Memory>> {
  using type = Memory;
};
/// The memory of a tuple, of which a bag of one member is left.
template <class Element, class Bytes>
struct owned_member {
  using element_type = Element;
  Bytes memory;
  [[nodiscard]] Element* operator->() const noexcept {
    return reinterpret_cast<Element*>(std::to_address(memory));
  }
};

/// Memory of bytes that begins at a multiple of `Alignment`.
template <std::size_t Alignment>
struct owned_bytes {
  using element_type = std::byte;
  struct freeing {
    void operator()(std::byte* first) const noexcept {
      ::operator delete(first, std::align_val_t{Alignment});
    }
  };
  std::unique_ptr<std::byte, freeing> memory;

  explicit owned_bytes(std::size_t size)
      : memory(static_cast<std::byte*>(::operator new(size, std::align_val_t{Alignment}))) {
    std::fill_n(memory.get(), size, std::byte{});
  }
  [[nodiscard]] std::byte* operator->() const noexcept { return memory.get(); }
};

/// An axis whose steps are `Size` times as long.
template <count_t Size, auto Name, std::size_t Root, class L, class S>
[[nodiscard]] constexpr auto axis_in_bytes(const axis<Name, Root, L, S>& of) {
  const auto step = times(of.step, constant<Size>());
  return axis<Name, Root, L, std::remove_cv_t<decltype(step)>>{of.length, step};
}
template <count_t Size, auto Name, std::size_t Root, class S>
[[nodiscard]] constexpr auto axis_in_bytes(const dealt_axis<Name, Root, S>& of) {
  const auto step = times(of.step, constant<Size>());
  return dealt_axis<Name, Root, std::remove_cv_t<decltype(step)>>{of.length, of.block, of.apart,
                                                                  step};
}
template <count_t Size, auto Name, class Major, class Minor>
[[nodiscard]] constexpr auto axis_in_bytes(const merged_axis<Name, Major, Minor>& of) {
  const auto major = detail::axis_in_bytes<Size>(of.major);
  const auto minor = detail::axis_in_bytes<Size>(of.minor);
  return merged_axis<Name, std::remove_cv_t<decltype(major)>, std::remove_cv_t<decltype(minor)>>{
      major, minor};
}
/// A structure in bytes, `at` bytes behind the beginning.
template <class T, class Offset, class Size, class... Axes, class At>
[[nodiscard]] constexpr auto in_bytes(const mapping<memory<T, Offset, Size>, list<Axes...>>& of,
                                      At at) {
  constexpr constant<static_cast<count_t>(sizeof(T))> size;
  const auto offset = plus(at, times(of.root.offset, size));
  using axes = list<decltype(detail::axis_in_bytes<size.value>(std::declval<const Axes&>()))...>;
  return mapping<memory<T, std::remove_cv_t<decltype(offset)>, open_length, 1>, axes>{
      {offset, {}}, axes{detail::axis_in_bytes<size.value>(static_cast<const Axes&>(of.axes))...}};
}

template <std::size_t To, class N>
[[nodiscard]] constexpr auto rounded_up(N n) {
  constexpr auto to = static_cast<count_t>(To);
  if constexpr (is_static<N>)
    return constant<(N::value + to - 1) / to * to>();
  else
    return times(plus(n, to - 1) / to, to);
}
/// Puts structures behind each other, as the members of a struct.
template <auto Name, std::size_t Alignment, class End, class... Done>
[[nodiscard]] constexpr auto placed(const tuple_of<Name, Alignment, End, Done...>& all) {
  const auto size = detail::rounded_up<Alignment>(all.bytes());
  return tuple_of<Name, Alignment, std::remove_cv_t<decltype(size)>, Done...>(size, all.members());
}
template <auto Name, std::size_t Alignment, class End, class... Done, class Next, class... More>
[[nodiscard]] constexpr auto placed(const tuple_of<Name, Alignment, End, Done...>& before,
                                    const Next& next, const More&... more) {
  using element = typename decltype(next.root)::element;
  const auto at = detail::rounded_up<alignof(element)>(before.bytes());
  const auto end =
      plus(at, times(next.root.size(), constant<static_cast<count_t>(sizeof(element))>()));
  const auto member = detail::in_bytes(next, at);
  constexpr std::size_t alignment = Alignment < alignof(element) ? alignof(element) : Alignment;
  using found = std::remove_cv_t<decltype(member)>;
  return detail::placed(tuple_of<Name, alignment, std::remove_cv_t<decltype(end)>, Done..., found>(
                            end, std::tuple_cat(before.members(), std::tuple<found>(member))),
                        more...);
}

/// What is wrong with a member of a tuple.
template <auto Name, class Structure>
struct member_verdict {
  using type = wrong_layout::members_of_a_tuple_are_structures_of_one_element_type<Name>;
};
template <auto Name, class Mapping, class... Pieces>
struct member_verdict<Name, pending<Mapping, Pieces...>> {
  using type = wrong_layout::set_the_length_of_each_dimension_first;
};
template <auto Name, class T, class Offset, class Size, class Axes>
struct member_verdict<Name, mapping<memory<T, Offset, Size>, Axes>> {
  using type = first_wrong_of<
      new_or_wrong<mapping<memory<T, Offset, Size>, Axes>, Name>,
      right_if<!is_open<Size>, wrong_layout::the_memory_of_a_view_has_no_known_size>>;
};

/// What is wrong with all members together: one state finds its place in each of them.
template <auto Name, class... Structures>
struct members_verdict {
  using type = first_wrong_of<typename member_verdict<Name, Structures>::type...>;
};
template <auto Name, class... Structures>
  requires(is_right<typename member_verdict<Name, Structures>::type> && ...)
struct members_verdict<Name, Structures...> {
  using type = same_lengths_or_wrong<Structures...>;
};
template <auto... Names, class... Structures>
constexpr void require_same_lengths(name_list<Names...>, const Structures&... structures) {
  (static_cast<void>(detail::length_in_all<Names>(structures...)), ...);
}

template <auto Name, std::size_t A, class Size, class... Members, is_piece Piece>
[[nodiscard]] constexpr auto operator^(const tuple_of<Name, A, Size, Members...>& of,
                                       const Piece& piece) {
  using on = piece_on<tuple_of<Name, A, Size, Members...>, Piece>;
  using right [[maybe_unused]] = typename judged<typename on::verdict>::is_right;
  if constexpr (is_right<typename on::verdict>)
    return on::apply(of, piece);
  else
    return of;
}
/// The same memory, seen through one piece more: a bag of one element type where a member is fixed. A
/// temporary hands the memory that it owns on.
template <class Bag, is_piece Piece>
  requires is_tuple_bag<std::remove_cvref_t<Bag>>
[[nodiscard]] constexpr auto operator^(Bag&& of, const Piece& piece) {
  using bag = std::remove_cvref_t<Bag>;
  using tuple = std::remove_cvref_t<decltype(of.layout())>;
  using on = piece_on<tuple, Piece>;
  using verdict = first_wrong_of<
      right_if<keeps_memory<Piece>, wrong_layout::vector_needs_other_memory_use_bcast_here>,
      typename on::verdict, movable_or_wrong<Bag>>;
  using right [[maybe_unused]] = typename judged<verdict>::is_right;
  if constexpr (is_right<verdict>) {
    const auto changed = on::apply(of.layout(), piece);
    using found = std::remove_cv_t<decltype(changed)>;
    if constexpr (has_members<found> && gives_up_memory<Bag>) {
      return tuple_bag<found, memory_of<bag>>(changed, memory_of_bags::take(of));
    } else if constexpr (has_members<found>) {
      return tuple_bag<found, typename bag::byte*>(changed, of.data());
    } else if constexpr (gives_up_memory<Bag>) {
      using owned = owned_member<typename decltype(found::root)::element, memory_of<bag>>;
      return bag_of<found, owned>(changed, owned{memory_of_bags::take(of)});
    } else {
      auto* const memory = of.memory_of(changed);
      return bag_of<found, std::remove_cv_t<decltype(memory)>>(changed, memory);
    }
  } else {
    return tuple_bag<tuple, typename bag::byte*>(of.layout(), of.data());
  }
}

/// The structures of something: of its members, or its own.
template <class Of>
[[nodiscard]] constexpr auto structures_of(const Of& of) {
  if constexpr (has_members<Of>)
    return of.members();
  else
    return std::tuple<mapping_type<Of>>(detail::mapping_of(of));
}

}  // namespace detail

using detail::operator^;

/// Structures under one name, of which each may have its own element type: member `k` has the index
/// `lit<k>`. They follow each other in memory in this order, aligned as the members of a struct are.
/// A piece that is applied to a tuple changes those members that have its dimension. A dimension of
/// several members has the same length in all: else `layout_error`.
template <auto Name, class... Structures>
  requires(sizeof...(Structures) > 0)
[[nodiscard]] constexpr auto tuple(const Structures&... structures) {
  using verdict = typename detail::members_verdict<Name, Structures...>::type;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  const tuple_of<Name, 1, constant<0>> none({}, {});
  if constexpr (detail::is_right<verdict>) {
    detail::require_same_lengths(detail::names_in_all<detail::name_list<>>(structures...),
                                 structures...);
    return detail::placed(none, structures...);
  } else {
    return none;
  }
}

/// Memory for all elements of a tuple, zeros. The bag owns it and can be moved.
template <auto Name, std::size_t Alignment, class Size, class... Members>
[[nodiscard]] auto bag(const tuple_of<Name, Alignment, Size, Members...>& tuple) {
  using owned = detail::owned_bytes<Alignment>;
  return tuple_bag<tuple_of<Name, Alignment, Size, Members...>, owned>(
      tuple, owned(static_cast<std::size_t>(static_cast<count_t>(tuple.bytes()))));
}
/// The elements that a tuple finds in `memory`, a pointer to bytes or to the first of your structs.
/// It must live as long as the bag is used and have the alignment of the tuple. A copy of the bag
/// refers to the same elements.
template <auto Name, std::size_t Alignment, class Size, class... Members, class Memory>
[[nodiscard]] auto bag(const tuple_of<Name, Alignment, Size, Members...>& tuple, Memory* memory) {
  using byte = std::conditional_t<std::is_const_v<Memory>, const std::byte, std::byte>;
  return tuple_bag<tuple_of<Name, Alignment, Size, Members...>, byte*>(
      tuple, reinterpret_cast<byte*>(memory));
}

/// The index space of the members of tuples, and of other structures and bags. It has no dimension of
/// the tuple's name: `bag[state & idx<'t'>(lit<0>)]` is an element.
template <class... Of>
  requires(detail::has_members<Of> || ...)
[[nodiscard]] constexpr auto traverser(const Of&... of) {
  return std::apply([](const auto&... all) { return layouts::traverser(all...); },
                    std::tuple_cat(detail::structures_of(of)...));
}

}  // namespace mpiglot::layouts
