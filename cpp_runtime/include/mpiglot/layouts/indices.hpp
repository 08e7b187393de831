// Indices by name: a place in an index space.

#pragma once

#include <array>

#include <mpiglot/layouts/numbers.hpp>
#include <mpiglot/layouts/verdicts.hpp>

namespace mpiglot::layouts {
namespace detail {

/// What is wrong with a list of names: one that is there twice.
template <auto... Names>
struct names_verdict {
  using type = nothing_wrong;
};
template <auto Name, auto... More>
struct names_verdict<Name, More...> {
  using type = first_wrong_of<
      right_if<!(same_name<Name, More> || ...), wrong_layout::a_dimension_is_named_twice<Name>>,
      typename names_verdict<More...>::type>;
};
template <auto... Names>
using different_or_wrong = typename names_verdict<Names...>::type;

/// The verdict about a length or an index of the dimension `Name`.
template <auto Name, class N>
using integer_or_wrong =
    right_if<is_integer<N>, wrong_layout::lengths_and_indices_are_integers<Name, N>>;

/// Items of different types: axes or indices, each found by its name.
template <class... Items>
struct list : Items... {};

template <class... A, class... B>
[[nodiscard]] constexpr list<A..., B...> operator+(const list<A...>& a, const list<B...>& b) {
  return {static_cast<const A&>(a)..., static_cast<const B&>(b)...};
}

}  // namespace detail

/// The index of one dimension.
template <auto Name, class N>
struct index {
  [[no_unique_address]] N value;
};

/// The indices of some dimensions, each by its name.
template <class... Index>
using indices = detail::list<Index...>;

namespace detail {

template <auto Name, class N>
[[nodiscard]] constexpr N index_in(const index<Name, N>& of) noexcept {
  return of.value;
}
template <class State, auto Name>
concept has_index = requires(const State& state) { detail::index_in<Name>(state); };

template <class State, auto Name, class N>
[[nodiscard]] constexpr auto unless_in(const index<Name, N>& one) noexcept {
  if constexpr (has_index<State, Name>)
    return list<>{};
  else
    return list<index<Name, N>>{one};
}

/// The indices of both; where both have one, that of `b`.
template <class... A, class... B>
[[nodiscard]] constexpr auto operator&(const list<A...>& a, const list<B...>& b) noexcept {
  return (list<>{} + ... + detail::unless_in<list<B...>>(static_cast<const A&>(a))) + b;
}

}  // namespace detail

/// The indices of the dimensions `Names`: `idx<'i', 'j'>(2, 3)`.
template <auto... Names, class... N>
  requires(sizeof...(Names) == sizeof...(N))
[[nodiscard]] constexpr auto idx(N... values) noexcept {
  using verdict = detail::first_wrong_of<detail::different_or_wrong<Names...>,
                                         detail::integer_or_wrong<Names, N>...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  if constexpr (detail::is_right<verdict>)
    return indices<index<Names, decltype(detail::number(values))>...>{{detail::number(values)}...};
  else  // the last index of each name, so that there is one error
    return (... & indices<index<Names, count_t>>{{count_t{}}});
}

/// The index of the dimension `Name`.
template <auto Name, class... Index>
[[nodiscard]] constexpr auto get_index(const indices<Index...>& of) noexcept {
  using verdict = detail::right_if<detail::has_index<indices<Index...>, Name>,
                                   wrong_layout::an_index_is_missing_for_the_dimension<Name>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  if constexpr (detail::is_right<verdict>)
    return detail::index_in<Name>(of);
  else
    return count_t{};
}
/// The indices of the dimensions `Names`, in this order.
template <auto... Names, class... Index>
[[nodiscard]] constexpr std::array<count_t, sizeof...(Names)> get_indices(
    const indices<Index...>& of) noexcept {
  return {static_cast<count_t>(layouts::get_index<Names>(of))...};
}

}  // namespace mpiglot::layouts
