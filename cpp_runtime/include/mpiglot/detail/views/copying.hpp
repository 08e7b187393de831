// Copies elements from one view to another: once, from their place to their place.

#pragma once

#include <cstring>

#include <mpiglot/detail/kernels/transpose.hpp>
#include <mpiglot/detail/views/layout.hpp>

namespace mpiglot::detail {

/// Elements in memory, in the order of their indices, the slowest dimension first.
template <std::size_t Rank>
struct placed_elements {
  static constexpr std::size_t most = Rank == 0 ? 1 : Rank;

  std::byte* first;
  mpi::count_t count;
  std::size_t rank = 0;
  view_dimension dimensions[most] = {};

  /// `n` elements that follow each other, each of `size` bytes.
  [[nodiscard]] static placed_elements array(void* first, mpi::count_t n,
                                             mpi::count_t size) noexcept {
    return {static_cast<std::byte*>(first), n, 1, {{n, size}}};
  }
  /// True if no byte between the first and the last of both is one of both. Elements of `size` bytes.
  template <std::size_t Other>
  [[nodiscard]] bool is_apart_from(const placed_elements<Other>& other,
                                   mpi::count_t size) const noexcept {
    return count == 0 || other.count == 0 || end(size) <= other.begin() ||
           other.end(size) <= begin();
  }
  [[nodiscard]] std::uintptr_t begin() const noexcept {
    return reinterpret_cast<std::uintptr_t>(first) + reach(true);
  }
  [[nodiscard]] std::uintptr_t end(mpi::count_t size) const noexcept {
    return reinterpret_cast<std::uintptr_t>(first) + static_cast<std::uintptr_t>(size) +
           reach(false);
  }
  /// Leaves the `n` elements from the one with index `from` on. False if they are no such elements:
  /// then what is left is of no use.
  [[nodiscard]] bool narrow(mpi::count_t from, mpi::count_t n) noexcept {
    view_dimension* at = dimensions;
    if (n == 0) rank = 0;
    for (; rank > 0; ++at, --rank) {
      const mpi::count_t inner = count / at->length;
      first += from / inner * at->stride;
      if (n % inner == 0 && from % inner == 0) {
        at->length = n / inner;
        break;
      }
      if (from / inner != (from + n - 1) / inner) return false;
      from %= inner;
      count = inner;
    }
    for (std::size_t i = 0; i < rank; ++i) dimensions[i] = at[i];
    count = n;
    return true;
  }

 private:
  // How far the elements reach below the first, or above.
  [[nodiscard]] std::uintptr_t reach(bool below) const noexcept {
    std::uintptr_t sum = 0;
    for (std::size_t i = 0; i < rank; ++i)
      if ((dimensions[i].stride < 0) == below)
        sum += static_cast<std::uintptr_t>((dimensions[i].length - 1) * dimensions[i].stride);
    return sum;
  }
};

/// Copies all elements of `Size` bytes of one view to those of another, which has as many: of at most
/// `Most` dimensions together. No two elements of the other may share memory.
template <std::size_t Size, std::size_t Most>
class elements_copy {
 public:
  /// Nothing can be copied yet.
  elements_copy() noexcept = default;

  /// Whether `run` can copy them: the views share no memory, and the dimensions of one divide those of
  /// the other.
  template <std::size_t From, std::size_t To>
  [[nodiscard]] bool prepare(const placed_elements<From>& from,
                             const placed_elements<To>& to) noexcept {
    if (from.count != to.count || !from.is_apart_from(to, size)) return false;
    from_ = from.first;
    to_ = to.first;
    empty_ = from.count == 0;
    if (!empty_ && !pair(from.dimensions, from.rank, to.dimensions, to.rank)) return false;
    sort();
    return true;
  }
  void run() const noexcept {
    if (!empty_) run(0, from_, to_);
  }

