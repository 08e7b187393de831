// The memory of each rank of a window, and where it begins in MPI's memory: for accesses to memory
// that was moved so that it is aligned, and for checks at level normal.

#pragma once

#include <cstdint>
#include <memory>

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/base/storage.hpp>
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
  /// What MPI counts for each unit: 1, or `unit` where it counts bytes of its own memory.
  mpi::aint_t counted = 1;
};

/// The memory of all ranks, the same on each of them.
struct window_targets {
  window_targets(int size, int rank) noexcept : ranks(size), own(rank) {}

  int ranks;
  int own;
  block<window_target> each;
  /// The sentence of a defect by which no atomic access is made, or null.
  const char* no_atomics = nullptr;

  [[nodiscard]] bool has(int rank) const noexcept {
    return static_cast<unsigned>(rank) < static_cast<unsigned>(ranks);
  }
  [[nodiscard]] const window_target& operator[](int rank) const noexcept {
    return each[static_cast<std::size_t>(rank)];
  }
};

/// The sentence of the defect by which an atomic access would end the process, or null
/// (atomics-abort-on-one-process of MPICH 3.4.3).
[[nodiscard, gnu::cold]] inline const char* defect_of_atomics(mpi::comm_handle comm) {
  const char* const defect = library_defect("atomics-abort-on-one-process");
  int size = 0;
  if (defect != nullptr)
    mpi::detail::check(MPIGLOT_MPI(MPI_Comm_size)(comm.native, &size), "MPI_Comm_size");
  return size == 1 ? defect : nullptr;
}

/// Exchanges the memory of the ranks. Collective, one message.
[[nodiscard, gnu::cold, gnu::noinline]] inline std::unique_ptr<window_targets> exchange_targets(
    mpi::comm_handle comm, const window_target& own) {
  int size = 0;
  int rank = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_size)(comm.native, &size), "MPI_Comm_size");
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank), "MPI_Comm_rank");
  std::unique_ptr<window_targets> all(new_to_take_part<window_targets>(size, rank));
  all->each.resize_to_take_part(static_cast<std::size_t>(size));
  constexpr int values = 4;
  static_assert(sizeof(window_target) == values * sizeof(MPI_Aint));
  mpi::detail::check(MPIGLOT_WAITING(MPI_Allgather)(&own, values, MPI_AINT, all->each.data(),
                                                    values, MPI_AINT, comm.native),
                     "MPI_Allgather");
  all->no_atomics = defect_of_atomics(comm);
  return all;
}

/// The displacement as MPI counts it. Inline: where it is rare, a call would cost the others
/// registers.
[[nodiscard, gnu::always_inline]] inline mpi::aint_t moved_displacement(
    const window_targets& targets, int rank, mpi::aint_t displacement) noexcept {
  if (!targets.has(rank)) return displacement;
  const window_target& target = targets[rank];
  return static_cast<mpi::aint_t>(static_cast<std::uint64_t>(displacement) *
                                      static_cast<std::uint64_t>(target.counted) +
                                  static_cast<std::uint64_t>(target.before));
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
