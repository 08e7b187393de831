// A tuple has a structure for each member. Which of them a piece changes, and what is wrong with it.

#pragma once

#include <tuple>

#include <mpiglot/layouts/queries.hpp>

namespace mpiglot::layouts {

namespace wrong_layout {

template <auto Name>
struct index_of_a_tuple_is_a_constant_less_than_the_number_of_members;
template <auto Name>
struct members_of_a_tuple_are_structures_of_one_element_type;
template <auto Name>
struct a_member_of_the_tuple_has_only_one_of_the_merged_dimensions;

}  // namespace wrong_layout

/// A structure whose elements have different types: `Name` says which one, by a constant. Each member
/// is a structure whose places are counted in bytes, from one beginning.
template <auto Name, std::size_t Alignment, class Size, class... Members>
class tuple_of {
 public:
  using describes_buffer = void;  ///< no value to be sent
  /// The alignment of the memory, in bytes.
  static constexpr std::size_t alignment = Alignment;

  /// Made by `tuple` and by pieces.
  constexpr tuple_of(Size bytes, const std::tuple<Members...>& members)
      : bytes_(bytes), members_(members) {}

  /// The tuple itself, as of what has one.
  [[nodiscard]] constexpr const tuple_of& layout() const noexcept { return *this; }
  /// The bytes of the memory.
  [[nodiscard]] constexpr Size bytes() const noexcept { return bytes_; }
  /// The members, each a structure.
  [[nodiscard]] constexpr const std::tuple<Members...>& members() const noexcept {
    return members_;
  }

  /// Whether `N` is the index of a member, known when the program is compiled.
  template <class N>
  using index_verdict = detail::right_if<
      detail::is_static<N> && (detail::value_of<N> >= 0 &&
                               detail::value_of<N> < static_cast<count_t>(sizeof...(Members))),
      wrong_layout::index_of_a_tuple_is_a_constant_less_than_the_number_of_members<Name>>;
  /// The same of the index in a state.
  template <class State>
  struct index_in_state {
    /// The verdict.
    using type = wrong_layout::an_index_is_missing_for_the_dimension<Name>;
  };
  template <class State>
    requires detail::has_index<State, Name>
  struct index_in_state<State> {
    /// The type of the index.
    using number = decltype(detail::index_in<Name>(std::declval<const State&>()));
    /// The verdict.
    using type = index_verdict<number>;
  };
  /// The member that a state has the index of. Only after `index_in_state` is right.
  template <class State>
  [[nodiscard]] constexpr const auto& member_at(const State&) const noexcept {
    using number = typename index_in_state<State>::number;
    return std::get<static_cast<std::size_t>(number::value)>(members_);
  }
  /// What is wrong with the indices of an element.
  template <class State>
  struct element_verdict {
    /// The verdict.
    using type = typename index_in_state<State>::type;
  };
  template <class State>
    requires detail::is_right<typename index_in_state<State>::type>
  struct element_verdict<State> {
    /// The member that the index is of.
    using member = std::remove_cvref_t<decltype(std::declval<const tuple_of&>().member_at(
        std::declval<const State&>()))>;
    /// The verdict.
    using type = typename detail::indices_verdict<member, State>::type;
  };

