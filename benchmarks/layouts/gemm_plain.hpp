// The product with std::mdspan, derived datatypes and MPI itself.

#pragma once

#include <mpi.h>

#include <mdspan>
#include <type_traits>
#include <vector>

#include "gemm.hpp"
#include "tile_type.hpp"

namespace gemm {

template <bool RowMajor>
using matrix = std::mdspan<double, std::dextents<long, 2>,
                           std::conditional_t<RowMajor, std::layout_right, std::layout_left>>;

// A tile of a row-major matrix of `pitch` columns, its elements in the order in which the tile has
// them. Displacements count elements.
inline tile_type type_of(bool row_major, long rows, long columns, long pitch) {
  if (row_major) return {rows, pitch, columns, 1};
  return {columns, 1, rows, pitch};
}

// Calls `use` with the steps; tiles are row-major or column-major.
template <bool RowsC, bool RowsA, bool RowsB>
void plain(MPI_Comm comm, const problem& of, const auto& use) {
  const auto [name, rows, columns, middle, rounds, down] = of;
  int size = 0;
  MPI_Comm_size(comm, &size);
  const long across = size / down;
  const long y = rows / down;
  const long x = columns / across;
  const auto memory = [](long n, long m) {
    return std::vector<double>(static_cast<std::size_t>(n * m));
  };
  auto memory_C = memory(rows, columns), memory_A = memory(rows, middle),
       memory_B = memory(middle, columns);
  auto memory_c = memory(y, x), memory_a = memory(y, middle), memory_b = memory(middle, x);
  const matrix<true> C(memory_C.data(), rows, columns);
  const matrix<true> A(memory_A.data(), rows, middle);
  const matrix<true> B(memory_B.data(), middle, columns);
  const matrix<RowsC> c(memory_c.data(), y, x);
  const matrix<RowsA> a(memory_a.data(), y, middle);
  const matrix<RowsB> b(memory_b.data(), middle, x);

  const tile_type type_c = type_of(RowsC, y, x, columns);
  const tile_type type_a = type_of(RowsA, y, middle, middle);
  const tile_type type_b = type_of(RowsB, middle, x, columns);
  const std::vector<int> ones(static_cast<std::size_t>(size), 1);
  std::vector<int> first_c, first_a, first_b;
  for (long r = 0; r < size; ++r) {
    first_c.push_back(static_cast<int>(r / across * y * columns + r % across * x));
    first_a.push_back(static_cast<int>(r / across * y * middle));
    first_b.push_back(static_cast<int>(r % across * x));
  }

  const auto fill = [&] {
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < columns; ++j) C[i, j] = of.c(i, j);
    for (long i = 0; i < rows; ++i)
      for (long k = 0; k < middle; ++k) A[i, k] = of.a(i, k);
    for (long k = 0; k < middle; ++k)
      for (long j = 0; j < columns; ++j) B[k, j] = of.b(k, j);
  };
  const auto scatter = [&] {
    MPI_Scatterv(memory_C.data(), ones.data(), first_c.data(), type_c, memory_c.data(),
                 static_cast<int>(y * x), MPI_DOUBLE, 0, comm);
    MPI_Scatterv(memory_A.data(), ones.data(), first_a.data(), type_a, memory_a.data(),
                 static_cast<int>(y * of.middle), MPI_DOUBLE, 0, comm);
    MPI_Scatterv(memory_B.data(), ones.data(), first_b.data(), type_b, memory_b.data(),
                 static_cast<int>(of.middle * x), MPI_DOUBLE, 0, comm);
  };
  const auto compute = [c, a, b] {
    for (long i = 0; i < c.extent(0); ++i) {
      for (long j = 0; j < c.extent(1); ++j) c[i, j] *= beta;
      for (long k = 0; k < a.extent(1); ++k)
        for (long j = 0; j < c.extent(1); ++j) c[i, j] += alpha * a[i, k] * b[k, j];
    }
  };
  const auto gather = [&] {
    MPI_Gatherv(memory_c.data(), static_cast<int>(y * x), MPI_DOUBLE, memory_C.data(), ones.data(),
                first_c.data(), type_c, 0, comm);
  };
  use(steps{fill, scatter, compute, gather, memory_C.data()});
}

}  // namespace gemm