 private:
  struct dimension {
    mpi::count_t length;
    mpi::count_t from;  // the bytes from one item to the next
    mpi::count_t to;
  };
  static constexpr auto size = static_cast<mpi::count_t>(Size);

  // The dimensions that both have, the slowest first.
  bool pair(const view_dimension* a, std::size_t a_rank, const view_dimension* b,
            std::size_t b_rank) noexcept {
    view_dimension x{1, 0};
    view_dimension y{1, 0};
    dimension found[Most + 1];
    std::size_t n = 0;
    for (;;) {
      while (x.length == 1 && a_rank > 0) x = a[--a_rank];
      while (y.length == 1 && b_rank > 0) y = b[--b_rank];
      if (x.length == 1 || y.length == 1) break;
      const mpi::count_t length = x.length < y.length ? x.length : y.length;
      if (x.length % length != 0 || y.length % length != 0) return false;
      add(found, n, {length, x.stride, y.stride});
      x = {x.length / length, x.stride * length};
      y = {y.length / length, y.stride * length};
    }
    rank_ = n;
    for (std::size_t i = 0; i < n; ++i) dimensions_[i] = found[n - 1 - i];
    return x.length == y.length;
  }
  // Adds a dimension outside of those found, or makes the last one longer.
  static void add(dimension* found, std::size_t& n, const dimension& next) noexcept {
    if (n > 0 && found[n - 1].from * found[n - 1].length == next.from &&
        found[n - 1].to * found[n - 1].length == next.to)
      found[n - 1].length *= next.length;
    else
      found[n++] = next;
  }
  // Puts the dimension innermost whose items lie closest where they are copied to; beside it the one
  // whose items lie closest where they come from.
  void sort() noexcept {
    for (std::size_t i = 1; i < rank_; ++i)
      for (std::size_t j = i;
           j > 0 && distance(dimensions_[j - 1].to) < distance(dimensions_[j].to); --j)
        swap(j - 1, j);
    for (std::size_t i = 0; i + 2 < rank_; ++i)
      if (distance(dimensions_[i].from) < distance(dimensions_[i + 1].from)) swap(i, i + 1);
  }
  void swap(std::size_t i, std::size_t j) noexcept {
    const dimension kept = dimensions_[i];
    dimensions_[i] = dimensions_[j];
    dimensions_[j] = kept;
  }
  [[nodiscard]] static mpi::count_t distance(mpi::count_t stride) noexcept {
    return stride < 0 ? -stride : stride;
  }

  void run(std::size_t outer, const std::byte* from, std::byte* to) const noexcept {
    if (outer + 2 < rank_) {
      const dimension& along = dimensions_[outer];
      for (mpi::count_t i = 0; i < along.length; ++i, from += along.from, to += along.to)
        run(outer + 1, from, to);
      return;
    }
    const dimension inner = rank_ > 0 ? dimensions_[rank_ - 1] : dimension{1, size, size};
    const dimension rows = rank_ > 1 ? dimensions_[rank_ - 2] : dimension{1, 0, 0};
    if constexpr (kernels::has_transpose<Size>)
      if (inner.to == size && rows.from == size)
        return kernels::transpose<Size>({to, static_cast<std::ptrdiff_t>(rows.to)},
                                        {from, static_cast<std::ptrdiff_t>(inner.from)},
                                        rows.length, inner.length);
    const bool follow = inner.from == size && inner.to == size;
    for (mpi::count_t i = 0; i < rows.length; ++i, from += rows.from, to += rows.to) {
      if (follow)
        std::memcpy(to, from, static_cast<std::size_t>(inner.length * size));
      else
        for (mpi::count_t j = 0; j < inner.length; ++j)
          std::memcpy(to + j * inner.to, from + j * inner.from, Size);
    }
  }

  const std::byte* from_ = nullptr;
  std::byte* to_ = nullptr;
  bool empty_ = true;
  std::size_t rank_ = 0;
  dimension dimensions_[Most + 1] = {};
};

}  // namespace mpiglot::detail
