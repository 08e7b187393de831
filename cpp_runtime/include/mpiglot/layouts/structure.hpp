// Structures: layouts whose dimensions have names.
//
//   auto matrix = scalar<double>() ^ vector<'j'>(columns) ^ vector<'i'>(rows);  // row-major
//   auto tiles = matrix ^ into_blocks<'i', 'I', 'y'>(16) ^ into_blocks<'j', 'J', 'x'>(16);
//
// The order of the dimensions, the outermost first, is the signature: the order in which elements
// are visited, and in which they travel.

#pragma once

#include <tuple>

#include <mpiglot/layouts/pieces.hpp>

namespace mpiglot::layouts {
namespace detail {

/// The root of a structure: memory. Places are counted in elements, or in bytes where there are
/// elements of other types, too: `unit` is the bytes that a place counts.
template <class T, class Offset, class Size, count_t Unit = static_cast<count_t>(sizeof(T))>
struct memory {
  using element = T;
  static constexpr count_t unit = Unit;
  [[no_unique_address]] Offset offset;
  [[no_unique_address]] Size extent;

  /// How many places there are from the first one to behind the last one, or an open length.
  [[nodiscard]] constexpr Size size() const noexcept { return extent; }
  template <class Length>
  [[nodiscard]] constexpr auto grown(Length length) const {
    const auto larger = times(extent, length);
    return memory<T, Offset, std::remove_cv_t<decltype(larger)>, Unit>{offset, larger};
  }
  template <std::size_t Root, class K, class Step>
  [[nodiscard]] constexpr auto moved(K index, Step step) const {
    if constexpr (Root == nowhere) {
      return *this;
    } else {
      const auto there = plus(offset, times(index, step));
      return memory<T, std::remove_cv_t<decltype(there)>, Size, Unit>{there, extent};
    }
  }
};

/// A mapping with pieces whose lengths are not all set. (g++ 12 does not compile it at -O0 if empty
/// members have no address of their own.)
template <class Mapping, class... Pieces>
struct pending {
  using describes_buffer = void;  // no value to be sent
  static constexpr std::size_t count = sizeof...(Pieces);
  Mapping base;
  std::tuple<Pieces...> pieces;
};

template <class Mapping>
inline constexpr bool is_pending = false;
template <class Mapping, class... Pieces>
inline constexpr bool is_pending<pending<Mapping, Pieces...>> = true;

template <class Mapping, class... Pieces, class First, class Second>
[[nodiscard]] constexpr auto apply(const pending<Mapping, Pieces...>& to,
                                   const composed<First, Second>& both);
template <class Mapping, class... Pieces, class Piece>
[[nodiscard]] constexpr auto apply(const pending<Mapping, Pieces...>& to, const Piece& piece);

template <class Root, class Axes, class Piece>
[[nodiscard]] constexpr auto apply(const mapping<Root, Axes>& to, const Piece& piece) {
  if constexpr (Piece::closed)
    return piece(to);
  else
    return pending<mapping<Root, Axes>, Piece>{to, {piece}};
}
template <class Root, class Axes, class First, class Second>
[[nodiscard]] constexpr auto apply(const mapping<Root, Axes>& to,
                                   const composed<First, Second>& both) {
  return detail::apply(detail::apply(to, both.first), both.second);
}
template <class Mapping, class... Pieces, class Piece>
[[nodiscard]] constexpr auto apply(const pending<Mapping, Pieces...>& to, const Piece& piece) {
  if constexpr (requires { piece.closing; })
    return piece.set(to);
  else
    return pending<Mapping, Pieces..., Piece>{to.base,
                                              std::tuple_cat(to.pieces, std::tuple<Piece>(piece))};
}
template <class Mapping, class... Pieces, class First, class Second>
[[nodiscard]] constexpr auto apply(const pending<Mapping, Pieces...>& to,
                                   const composed<First, Second>& both) {
  return detail::apply(detail::apply(to, both.first), both.second);
}

/// Applies the pieces one after the other: what is closed becomes a mapping.
template <class To>
[[nodiscard]] constexpr auto apply_all(const To& to) {
  return to;
}
template <class To, class Piece, class... More>
[[nodiscard]] constexpr auto apply_all(const To& to, const Piece& piece, const More&... more) {
  return detail::apply_all(detail::apply(to, piece), more...);
}

/// The length that a piece was given for the dimension `Name`, or an open one.
template <auto Name, class Piece>
[[nodiscard]] constexpr auto given_length(const Piece&) {
  return open_length{};
}
template <auto Name, auto Of, auto Major, auto Minor, class A, class B, bool Uneven>
[[nodiscard]] constexpr auto given_length(const blocks_piece<Of, Major, Minor, A, B, Uneven>& of) {
  if constexpr (same_name<Name, Major>)
    return of.major;
  else if constexpr (same_name<Name, Minor>)
    return of.minor;
  else
    return open_length{};
}
template <auto Name, auto Of, auto Hands, auto Minor, class Length>
[[nodiscard]] constexpr auto given_length(const deal_piece<Of, Hands, Minor, Length>& of) {
  if constexpr (same_name<Name, Hands>)
    return of.hands;
  else
    return open_length{};
}
template <auto Name, auto Of, class Length, bool InMemory>
[[nodiscard]] constexpr auto given_length(const outer_piece<Of, Length, InMemory>& of) {
  if constexpr (same_name<Name, Of>)
    return of.length;
  else
    return open_length{};
}

template <auto Name>
[[nodiscard]] constexpr auto first_known() {
  return open_length{};
}
template <auto Name, class Piece, class... More>
[[nodiscard]] constexpr auto first_known(const Piece& piece, const More&... more) {
  const auto given = detail::given_length<Name>(piece);
  if constexpr (is_open<std::remove_cv_t<decltype(given)>>)
    return detail::first_known<Name>(more...);
  else
    return given;
}
/// The length of a dimension, as far as it is known.
template <auto Name, class Mapping, class... Pieces>
[[nodiscard]] constexpr auto known_length(const pending<Mapping, Pieces...>& of) {
  if constexpr (has_dimension<Mapping, Name>)
    return detail::length_of(detail::axis_in<Name>(of.base.axes));
  else
    return std::apply([](const Pieces&... pieces) { return detail::first_known<Name>(pieces...); },
                      of.pieces);
}

/// Whether a piece gives a dimension this name whose length comes from inside.
template <auto Name, class Piece>
inline constexpr bool names = false;
template <auto Old, auto Name>
inline constexpr bool names<Name, rename_piece<Old, Name>> = true;
template <auto Major, auto Minor, auto Name>
inline constexpr bool names<Name, merge_piece<Major, Minor, Name>> = true;

template <class Layout, class Piece>
struct verdict_on;
/// What is wrong with pieces that are applied one after the other.
template <class To, class... Pieces>
struct verdict_on_all {
  using type = nothing_wrong;
};
template <class Verdict, class To, class Piece, class... More>
struct verdict_after {
  using type = Verdict;
};
template <class To, class Piece, class... More>
struct verdict_after<nothing_wrong, To, Piece, More...>
    : verdict_on_all<decltype(detail::apply(std::declval<To>(), std::declval<Piece>())), More...> {
};
template <class To, class Piece, class... More>
struct verdict_on_all<To, Piece, More...>
    : verdict_after<typename verdict_on<To, Piece>::type, To, Piece, More...> {};

/// Sets the length of one dimension. What is set already must be equal.
template <auto Name, class N>
struct length_piece : closed_piece {
  static constexpr bool closing = true;
  [[no_unique_address]] N length;
  constexpr explicit length_piece(N n) : length(n) { require_length<Name>(n); }

