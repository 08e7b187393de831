// Names for the dimensions of a view of another library.
//
//   auto whole = named<'i', 'j'>(kokkos_view);
//   auto tile = named<'y', 'x'>(mdspan);
//   mine.scatter(send_buf(whole), recv_buf(tile));

#pragma once

#include <mpiglot/layouts/bag.hpp>
#include <mpiglot/view.hpp>

namespace mpiglot::layouts {

namespace wrong_layout {

template <class View>
struct give_a_name_to_each_dimension_of_the_view;
template <class View>
struct this_is_no_view_that_can_be_described;
template <class View>
struct view_that_owns_its_elements_must_have_a_name;

}  // namespace wrong_layout

namespace detail {

/// Whether the type of a view knows the length of a dimension. Kokkos says 0 where it does not, and
/// std::mdspan the greatest number.
template <class View, std::size_t I>
inline constexpr bool knows_extent = false;
template <class View, std::size_t I>
  requires requires { std::bool_constant<(View::static_extent(I) > 0)>(); }
inline constexpr bool knows_extent<View, I> = View::static_extent(I) > 0 &&
                                              View::static_extent(I) !=
                                                  static_cast<decltype(View::static_extent(I))>(-1);

/// The length of a dimension of a view, a constant where its type knows it.
template <std::size_t I, class View>
[[nodiscard]] constexpr auto extent_of_view(const View& view) {
  if constexpr (knows_extent<View, I>)
    return constant<static_cast<count_t>(View::static_extent(I))>();
  else
    return static_cast<count_t>(view_traits<View>::extent(view, I));
}

/// The axes of a view, which nobody knows the memory of.
template <auto... Names, class T, class View, std::size_t... I>
[[nodiscard]] constexpr auto named_axes(const View& view, T* data, std::index_sequence<I...>) {
  using element = std::remove_const_t<T>;
  const list<axis<Names, 0, decltype(detail::extent_of_view<I>(view)), count_t>...> axes{
      {detail::extent_of_view<I>(view),
       static_cast<count_t>(view_traits<View>::stride(view, I))}...};
  constexpr count_t unit = mpiglot::detail::stride_unit<View>;
  const mapping found{memory<element, constant<0>, open_length, unit>{}, axes};
  return bag_of<std::remove_const_t<decltype(found)>, T*>(found, data);
}

template <class View>
inline constexpr std::size_t dimensions_of = 0;
template <class View>
  requires requires { view_traits<View>::rank; }
inline constexpr std::size_t dimensions_of<View> = view_traits<View>::rank;

/// Where the elements of a view begin, as a type.
template <class View>
using data_of_view = decltype(view_traits<std::remove_const_t<View>>::data(std::declval<View&>()));
/// True if the elements of a view may go away with it: it gives const elements where it is const, is what
/// a matrix of Eigen evaluates to, or shares elements that go away with the last copy.
template <class View>
inline constexpr bool owns_elements = false;
template <class View>
  requires requires { view_traits<View>::rank; }
inline constexpr bool owns_elements<View> =
    !std::is_same_v<data_of_view<View>, data_of_view<const View>> ||
    (mpiglot::detail::shares_elements<View> && !std::is_trivially_copyable_v<View>) ||
    requires { requires std::is_same_v<View, typename View::PlainObject>; };
template <class Structure, class Memory>
  requires is_view<Structure>
inline constexpr bool owns_elements<bag_of<Structure, Memory>> = !std::is_pointer_v<Memory>;

}  // namespace detail

/// A bag of the elements of a view, the first name for its first index: of std::mdspan, Kokkos::View,
/// Eigen, `strided_view` and your own (`view_traits`). The elements must live as long as the bag: a
/// temporary that owns them, such as a matrix of Eigen or a Kokkos::View, does not compile.
template <auto... Names, class View>
[[nodiscard]] constexpr auto named(View&& view) {
  using plain = std::remove_cvref_t<View>;
  using verdict = detail::first_wrong_of<
      detail::right_if<requires { view_traits<plain>::rank; },
                       wrong_layout::this_is_no_view_that_can_be_described<plain>>,
      detail::right_if<detail::dimensions_of<plain> == sizeof...(Names),
                       wrong_layout::give_a_name_to_each_dimension_of_the_view<plain>>,
      detail::right_if<std::is_lvalue_reference_v<View> || !detail::owns_elements<plain>,
                       wrong_layout::view_that_owns_its_elements_must_have_a_name<plain>>,
      detail::different_or_wrong<Names...>>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  if constexpr (detail::is_right<verdict>)
    return detail::named_axes<Names...>(view, view_traits<plain>::data(view),
                                        std::make_index_sequence<sizeof...(Names)>());
  else
    return mpiglot::detail::anything<1>();
}

}  // namespace mpiglot::layouts
