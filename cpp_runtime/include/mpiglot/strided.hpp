// Strided views: rectangles of a larger array, rows or columns of a matrix.

#pragma once

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/mpi/datatypes.hpp>

namespace mpiglot {

/// A view of `rows` x `columns` elements in row-major order. Strides are in elements. The view owns
/// no elements; a copy of it refers to the same elements.
template <class T>
struct strided_view {
  using describes_buffer = void;

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
inline constexpr bool is_strided_view = false;
template <class T>
inline constexpr bool is_strided_view<strided_view<T>> = true;
}  // namespace detail

/// MPI uses the memory of a contiguous view directly. For any other view, the adapter creates a
/// derived datatype, which it frees; in form::elements, it packs the elements into a block instead.
template <class Buffer, form Form, resize_policy Policy>
  requires detail::is_strided_view<detail::plain_t<Buffer>>
class buffer_adapter<Buffer, Form, Policy> {
  using view = detail::plain_t<Buffer>;
  using element = std::remove_pointer_t<decltype(view::data)>;
  static constexpr bool packs = Form == form::elements;

 public:
  using is_complete = void;  // core_adapters.cpp checks it
  using wire = std::remove_cv_t<element>;
  using gathered = detail::vector_of_t<wire>;
  using part = detail::vector_of_t<wire>;

  static constexpr bool fixed = true;
  static constexpr bool agreed = false;
  static constexpr bool uniform = true;
  static constexpr bool divides = false;
  static constexpr bool writable = !std::is_const_v<element>;
  static constexpr bool owning = false;
  static constexpr bool movable = true;
  static constexpr bool learns_length = packs;

  explicit buffer_adapter(Buffer&& buffer) : view_(buffer), contiguous_(view_.is_contiguous()) {
    if (contiguous_) return;
    if constexpr (packs)
      staging_.resize(static_cast<std::size_t>(room()));
    else
      make_datatype();
  }

  void pack() noexcept {
    if constexpr (packs)
      if (!contiguous_) each([](wire& packed, element& e) { packed = e; }, room());
  }
  [[nodiscard]] count_t length() const noexcept { return room(); }
  [[nodiscard]] lent out() noexcept(noexcept(datatype_of<wire>())) { return in(room()); }

  [[nodiscard]] count_t room() const noexcept { return view_.size(); }
  void place(count_t n) {
    // The derived datatype describes the whole view, so a collective cannot use a part of it.
    require_room(room(), n);
    if constexpr (Form == form::block)
      if (!contiguous_ && n != room())
        detail::refuse_counts("a strided view takes part with all of its elements");
  }
  [[nodiscard]] lent in(count_t n) noexcept(noexcept(datatype_of<wire>())) {
    if (contiguous_) return {const_cast<wire*>(view_.data), n, datatype_of<wire>()};
    if constexpr (packs) return {staging_.data(), n, datatype_of<wire>()};
    return {const_cast<wire*>(view_.data), 1, whole_};
  }
  void unpack(count_t n) noexcept {
    if constexpr (packs && writable)
      if (!contiguous_) each([](wire& packed, element& e) { e = packed; }, n);
  }
  template <class Layout>
  void unpack_parts(const Layout& layout) noexcept {
    unpack(layout.extent());
  }

 private:
  // Calls the function with the first n pairs of a packed element and an element of the view.
  template <class Function>
  void each(Function function, count_t n) noexcept {
    wire* packed = staging_.data();
    for (count_t row = 0; row < view_.rows; ++row)
      for (count_t column = 0; column < view_.columns && n > 0; ++column, --n)
        function(*packed++, view_(row, column));
  }

  void make_datatype() {
    constexpr auto size = static_cast<count_t>(sizeof(wire));
    mpi::unique_datatype row(mpi::type_create_hvector(view_.columns, 1, view_.column_stride * size,
                                                      datatype_of<wire>()));
    whole_ =
        mpi::unique_datatype(mpi::type_create_hvector(view_.rows, 1, view_.row_stride * size, row));
    mpi::type_commit(whole_);
  }

  view view_;
  bool contiguous_;
  detail::block<wire> staging_;
  mpi::unique_datatype whole_;
};

}  // namespace mpiglot