  template <class Mapping>
  [[nodiscard]] constexpr auto operator()(const Mapping& of) const {
    require_equal<Name>(detail::length_of(detail::axis_in<Name>(of.axes)), length,
                        "the length of %s is %lld and cannot be set to %lld");
    return of;
  }
  template <class Mapping>
  using verdict = first_wrong_of<length_or_wrong<Mapping, Name>,
                                 equal_or_wrong<Name, length_in<Mapping, Name>, N>>;

 private:
  template <class Pending>
  struct verdict_of_pending;

 public:
  /// The verdict about a mapping with open lengths.
  template <class Pending>
  using verdict_in = typename verdict_of_pending<Pending>::type;
  /// In a mapping with open lengths: looks for the piece whose length this is, from the last one on.
  template <class Mapping, class... Pieces>
  [[nodiscard]] constexpr auto set(const pending<Mapping, Pieces...>& to) const {
    return set_before<sizeof...(Pieces)>(to);
  }

 private:
  template <auto, class>
  friend struct length_piece;

  template <std::size_t Before, class Mapping, class... Pieces>
  [[nodiscard]] constexpr auto set_before(const pending<Mapping, Pieces...>& to) const {
    constexpr std::size_t at = place<Before, Pieces...>();
    if constexpr (at != nowhere) {
      return set_at<at>(to, std::get<at>(to.pieces));
    } else {
      (void)(*this)(to.base);
      return to;
    }
  }
  // The last piece that has this length open, or gives the dimension its name.
  template <std::size_t Before, class... Pieces>
  [[nodiscard]] static constexpr std::size_t place() {
    if constexpr (Before == 0) {
      return nowhere;
    } else {
      using last = std::tuple_element_t<Before - 1, std::tuple<Pieces...>>;
      if constexpr (last::template opens<Name> || names<Name, last>)
        return Before - 1;
      else
        return place<Before - 1, Pieces...>();
    }
  }
  // The verdict about the pieces before `Before`, as `set_before` goes through them.
  template <std::size_t Before, class Pending>
  struct verdict_before;
  template <bool Here, class Piece>
  struct closed_type {
    using type = Piece;
  };
  template <class Piece>
  struct closed_type<true, Piece> {
    using type = decltype(std::declval<const Piece&>().template close<Name>(std::declval<N>()));
  };
  template <std::size_t At, class Pending, class Places>
  struct verdict_closed;
  template <std::size_t At, class Mapping, class... Pieces, std::size_t... I>
  struct verdict_closed<At, pending<Mapping, Pieces...>, std::index_sequence<I...>>
      : verdict_on_all<Mapping, typename closed_type<I == At, Pieces>::type...> {};
  template <class Mapping>
  struct verdict_at_base {
    using type =
        first_wrong_of<right_if<has_dimension<Mapping, Name>,
                                wrong_layout::there_is_no_open_length_of_the_dimension<Name>>,
                       verdict<Mapping>>;
  };
  // Where this length closes a piece, the pieces up to the next open one are looked at.
  template <std::size_t At, class Pending, class Piece>
  struct verdict_at : verdict_closed<At, Pending, std::make_index_sequence<Pending::count>> {};
  template <std::size_t At, class Pending, auto Old>
  struct verdict_at<At, Pending, rename_piece<Old, Name>>
      : length_piece<Old, N>::template verdict_before<At, Pending> {};
  template <std::size_t At, class Pending, auto Major, auto Minor>
  struct verdict_at<At, Pending, merge_piece<Major, Minor, Name>> {
    static constexpr bool one_is_open =
        is_open<decltype(detail::known_length<Major>(std::declval<Pending>()))> !=
        is_open<decltype(detail::known_length<Minor>(std::declval<Pending>()))>;
    static constexpr bool major_is_open =
        is_open<decltype(detail::known_length<Major>(std::declval<Pending>()))>;
    using part = length_piece<major_is_open ? Major : Minor, count_t>;
    using type = typename std::conditional_t<
        one_is_open, typename part::template verdict_before<At, Pending>,
        std::type_identity<wrong_layout::set_one_of_the_merged_lengths_first<Name>>>::type;
  };
  template <std::size_t At, class Pending>
  struct verdict_through;
  template <std::size_t At, class Mapping, class... Pieces>
  struct verdict_through<At, pending<Mapping, Pieces...>>
      : verdict_at<At, pending<Mapping, Pieces...>,
                   std::tuple_element_t<At, std::tuple<Pieces...>>> {};
  template <class Mapping, class... Pieces>
  struct verdict_through<nowhere, pending<Mapping, Pieces...>> : verdict_at_base<Mapping> {};
  template <std::size_t Before, class Mapping, class... Pieces>
  struct verdict_before<Before, pending<Mapping, Pieces...>>
      : verdict_through<place<Before, Pieces...>(), pending<Mapping, Pieces...>> {};
  template <class Mapping, class... Pieces>
  struct verdict_of_pending<pending<Mapping, Pieces...>>
      : verdict_before<sizeof...(Pieces), pending<Mapping, Pieces...>> {};

