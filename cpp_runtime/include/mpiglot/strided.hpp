// Strided views: rectangles of a larger array, rows or columns of a matrix.

#pragma once

#include <mpiglot/detail/views/adapter.hpp>

namespace mpiglot {

/// A view of `rows` x `columns` elements in row-major order. Strides are in elements. The view owns
/// no elements; a copy of it refers to the same elements.
template <class T>
struct strided_view {
  T* data;
  count_t rows;
  count_t columns;
  count_t row_stride;
  count_t column_stride = 1;

  /// The element at this row and column.
  [[nodiscard]] T& operator()(count_t row, count_t column) const noexcept {
    return data[row * row_stride + column * column_stride];
  }
  /// The number of elements.
  [[nodiscard]] count_t size() const noexcept { return rows * columns; }
  /// True if the elements are contiguous in memory.
  [[nodiscard]] bool is_contiguous() const noexcept {
    return (column_stride == 1 && (row_stride == columns || rows <= 1)) || size() <= 1;
  }
};

namespace detail {

template <class T>
struct strided_view_traits {
  static constexpr std::size_t rank = 2;

  [[nodiscard]] static T* data(const strided_view<T>& view) noexcept { return view.data; }
  [[nodiscard]] static count_t extent(const strided_view<T>& view, std::size_t i) noexcept {
    return i == 0 ? view.rows : view.columns;
  }
  [[nodiscard]] static count_t stride(const strided_view<T>& view, std::size_t i) noexcept {
    return i == 0 ? view.row_stride : view.column_stride;
  }
};

}  // namespace detail

/// The layout of a strided view.
template <class T>
struct view_traits<strided_view<T>> : detail::strided_view_traits<T> {};

}  // namespace mpiglot
