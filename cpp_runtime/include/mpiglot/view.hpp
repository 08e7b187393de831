// Views of other libraries as buffers: std::mdspan, Kokkos::View, Eigen, and your own types. They
// are recognised by their members, so no header of these libraries is included.
//
//   std::mdspan matrix(memory.data(), 4, 6);
//   comm.send(send_buf(std::submdspan(matrix, std::full_extent, 2)), destination(1));
//
// Elements travel in the order of their indices, the last index fastest, whatever their order in
// memory. So views of different layouts can send to each other, and to a std::vector.

#pragma once

#include <concepts>

#include <mpiglot/detail/arguments/explain.hpp>
#include <mpiglot/detail/views/adapter.hpp>
#include <mpiglot/extents.hpp>

namespace mpiglot {
namespace detail {

/// std::mdspan and its reference implementations.
template <class View>
concept mdspan_view = requires(const View& v) {
  v.data_handle();
  v.extent(std::size_t{});
  typename View::accessor_type;
  typename View::element_type;
  { View::is_always_strided() } -> std::same_as<bool>;
};
/// An accessor that may compute elements, or convert them: only a pointer is memory.
template <class View>
concept accesses_memory =
    std::is_same_v<typename View::data_handle_type, typename View::element_type*> &&
    std::is_same_v<typename View::reference, typename View::element_type&> &&
    std::is_same_v<typename View::accessor_type::offset_policy, typename View::accessor_type>;

/// Kokkos::View, and what has the same members.
template <class View>
concept kokkos_view = !mdspan_view<View> && requires(const View& v) {
  typename View::array_layout;
  { static_cast<std::size_t>(View::rank) };
  v.data();
  v.extent(0);
};
template <class View>
concept kokkos_memory = requires(const View& v) {
  v.stride(0);
  requires std::is_same_v<decltype(v.data()), std::add_pointer_t<typename View::value_type>>;
};
/// True unless the memory of the view is not that of its mirror on the host.
template <class View>
inline constexpr bool on_host = true;
template <class View>
  requires requires {
    typename View::memory_space;
    typename View::host_mirror_space::memory_space;
  }
inline constexpr bool on_host<View> =
    std::is_same_v<typename View::memory_space, typename View::host_mirror_space::memory_space>;

/// A Kokkos::View that allocates its elements. The first argument is its label.
template <class View, class... Extents>
concept allocates_elements = requires {
  View("received", static_cast<std::size_t>(Extents{})...);
} && !requires { requires !View::traits::is_managed; };

/// Matrices, maps and blocks of Eigen.
template <class View>
concept eigen_view = requires(const View& v) {
  v.data();
  v.rows();
  v.cols();
  v.innerStride();
  v.outerStride();
  { static_cast<bool>(View::IsRowMajor) };
};

template <class View>
struct mdspan_traits {
  static constexpr std::size_t rank = View::rank();

  [[nodiscard]] static auto* data(const View& view) noexcept { return view.data_handle(); }
  [[nodiscard]] static auto extent(const View& view, std::size_t i) noexcept {
    return view.extent(static_cast<typename View::rank_type>(i));
  }
  [[nodiscard]] static auto stride(const View& view, std::size_t i) noexcept {
    return view.stride(static_cast<typename View::rank_type>(i));
  }
};

template <class View>
struct kokkos_traits {
  static constexpr std::size_t rank = static_cast<std::size_t>(View::rank);
  static constexpr bool shares_elements = true;

