// The rules of pieces: which axes each one makes of those that are there.

#pragma once

#include <concepts>

#include <mpiglot/layouts/mapping.hpp>

namespace mpiglot::layouts {

namespace detail {

struct piece_base {
  using describes_buffer = void;  // no value to be sent
};
template <class P>
concept is_piece = std::is_base_of_v<piece_base, P>;

/// A piece whose lengths are all set, or has none.
struct closed_piece : piece_base {
  static constexpr bool closed = true;
  template <auto>
  static constexpr bool opens = false;
};

/// Two pieces, the first one applied first.
template <class First, class Second>
struct composed : piece_base {
  [[no_unique_address]] First first;
  [[no_unique_address]] Second second;
  constexpr composed(const First& one, const Second& other) : first(one), second(other) {}
};

/// Changes nothing: stands for pieces that are wrong, so that there is one error about them.
struct no_piece : closed_piece {
  template <class>
  using verdict = nothing_wrong;
  template <class Mapping>
  [[nodiscard]] constexpr Mapping operator()(const Mapping& of) const {
    return of;
  }
};
template <class Verdict, class Piece>
[[nodiscard]] constexpr auto if_right(const Piece& piece) {
  if constexpr (is_right<Verdict>)
    return piece;
  else
    return no_piece();
}

template <auto Name, class Length>
constexpr void require_length(Length length) {
  if (static_cast<count_t>(length) < 0) [[unlikely]]
    refuse_layout("the length of %s exceeds 63 bits or is negative: %lld", text_of_name<Name>(),
                  length);
}

/// Whether something can be put around memory: its size is known. (The root of a traverser has none.)
template <class Root>
inline constexpr bool knows_size = true;
template <class Root>
  requires requires(const Root& root) {
    { root.size() } -> std::same_as<open_length>;
  }
inline constexpr bool knows_size<Root> = false;

/// `vector` and `bcast`: a dimension around all others.
template <auto Name, class Length, bool InMemory>
struct outer_piece : piece_base {
  [[no_unique_address]] Length length;
  static constexpr bool closed = !is_open<Length>;
  template <auto Other>
  static constexpr bool opens = !closed && same_name<Name, Other>;

  template <class Mapping>
  using verdict = first_wrong_of<new_or_wrong<Mapping, Name>,
                                 right_if<!InMemory || knows_size<decltype(Mapping::root)>,
                                          wrong_layout::the_memory_of_a_view_has_no_known_size>>;

  constexpr explicit outer_piece(Length of) : length(of) {
    if constexpr (closed) require_length<Name>(of);
  }
  template <auto, class N>
  [[nodiscard]] constexpr auto close(N n) const {
    return outer_piece<Name, N, InMemory>(n);
  }
  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& inner) const {
    if constexpr (InMemory) {
      auto step = inner.root.size();
      return mapping{inner.root.grown(length),
                     list<axis<Name, 0, Length, decltype(step)>>{{length, step}} + inner.axes};
    } else {
      return mapping{inner.root,
                     list<axis<Name, nowhere, Length, constant<0>>>{{length, {}}} + inner.axes};
    }
  }
};

/// `At` is a number, or a constant: that is needed of a tuple alone.
template <auto Name, class At = count_t>
struct fix_piece : closed_piece {
  At at;
  template <class Mapping>
  using verdict = length_or_wrong<Mapping, Name>;

  constexpr explicit fix_piece(At index) : at(index) {}

  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    const auto length = static_cast<count_t>(detail::length_of(detail::axis_in<Name>(of.axes)));
    const count_t index = at;
    if (index < 0 || index >= length) [[unlikely]]
      refuse_layout("%s has no index %lld: its length is %lld", text_of_name<Name>(), index,
                    length);
    return detail::fixed<Name>(of, index);
  }
};

/// Fixes the indices that the mapping has.
template <class State>
struct fix_state_piece;
template <class... Index>
struct fix_state_piece<list<Index...>> : closed_piece {
  [[no_unique_address]] list<Index...> state;
  template <class>
  using verdict = nothing_wrong;

  constexpr explicit fix_state_piece(const list<Index...>& of) : state(of) {}

  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    return each(of, static_cast<const Index&>(state)...);
  }

 private:
  template <class Mapping>
  [[nodiscard]] static constexpr auto each(const Mapping& of) {
    return of;
  }
  template <class Mapping, auto Name, class N, class... More>
  [[nodiscard]] static constexpr auto each(const Mapping& of, const index<Name, N>& one,
                                           const More&... more) {
    if constexpr (has_dimension<Mapping, Name>)
      return each(fix_piece<Name>(static_cast<count_t>(one.value))(of), more...);
    else
      return each(of, more...);
  }
};

