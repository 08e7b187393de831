// Receives into a view or matrix that is made for the message, and returns it.
//
//   auto matrix = comm.recv<Eigen::MatrixXd>(extents(3, 4), source(0));
//   auto view = comm.scatter<Kokkos::View<double**>>(send_buf(all), extents(2, 4));

#pragma once

#include <mpiglot/detail/arguments/made_views.hpp>
#include <mpiglot/detail/views/layout.hpp>

namespace mpiglot {

/// The extents of the view that an operation makes, in elements, the slowest index first. Given with
/// the type of the view in angle brackets, in the place of `recv_buf`. The type owns its elements: a
/// matrix of Eigen, a `Kokkos::View`, or what `view_traits<View>::make` makes. The result is the same
/// as of a view of these extents that is moved in. It is made before the operation begins. Throws
/// `view_error` if an extent is negative or the type of the view fixes another one, and what the
/// allocation of the view throws.
template <class... Extents>
  requires(!detail::no_whole_number<Extents> && ...)
[[nodiscard]] constexpr parameter<keys::extents, detail::extent_list<sizeof...(Extents)>> extents(
    Extents... n) noexcept {
  return {{{static_cast<count_t>(n)...}}};
}

namespace detail {

template <class View, std::size_t N, std::size_t... I>
[[nodiscard]] View make_view(const extent_list<N>& extents, std::index_sequence<I...>) {
  using traits = view_traits<View>;
  if ((... || (extents.at[I] < 0))) [[unlikely]]
    refuse_view("a view has a negative extent");
  View made = traits::make(extents.at[I]...);
  if constexpr (N == traits::rank)
    if ((... || (static_cast<count_t>(traits::extent(made, I)) != extents.at[I]))) [[unlikely]]
      refuse_view("the type of a view has other extents");
  return made;
}
template <class View, std::size_t N>
View make_view(const extent_list<N>& extents) {
  return make_view<View>(extents, std::make_index_sequence<N>());
}

}  // namespace detail
}  // namespace mpiglot