 private:
  Size bytes_;
  std::tuple<Members...> members_;
};

namespace detail {

/// What a piece does to a layout, and what is wrong with it: of a mapping, and of a tuple.
template <class Layout, class Piece>
struct piece_on {
  using verdict = typename verdict_on<Layout, Piece>::type;
  [[nodiscard]] static constexpr auto apply(const Layout& to, const Piece& piece) {
    return detail::apply(to, piece);
  }
};

template <class Verdict>
inline constexpr bool says_missing = false;
template <auto Name>
inline constexpr bool says_missing<wrong_layout::there_is_no_dimension_of_this_name<Name>> = true;

/// The verdict about a member, which need not have the dimension.
template <auto Name, class Member, class Piece>
struct piece_on_member {
  using found = typename verdict_on<Member, Piece>::type;
  using verdict = std::conditional_t<says_missing<found>, nothing_wrong, found>;
};
template <auto Name, class Member, auto Major, auto Minor, auto Merged>
struct piece_on_member<Name, Member, merge_piece<Major, Minor, Merged>> {
  static constexpr bool both = has_dimension<Member, Major> == has_dimension<Member, Minor>;
  using found =
      std::conditional_t<both, typename verdict_on<Member, merge_piece<Major, Minor, Merged>>::type,
                         wrong_layout::a_member_of_the_tuple_has_only_one_of_the_merged_dimensions<
                             has_dimension<Member, Major> ? Minor : Major>>;
  using verdict = std::conditional_t<says_missing<found>, nothing_wrong, found>;
};
template <class Member, class Piece>
[[nodiscard]] constexpr auto on_member(const Member& to, const Piece& piece) {
  if constexpr (is_right<typename verdict_on<Member, Piece>::type>)
    return piece(to);
  else
    return to;
}
template <auto Name, class Member, class Piece>
struct changed_verdict {
  using changed = decltype(detail::on_member(std::declval<Member>(), std::declval<Piece>()));
  using type = new_or_wrong<changed, Name>;
};
/// `Right`: whether no member says that a piece is wrong.
template <bool Right, auto Name, class Piece, class... Members>
struct changed_verdicts {
  using type = nothing_wrong;
};
template <auto Name, class Piece, class... Members>
struct changed_verdicts<true, Name, Piece, Members...> {
  using type = first_wrong_of<typename changed_verdict<Name, Members, Piece>::type...>;
};

/// The verdict about a piece whose lengths are set.
template <bool Closed, auto Name, class Piece, class... Members>
struct piece_on_members {
  using type = wrong_layout::set_the_length_of_each_dimension_first;
};
template <auto Name, class Piece, class First, class... More>
struct piece_on_members<true, Name, Piece, First, More...> {
  using first = typename piece_on_member<Name, First, Piece>::found;
  static constexpr bool missing =
      (says_missing<typename piece_on_member<Name, First, Piece>::found> && ... &&
       says_missing<typename piece_on_member<Name, More, Piece>::found>);
  using each = first_wrong_of<std::conditional_t<missing, first, nothing_wrong>,
                              typename piece_on_member<Name, First, Piece>::verdict,
                              typename piece_on_member<Name, More, Piece>::verdict...>;
  using type =
      first_wrong_of<each,
                     typename changed_verdicts<is_right<each>, Name, Piece, First, More...>::type>;
};

template <auto Name, std::size_t A, class Size, class... Members, class Piece>
struct piece_on<tuple_of<Name, A, Size, Members...>, Piece> {
  using verdict = typename piece_on_members<Piece::closed, Name, Piece, Members...>::type;
  [[nodiscard]] static constexpr auto apply(const tuple_of<Name, A, Size, Members...>& to,
                                            const Piece& piece) {
    return std::apply(
        [&](const Members&... members) {
          return tuple_of<Name, A, Size, decltype(detail::on_member(members, piece))...>(
              to.bytes(), {detail::on_member(members, piece)...});
        },
        to.members());
  }
};

/// `vector`: the step is the size of the tuple.
template <auto Name, std::size_t A, class Size, class... Members, auto New, class Length>
struct piece_on<tuple_of<Name, A, Size, Members...>, outer_piece<New, Length, true>> {
  using verdict = first_wrong_of<
      right_if<!is_open<Length>, wrong_layout::set_the_length_of_each_dimension_first>,
      right_if<!same_name<Name, New>, wrong_layout::there_is_a_dimension_of_this_name_already<New>>,
      new_or_wrong<Members, New>...>;
  [[nodiscard]] static constexpr auto apply(const tuple_of<Name, A, Size, Members...>& to,
                                            const outer_piece<New, Length, true>& piece) {
    const auto size = times(to.bytes(), piece.length);
    return std::apply(
        [&](const Members&... members) {
          return tuple_of<Name, A, std::remove_cv_t<decltype(size)>,
                          decltype(around(members, piece, to.bytes()))...>(
              size, {around(members, piece, to.bytes())...});
        },
        to.members());
  }