/// A change of one axis that stays one axis.
template <auto Name, class Change>
struct axis_piece : closed_piece {
  [[no_unique_address]] Change change;
  template <class Mapping>
  using verdict = cut_or_wrong<Mapping, Name>;

  constexpr explicit axis_piece(const Change& with) : change(with) {}

  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    const auto& old = detail::axis_in<Name>(of.axes);
    const auto range = change.template of<Name>(old.length);  // first, length, by
    const auto step = times(old.step, range.by);
    constexpr std::size_t root = root_of(axis_of<Mapping, Name>());
    using changed = axis<Name, root, decltype(range.length), std::remove_cv_t<decltype(step)>>;
    return mapping{of.root.template moved<root>(range.first, old.step),
                   detail::exchange<Name>(of.axes, list<changed>{{range.length, step}})};
  }

 private:
  template <std::size_t Root, class L, class S>
  [[nodiscard]] static constexpr std::size_t root_of(const axis<Name, Root, L, S>&) {
    return Root;
  }
};
template <class First, class Length, class By>
struct cut {
  First first;
  Length length;
  By by;
};
template <class First, class Length, class By>
cut(First, Length, By) -> cut<First, Length, By>;

template <auto Name>
constexpr void require_range(count_t first, count_t length, count_t of) {
  if (first < 0 || length < 0 || length > of || first > of - length) [[unlikely]]
    refuse_layout("a part of %s does not lie in it: it begins at %lld and the length is %lld",
                  text_of_name<Name>(), first, of);
}
template <class Length>
struct slice_change {
  count_t first;
  [[no_unique_address]] Length length;
  template <auto Name, class Old>
  [[nodiscard]] constexpr auto of(Old old) const {
    require_range<Name>(first, length, old);
    return cut{first, length, constant<1>{}};
  }
};
struct shift_change {
  count_t first;
  template <auto Name, class Old>
  [[nodiscard]] constexpr auto of(Old old) const {
    require_range<Name>(first, 0, old);
    return cut{first, static_cast<count_t>(old) - first, constant<1>{}};
  }
};
struct step_change {
  count_t first;
  count_t by;
  template <auto Name, class Old>
  [[nodiscard]] constexpr auto of(Old old) const {
    require_range<Name>(first, 0, old);
    if (by < 1) [[unlikely]]
      refuse_layout("a step along %s is at least 1, not %lld", text_of_name<Name>(), by);
    const count_t left = static_cast<count_t>(old) - first;
    return cut{first, left / by + (left % by == 0 ? 0 : 1), by};
  }
};
struct reverse_change {
  template <auto Name, class Old>
  [[nodiscard]] constexpr auto of(Old old) const {
    if constexpr (is_static<Old>)
      return cut{constant<(Old::value > 0 ? Old::value - 1 : 0)>{}, old, constant<-1>{}};
    else
      return cut{old > 0 ? old - 1 : 0, old, constant<-1>{}};
  }
};

template <auto Old, auto New>
struct rename_piece : closed_piece {
  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    return mapping{of.root, each(of.axes)};
  }
  template <class Mapping>
  using verdict = first_wrong_of<has_or_wrong<Mapping, Old>, new_or_wrong<Mapping, New>>;

 private:
  template <class... Axes>
  [[nodiscard]] static constexpr auto each(const list<Axes...>& axes) {
    return (list<>{} + ... + one(static_cast<const Axes&>(axes)));
  }
  template <auto Name, std::size_t Root, class L, class S>
  [[nodiscard]] static constexpr auto one(const axis<Name, Root, L, S>& of) {
    if constexpr (same_name<Name, Old>)
      return list<axis<New, Root, L, S>>{{of.length, of.step}};
    else if constexpr (is_length_in<Old, L>)
      return list<axis<Name, Root, decltype(of.length.template renamed<New>()), S>>{
          {of.length.template renamed<New>(), of.step}};
    else
      return list<axis<Name, Root, L, S>>{of};
  }
  template <auto Name, std::size_t Root, class S>
  [[nodiscard]] static constexpr auto one(const dealt_axis<Name, Root, S>& of) {
    if constexpr (same_name<Name, Old>)
      return list<dealt_axis<New, Root, S>>{{of.length, of.block, of.apart, of.step}};
    else
      return list<dealt_axis<Name, Root, S>>{of};
  }
  template <auto Name, class Major, class Minor>
  [[nodiscard]] static constexpr auto one(const merged_axis<Name, Major, Minor>& of) {
    if constexpr (same_name<Name, Old>)
      return list<merged_axis<New, Major, Minor>>{{of.major, of.minor}};
    else
      return list<merged_axis<Name, Major, Minor>>{of};
  }
};

