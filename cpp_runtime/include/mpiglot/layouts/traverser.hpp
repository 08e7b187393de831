// Traversers: the index space of one or several structures, walked in one order.
//
//   traverser(c, a, b) ^ hoist<'k'>() | [&](auto state) { c[state] += a[state] * b[state]; };

#pragma once

#include <mpiglot/layouts/bag.hpp>

namespace mpiglot::layouts {

template <class Order, class Outer = indices<>>
class traverser_of;

namespace detail {

/// The length of a dimension, as a type.
template <auto Name, class Length>
struct base {};

/// The root of a traverser: indices of the dimensions of its structures, in which axes step.
template <class... Bases>
struct space;
template <auto... Names, class... Lengths>
struct space<base<Names, Lengths>...> {
  static constexpr std::size_t rank = sizeof...(Names);
  count_t lengths[rank == 0 ? 1 : rank];
  count_t origin[rank == 0 ? 1 : rank];

  template <auto Name>
  static constexpr bool has = (same_name<Name, Names> || ...);
  template <auto Name>
  [[nodiscard]] static constexpr std::size_t place() noexcept {
    std::size_t at = 0;
    (void)((same_name<Name, Names> || (static_cast<void>(++at), false)) || ...);
    return at;
  }
  template <std::size_t Root, class K, class Step>
  [[nodiscard]] constexpr space moved(K index, Step step) const noexcept {
    space there = *this;
    if constexpr (Root != nowhere)
      there.origin[Root] += static_cast<count_t>(index) * static_cast<count_t>(step);
    return there;
  }
  /// The indices of all dimensions, where nothing moves any more.
  [[nodiscard]] constexpr auto state() const noexcept {
    return state_of(std::make_index_sequence<rank>());
  }

 private:
  template <std::size_t... I>
  [[nodiscard]] constexpr auto state_of(std::index_sequence<I...>) const noexcept {
    return indices<index<Names, count_t>...>{{origin[I]}...};
  }
};

// Calls `f` for each index from 0 on, each with the mapping in which the outermost axis is fixed.
template <class Root, class Axes, class State, class F>
constexpr void walk(const mapping<Root, Axes>& over, const State& outer, const F& f);

template <class Axes>
struct first_axis;
template <class First, class... More>
struct first_axis<list<First, More...>> {
  using type = First;
};

/// Blocks come before their elements if they are uneven.
template <class Length, class... Done>
inline constexpr bool comes_after = true;
template <class Length, class... Done>
  requires is_uneven<Length>
inline constexpr bool comes_after<Length, Done...> = (same_name<Length::blocks, Done::name> || ...);
template <class Done, class... Axes>
struct walk_order {
  using type = nothing_wrong;
};
template <class... Done, class Axis, class... More>
struct walk_order<list<Done...>, Axis, More...> {
  using type = first_wrong_of<
      right_if<comes_after<typename length_type<Axis>::type, Done...>,
               wrong_layout::uneven_blocks_come_before_their_elements_hoist_them<Axis::name>>,
      typename walk_order<list<Done..., Axis>, More...>::type>;
};
template <class Mapping>
struct walk_order_of;
template <class Root, class... Axes>
struct walk_order_of<mapping<Root, list<Axes...>>> : walk_order<list<>, Axes...> {};
template <class Mapping>
using walk_verdict = typename walk_order_of<Mapping>::type;

// What is wrong with names of dimensions: those that are walked, and those that are left for later.
template <class Traverser, auto... Names>
using names_or_wrong = first_wrong_of<ready_or_wrong<Traverser>, different_or_wrong<Names...>,
                                      has_or_wrong<mapping_type<Traverser>, Names>...>;
template <class Traverser, auto... Names>
struct dims_verdict {
  using type = names_or_wrong<Traverser, Names...>;
};
template <class Traverser, auto... Names>
  requires is_right<names_or_wrong<Traverser, Names...>>
struct dims_verdict<Traverser, Names...>
    : walk_order<list<>, axis_of<mapping_type<Traverser>, Names>...> {};
template <class Axes, auto... Names>
struct axes_without {
  using type = Axes;
};
template <class Axes, auto Name, auto... More>
struct axes_without<Axes, Name, More...>
    : axes_without<decltype(detail::without<Name>(std::declval<Axes>())), More...> {};
template <class Traverser, auto... Names>
using other_axes = typename axes_without<decltype(mapping_type<Traverser>::axes), Names...>::type;
template <class Traverser, auto... Names>
struct sections_verdict {
  using type = names_or_wrong<Traverser, Names...>;
};
template <class Traverser, auto... Names>
  requires is_right<names_or_wrong<Traverser, Names...>>
struct sections_verdict<Traverser, Names...>
    : walk_order_of<
          mapping<decltype(mapping_type<Traverser>::root), other_axes<Traverser, Names...>>> {};

// What functions are called with. Those who walk ask first what the function returns: so the error
// about its body, if there is one, is short.
template <class Mapping, class Outer>
struct state_of_walk;
template <class Root, class... Axes, class Outer>
struct state_of_walk<mapping<Root, list<Axes...>>, Outer> {
  using type =
      decltype((std::declval<Outer>() & ... & std::declval<indices<index<Axes::name, count_t>>>()) &
               std::declval<Root>().state());
};
template <class Mapping, class State, auto... Names>
struct inner_of_walk {
  using type = traverser_of<Mapping, State>;
};
template <class Mapping, class State, auto Name, auto... More>
struct inner_of_walk<Mapping, State, Name, More...>
    : inner_of_walk<decltype(detail::fixed<Name>(std::declval<Mapping>(), count_t())),
                    decltype(std::declval<State>() & std::declval<indices<index<Name, count_t>>>()),
                    More...> {};

template <auto Name, class Root, class Axes, class F>
constexpr void each_index(const mapping<Root, Axes>& over, const F& f) {
  const auto length = detail::length_of(detail::axis_in<Name>(over.axes));
  if constexpr (!is_uneven<std::remove_cv_t<decltype(length)>>)
    for (count_t i = 0; i < length; ++i) f(i, detail::fixed<Name>(over, i));
}
template <class Root, class Axes, class State, class F>
constexpr void walk(const mapping<Root, Axes>& over, const State& outer, const F& f) {
  if constexpr (std::is_same_v<Axes, list<>>) {
    f(outer & over.root.state());
  } else {
    constexpr auto name = first_axis<Axes>::type::name;
    detail::each_index<name>(over, [&](count_t i, const auto& inner) {
      detail::walk(inner, outer & indices<index<name, count_t>>{{i}}, f);
    });
  }
}

}  // namespace detail

/// An order in which to walk an index space. `Outer` are the indices that are fixed already.
template <class Order, class Outer>
class traverser_of {
 public:
  constexpr explicit traverser_of(const Order& order, const Outer& outer = {})
      : order_(order), outer_(outer) {}