 private:
  template <class Root, class Axes>
  [[nodiscard]] static constexpr auto around(const mapping<Root, Axes>& member,
                                             const outer_piece<New, Length, true>& piece,
                                             Size step) {
    return mapping{member.root,
                   list<axis<New, 0, Length, Size>>{{piece.length, step}} + member.axes};
  }
};

/// `fix` of the member.
template <auto Name, std::size_t A, class Size, class... Members, class At>
struct piece_on<tuple_of<Name, A, Size, Members...>, fix_piece<Name, At>> {
  using tuple = tuple_of<Name, A, Size, Members...>;
  using verdict = typename tuple::template index_verdict<At>;
  [[nodiscard]] static constexpr auto apply(const tuple& to, const fix_piece<Name, At>&) {
    return std::get<static_cast<std::size_t>(At::value)>(to.members());
  }
};
template <class Tuple, class State>
struct fixed_member {
  static constexpr bool selects = false;
  using verdict = nothing_wrong;
};
template <auto Name, std::size_t A, class Size, class... Members, class State>
  requires has_index<State, Name>
struct fixed_member<tuple_of<Name, A, Size, Members...>, State> {
  static constexpr bool selects = true;
  using verdict =
      typename tuple_of<Name, A, Size, Members...>::template index_in_state<State>::type;
};
template <auto Name, std::size_t A, class Size, class... Members, class State>
struct piece_on<tuple_of<Name, A, Size, Members...>, fix_state_piece<State>> {
  using tuple = tuple_of<Name, A, Size, Members...>;
  using verdict = typename fixed_member<tuple, State>::verdict;
  [[nodiscard]] static constexpr auto apply(const tuple& to, const fix_state_piece<State>& piece) {
    if constexpr (fixed_member<tuple, State>::selects)
      return piece(to.member_at(piece.state));
    else
      return std::apply(
          [&](const Members&... members) {
            return tuple_of<Name, A, Size, decltype(piece(members))...>(to.bytes(),
                                                                        {piece(members)...});
          },
          to.members());
  }
};

/// Two pieces, one after the other.
template <class Layout, class First, class Second>
struct verdict_on_tuple {
  using type = typename piece_on<Layout, First>::verdict;
};
template <class Layout, class First, class Second>
  requires is_right<typename piece_on<Layout, First>::verdict>
struct verdict_on_tuple<Layout, First, Second> {
  using changed =
      decltype(piece_on<Layout, First>::apply(std::declval<Layout>(), std::declval<First>()));
  using type = typename piece_on<changed, Second>::verdict;
};
template <class Layout, class First, class Second>
struct both_on {
  using verdict = typename verdict_on_tuple<Layout, First, Second>::type;
  [[nodiscard]] static constexpr auto both(const Layout& to, const First& first,
                                           const Second& second) {
    const auto changed = piece_on<Layout, First>::apply(to, first);
    return piece_on<std::remove_cv_t<decltype(changed)>, Second>::apply(changed, second);
  }
};
template <auto Name, std::size_t A, class Size, class... Members, class First, class Second>
struct piece_on<tuple_of<Name, A, Size, Members...>, composed<First, Second>>
    : both_on<tuple_of<Name, A, Size, Members...>, First, Second> {
  [[nodiscard]] static constexpr auto apply(const tuple_of<Name, A, Size, Members...>& to,
                                            const composed<First, Second>& pieces) {
    return piece_on::both(to, pieces.first, pieces.second);
  }
};
template <auto Name, std::size_t A, class Size, class... Members, auto Outer, auto Next,
          auto... More>
struct piece_on<tuple_of<Name, A, Size, Members...>, hoist_piece<Outer, Next, More...>>
    : both_on<tuple_of<Name, A, Size, Members...>, hoist_piece<Next, More...>, hoist_piece<Outer>> {
  [[nodiscard]] static constexpr auto apply(const tuple_of<Name, A, Size, Members...>& to,
                                            const hoist_piece<Outer, Next, More...>&) {
    return piece_on::both(to, {}, {});
  }
};

}  // namespace detail
}  // namespace mpiglot::layouts