template <auto... Names>
struct hoist_piece : closed_piece {
  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    return mapping{of.root, (list<>{} + ... + picked<Names>(of.axes)) + rest<Names...>(of.axes)};
  }
  template <class Mapping>
  using verdict = first_wrong_of<different_or_wrong<Names...>, has_or_wrong<Mapping, Names>...>;

 private:
  template <auto Name, class Axes>
  [[nodiscard]] static constexpr auto picked(const Axes& axes) {
    const auto& found = detail::axis_in<Name>(axes);
    return list<std::remove_cvref_t<decltype(found)>>{found};
  }
  template <auto Name, auto... More, class Axes>
  [[nodiscard]] static constexpr auto rest(const Axes& axes) {
    if constexpr (sizeof...(More) == 0)
      return detail::without<Name>(axes);
    else
      return rest<More...>(detail::without<Name>(axes));
  }
};

/// Splits a dimension into blocks and their elements. At most one of the two lengths is open.
template <auto Name, auto Major, auto Minor, class MajorLength, class MinorLength, bool Uneven>
struct blocks_piece : piece_base {
  [[no_unique_address]] MajorLength major;
  [[no_unique_address]] MinorLength minor;
  static constexpr bool closed = !is_open<MajorLength> || !is_open<MinorLength>;
  template <auto Other>
  static constexpr bool opens = !closed && (same_name<Other, Major> || same_name<Other, Minor>);

  template <class Total>
  struct divisible {
    static constexpr bool value = true;
  };
  template <count_t N>
    requires(!Uneven && is_static<MajorLength> != is_static<MinorLength>)
  struct divisible<constant<N>> {
    static constexpr count_t block =
        is_static<MajorLength> ? detail::value_of<MajorLength> : detail::value_of<MinorLength>;
    static constexpr bool value = block > 0 && N % block == 0;
  };
  template <class Total>
  using divides =
      right_if<divisible<Total>::value, wrong_layout::blocks_do_not_divide_pass_uneven<Name>>;

  constexpr blocks_piece(MajorLength blocks, MinorLength elements)
      : major(blocks), minor(elements) {}

  template <auto Other, class N>
  [[nodiscard]] constexpr auto close(N n) const {
    if constexpr (same_name<Other, Major>)
      return blocks_piece<Name, Major, Minor, N, MinorLength, Uneven>(n, minor);
    else
      return blocks_piece<Name, Major, Minor, MajorLength, N, Uneven>(major, n);
  }
  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    return split(of, detail::axis_in<Name>(of.axes));
  }
  template <class Mapping>
  struct verdict_in {
    using others = decltype(mapping{std::declval<Mapping>().root,
                                    detail::without<Name>(std::declval<Mapping>().axes)});
    using type = first_wrong_of<different_or_wrong<Major, Minor>, cut_or_wrong<Mapping, Name>,
                                new_or_wrong<others, Major>, new_or_wrong<others, Minor>,
                                divides<length_in<Mapping, Name>>>;
  };
  template <class Mapping>
  using verdict = typename verdict_in<Mapping>::type;

 private:
  template <class Mapping, std::size_t Root, class L, class S>
  [[nodiscard]] constexpr auto split(const Mapping& of, const axis<Name, Root, L, S>& old) const {
    const auto found = lengths(old.length);
    const auto apart = times(old.step, found.block);
    using blocks = axis<Major, Root, decltype(found.count), std::remove_cv_t<decltype(apart)>>;
    using elements = axis<Minor, Root, decltype(found.inner), S>;
    return mapping{
        of.root, detail::exchange<Name>(of.axes, list<blocks, elements>{{found.count, apart},
                                                                        {found.inner, old.step}})};
  }
  template <class Count, class Block, class Inner>
  struct parts {
    Count count;
    Block block;
    Inner inner;
  };
  // How many blocks, how many elements apart, and how many elements in each.
  template <class Total>
  [[nodiscard]] constexpr auto lengths(Total total) const {
    constexpr bool all_static =
        is_static<Total> && (is_static<MajorLength> || is_static<MinorLength>);
    if constexpr (!is_open<MajorLength> && !is_open<MinorLength>) {
      require_equal<Name>(
          times(major, minor), total,
          "%s is split into blocks that have %lld elements, but its length is %lld");
      return parts<MajorLength, MinorLength, MinorLength>{major, minor, minor};
    } else if constexpr (Uneven) {
      const count_t n = total;
      const count_t given = is_open<MinorLength> ? given_of(major) : given_of(minor);
      count_t other = 0;
      if (given >= 1)
        other = n / given + (n % given == 0 ? 0 : 1);
      else if (given < 0 || n > 0)
        refuse_layout("%s, of length %lld, is split by a length of at least 1, not %lld",
                      text_of_name<Name>(), n, given);
      const count_t block = is_open<MinorLength> ? other : given;
      const count_t count = is_open<MinorLength> ? given : other;
      return parts<count_t, count_t, uneven_length<Major>>{count, block, {block, n}};
    } else if constexpr (all_static) {
      constexpr count_t given =
          is_static<MajorLength> ? detail::value_of<MajorLength> : detail::value_of<MinorLength>;
      constexpr count_t other = given > 0 ? Total::value / given : 0;
      if constexpr (is_open<MinorLength>)
        return parts<MajorLength, constant<other>, constant<other>>{};
      else
        return parts<constant<other>, MinorLength, MinorLength>{};
    } else {
      const count_t n = total;
      const count_t given = is_open<MinorLength> ? given_of(major) : given_of(minor);
      if (given < 1 || n % given != 0) [[unlikely]]
        refuse_layout("the length of %s, %lld, is not divisible by %lld; pass uneven",
                      text_of_name<Name>(), n, given);
      if constexpr (is_open<MinorLength>)
        return parts<MajorLength, count_t, count_t>{major, n / given, n / given};
      else
        return parts<count_t, MinorLength, MinorLength>{n / given, minor, minor};
    }
  }
  template <class N>
  [[nodiscard]] static constexpr count_t given_of(N n) {
    if constexpr (is_open<N>)
      return 0;
    else
      return n;
  }
};