  /// The axes and, where lengths are open, the pieces.
  [[nodiscard]] constexpr const Order& order() const noexcept { return order_; }
  /// The axes, once all lengths are set.
  [[nodiscard]] constexpr auto layout() const { return detail::mapping_of(order_); }
  /// The indices that `for_dims` or `fix` has fixed.
  [[nodiscard]] constexpr const Outer& state() const noexcept { return outer_; }

  /// Calls `f(state)` for each place, with the indices of the traverser's own dimensions and of those
  /// of its structures. Where both have a name, it is the index in the structures.
  template <class F>
  constexpr void for_each(const F& f) const {
    using verdict =
        detail::first_wrong_of<detail::ready_or_wrong<traverser_of>,
                               detail::walk_verdict<detail::mapping_type<traverser_of>>>;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (detail::is_right<verdict>) {
      using mapping = detail::mapping_type<traverser_of>;
      using state = typename detail::state_of_walk<mapping, Outer>::type;
      using result [[maybe_unused]] = decltype(f(std::declval<state>()));
      detail::walk(layout(), outer_, f);
    }
  }
  /// Calls `f(inner)` for each index of the dimensions `Names`, the first one the outermost: `inner`
  /// is the traverser of all others there.
  template <auto... Names, class F>
  constexpr void for_dims(const F& f) const {
    using verdict = typename detail::dims_verdict<traverser_of, Names...>::type;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (detail::is_right<verdict>) {
      using mapping = detail::mapping_type<traverser_of>;
      using inner = typename detail::inner_of_walk<mapping, Outer, Names...>::type;
      using result [[maybe_unused]] = decltype(f(std::declval<inner>()));
      dims<Names...>(layout(), outer_, f);
    }
  }
  /// Calls `f(section)` for each index of all dimensions but `Names`: `section` is the traverser of
  /// the dimensions `Names` there, in the order of this one.
  template <auto... Names, class F>
  constexpr void for_sections(const F& f) const {
    using verdict = typename detail::sections_verdict<traverser_of, Names...>::type;
    using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
    if constexpr (detail::is_right<verdict>)
      all_dims(static_cast<detail::other_axes<traverser_of, Names...>*>(nullptr), f);
  }

 private:
  template <auto... Names, class Mapping, class State, class F>
  static constexpr void dims(const Mapping& over, const State& outer, const F& f) {
    if constexpr (sizeof...(Names) == 0)
      f(traverser_of<Mapping, State>(over, outer));
    else
      next_dim<Names...>(over, outer, f);
  }
  template <auto Name, auto... More, class Mapping, class State, class F>
  static constexpr void next_dim(const Mapping& over, const State& outer, const F& f) {
    detail::each_index<Name>(over, [&](count_t i, const auto& inner) {
      dims<More...>(inner, outer & indices<index<Name, count_t>>{{i}}, f);
    });
  }
  template <class... Axes, class F>
  constexpr void all_dims(const detail::list<Axes...>*, const F& f) const {
    for_dims<Axes::name...>(f);
  }

