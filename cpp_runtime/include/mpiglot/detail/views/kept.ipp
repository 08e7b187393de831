// Bodies of detail/views/kept.hpp.

#pragma once

#include <cstdlib>
#include <new>

#include <mpiglot/detail/base/at_finalize.hpp>
#include <mpiglot/detail/views/kept.hpp>
#include <mpiglot/detail/views/moving.hpp>
#include <mpiglot/mpi/loaded.hpp>
#include <mpiglot/mpi/spin_lock.hpp>

namespace mpiglot::detail {

/// A datatype, who uses it, and what it is found by. The dimensions lie behind it.
struct kept_datatype {
  mpi::unique_datatype type;
  described_elements of;
  std::uint64_t hash;
  int users;  // those who keep it are one
};

/// What is kept, and the locks of both; no MPI is called and nothing is allocated below one.
struct kept_for_views {
  struct piece {
    void* memory;
    std::size_t room;
  };
  static constexpr std::size_t pieces = 8;
  static constexpr std::size_t sets = 16;
  static constexpr std::size_t ways = 4;

  static inline constinit piece memory[pieces] = {};
  static inline constinit std::size_t kept = 0;  // bytes
  static inline constinit bool memory_busy = false;
  static inline constinit kept_datatype* types[sets][ways] = {};
  static inline constinit std::size_t next_way = 0;
  static inline constinit bool types_busy = false;
  static inline constinit bool watching = false;

