// A bag seen along the axes of a traverser: the view of its elements in the order in which the
// traverser walks, so that different layouts send to each other.

#pragma once

#include <array>

#include <mpiglot/layouts/traverser.hpp>

namespace mpiglot::layouts {

namespace wrong_layout {

template <auto Name>
struct the_traverser_has_no_dimension_like_that_of_the_buffer;
template <auto Name>
struct the_buffer_has_no_dimension_like_that_of_the_traverser;
template <auto Name>
struct merged_dimension_has_no_strides_fix_it;
template <auto Name>
struct only_blocks_of_the_rank_can_be_uneven;
struct buffer_has_no_named_dimensions_give_a_bag;

}  // namespace wrong_layout

namespace detail {

/// Elements of a bag in the order of a traverser. `wrong` says why it cannot be used, or is null: then
/// `first` is null, too, and an operation throws it after it has taken part. Strides count `Unit`
/// bytes.
template <class T, std::size_t Rank, count_t Unit>
struct aligned_view {
  using element = T;
  static constexpr std::size_t rank = Rank;
  T* first;
  const char* wrong;
  std::array<count_t, Rank> extents;
  std::array<count_t, Rank> strides;
};

/// A text that names a dimension, known when the program is compiled.
template <auto Name>
struct other_length_text {
  static constexpr char before[] =
      "a buffer has another length than the traverser in the dimension ";
  char text[sizeof before + 16] = {};
  constexpr other_length_text() {
    char* at = text;
    for (const char* c = before; *c != '\0'; ++c) *at++ = *c;
    for (const char* c = text_of_name<Name>(); *c != '\0'; ++c) *at++ = *c;
  }
};
template <auto Name>
inline constexpr other_length_text<Name> other_length{};

/// The length that a dimension of the structures has, `void` if none has it.
template <auto Name, class Length>
[[nodiscard]] Length length_of_base(base<Name, Length>);
template <class Space, auto Name>
struct base_length {
  using type = void;
};
template <class... Bases, auto Name>
  requires(space<Bases...>::template has<Name>)
struct base_length<space<Bases...>, Name> {
  using type = decltype(detail::length_of_base<Name>(std::declval<list<Bases...>>()));
};

/// Whether the structure has the dimension in which an axis of the traverser steps, or one of the
/// name of the axis.
template <class Structure, class Space, class Axis>
struct found_along {
  static constexpr bool by_name = false;
  static constexpr bool repeats = false;
  static constexpr bool value = false;  // of a merged axis
};
template <class Structure, auto... Bases, class... N, auto Name, std::size_t Root, class L, class S>
struct found_along<Structure, space<base<Bases, N>...>, axis<Name, Root, L, S>> {
  template <std::size_t... I>
  static constexpr bool steps(std::index_sequence<I...>) {
    return ((I == Root && has_dimension<Structure, Bases>) || ...);
  }
  static constexpr bool through_base = steps(std::make_index_sequence<sizeof...(Bases)>());
  static constexpr bool by_name = !through_base && has_dimension<Structure, Name> &&
                                  !space<base<Bases, N>...>::template has<Name>;
  /// Each index of the axis is the same place.
  static constexpr bool repeats = Root == nowhere && !by_name;
  static constexpr bool value = through_base || by_name || repeats;
};

template <class Structure, class Space, auto Name, std::size_t Root, class S>
struct found_along<Structure, Space, dealt_axis<Name, Root, S>>
    : found_along<Structure, Space, axis<Name, Root, count_t, S>> {};

template <class Axis>
inline constexpr bool is_dealt = false;
template <auto Name, std::size_t Root, class S>
inline constexpr bool is_dealt<dealt_axis<Name, Root, S>> = true;
/// How many axes of a mapping are of blocks that were dealt.
template <class Mapping>
inline constexpr std::size_t dealt_axes = 0;
template <class Root, class... Axes>
inline constexpr std::size_t dealt_axes<mapping<Root, list<Axes...>>> =
    (std::size_t{0} + ... + (is_dealt<Axes> ? 1 : 0));

template <class Axis>
inline constexpr bool has_step = false;
template <auto Name, std::size_t Root, class L, class S>
inline constexpr bool has_step<axis<Name, Root, L, S>> = true;

/// What is wrong with a structure as the buffer of a traverser.
template <class Structure, class Order>
struct alignment_verdict;
template <class Root, class... Own, class... Axes, class... Bases>
struct alignment_verdict<mapping<Root, list<Own...>>, mapping<space<Bases...>, list<Axes...>>> {
  using structure = mapping<Root, list<Own...>>;
  using order = mapping<space<Bases...>, list<Axes...>>;
  template <class Dimension>
  static constexpr bool known =
      space<Bases...>::template has<Dimension::name> || has_dimension<order, Dimension::name>;
  using type = first_wrong_of<
      right_if<has_step<Own>, wrong_layout::merged_dimension_has_no_strides_fix_it<Own::name>>...,
      right_if<known<Own>,
               wrong_layout::the_traverser_has_no_dimension_like_that_of_the_buffer<Own::name>>...,
      right_if<!is_uneven<typename length_type<Axes>::type>,
               wrong_layout::only_blocks_of_the_rank_can_be_uneven<Axes::name>>...,
      right_if<found_along<structure, space<Bases...>, Axes>::value,
               wrong_layout::the_buffer_has_no_dimension_like_that_of_the_traverser<Axes::name>>...,
      equal_or_wrong<Axes::name,
                     std::conditional_t<found_along<structure, space<Bases...>, Axes>::by_name,
                                        length_in<structure, Axes::name>, void>,
                     typename length_type<Axes>::type>...,
      equal_or_wrong<Own::name, typename length_type<Own>::type,
                     typename base_length<space<Bases...>, Own::name>::type>...>;
};

/// The first dimension along which a structure goes nowhere: many elements would be one place.
template <class Structure, class Order>
struct places_verdict;
template <class Root, class... Own, class Space, class... Axes>
struct places_verdict<mapping<Root, list<Own...>>, mapping<Space, list<Axes...>>> {
  using structure = mapping<Root, list<Own...>>;
  using type = first_wrong_of<
      right_if<!goes_nowhere<Own>,
               wrong_layout::elements_would_be_received_into_one_place<Own::name>>...,
      right_if<!found_along<structure, Space, Axes>::repeats,
               wrong_layout::elements_would_be_received_into_one_place<Axes::name>>...>;
};

/// Follows the axes of a traverser through a structure. An axis of dealt blocks becomes two, one of
/// them and one of their elements: the whole blocks, or what is shorter than one.
template <class T, class Structure>
class aligning {
  static constexpr count_t unit = decltype(Structure::root)::unit;

