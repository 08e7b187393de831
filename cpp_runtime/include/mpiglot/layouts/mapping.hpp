// From indices to places: what structures and traversers have in common. A mapping has a list of
// axes, the outermost first, and a root that says what a step along an axis is a step of.

#pragma once

#include <cstdint>

#include <mpiglot/layouts/indices.hpp>

namespace mpiglot::layouts::detail {

/// `length` places, each `step` after the one before. `Root` is the dimension of the root in which it
/// steps, or `nowhere`.
template <auto Name, std::size_t Root, class Length, class Step>
struct axis {
  static constexpr auto name = Name;
  static constexpr bool affine = true;
  [[no_unique_address]] Length length;
  [[no_unique_address]] Step step;
};
inline constexpr std::size_t nowhere = ~std::size_t{};

/// An axis of blocks that follow each other with a distance: index `i` is place `i % block` of block
/// `i / block`. The last block may be shorter.
template <auto Name, std::size_t Root, class Step>
struct dealt_axis {
  static constexpr auto name = Name;
  static constexpr bool affine = false;
  count_t length;
  count_t block;
  count_t apart;  // the steps from one block to the next, each `step`
  [[no_unique_address]] Step step;
};

/// A length that depends on the index of another dimension, `Blocks`: that of the elements of a block
/// is `block`, but the last block has what is left of `total`.
template <auto Blocks>
struct uneven_length {
  static constexpr auto blocks = Blocks;
  count_t block;
  count_t total;

  /// The length in the longest block.
  [[nodiscard]] constexpr count_t most() const noexcept { return block; }
  template <auto New>
  [[nodiscard]] constexpr uneven_length<New> renamed() const noexcept {
    return {block, total};
  }
  /// The axis of this length where the block is fixed.
  template <auto Name, std::size_t Root, class Step>
  [[nodiscard]] constexpr auto in(count_t index, Step step) const noexcept {
    const count_t left = total - index * block;
    return axis<Name, Root, count_t, Step>{left < 0 ? 0 : left < block ? left : block, step};
  }
};
/// The same where `total` is dealt in blocks to `hands`, of which `Hands` is the index, in turns.
template <auto Hands>
struct dealt_length {
  static constexpr auto blocks = Hands;
  count_t block;
  count_t total;
  count_t hands;

  [[nodiscard]] constexpr count_t most() const noexcept { return in(0); }
  template <auto New>
  [[nodiscard]] constexpr dealt_length<New> renamed() const noexcept {
    return {block, total, hands};
  }
  template <auto Name, std::size_t Root, class Step>
  [[nodiscard]] constexpr auto in(count_t index, Step step) const noexcept {
    return dealt_axis<Name, Root, Step>{in(index), block, block * hands, step};
  }