  [[nodiscard]] static auto* data(const View& view) noexcept { return view.data(); }
  [[nodiscard]] static auto extent(const View& view, std::size_t i) noexcept {
    return view.extent(i);
  }
  [[nodiscard]] static auto stride(const View& view, std::size_t i) noexcept {
    return view.stride(i);
  }
  template <class... Extents>
    requires(sizeof...(Extents) == rank && allocates_elements<View, Extents...>)
  [[nodiscard]] static View make(Extents... extents) {
    return View("received", static_cast<std::size_t>(extents)...);
  }
};

/// True if a dimension of a type of Eigen may have `n` elements, of which it fixes `exact` and at most
/// `most`. Negative: any number.
[[nodiscard]] constexpr bool may_have(count_t n, count_t exact, count_t most) noexcept {
  return (exact < 0 || n == exact) && (most < 0 || n <= most);
}
/// Matrices and arrays of Eigen: maps and blocks cannot be made of nothing.
template <class View>
concept eigen_matrix = std::default_initializable<View> && requires(View& made) {
  made.resize(count_t{}, count_t{});
  View::MaxRowsAtCompileTime;
  View::MaxColsAtCompileTime;
};

template <class View>
struct eigen_traits {
  static constexpr std::size_t rank = 2;

  [[nodiscard]] static auto* data(auto& view) noexcept { return view.data(); }
  [[nodiscard]] static auto extent(const View& view, std::size_t i) noexcept {
    return i == 0 ? view.rows() : view.cols();
  }
  [[nodiscard]] static auto stride(const View& view, std::size_t i) noexcept {
    return (i == 0) == static_cast<bool>(View::IsRowMajor) ? view.outerStride()
                                                           : view.innerStride();
  }
  /// A column or a row, too, of one extent if its type is that of one.
  [[nodiscard]] static View make(count_t rows, count_t columns)
    requires eigen_matrix<View>
  {
    if (!may_have(rows, View::RowsAtCompileTime, View::MaxRowsAtCompileTime) ||
        !may_have(columns, View::ColsAtCompileTime, View::MaxColsAtCompileTime)) [[unlikely]]
      refuse_view("the type of a view has other extents");
    View made;
    made.resize(rows, columns);
    return made;
  }
  [[nodiscard]] static View make(count_t n)
    requires(eigen_matrix<View> && (View::RowsAtCompileTime == 1 || View::ColsAtCompileTime == 1))
  {
    return View::ColsAtCompileTime == 1 ? make(n, 1) : make(1, n);
  }
};

}  // namespace detail

/// std::mdspan with a layout that has strides and an accessor that is a pointer.
template <class View>
  requires(detail::mdspan_view<View> && detail::accesses_memory<View> && View::is_always_strided())
struct view_traits<View> : detail::mdspan_traits<View> {};

/// Kokkos::View in memory of the host. A copy shares the elements, so a request keeps them.
template <class View>
  requires(detail::kokkos_view<View> && detail::kokkos_memory<View> && detail::on_host<View>)
struct view_traits<View> : detail::kokkos_traits<View> {};

/// Matrices, maps and blocks of Eigen. Indices are row, column.
template <detail::eigen_view View>
struct view_traits<View> : detail::eigen_traits<View> {};

namespace detail {

template <class View>
  requires(mdspan_view<View> && !(accesses_memory<View> && View::is_always_strided()))
struct view_fault<View> {
  static constexpr bool found = true;
  template <class Key, class Operation>
  using type =
      wrong_call::view_has_no_strides_or_its_accessor_is_no_pointer_copy_it<Key, Operation, View>;
};
template <class View>
  requires(kokkos_view<View> && !kokkos_memory<View>)
struct view_fault<View> {
  static constexpr bool found = true;
  template <class Key, class Operation>
  using type =
      wrong_call::view_has_no_strides_or_its_accessor_is_no_pointer_copy_it<Key, Operation, View>;
};
template <class View>
  requires(kokkos_view<View> && kokkos_memory<View> && !on_host<View>)
struct view_fault<View> {
  static constexpr bool found = true;
  template <class Key, class Operation>
  using type =
      wrong_call::view_lies_in_memory_of_a_device_copy_it_to_its_host_mirror<Key, Operation, View>;
};

}  // namespace detail
}  // namespace mpiglot