 public:
  constexpr aligning(const Structure& structure, T* memory) noexcept
      : structure_(structure), memory_(memory) {}

  /// `rests` has a bit for each axis of dealt blocks: set for what is shorter than a block.
  template <auto... Bases, class... N, class... Axes>
  [[nodiscard]] constexpr auto along(const mapping<space<base<Bases, N>...>, list<Axes...>>& order,
                                     std::size_t rests) {
    using order_type = mapping<space<base<Bases, N>...>, list<Axes...>>;
    at_ = structure_.root.offset;
    rests_ = rests;
    std::size_t place = 0;
    (begin<Bases>(order.root, place++), ...);
    aligned_view<T, sizeof...(Axes) + dealt_axes<order_type>, unit> view{};
    (follow<space<base<Bases, N>...>, Bases...>(view, static_cast<const Axes&>(order.axes)), ...);
    view.wrong = wrong_;
    if (wrong_ == nullptr && memory_ != nullptr)
      view.first = mpiglot::detail::stepped<unit>(memory_, at_);
    return view;
  }

 private:
  // Where the traverser begins in a dimension of its structures.
  template <auto Name, class Space>
  constexpr void begin(const Space& space, std::size_t place) {
    if constexpr (has_dimension<Structure, Name>) {
      const auto& own = detail::axis_in<Name>(structure_.axes);
      if constexpr (!is_uneven<std::remove_cvref_t<decltype(length_of(own))>>)
        if (static_cast<count_t>(length_of(own)) != space.lengths[place])
          wrong_ = other_length<Name>.text;
      at_ += space.origin[place] * static_cast<count_t>(own.step);
    }
  }
  template <class Space, auto... Bases, class View, auto Name, std::size_t Root, class L, class S>
  constexpr void follow(View& view, const axis<Name, Root, L, S>& along) {
    add(view, static_cast<count_t>(length_of(along)), step<Space, Bases...>(along));
  }
  template <class Space, auto... Bases, class View, auto Name, std::size_t Root, class S>
  constexpr void follow(View& view, const dealt_axis<Name, Root, S>& along) {
    const count_t one =
        step<Space, Bases...>(axis<Name, Root, count_t, S>{along.length, along.step});
    // What is a dimension of the bag itself has no gaps between the blocks.
    const bool own = found_along<Structure, Space, dealt_axis<Name, Root, S>>::by_name;
    const count_t apart = one * (own ? along.block : along.apart);
    const count_t blocks = along.length / along.block;
    const bool rest = (rests_ & 1U) != 0;
    rests_ >>= 1U;
    if (rest) at_ += blocks * apart;
    add(view, rest ? 1 : blocks, apart);
    add(view, rest ? along.length % along.block : along.block, one);
  }
  template <class View>
  constexpr void add(View& view, count_t length, count_t step) {
    view.extents[axis_] = length;
    view.strides[axis_++] = step;
  }
  template <class Space, auto... Bases, auto Name, std::size_t Root, class L, class S>
  [[nodiscard]] constexpr count_t step(const axis<Name, Root, L, S>& along) {
    using found = found_along<Structure, Space, axis<Name, Root, L, S>>;
    count_t found_step = 0;
    if constexpr (found::through_base) {
      std::size_t place = 0;
      ((place++ == Root ? void(found_step = step_of<Bases>()) : void()), ...);
      return found_step * static_cast<count_t>(along.step);
    } else if constexpr (found::by_name) {
      const auto& own = detail::axis_in<Name>(structure_.axes);
      if (static_cast<count_t>(length_of(own)) != static_cast<count_t>(length_of(along)))
        wrong_ = other_length<Name>.text;
      return own.step;
    } else {
      return 0;
    }
  }
  template <auto Base>
  [[nodiscard]] constexpr count_t step_of() const {
    if constexpr (has_dimension<Structure, Base>)
      return detail::axis_in<Base>(structure_.axes).step;
    else
      return 0;
  }

