// What a layout says about itself: lengths, sizes and offsets.

#pragma once

#include <mpiglot/detail/views/layout.hpp>
#include <mpiglot/layouts/structure.hpp>

namespace mpiglot::layouts {
namespace detail {

/// What a traverser that is wrong is: it takes what a traverser takes, so that there is one error about
/// it.
struct no_traverser {
  template <class F>
  constexpr void for_each(const F&) const {}
  template <auto... Names, class F>
  constexpr void for_dims(const F&) const {}
  template <auto... Names, class F>
  constexpr void for_sections(const F&) const {}
  template <class F>
  friend constexpr void operator|(const no_traverser&, const F&) {}
  template <class Piece>
  friend constexpr no_traverser operator^(const no_traverser&, const Piece&) {
    return {};
  }

  using anything = mpiglot::detail::anything<1>;
  anything send(auto&&...) const;
  anything isend(auto&&...) const;
  anything recv(auto&&...) const;
  anything irecv(auto&&...) const;
  anything sendrecv(auto&&...) const;
  anything bcast(auto&&...) const;
  anything ibcast(auto&&...) const;
  anything reduce(auto&&...) const;
  anything ireduce(auto&&...) const;
  anything allreduce(auto&&...) const;
  anything iallreduce(auto&&...) const;
  anything scatter(auto&&...) const;
  anything iscatter(auto&&...) const;
  anything gather(auto&&...) const;
  anything igather(auto&&...) const;
  anything allgather(auto&&...) const;
  anything iallgather(auto&&...) const;
  template <auto...>
  anything alltoall(auto&&...) const;
  template <auto...>
  anything ialltoall(auto&&...) const;
};

/// The mapping of something that has one: a structure, a traverser, a bag.
template <class Root, class Axes>
[[nodiscard]] constexpr mapping<Root, Axes> mapping_of(const mapping<Root, Axes>& of) {
  return of;
}
template <class Of>
  requires requires(const Of& of) { of.layout(); }
[[nodiscard]] constexpr auto mapping_of(const Of& of) {
  return of.layout();
}
// The dimensions that are there already: only after `ready_or_wrong` has been asserted.
template <class Mapping, class... Pieces>
[[nodiscard]] constexpr Mapping mapping_of(const pending<Mapping, Pieces...>& of) {
  return of.base;
}
template <class Of>
using mapping_type = std::remove_cvref_t<decltype(detail::mapping_of(std::declval<const Of&>()))>;

/// A tuple or a bag of one (tuples.hpp): it has a mapping for each member.
template <class Of>
concept has_members = requires(const Of& of) { of.members(); };
/// The mapping of something that has the dimension, if one has.
template <auto Name, class Mapping, class... More>
[[nodiscard]] constexpr const auto& first_with(const Mapping& one, const More&... more) {
  if constexpr (has_dimension<Mapping, Name> || sizeof...(More) == 0)
    return one;
  else
    return detail::first_with<Name>(more...);
}
template <auto Name, class Of>
[[nodiscard]] constexpr auto mapping_with(const Of& of) {
  if constexpr (has_members<Of>)
    return std::apply([](const auto&... members) { return detail::first_with<Name>(members...); },
                      of.members());
  else
    return detail::mapping_of(of);
}
template <auto Name, class Of>
using mapping_type_with =
    std::remove_cvref_t<decltype(detail::mapping_with<Name>(std::declval<const Of&>()))>;

template <class Of>
inline constexpr bool has_open_lengths = is_pending<Of>;
template <class Of>
  requires requires(const Of& of) { of.order(); }
inline constexpr bool has_open_lengths<Of> =
    is_pending<std::remove_cvref_t<decltype(std::declval<const Of&>().order())>>;
template <class Of>
using ready_or_wrong =
    right_if<!has_open_lengths<Of>, wrong_layout::set_the_length_of_each_dimension_first>;

struct query {};
template <class Of, class Query>
  requires std::is_base_of_v<query, Query> &&
           (is_layout<Of> || has_members<Of> || requires(const Of& of) { of.layout(); })
[[nodiscard]] constexpr auto operator|(const Of& of, const Query& asks) {
  using verdict = typename Query::template verdict<Of>;
  using right [[maybe_unused]] = typename judged<verdict>::is_right;
  return asks(of);
}

template <auto Name>
struct length_query : query {
  template <class Of>
  [[nodiscard]] constexpr auto operator()(const Of& of) const {
    if constexpr (is_right<verdict<Of>>)
      return detail::length_of(detail::axis_in<Name>(detail::mapping_with<Name>(of).axes));
    else
      return count_t{};
  }
  template <class Of>
  using verdict =
      first_wrong_of<ready_or_wrong<Of>, length_or_wrong<mapping_type_with<Name, Of>, Name>>;
};
template <class Of>
struct size_verdict {
  using type = first_wrong_of<
      ready_or_wrong<Of>,
      right_if<!is_open<std::remove_cvref_t<decltype(mapping_type<Of>::root.size())>>,
               wrong_layout::the_memory_of_a_view_has_no_known_size>>;
};
template <has_members Of>
struct size_verdict<Of> {
  using type = nothing_wrong;
};
template <class Of>
using sized_or_wrong = typename size_verdict<Of>::type;
struct size_query : query {
  template <class Of>
  [[nodiscard]] constexpr auto operator()(const Of& of) const {
    if constexpr (has_members<Of>)
      return of.bytes();
    else
      return times(detail::mapping_of(of).root.size(),
                   constant<decltype(mapping_type<Of>::root)::unit>{});
  }
  template <class Of>
  using verdict = sized_or_wrong<Of>;
};

/// The steps along an axis to an index, for the dimensions that the state has.
template <auto Name, std::size_t Root, class L, class S, class State>
[[nodiscard]] constexpr count_t steps(const axis<Name, Root, L, S>& along, const State& state) {
  if constexpr (has_index<State, Name>)
    return static_cast<count_t>(detail::index_in<Name>(state)) * along.step;
  else
    return 0;
}
template <auto Name, class Major, class Minor, class State>
[[nodiscard]] constexpr count_t steps(const merged_axis<Name, Major, Minor>& along,
                                      const State& state) {
  const auto row = static_cast<count_t>(detail::length_of(along.minor));
  const auto at = static_cast<count_t>(detail::index_in<Name>(state));
  return at / row * along.major.step + at % row * along.minor.step;
}
template <auto Name, std::size_t Root, class S, class State>
[[nodiscard]] constexpr count_t steps(const dealt_axis<Name, Root, S>& along, const State& state) {
  const auto at = static_cast<count_t>(detail::index_in<Name>(state));
  return (at / along.block * along.apart + at % along.block) * static_cast<count_t>(along.step);
}
template <class Root, class... Axes, class State>
[[nodiscard]] constexpr count_t elements_before(const mapping<Root, list<Axes...>>& in,
                                                const State& state) {
  return (static_cast<count_t>(in.root.offset) + ... +
          detail::steps(static_cast<const Axes&>(in.axes), state));
}

template <auto Name, class State>
constexpr void require_index(const State& state, count_t length) {
  const auto at = static_cast<count_t>(detail::index_in<Name>(state));
  if (at < 0 || at >= length) [[unlikely]]
    refuse_layout("%s has no index %lld: its length is %lld", text_of_name<Name>(), at, length);
}
/// Throws unless the index lies in the axis. The length of uneven blocks depends on the block.
template <class Axis, class State>
constexpr void require_in_range([[maybe_unused]] const Axis& along,
                                [[maybe_unused]] const State& state) {
  using length = typename length_type<Axis>::type;
  if constexpr (!has_index<State, Axis::name>) {
    return;  // a verdict says so
  } else if constexpr (!is_uneven<length>) {
    detail::require_index<Axis::name>(state, detail::length_of(along));
  } else if constexpr (has_index<State, length::blocks>) {
    const auto block = static_cast<count_t>(detail::index_in<length::blocks>(state));
    const auto inside = along.length.template in<Axis::name, 0>(block, along.step);
    detail::require_index<Axis::name>(state, detail::length_of(inside));
  } else {
    detail::require_index<Axis::name>(state, along.length.most());  // its blocks are merged
  }
}
template <class Root, class... Axes, class State>
constexpr void require_all_in_range(const mapping<Root, list<Axes...>>& in, const State& state) {
  (detail::require_in_range(static_cast<const Axes&>(in.axes), state), ...);
}
template <class Axis, class State>
using index_or_wrong = right_if<has_index<State, Axis::name>,
                                wrong_layout::an_index_is_missing_for_the_dimension<Axis::name>>;
template <class Mapping, class State>
struct indices_verdict;
template <class Root, class... Axes, class State>
struct indices_verdict<mapping<Root, list<Axes...>>, State> {
  using type = first_wrong_of<index_or_wrong<Axes, State>...>;
};
template <class State>
struct offset_query : query {
  State state;
  constexpr explicit offset_query(const State& of) : state(of) {}
  template <class Of>
  [[nodiscard]] constexpr count_t operator()(const Of& of) const {
    if constexpr (has_members<Of>) {
      const auto tuple = detail::mapping_of(of);
      detail::require_all_in_range(tuple.member_at(state), state);
      return detail::elements_before(tuple.member_at(state), state);
    } else {
      const auto mapping = detail::mapping_of(of);
      using root = std::remove_cvref_t<decltype(mapping.root)>;
      detail::require_all_in_range(mapping, state);
      return detail::elements_before(mapping, state) * root::unit;
    }
  }
  template <class Of>
  struct verdict_in {
    using type =
        first_wrong_of<ready_or_wrong<Of>, typename indices_verdict<mapping_type<Of>, State>::type>;
  };
  template <has_members Of>
  struct verdict_in<Of> {
    using type = typename mapping_type<Of>::template element_verdict<State>::type;
  };
  template <class Of>
  using verdict = typename verdict_in<Of>::type;
};

}  // namespace detail

/// The number of indices of the dimension `Name` of a structure, a bag or a traverser.
template <auto Name>
[[nodiscard]] constexpr auto get_length() {
  return detail::length_query<Name>();
}
/// The same of this structure, bag or traverser.
template <auto Name, class Of>
[[nodiscard]] constexpr auto get_length(const Of& of) {
  using verdict = typename detail::length_query<Name>::template verdict<Of>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  if constexpr (detail::is_right<verdict>)
    return detail::length_query<Name>()(of);
  else
    return count_t{1};
}
/// Of a traverser that is wrong already.
template <auto Name>
[[nodiscard]] constexpr count_t get_length(const detail::no_traverser&) {
  return 1;
}
/// The bytes of the memory of a structure.
[[nodiscard]] constexpr auto get_size() { return detail::size_query(); }
/// The same of this structure or bag.
template <class Of>
[[nodiscard]] constexpr auto get_size(const Of& of) {
  using verdict = detail::sized_or_wrong<Of>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::size_query()(of);
}
/// The bytes before the element of these indices: `structure | offset(idx<'i', 'j'>(2, 3))`. Throws
/// `layout_error` if one of them lies outside its dimension.
template <class... Index>
[[nodiscard]] constexpr auto offset(const indices<Index...>& at) {
  return detail::offset_query<indices<Index...>>(at);
}

/// The element of these indices in `memory`: `get_at(pointer, structure, idx<'i', 'j'>(2, 3))`.
/// No range is checked.
template <class Structure, class Element, class... Index>
[[nodiscard]] constexpr Element& get_at(Element* memory, const Structure& structure,
                                        const indices<Index...>& at) {
  using found = detail::mapping_type<Structure>;
  using verdict =
      detail::first_wrong_of<detail::ready_or_wrong<Structure>,
                             typename detail::indices_verdict<found, indices<Index...>>::type>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return *mpiglot::detail::stepped<decltype(found::root)::unit>(
      memory, detail::elements_before(detail::mapping_of(structure), at));
}

namespace detail {

/// The lengths of an axis and of those it consists of, each with its name.
template <auto Name, std::size_t Root, class L, class S>
[[nodiscard]] constexpr auto named_lengths(const axis<Name, Root, L, S>& of) {
  if constexpr (is_uneven<L>)
    return list<>();
  else
    return list<index<Name, L>>{{of.length}};
}
template <auto Name, class Major, class Minor>
[[nodiscard]] constexpr auto named_lengths(const merged_axis<Name, Major, Minor>& of) {
  const auto both = detail::length_of(of);
  return list<index<Name, std::remove_cv_t<decltype(both)>>>{{both}} +
         detail::named_lengths(of.major) + detail::named_lengths(of.minor);
}
template <auto Name, std::size_t Root, class S>
[[nodiscard]] constexpr auto named_lengths(const dealt_axis<Name, Root, S>& of) {
  return list<index<Name, count_t>>{{of.length}};
}
template <class... Axes>
[[nodiscard]] constexpr auto all_lengths_of(const list<Axes...>& axes) {
  return (list<>() + ... + detail::named_lengths(static_cast<const Axes&>(axes)));
}
template <class Of>
[[nodiscard]] constexpr auto lengths_of(const Of& of) {
  if constexpr (requires { of.all(); })
    return detail::all_lengths_of(detail::mapping_of(of.all()).axes);
  else
    return detail::all_lengths_of(detail::mapping_of(of).axes);
}

/// Sets the open lengths that it has a number for.
template <class Lengths>
struct lengths_piece;
template <class... Length>
struct lengths_piece<list<Length...>> : closed_piece {
  static constexpr bool closing = true;
  [[no_unique_address]] list<Length...> lengths;
  constexpr explicit lengths_piece(const list<Length...>& of) : lengths(of) {}

