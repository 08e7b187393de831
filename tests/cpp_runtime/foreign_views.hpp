// What views of other libraries look like.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace foreign {

// The members of std::mdspan, with strides of any sign.
template <class T, std::size_t Rank>
struct span_of_many {
  using element_type = T;
  using reference = T&;
  using data_handle_type = T*;
  using rank_type = std::size_t;
  struct accessor_type {
    using offset_policy = accessor_type;
  };
  T* first;
  std::array<long, Rank> lengths;
  std::array<long, Rank> strides;

  static constexpr std::size_t rank() { return Rank; }
  static constexpr bool is_always_strided() { return true; }
  [[nodiscard]] T* data_handle() const { return first; }
  [[nodiscard]] long extent(std::size_t i) const { return lengths[i]; }
  [[nodiscard]] long stride(std::size_t i) const { return strides[i]; }
};
// The members of Kokkos::View: a copy shares the elements. Two rows and three columns, `Pitch` elements
// from one to the next, lie among `All` from `First` on.
template <std::size_t All, std::size_t First, std::size_t Pitch>
struct counted_columns {
  struct array_layout {};
  using value_type = double;
  static constexpr unsigned rank = 2;
  std::shared_ptr<std::vector<double>> owner = std::make_shared<std::vector<double>>(All);

  // Kokkos says 0 where the type does not know it.
  static constexpr std::size_t static_extent(std::size_t i) { return i == 0 ? 0 : 3; }
  [[nodiscard]] double* data() const { return owner->data() + First; }
  [[nodiscard]] std::size_t size() const { return 6; }
  [[nodiscard]] std::size_t extent(std::size_t i) const { return i == 0 ? 2 : 3; }
  [[nodiscard]] std::size_t stride(std::size_t i) const { return i == 0 ? 1 : Pitch; }
  [[nodiscard]] double& operator()(std::size_t i, std::size_t j) const {
    return data()[i + Pitch * j];
  }
};

// The members of a matrix of Eigen, in column-major order: a copy has its own elements.
struct column_major {
  static constexpr int IsRowMajor = 0;
  std::array<int, 6> elements{};

  [[nodiscard]] int* data() { return elements.data(); }
  [[nodiscard]] const int* data() const { return elements.data(); }
  [[nodiscard]] long size() const { return 6; }
  [[nodiscard]] long rows() const { return 2; }
  [[nodiscard]] long cols() const { return 3; }
  [[nodiscard]] long innerStride() const { return 1; }
  [[nodiscard]] long outerStride() const { return 2; }
  [[nodiscard]] int operator()(long i, long j) const {
    return elements[static_cast<std::size_t>(i + 2 * j)];
  }
};

}  // namespace foreign