  const Structure& structure_;
  T* memory_;
  count_t at_ = 0;
  std::size_t rests_ = 0;
  std::size_t axis_ = 0;
  const char* wrong_ = nullptr;
};

/// The elements of a bag, or of a structure with its memory, in the order of a mapping whose axes are
/// affine or of dealt blocks: of these, the whole ones, or those that `rests` says (`aligning`).
template <class T, class Structure, class Order>
[[nodiscard]] constexpr auto aligned(const Structure& structure, T* memory, const Order& order,
                                     std::size_t rests = 0) {
  return aligning<T, Structure>(structure, memory).along(order, rests);
}

}  // namespace detail
}  // namespace mpiglot::layouts

namespace mpiglot {

template <class T, std::size_t Rank, count_t Unit>
struct view_traits<layouts::detail::aligned_view<T, Rank, Unit>> {
  using view = layouts::detail::aligned_view<T, Rank, Unit>;
  static constexpr std::size_t rank = Rank;
  static constexpr bool shares_elements = true;
  static constexpr count_t stride_unit = Unit;
  /// What a traverser receives is a whole part.
  static constexpr bool arrives_whole = true;

  [[nodiscard]] static T* data(const view& of) noexcept { return of.first; }
  [[nodiscard]] static count_t extent(const view& of, std::size_t i) noexcept {
    return of.extents[i];
  }
  [[nodiscard]] static count_t stride(const view& of, std::size_t i) noexcept {
    return of.strides[i];
  }
  [[nodiscard]] static const char* wrong(const view& of) noexcept { return of.wrong; }
};

}  // namespace mpiglot
