// The kernels that move elements: each of them, for each size of elements, against a loop.

#include <cstring>
#include <string>
#include <vector>

#include <mpiglot/detail/kernels/transpose.hpp>
#include <mpiglot/detail/kernels/transpose.ipp>

#include "../cpp/check.hpp"

using namespace mpiglot::detail;
using kernels::lines;

namespace {

using kernel = void(lines<std::byte>, lines<const std::byte>, std::ptrdiff_t, std::ptrdiff_t);

constexpr std::byte untouched{0xa5};

// Transposes `rows` x `columns` elements between matrices whose lines have gaps, and asks for each
// byte of the result, those of the gaps too.
void check_kernel(const std::string& name, kernel* transpose, std::ptrdiff_t size,
                  std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t gap) {
  const std::ptrdiff_t to_pitch = columns * size + gap;
  const std::ptrdiff_t from_pitch = rows * size + 2 * gap;
  std::vector<std::byte> from(static_cast<std::size_t>(columns * from_pitch));
  unsigned state = 1;
  for (std::byte& b : from)
    b = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 24);
  std::vector<std::byte> expected(static_cast<std::size_t>(rows * to_pitch) + 64, untouched);
  std::vector<std::byte> to = expected;
  for (std::ptrdiff_t r = 0; r < rows; ++r)
    for (std::ptrdiff_t c = 0; c < columns; ++c)
      std::memcpy(expected.data() + r * to_pitch + c * size,
                  from.data() + c * from_pitch + r * size, static_cast<std::size_t>(size));
  transpose({to.data(), to_pitch}, {from.data(), from_pitch}, rows, columns);
  check::expect(to == expected, name + " of " + std::to_string(rows) + " x " +
                                    std::to_string(columns) + " elements of " +
                                    std::to_string(size) + " bytes, gap " + std::to_string(gap));
}

// Lengths around the squares of every kernel, and beyond one block.
template <std::size_t Size>
void check_size() {
  std::vector<std::pair<std::string, kernel*>> all = {{"transpose", kernels::transpose<Size>},
                                                      {"base", kernels::transpose_base<Size>}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) all.emplace_back("avx2", kernels::transpose_avx2<Size>);
  if constexpr (Size == 8)
    if (__builtin_cpu_supports("avx512f"))
      all.emplace_back("avx512", kernels::transpose_avx512<Size>);
#endif
  for (const auto& [name, transpose] : all)
    for (const std::ptrdiff_t rows : {0, 1, 3, 4, 8, 15, 16, 17, 40, 64, 300})
      for (const std::ptrdiff_t columns : {0, 1, 7, 8, 16, 33, 64, 131})
        check_kernel(name, transpose, static_cast<std::ptrdiff_t>(Size), rows, columns,
                     (rows + columns) % 3);
}

}  // namespace

TEST(every_kernel_transposes_every_element_and_nothing_else) {
  check_size<1>();
  check_size<2>();
  check_size<4>();
  check_size<8>();
  check_size<16>();
}