  template <std::size_t At, class Mapping, class... Pieces, class Piece>
  [[nodiscard]] constexpr auto set_at(const pending<Mapping, Pieces...>& to, const Piece&) const {
    return close_at<At>(to, std::make_index_sequence<sizeof...(Pieces)>());
  }
  template <std::size_t At, class Mapping, class... Pieces, auto Old>
  [[nodiscard]] constexpr auto set_at(const pending<Mapping, Pieces...>& to,
                                      const rename_piece<Old, Name>&) const {
    return length_piece<Old, N>(length).template set_before<At>(to);
  }
  // Of the two dimensions that are one now, the length of one must be known.
  template <std::size_t At, class Mapping, class... Pieces, auto Major, auto Minor>
  [[nodiscard]] constexpr auto set_at(const pending<Mapping, Pieces...>& to,
                                      const merge_piece<Major, Minor, Name>&) const {
    const auto major = detail::known_length<Major>(to);
    const auto minor = detail::known_length<Minor>(to);
    if constexpr (is_open<decltype(detail::known_length<Major>(to))>)
      return length_piece<Major, count_t>(share(minor)).template set_before<At>(to);
    else
      return length_piece<Minor, count_t>(share(major)).template set_before<At>(to);
  }
  template <class Known>
  [[nodiscard]] constexpr count_t share(Known known) const {
    const count_t n = length;
    if (known < 1 || n % known != 0) [[unlikely]]
      refuse_layout("the length of %s, %lld, is not divisible by %lld, that of one of its parts",
                    text_of_name<Name>(), n, known);
    return n / known;
  }
  template <std::size_t At, class Mapping, class... Pieces, std::size_t... I>
  [[nodiscard]] constexpr auto close_at(const pending<Mapping, Pieces...>& to,
                                        std::index_sequence<I...>) const {
    return detail::apply_all(to.base, closed_if < I == At > (std::get<I>(to.pieces))...);
  }
  template <bool Here, class Piece>
  [[nodiscard]] constexpr auto closed_if(const Piece& piece) const {
    if constexpr (Here)
      return piece.template close<Name>(length);
    else
      return piece;
  }