  /// Whether MPI_Finalize will call `at_finalize`. Not where only sessions are used.
  [[nodiscard]] static bool watch() {
    if (__atomic_load_n(&watching, __ATOMIC_ACQUIRE)) return true;
    int started = 0;
    MPIGLOT_MPI(MPI_Initialized)(&started);
    if (started == 0) return false;
    if (!__atomic_exchange_n(&watching, true, __ATOMIC_ACQ_REL)) {
      mpi::detail::check(call_at_finalize(&at_finalize), "MPI_Comm_set_attr");
      mpi::detail::keep_loaded_for<kept_for_views>();
    }
    return true;
  }
  static int at_finalize(MPI_Comm, int, void*, void*) noexcept;
};

[[gnu::noinline]] MPIGLOT_INLINE void* borrow_memory(std::size_t size, std::size_t& room) noexcept {
  using all = kept_for_views;
  {
    const mpi::detail::spin_lock guard(all::memory_busy);
    all::piece* best = nullptr;
    for (all::piece& each : all::memory)
      if (each.room >= size && (best == nullptr || each.room < best->room)) best = &each;
    if (best != nullptr) {
      const all::piece found = *best;
      *best = {};
      all::kept -= found.room;
      room = found.room;
      return found.memory;
    }
  }
  constexpr std::size_t line = 64;
  room = (size + line - 1) / line * line;
  void* const memory = std::aligned_alloc(line, room);
  if (memory != nullptr) [[likely]]
    return memory;
  free_kept_memory();
  return std::aligned_alloc(line, room);
}

[[gnu::noinline]] MPIGLOT_INLINE void return_memory(void* memory, std::size_t room) noexcept {
  using all = kept_for_views;
  {
    const mpi::detail::spin_lock guard(all::memory_busy);
    all::piece* least = all::memory;
    for (all::piece& each : all::memory)
      if (each.room < least->room) least = &each;
    // The largest ones serve any size.
    if (least->room < room && all::kept - least->room + room <= most_memory_kept) {
      const all::piece smaller = *least;
      *least = {memory, room};
      __atomic_store_n(&free_kept, freeing{&free_kept_memory}, __ATOMIC_RELAXED);
      all::kept += room - smaller.room;
      memory = smaller.memory;
    }
  }
  std::free(memory);
}

MPIGLOT_INLINE void free_kept_memory() noexcept {
  using all = kept_for_views;
  for (all::piece& each : all::memory) {
    all::piece taken;
    {
      const mpi::detail::spin_lock guard(all::memory_busy);
      taken = each;
      each = {};
      all::kept -= taken.room;
    }
    std::free(taken.memory);
  }
}

[[nodiscard]] inline std::uint64_t hash_of(const described_elements& of) noexcept {
  std::uint64_t hash = of.rank;
  const auto mix = [&hash](mpi::count_t number) {
    hash = mixed_with(hash, static_cast<std::uint64_t>(number));
  };
  mix(of.count);
  mix(of.size);
  for (std::size_t i = 0; i < of.rank; ++i) {
    mix(of.dimensions[i].length);
    mix(of.dimensions[i].stride);
  }
  return hash;
}

[[nodiscard]] inline bool are_same(const described_elements& a,
                                   const described_elements& b) noexcept {
  if (a.rank != b.rank || a.size != b.size || a.count != b.count || a.element != b.element)
    return false;
  for (std::size_t i = 0; i < a.rank; ++i)
    if (a.dimensions[i].length != b.dimensions[i].length ||
        a.dimensions[i].stride != b.dimensions[i].stride)
      return false;
  return true;
}

/// One user fewer; the last one frees it.
inline void leave_datatype(kept_datatype* kept) noexcept {
  if (kept == nullptr || __atomic_sub_fetch(&kept->users, 1, __ATOMIC_ACQ_REL) != 0) return;
  kept->~kept_datatype();
  std::free(kept);
}

[[nodiscard]] inline kept_datatype* new_datatype(const described_elements& of, std::uint64_t hash) {
  mpi::unique_datatype type =
      view_datatype_of_first(of.dimensions, of.rank, of.size, of.element, of.count);
  mpi::type_commit(type);
  void* const memory = std::malloc(sizeof(kept_datatype) + of.rank * sizeof(view_dimension));
  if (memory == nullptr) [[unlikely]]
    refuse_memory();
  auto* const made =
      ::new (memory) kept_datatype{static_cast<mpi::unique_datatype&&>(type), of, hash, 1};
  auto* const dimensions = reinterpret_cast<view_dimension*>(made + 1);
  for (std::size_t i = 0; i < of.rank; ++i) ::new (dimensions + i) view_dimension(of.dimensions[i]);
  made->of.dimensions = dimensions;
  return made;
}

[[gnu::noinline]] MPIGLOT_INLINE shared_datatype::shared_datatype(
    const described_elements& elements, bool permanent) {
  using all = kept_for_views;
  const std::uint64_t hash = hash_of(elements);
  kept_datatype*(&set)[all::ways] = all::types[hash % all::sets];
  if (permanent) {
    const mpi::detail::spin_lock guard(all::types_busy);
    for (kept_datatype* each : set)
      if (each != nullptr && each->hash == hash && are_same(each->of, elements)) {
        __atomic_fetch_add(&each->users, 1, __ATOMIC_RELAXED);
        kept_ = each;
        return;
      }
  }
  kept_ = new_datatype(elements, hash);
  if (!permanent || !all::watch()) return;
  kept_datatype* replaced = nullptr;
  kept_->users = 2;
  {
    const mpi::detail::spin_lock guard(all::types_busy);
    kept_datatype*& place = set[all::next_way++ % all::ways];
    replaced = place;
    place = kept_;
  }
  leave_datatype(replaced);
}

MPIGLOT_INLINE mpi::datatype_handle shared_datatype::handle() const noexcept { return kept_->type; }

[[gnu::noinline]] MPIGLOT_INLINE void shared_datatype::leave() noexcept { leave_datatype(kept_); }

inline int kept_for_views::at_finalize(MPI_Comm, int, void*, void*) noexcept {
  __atomic_store_n(&watching, false, __ATOMIC_RELEASE);
  for (auto& set : types)
    for (kept_datatype*& place : set) {
      kept_datatype* taken = nullptr;
      {
        const mpi::detail::spin_lock guard(types_busy);
        taken = place;
        place = nullptr;
      }
      leave_datatype(taken);
    }
  free_kept_memory();
  return MPI_SUCCESS;
}

}  // namespace mpiglot::detail