/// Deals a dimension in blocks, in turns: `Hands` says to whom, `Minor` are the indices of one.
template <auto Name, auto Hands, auto Minor, class Length>
struct deal_piece : piece_base {
  [[no_unique_address]] Length hands;
  count_t block;
  static constexpr bool closed = !is_open<Length>;
  template <auto Other>
  static constexpr bool opens = !closed && same_name<Other, Hands>;

  constexpr deal_piece(Length length, count_t elements) : hands(length), block(elements) {}

  template <auto, class N>
  [[nodiscard]] constexpr auto close(N n) const {
    return deal_piece<Name, Hands, Minor, N>(n, block);
  }
  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    return deal(of, detail::axis_in<Name>(of.axes));
  }
  template <class Mapping>
  struct verdict_in {
    using others = decltype(mapping{std::declval<Mapping>().root,
                                    detail::without<Name>(std::declval<Mapping>().axes)});
    using type = first_wrong_of<different_or_wrong<Hands, Minor>, cut_or_wrong<Mapping, Name>,
                                new_or_wrong<others, Hands>, new_or_wrong<others, Minor>>;
  };
  template <class Mapping>
  using verdict = typename verdict_in<Mapping>::type;

 private:
  template <class Mapping, std::size_t Root, class L, class S>
  [[nodiscard]] constexpr auto deal(const Mapping& of, const axis<Name, Root, L, S>& old) const {
    if (block < 1) [[unlikely]]
      refuse_layout("%s is dealt in blocks of at least 1 index, not of %lld", text_of_name<Name>(),
                    block);
    if (static_cast<count_t>(hands) < 1) [[unlikely]]
      refuse_layout("%s is dealt to %lld, at least 1 is needed", text_of_name<Name>(), hands);
    const count_t apart = times(old.step, block);
    using whom = axis<Hands, Root, Length, count_t>;
    using what = axis<Minor, Root, dealt_length<Hands>, S>;
    const dealt_length<Hands> length{block, old.length, hands};
    return mapping{of.root, detail::exchange<Name>(
                                of.axes, list<whom, what>{{hands, apart}, {length, old.step}})};
  }
};

/// One dimension in the place of two.
template <auto Major, auto Minor, auto Name>
struct merge_piece : closed_piece {
  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    const auto& major = detail::axis_in<Major>(of.axes);
    const auto& minor = detail::axis_in<Minor>(of.axes);
    using both = merged_axis<Name, axis_of<Mapping, Major>, axis_of<Mapping, Minor>>;
    return mapping{of.root, detail::exchange<Major>(detail::without<Minor>(of.axes),
                                                    list<both>{{major, minor}})};
  }
  template <class Mapping>
  struct verdict_in {
    using others = decltype(mapping{
        std::declval<Mapping>().root,
        detail::without<Major>(detail::without<Minor>(std::declval<Mapping>().axes))});
    using type = first_wrong_of<different_or_wrong<Major, Minor>, length_or_wrong<Mapping, Major>,
                                length_or_wrong<Mapping, Minor>, new_or_wrong<others, Name>>;
  };
  template <class Mapping>
  using verdict = typename verdict_in<Mapping>::type;
};

}  // namespace detail

}  // namespace mpiglot::layouts