  [[no_unique_address]] Order order_;
  [[no_unique_address]] Outer outer_;
};

namespace detail {

template <class Of>
inline constexpr bool is_traverser = false;
template <class Order, class Outer>
inline constexpr bool is_traverser<traverser_of<Order, Outer>> = true;

// The dimensions of the first mapping, then those of the others that are new.
template <auto... Names>
struct name_list {
  template <auto Name>
  static constexpr bool has = (same_name<Name, Names> || ...);
};
template <class Names>
[[nodiscard]] constexpr auto joined_names() noexcept {
  return Names();
}
template <class Names, class Axis, class... More>
[[nodiscard]] constexpr auto joined_names() noexcept {
  return [&]<auto... Name>(name_list<Name...>) {
    if constexpr (name_list<Name...>::template has<Axis::name>)
      return detail::joined_names<name_list<Name...>, More...>();
    else
      return detail::joined_names<name_list<Name..., Axis::name>, More...>();
  }(Names());
}
template <class Names>
[[nodiscard]] constexpr auto names_in_all() noexcept {
  return Names();
}
template <class Names, class Root, class... Axes, class... More>
[[nodiscard]] constexpr auto names_in_all(const mapping<Root, list<Axes...>>&,
                                          const More&... more) noexcept {
  return detail::names_in_all<decltype(detail::joined_names<Names, Axes...>())>(more...);
}

// The length of a dimension in the first mapping that has it; all others must have the same one.
template <auto Name>
[[nodiscard]] constexpr auto length_in_all() noexcept {
  return open_length();
}
template <auto Name, class Mapping, class... More>
[[nodiscard]] constexpr auto length_in_all(const Mapping& first, const More&... more) {
  auto others = detail::length_in_all<Name>(more...);
  if constexpr (has_dimension<Mapping, Name>) {
    auto length = detail::length_of(detail::axis_in<Name>(first.axes));
    if constexpr (!is_open<decltype(others)> && !is_uneven<decltype(others)> &&
                  !is_uneven<decltype(length)>)
      require_equal<Name>(length, others,
                          "the length of %s is %lld in one structure and %lld in another");
    return length;
  } else {
    return others;
  }
}
// Static lengths of one dimension that differ.
template <class Axis, class Mapping>
using same_length_or_wrong =
    equal_or_wrong<Axis::name, typename length_type<Axis>::type, length_in<Mapping, Axis::name>>;
template <class First, class Second>
struct lengths_verdict;
template <class Root, class... Axes, class Second>
struct lengths_verdict<mapping<Root, list<Axes...>>, Second> {
  using type = first_wrong_of<same_length_or_wrong<Axes, Second>...>;
};
template <class... Mapping>
struct all_lengths {
  using type = nothing_wrong;
};
template <class First, class... More>
struct all_lengths<First, More...> {
  using type = first_wrong_of<typename lengths_verdict<First, More>::type...,
                              typename all_lengths<More...>::type>;
};
template <class... Mapping>
using same_lengths_or_wrong = typename all_lengths<Mapping...>::type;

template <class Length>
[[nodiscard]] constexpr count_t largest(const Length& length) noexcept {
  if constexpr (is_uneven<Length>)
    return length.most();
  else
    return length;
}

template <auto... Names, std::size_t... I, class... Mapping>
[[nodiscard]] constexpr auto union_of(name_list<Names...>, std::index_sequence<I...>,
                                      const Mapping&... of) {
  const list<axis<Names, I, decltype(detail::length_in_all<Names>(of...)), constant<1>>...> axes{
      {detail::length_in_all<Names>(of...), {}}...};
  return mapping{space<base<Names, decltype(detail::length_in_all<Names>(of...))>...>{
                     {detail::largest(detail::length_in_all<Names>(of...))...}, {}},
                 axes};
}
template <class... Mapping>
[[nodiscard]] constexpr auto union_of(const Mapping&... of) {
  return []<auto... Names>(name_list<Names...> names, const Mapping&... in) {
    return detail::union_of(names, std::make_index_sequence<sizeof...(Names)>(), in...);
  }(detail::names_in_all<name_list<>>(of...), of...);
}
// Makes the axes that are there the dimensions of the space: those of the structure that is walked.
struct rebase_piece : closed_piece {
  template <class>
  using verdict = nothing_wrong;
  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    return detail::union_of(of);
  }
};
// A structure with open lengths is walked as soon as they are set.
template <class Mapping, class... Pieces>
[[nodiscard]] constexpr auto space_of(const pending<Mapping, Pieces...>& of) {
  return std::apply(
      [&](const Pieces&... pieces) {
        return detail::apply_all(detail::union_of(of.base), pieces..., rebase_piece());
      },
      of.pieces);
}

template <class Order, class Outer, is_piece Piece>
[[nodiscard]] constexpr auto operator^(const traverser_of<Order, Outer>& of, const Piece& piece) {
  using verdict = first_wrong_of<
      right_if<keeps_memory<Piece>, wrong_layout::vector_needs_other_memory_use_bcast_here>,
      typename verdict_on<Order, Piece>::type>;
  using right [[maybe_unused]] = typename judged<verdict>::is_right;
  if constexpr (is_right<verdict>) {
    const auto order = detail::apply(of.order(), piece);
    return traverser_of<std::remove_cv_t<decltype(order)>, Outer>(order, of.state());
  } else {
    return no_traverser();
  }
}
/// `F` is a reference if the function has a name.
template <auto Name, class F>
struct parallel_walk {
  F f;
};
template <class Order, class Outer, auto Name, class F>
void operator|(const traverser_of<Order, Outer>& over, const parallel_walk<Name, F>& with) {
  using mapping = mapping_type<traverser_of<Order, Outer>>;
  using verdict =
      first_wrong_of<ready_or_wrong<traverser_of<Order, Outer>>, length_or_wrong<mapping, Name>>;
  using right [[maybe_unused]] = typename judged<verdict>::is_right;
  if constexpr (is_right<verdict>) {
    const mapping all = over.layout();
    const count_t length = detail::length_of(detail::axis_in<Name>(all.axes));
#if defined(_OPENMP)
#pragma omp parallel for
#endif
    for (count_t i = 0; i < length; ++i)
      detail::walk(detail::fixed<Name>(all, i), over.state() & indices<index<Name, count_t>>{{i}},
                   with.f);
  }
}
template <class Order, class Outer, class F>
  requires(!std::is_base_of_v<query, F>)
constexpr void operator|(const traverser_of<Order, Outer>& over, const F& f) {
  using walked = traverser_of<Order, Outer>;
  // Asked here, since `for_each` would be one more place in an error.
  if constexpr (is_right<ready_or_wrong<walked>> && is_right<walk_verdict<mapping_type<walked>>>) {
    using state = typename state_of_walk<mapping_type<walked>, Outer>::type;
    using result [[maybe_unused]] = decltype(f(std::declval<state>()));
  }
  over.for_each(f);
}

}  // namespace detail

