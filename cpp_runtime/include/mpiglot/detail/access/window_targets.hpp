// The memory of each rank of a window, and where it begins in MPI's memory: for accesses to memory
// that was moved so that it is aligned, and for checks at level normal.

#pragma once

#include <memory>

#include <mpiglot/error.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// The memory of one rank.
struct window_target {
  /// In bytes; negative in a dynamic window.
  mpi::aint_t size;
  /// The bytes that a displacement counts, as the program gives it.
  mpi::aint_t unit;
  /// The bytes of MPI's memory before that of the program.
  mpi::aint_t before;
};

/// The memory of all ranks, the same on each of them.
struct window_targets {
  int ranks;
  int own;
  /// True if MPI counts displacements in bytes from the beginning of its own memory.
  bool moved;
  std::unique_ptr<window_target[]> each;

  [[nodiscard]] bool has(int rank) const noexcept { return rank >= 0 && rank < ranks; }
  [[nodiscard]] const window_target& operator[](int rank) const noexcept {
    return each[static_cast<std::size_t>(rank)];
  }
};

/// Exchanges the memory of the ranks. Collective, one message.
[[nodiscard, gnu::cold, gnu::noinline]] inline std::unique_ptr<window_targets> exchange_targets(
    mpi::comm_handle comm, const window_target& own, bool moved) {
  int size = 0;
  int rank = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_size)(comm.native, &size), "MPI_Comm_size");
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank), "MPI_Comm_rank");
  auto each = std::make_unique<window_target[]>(static_cast<std::size_t>(size));
  const MPI_Aint mine[3] = {own.size, own.unit, own.before};
  static_assert(sizeof(window_target) == sizeof mine);
  mpi::detail::check(
      MPIGLOT_MPI(MPI_Allgather)(mine, 3, MPI_AINT, each.get(), 3, MPI_AINT, comm.native),
      "MPI_Allgather");
  return std::make_unique<window_targets>(
      window_targets{size, rank, moved, static_cast<std::unique_ptr<window_target[]>&&>(each)});
}

/// The displacement as MPI counts it. Local.
[[nodiscard, gnu::cold, gnu::noinline]] inline mpi::aint_t moved_displacement(
    const window_targets& targets, int rank, mpi::aint_t displacement) noexcept {
  if (!targets.moved || !targets.has(rank)) return displacement;
  mpi::aint_t first = 0;
  static_cast<void>(__builtin_mul_overflow(displacement, targets[rank].unit, &first));
  static_cast<void>(__builtin_add_overflow(first, targets[rank].before, &first));
  return first;
}

/// Throws if `count` items of `type` at the displacement are not all in the memory of the rank. In a
/// dynamic window, throws only if the address is not positive. Items without bytes are nowhere.
[[gnu::cold, gnu::noinline]] inline void require_inside(const window_targets& targets, int rank,
                                                        mpi::aint_t displacement,
                                                        mpi::count_t count,
                                                        mpi::datatype_handle type) {
  if (rank == MPI_PROC_NULL) return;
  if (!targets.has(rank)) refuse_argument(MPI_ERR_RANK, "the window has no such rank");
  if (count < 0) refuse_counts("target_count is negative");
  if (!type) refuse_argument(MPI_ERR_TYPE, "target_type is the null datatype");
  if (count == 0 || mpi::type_size(type) == 0) return;
  const window_target& target = targets[rank];
  if (target.size < 0) {
    if (displacement <= 0)
      refuse_counts(
          "the displacement in a dynamic window is an address, which attachment::address() gives "
          "on "
          "the rank that attaches");
    return;
  }
  const auto item = mpi::type_get_true_extent(type);
  const mpi::count_t step = mpi::type_get_extent(type).extent;
  mpi::count_t first = 0;
  mpi::count_t span = 0;  // from the first byte of the first item to that of the last item
  mpi::count_t end = 0;
  bool wrong = __builtin_mul_overflow(displacement, target.unit, &first);
  wrong = __builtin_add_overflow(first, item.true_lb, &first) || wrong;
  wrong = __builtin_mul_overflow(count - 1, step, &span) || wrong;
  wrong = __builtin_add_overflow(first, item.true_extent, &end) || wrong;
  if (span < 0)
    wrong = __builtin_add_overflow(first, span, &first) || wrong;
  else
    wrong = __builtin_add_overflow(end, span, &end) || wrong;
  if (wrong || first < 0 || end > target.size)
    refuse_counts(
        "the access reaches outside of the memory that the target rank has in the window");
}

}  // namespace mpiglot::detail
