// The datatype of a view, for what takes datatypes: views of files, targets of windows, calls of MPI.
//
//   const auto column = as_datatype(strided_view<double>{matrix, rows, 1, columns});
//   MPI_Send(matrix + 2, 1, column.native, 1, 0, MPI_COMM_WORLD);

#pragma once

#include <mpiglot/view.hpp>

namespace mpiglot {

namespace wrong_call {

template <class View>
struct this_is_no_view_of_elements_that_have_a_datatype {};

}  // namespace wrong_call

/// A committed datatype that its owner frees. One item of it is all elements of `view` in the order of
/// their indices, relative to the address of the element whose indices are all zero
/// (`view_traits<View>::data`); its extent is from the lowest to the end of the highest element. The
/// view need not live longer than this call. Throws `view_error` if extents and strides exceed 64
/// bits, `mpi::error` if MPI reports an error.
template <class View>
  requires detail::described_view<const View>
[[nodiscard]] mpi::unique_datatype as_datatype(const View& view) {
  using wire = std::remove_cv_t<detail::view_element<const View>>;
  constexpr auto size = static_cast<count_t>(sizeof(wire));
  const auto layout = detail::layout_of_view<View>(view, size);
  if (layout.fault() != nullptr) [[unlikely]]
    detail::refuse_view(layout.fault());
  mpi::unique_datatype made =
      layout.is_contiguous()
          ? mpi::unique_datatype(mpi::type_contiguous(layout.elements(), datatype_of<wire>()))
          : detail::view_datatype(layout.dimensions(), layout.rank(), size, datatype_of<wire>(),
                                  layout.dimensions()->length);
  mpi::type_commit(made);
  return made;
}
/// Of what has no such datatype: an error that says so.
template <class View>
  requires(!detail::described_view<const View>)
[[nodiscard]] mpi::unique_datatype as_datatype(const View&) {
  using verdict = wrong_call::this_is_no_view_of_elements_that_have_a_datatype<View>;
  using right [[maybe_unused]] = typename detail::judged<verdict>::is_right;
  return {};
}

}  // namespace mpiglot