using detail::operator|;

/// Walks in parallel: `traverser | parallel<'i'>(f)` calls `f(state)` from a thread of OpenMP for each
/// index of `Name`, and in the order of the traverser for the other dimensions. `f` must not throw.
/// Without OpenMP (`-fopenmp`) there is one thread. A function that has a name is referred to, a
/// temporary is kept.
template <auto Name, class F>
[[nodiscard]] constexpr auto parallel(F&& f) {
  return detail::parallel_walk<Name, F>{static_cast<F&&>(f)};
}

/// The index space of structures and bags: the dimensions of the first one in the order of its
/// signature, then those that only the next ones have. A dimension has the same length in all.
template <class... Of>
  requires(sizeof...(Of) > 0 && !(detail::has_members<Of> || ...))
[[nodiscard]] constexpr auto traverser(const Of&... of) {
  using verdict =
      detail::first_wrong_of<detail::ready_or_wrong<Of>...,
                             detail::same_lengths_or_wrong<detail::mapping_type<Of>...>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  if constexpr (detail::is_right<verdict>) {
    const auto order = detail::union_of(detail::mapping_of(of)...);
    return traverser_of<std::remove_cv_t<decltype(order)>>(order);
  } else {
    return detail::no_traverser();
  }
}
/// The same of a structure whose blocks get their lengths later, by `set_length` or a communicator.
template <class Mapping, class... Pieces>
[[nodiscard]] constexpr auto traverser(const detail::pending<Mapping, Pieces...>& of) {
  using verdict = detail::right_if<(detail::keeps_memory<Pieces> && ...),
                                   wrong_layout::set_the_length_of_each_dimension_first>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  const auto order = detail::space_of(of);
  return traverser_of<std::remove_cv_t<decltype(order)>>(order);
}

}  // namespace mpiglot::layouts

namespace mpiglot::detail {

/// Traversers in the place of bags.
template <class Order, class Outer>
struct view_fault<layouts::traverser_of<Order, Outer>> {
  static constexpr bool found = true;
  template <class, class>
  using type = layouts::wrong_layout::traverser_has_no_elements_give_a_bag;
};

}  // namespace mpiglot::detail
