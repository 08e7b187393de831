// C = beta C + alpha A B, with the sizes and elements of PolyBench: what both programs share.

#pragma once

#include <string_view>

namespace gemm {

constexpr double alpha = 1.5;
constexpr double beta = 1.2;

struct problem {
  std::string_view name;
  long rows, columns, middle;  // C is rows x columns, A rows x middle, B middle x columns
  int rounds;                  // of a turn
  long down = 1;               // rows of tiles, of which each rank has one

  [[nodiscard]] double c(long i, long j) const { return part((i * j + 1) % rows, rows); }
  [[nodiscard]] double a(long i, long k) const { return part(i * (k + 1) % middle, middle); }
  [[nodiscard]] double b(long k, long j) const { return part(k * (j + 2) % columns, columns); }

 private:
  static double part(long of, long all) {
    return static_cast<double>(of) / static_cast<double>(all);
  }
};

// What is run and measured. `result` is C at the root, row-major.
template <class Fill, class Scatter, class Compute, class Gather>
struct steps {
  Fill fill;
  Scatter scatter;
  Compute compute;
  Gather gather;
  const double* result;
};

}  // namespace gemm