 public:
  /// Whether a mapping with open lengths has this one open.
  template <class Mapping, class... Pieces>
  [[nodiscard]] static constexpr bool sets(const pending<Mapping, Pieces...>*) noexcept {
    return place<sizeof...(Pieces), Pieces...>() != nowhere &&
           is_right<verdict_in<pending<Mapping, Pieces...>>>;
  }
};

template <class S>
concept is_layout = requires(const S& s) { s.axes; } || is_pending<S>;

/// What is wrong with a piece that is applied to a layout.
template <class Layout, class Piece>
struct verdict_on {
  using type = typename Piece::template verdict<Layout>;
};
template <class Mapping, class... Pieces, class Piece>
struct verdict_on<pending<Mapping, Pieces...>, Piece> {
  using type = nothing_wrong;  // it is looked at when all lengths are set
};
template <class Mapping, class... Pieces, class Piece>
  requires requires { Piece::closing; }
struct verdict_on<pending<Mapping, Pieces...>, Piece> {
  using type = typename Piece::template verdict_in<pending<Mapping, Pieces...>>;
};
template <class Layout, class First, class Second>
struct verdict_on_both {
  using type = typename verdict_on<Layout, First>::type;
};
template <class Layout, class First, class Second>
  requires is_right<typename verdict_on<Layout, First>::type>
struct verdict_on_both<Layout, First, Second> {
  using changed = decltype(detail::apply(std::declval<Layout>(), std::declval<First>()));
  using type = typename verdict_on<changed, Second>::type;
};
template <class Layout, class First, class Second>
  requires(!is_pending<Layout>)
struct verdict_on<Layout, composed<First, Second>> : verdict_on_both<Layout, First, Second> {};
template <class Mapping, class... Pieces, class First, class Second>
struct verdict_on<pending<Mapping, Pieces...>, composed<First, Second>>
    : verdict_on_both<pending<Mapping, Pieces...>, First, Second> {};

template <class Layout, is_piece Piece>
  requires is_layout<Layout>
[[nodiscard]] constexpr auto operator^(const Layout& of, const Piece& piece) {
  using verdict = typename verdict_on<Layout, Piece>::type;
  using right [[maybe_unused]] = typename judged<verdict>::is_right;
  if constexpr (is_right<verdict>)
    return detail::apply(of, piece);
  else
    return of;
}

}  // namespace detail

/// A structure: where the elements of type `T` are that some named indices stand for.
template <class T, class Offset, class Size, class Axes>
using structure = detail::mapping<detail::memory<T, Offset, Size>, Axes>;

/// A structure whose lengths are all set.
template <class S>
concept is_structure = requires(const S& s) {
  s.axes;
  typename decltype(s.root)::element;
};

/// One element: what all structures begin with.
template <class T>
[[nodiscard]] constexpr auto scalar() noexcept {
  return structure<T, constant<0>, constant<1>, detail::list<>>{};
}

/// Sets lengths that are open. One that is set already must be equal.
template <auto... Names, class... N>
  requires(sizeof...(Names) > 0)
[[nodiscard]] constexpr auto set_length(N... lengths) {
  static_assert(sizeof...(Names) == sizeof...(N), "a length for each dimension");
  using verdict = detail::first_wrong_of<detail::different_or_wrong<Names...>,
                                         detail::integer_or_wrong<Names, N>...>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return detail::if_right<verdict>(
      (... ^
       detail::length_piece<Names, decltype(detail::number(lengths))>(detail::number(lengths))));
}

}  // namespace mpiglot::layouts