 private:
  [[nodiscard]] constexpr count_t in(count_t index) const noexcept {
    const count_t whole = total / block;
    const count_t turns = whole / hands;
    const count_t next = whole % hands;  // who gets what is left
    return turns * block + (index < next ? block : index == next ? total % block : 0);
  }
};
template <class Length>
inline constexpr bool is_uneven = requires { Length::blocks; };
/// Whether a length is that of the blocks `Name`.
template <auto Name, class Length>
inline constexpr bool is_length_in = false;
template <auto Name, class Length>
  requires is_uneven<Length>
inline constexpr bool is_length_in<Name, Length> = same_name<Name, Length::blocks>;

/// Two axes as one: the index counts the minor one fastest.
template <auto Name, class Major, class Minor>
struct merged_axis {
  static constexpr auto name = Name;
  static constexpr bool affine = false;
  Major major;
  Minor minor;
};

template <auto Name, std::size_t Root, class L, class S>
[[nodiscard]] constexpr const auto& axis_in(const axis<Name, Root, L, S>& found) noexcept {
  return found;
}
template <auto Name, class Major, class Minor>
[[nodiscard]] constexpr const auto& axis_in(const merged_axis<Name, Major, Minor>& found) noexcept {
  return found;
}
template <auto Name, std::size_t Root, class S>
[[nodiscard]] constexpr const auto& axis_in(const dealt_axis<Name, Root, S>& found) noexcept {
  return found;
}
template <class Axes, auto Name>
concept has_axis = requires(const Axes& axes) { detail::axis_in<Name>(axes); };

template <auto Name, std::size_t Root, class L, class S>
[[nodiscard]] constexpr L length_of(const axis<Name, Root, L, S>& of) noexcept {
  return of.length;
}
template <auto Name, class Major, class Minor>
[[nodiscard]] constexpr auto length_of(const merged_axis<Name, Major, Minor>& of) {
  return times(detail::length_of(of.major), detail::length_of(of.minor));
}
template <auto Name, std::size_t Root, class S>
[[nodiscard]] constexpr count_t length_of(const dealt_axis<Name, Root, S>& of) noexcept {
  return of.length;
}

/// A number for the name of a dimension.
template <auto Name>
[[nodiscard]] constexpr std::uint64_t mark_of_name() noexcept {
  std::uint64_t mark = 0;
  for (const char* text = __PRETTY_FUNCTION__; *text != 0; ++text)
    mark = mark * 131 + static_cast<unsigned char>(*text);
  return mark;
}
/// The same of the names and lengths of axes, in their order.
template <class Axis>
[[nodiscard]] std::uint64_t mark_of_axis(const Axis& of, std::uint64_t before) noexcept {
  const auto mixed = [&before](count_t number) {
    before = (before ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15U;
    before ^= before >> 29U;
  };
  mixed(static_cast<count_t>(mark_of_name<Axis::name>()));
  if constexpr (requires { of.major; }) {
    before = detail::mark_of_axis(of.minor, detail::mark_of_axis(of.major, before));
  } else if constexpr (is_uneven<std::remove_cvref_t<decltype(of.length)>>) {
    mixed(of.length.block);
    mixed(of.length.total);
  } else {
    mixed(static_cast<count_t>(of.length));
  }
  return before;
}
template <class... Axes>
[[nodiscard]] count_t mark_of_axes(const list<Axes...>& axes) noexcept {
  std::uint64_t mark = 1;
  ((mark = detail::mark_of_axis(static_cast<const Axes&>(axes), mark)), ...);
  return static_cast<count_t>(mark >> 2U);
}

/// Replaces the axis of this name by `with`, a list.
template <auto Name, class Axis, class With>
[[nodiscard]] constexpr auto exchanged(const Axis& one, const With& with) {
  if constexpr (same_name<Name, Axis::name>)
    return with;
  else
    return list<Axis>{one};
}
template <auto Name, class... Axes, class With>
[[nodiscard]] constexpr auto exchange(const list<Axes...>& axes, const With& with) {
  return (list<>{} + ... + detail::exchanged<Name>(static_cast<const Axes&>(axes), with));
}
template <auto Name, class Axes>
[[nodiscard]] constexpr auto without(const Axes& axes) {
  return detail::exchange<Name>(axes, list<>{});
}

template <class Root, class Axes>
struct mapping {
  using describes_buffer = void;  // no value to be sent
  [[no_unique_address]] Root root;
  [[no_unique_address]] Axes axes;
};
template <class Root, class Axes>
mapping(Root, Axes) -> mapping<Root, Axes>;

template <class Mapping, auto Name>
concept has_dimension = has_axis<decltype(Mapping::axes), Name>;

template <class Mapping, auto Name>
using has_or_wrong =
    right_if<has_dimension<Mapping, Name>, wrong_layout::there_is_no_dimension_of_this_name<Name>>;
template <class Mapping, auto Name>
using new_or_wrong = right_if<!has_dimension<Mapping, Name>,
                              wrong_layout::there_is_a_dimension_of_this_name_already<Name>>;

/// The type of an axis, `void` if there is none.
template <class Mapping, auto Name>
struct axis_type {
  using type = void;
};
template <class Mapping, auto Name>
  requires has_dimension<Mapping, Name>
struct axis_type<Mapping, Name> {
  using type = std::remove_cvref_t<decltype(detail::axis_in<Name>(std::declval<Mapping>().axes))>;
};
template <class Mapping, auto Name>
using axis_of = typename axis_type<Mapping, Name>::type;

/// The verdict about an axis that is changed as one: it has one step and one length.
template <class Axis, auto Name>
struct cut_verdict {
  using type = nothing_wrong;
};
template <auto Name, std::size_t Root, class L, class S>
  requires is_uneven<L>
struct cut_verdict<axis<Name, Root, L, S>, Name> {
  using type = wrong_layout::uneven_blocks_cannot_be_cut_fix_the_block_first<Name>;
};
template <auto Name, std::size_t Root, class S>
struct cut_verdict<dealt_axis<Name, Root, S>, Name> {
  using type = wrong_layout::dealt_blocks_cannot_be_cut_or_split<Name>;
};
template <auto Name, class Major, class Minor>
struct cut_verdict<merged_axis<Name, Major, Minor>, Name> {
  using type = wrong_layout::merged_dimension_cannot_be_cut_or_split<Name>;
};
template <class Mapping, auto Name>
using cut_or_wrong = first_wrong_of<has_or_wrong<Mapping, Name>,
                                    typename cut_verdict<axis_of<Mapping, Name>, Name>::type>;

/// The length of a dimension as a type, `void` if there is none.
template <class Axis>
struct length_type {
  using type = decltype(detail::length_of(std::declval<const Axis&>()));
};
template <>
struct length_type<void> {
  using type = void;
};
template <class Mapping, auto Name>
using length_in = typename length_type<axis_of<Mapping, Name>>::type;
template <class Mapping, auto Name>
using length_or_wrong =
    first_wrong_of<has_or_wrong<Mapping, Name>,
                   right_if<!is_uneven<length_in<Mapping, Name>>,
                            wrong_layout::the_length_of_uneven_blocks_is_not_one_number<Name>>>;

template <class A, class B>
inline constexpr bool static_lengths_differ = false;
template <count_t A, count_t B>
inline constexpr bool static_lengths_differ<constant<A>, constant<B>> = A != B;
template <auto Name, class A, class B>
using equal_or_wrong = right_if<!static_lengths_differ<A, B>,
                                wrong_layout::static_lengths_differ_in_the_dimension<Name>>;

/// What becomes of another axis when the index of `Name` is fixed: blocks that are uneven get the
/// length of this one.
template <auto Name, auto Other, std::size_t Root, class L, class S>
[[nodiscard]] constexpr auto beside_fixed(const axis<Other, Root, L, S>& one,
                                          [[maybe_unused]] count_t index) {
  if constexpr (is_length_in<Name, L>) {
    const auto known = one.length.template in<Other, Root>(index, one.step);
    return list<std::remove_cv_t<decltype(known)>>{known};
  } else {
    return list<axis<Other, Root, L, S>>{one};
  }
}
template <auto Name, auto Other, std::size_t Root, class S>
[[nodiscard]] constexpr auto beside_fixed(const dealt_axis<Other, Root, S>& one, count_t) {
  return list<dealt_axis<Other, Root, S>>{one};
}
template <auto Name, auto Other, class Major, class Minor>
[[nodiscard]] constexpr auto beside_fixed(const merged_axis<Other, Major, Minor>& one, count_t) {
  return list<merged_axis<Other, Major, Minor>>{one};
}
template <auto Name, class... Axes>
[[nodiscard]] constexpr auto axes_beside_fixed(const list<Axes...>& axes,
                                               [[maybe_unused]] count_t index) {
  return (list<>{} + ... + detail::beside_fixed<Name>(static_cast<const Axes&>(axes), index));
}

template <auto Name, class Root, class Axes, class K>
[[nodiscard]] constexpr auto fixed(const mapping<Root, Axes>& of, K index);

template <class Root, class Axes, auto Name, std::size_t R, class L, class S, class K>
[[nodiscard]] constexpr auto fix_axis(const mapping<Root, Axes>& of, const axis<Name, R, L, S>& at,
                                      K index) {
  auto axes =
      detail::axes_beside_fixed<Name>(detail::without<Name>(of.axes), static_cast<count_t>(index));
  return mapping{of.root.template moved<R>(index, at.step), axes};
}
template <class Root, class Axes, auto Name, class Major, class Minor, class K>
[[nodiscard]] constexpr auto fix_axis(const mapping<Root, Axes>& of,
                                      const merged_axis<Name, Major, Minor>& at, K index) {
  const mapping apart{of.root,
                      detail::exchange<Name>(of.axes, list<Major, Minor>{{at.major}, {at.minor}})};
  const auto row = static_cast<count_t>(detail::length_of(at.minor));
  return detail::fixed<Minor::name>(
      detail::fixed<Major::name>(apart, static_cast<count_t>(index) / row),
      static_cast<count_t>(index) % row);
}
template <class Root, class Axes, auto Name, std::size_t R, class S, class K>
[[nodiscard]] constexpr auto fix_axis(const mapping<Root, Axes>& of,
                                      const dealt_axis<Name, R, S>& at, K index) {
  const auto i = static_cast<count_t>(index);
  const count_t steps = i / at.block * at.apart + i % at.block;
  return mapping{of.root.template moved<R>(steps, at.step), detail::without<Name>(of.axes)};
}
/// The mapping without the dimension `Name`, at this index of it.
template <auto Name, class Root, class Axes, class K>
[[nodiscard]] constexpr auto fixed(const mapping<Root, Axes>& of, K index) {
  return detail::fix_axis(of, detail::axis_in<Name>(of.axes), index);
}

}  // namespace mpiglot::layouts::detail
