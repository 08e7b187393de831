// The pieces of which layouts are made: `structure ^ piece` is a structure, `traverser ^ piece` a
// traverser, `piece ^ piece` a piece. What each one does to the axes is in rules.hpp.

#pragma once

#include <mpiglot/layouts/rules.hpp>

namespace mpiglot::layouts {

/// Blocks need not divide what they are made of: the last ones may be shorter, or empty.
struct uneven_t {};
/// Passed to `into_blocks`.
inline constexpr uneven_t uneven{};

/// A dimension around all others, in memory: its steps have the size of what is inside.
template <auto Name>
[[nodiscard]] constexpr auto vector() {
  return detail::outer_piece<Name, open_length, true>({});
}
/// The same of `length` items.
template <auto Name, class N>
[[nodiscard]] constexpr auto vector(N length) {
  using verdict = detail::integer_or_wrong<Name, N>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::outer_piece<Name, decltype(detail::number(length)), true>(detail::number(length));
}
/// Several of them, the first one the innermost: `vectors<'j', 'i'>(columns, rows)` is row-major.
template <auto... Names>
[[nodiscard]] constexpr auto vectors() {
  using verdict = detail::different_or_wrong<Names...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::if_right<verdict>((... ^ layouts::vector<Names>()));
}
/// The same with their lengths.
template <auto... Names, class... N>
  requires(sizeof...(N) > 0)
[[nodiscard]] constexpr auto vectors(N... lengths) {
  static_assert(sizeof...(Names) == sizeof...(N), "a length for each dimension");
  using verdict = detail::first_wrong_of<detail::different_or_wrong<Names...>,
                                         detail::integer_or_wrong<Names, N>...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::if_right<verdict>(
      (... ^ detail::outer_piece<Names, decltype(detail::number(lengths)), true>(
                 detail::number(lengths))));
}
/// A vector of static length.
template <auto Name, auto N>
[[nodiscard]] constexpr auto array() {
  using verdict = detail::integer_or_wrong<Name, std::remove_cv_t<decltype(N)>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return layouts::vector<Name>(lit<static_cast<count_t>(N)>);
}
/// A dimension that goes nowhere: each index of it is the same place.
template <auto Name>
[[nodiscard]] constexpr auto bcast() {
  return detail::outer_piece<Name, open_length, false>({});
}
/// The same of this length.
template <auto Name, class N>
[[nodiscard]] constexpr auto bcast(N length) {
  using verdict = detail::integer_or_wrong<Name, N>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::outer_piece<Name, decltype(detail::number(length)), false>(detail::number(length));
}
/// Leaves out a dimension, at an index of it.
template <auto... Names, class... N>
  requires(sizeof...(Names) > 0)
[[nodiscard]] constexpr auto fix(N... at) {
  static_assert(sizeof...(Names) == sizeof...(N), "an index for each dimension");
  using verdict = detail::first_wrong_of<detail::different_or_wrong<Names...>,
                                         detail::integer_or_wrong<Names, N>...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::if_right<verdict>(
      (... ^ detail::fix_piece<Names, decltype(detail::number(at))>(detail::number(at))));
}
/// Leaves out all dimensions that `state` has an index of.
template <class... Index>
[[nodiscard]] constexpr auto fix(const indices<Index...>& state) {
  return detail::fix_state_piece<indices<Index...>>(state);
}
/// `length` indices of a dimension, from `first` on.
template <auto Name, class First, class N>
[[nodiscard]] constexpr auto slice(First first, N length) {
  using verdict = detail::first_wrong_of<detail::integer_or_wrong<Name, First>,
                                         detail::integer_or_wrong<Name, N>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  using change = detail::slice_change<decltype(detail::number(first))>;
  return detail::axis_piece<Name, change>(change{detail::number(first), detail::number(length)});
}
/// The indices from `first` on and before `end`.
template <auto Name, class First, class End>
[[nodiscard]] constexpr auto span(First first, End end) {
  using verdict = detail::first_wrong_of<detail::integer_or_wrong<Name, First>,
                                         detail::integer_or_wrong<Name, End>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  const count_t from = detail::number(first);
  const count_t to = detail::number(end);
  return layouts::slice<Name>(from, to - from);
}
/// All indices from `first` on.
template <auto Name, class First>
[[nodiscard]] constexpr auto shift(First first) {
  using verdict = detail::integer_or_wrong<Name, First>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::axis_piece<Name, detail::shift_change>({detail::number(first)});
}
/// Each `by`-th index, from `first` on.
template <auto Name, class First, class By>
[[nodiscard]] constexpr auto step(First first, By by) {
  using verdict = detail::first_wrong_of<detail::integer_or_wrong<Name, First>,
                                         detail::integer_or_wrong<Name, By>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::axis_piece<Name, detail::step_change>({detail::number(first), detail::number(by)});
}
/// The indices backwards.
template <auto Name>
[[nodiscard]] constexpr auto reverse() {
  return detail::axis_piece<Name, detail::reverse_change>({});
}
/// Another name for a dimension.
template <auto Old, auto New>
[[nodiscard]] constexpr auto rename() {
  return detail::rename_piece<Old, New>();
}
/// Moves dimensions to the outermost places, the first one first. Only the order changes.
template <auto... Names>
  requires(sizeof...(Names) > 0)
[[nodiscard]] constexpr auto hoist() {
  return detail::hoist_piece<Names...>();
}
/// Splits `Name` into blocks, `Major`, and the elements of a block, `Minor`. Give the number of
/// elements of a block here, or one of both lengths by `set_length`. It must divide the length,
/// unless `uneven` is passed: then blocks are as long as the first, as far as there are elements.
template <auto Name, auto Major, auto Minor = Name>
[[nodiscard]] constexpr auto into_blocks() {
  return detail::blocks_piece<Name, Major, Minor, open_length, open_length, false>({}, {});
}
/// The same, where the last blocks may be shorter.
template <auto Name, auto Major, auto Minor = Name>
[[nodiscard]] constexpr auto into_blocks(uneven_t) {
  return detail::blocks_piece<Name, Major, Minor, open_length, open_length, true>({}, {});
}
/// Blocks of this many elements.
template <auto Name, auto Major, auto Minor = Name, class N>
[[nodiscard]] constexpr auto into_blocks(N elements) {
  using verdict = detail::integer_or_wrong<Name, N>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  using length = decltype(detail::number(elements));
  return detail::blocks_piece<Name, Major, Minor, open_length, length, false>(
      {}, detail::number(elements));
}
/// Blocks of this many elements; the last one may be shorter.
template <auto Name, auto Major, auto Minor = Name, class N>
[[nodiscard]] constexpr auto into_blocks(N elements, uneven_t) {
  using verdict = detail::integer_or_wrong<Name, N>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  using length = decltype(detail::number(elements));
  return detail::blocks_piece<Name, Major, Minor, open_length, length, true>(
      {}, detail::number(elements));
}
/// Deals `Name` in blocks of this many indices, in turns, as block-cyclic distributions do: `Hands`
/// says to whom, `Minor` counts the indices of one of them. The last block may be shorter. The number
/// of hands comes from `set_length` or the communicator.
template <auto Name, auto Hands, auto Minor = Name, class N>
[[nodiscard]] constexpr auto deal_blocks(N elements) {
  using verdict = detail::integer_or_wrong<Name, N>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::deal_piece<Name, Hands, Minor, open_length>({}, detail::number(elements));
}
/// One dimension in the place of two, in which `Minor` is counted fastest.
template <auto Major, auto Minor, auto Name = Minor>
[[nodiscard]] constexpr auto merge_blocks() {
  return detail::merge_piece<Major, Minor, Name>();
}

namespace detail {

template <is_piece First, is_piece Second>
[[nodiscard]] constexpr auto operator^(const First& first, const Second& second) {
  return composed<First, Second>(first, second);
}

}  // namespace detail
}  // namespace mpiglot::layouts