  template <class>
  using verdict = nothing_wrong;
  template <class>
  using verdict_in = nothing_wrong;
  template <class Mapping>
  [[nodiscard]] constexpr Mapping operator()(const Mapping& of) const {
    return of;
  }
  template <class Pending>
  [[nodiscard]] constexpr auto set(const Pending& to) const {
    return each(to, static_cast<const Length&>(lengths)...);
  }

 private:
  template <class Layout>
  [[nodiscard]] static constexpr Layout each(const Layout& of) {
    return of;
  }
  template <class Layout, auto Name, class N, class... More>
  [[nodiscard]] static constexpr auto each(const Layout& of, const index<Name, N>& one,
                                           const More&... more) {
    using piece = length_piece<Name, N>;
    if constexpr (!is_pending<Layout>)
      return of;
    else if constexpr (piece::sets(static_cast<const Layout*>(nullptr)))
      return each(detail::apply(of, piece(one.value)), more...);
    else
      return each(of, more...);
  }
};

}  // namespace detail

/// Sets those of the open lengths that a structure, a bag or a traverser has, also of dimensions that
/// it has merged.
template <class Like>
  requires(!std::is_arithmetic_v<Like>)
[[nodiscard]] constexpr auto set_length(const Like& like) {
  const auto lengths = detail::lengths_of(like);
  return detail::lengths_piece<std::remove_cv_t<decltype(lengths)>>(lengths);
}

/// Dimensions like those of a structure or a traverser, in memory: the first one the innermost.
template <auto... Names, class Like>
  requires(!std::is_arithmetic_v<Like>)
[[nodiscard]] constexpr auto vectors_like(const Like& like) {
  using verdict = detail::different_or_wrong<Names...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::if_right<verdict>(
      (... ^ layouts::vector<Names>(layouts::get_length<Names>(like))));
}
/// Sets the lengths of these dimensions to those of a structure or a traverser.
template <auto... Names, class Like>
[[nodiscard]] constexpr auto lengths_like(const Like& like) {
  using verdict = detail::different_or_wrong<Names...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::if_right<verdict>(
      (... ^ layouts::set_length<Names>(layouts::get_length<Names>(like))));
}

}  // namespace mpiglot::layouts
