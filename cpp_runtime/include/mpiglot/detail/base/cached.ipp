// Bodies of detail/base/cached.hpp. Compiled for size: most of it runs once in the life of a
// communicator.

#pragma once

#include <mpiglot/detail/base/cached.hpp>
#include <mpiglot/mpi/error.hpp>
#include <mpiglot/mpi/loaded.hpp>

namespace mpiglot::detail {

/// The key of a kind of cached object and who holds it.
class cached_key {
 public:
  explicit cached_key(cached_kind& kind) noexcept : kind_(kind) {}

  /// Counts one more holder. Throws `mpi::error`.
  [[nodiscard]] int hold() const {
    std::uint64_t seen = load();
    while (holders(seen) != 0)
      if (swap(seen, seen + 1)) return key(seen);
    return make(seen);
  }

  void release() const noexcept {
    std::uint64_t seen = load();
    while (!swap(seen, holders(seen) == 1 ? 0 : seen - 1)) {
    }
    if (holders(seen) != 1) return;
    int last = key(seen);
    MPIGLOT_MPI(MPI_Comm_free_keyval)(&last);
  }

  /// Has what is cached on MPI_COMM_WORLD deleted when MPI_Finalize begins, before anything else:
  /// together with the attributes of MPI_COMM_SELF. Later it can be too late to free anything.
  void watch_finalize() const {
    int watch = make_key(&at_finalize);
    const int code = MPIGLOT_MPI(MPI_Comm_set_attr)(MPI_COMM_SELF, watch, nullptr);
    MPIGLOT_MPI(MPI_Comm_free_keyval)(&watch);
    mpi::detail::check(code, "MPI_Comm_set_attr");
  }

 private:
  [[nodiscard]] static std::uint32_t holders(std::uint64_t seen) noexcept {
    return static_cast<std::uint32_t>(seen);
  }
  [[nodiscard]] static int key(std::uint64_t seen) noexcept { return static_cast<int>(seen >> 32); }
  [[nodiscard]] std::uint64_t load() const noexcept {
    return __atomic_load_n(&kind_.word, __ATOMIC_ACQUIRE);
  }
  [[nodiscard]] bool swap(std::uint64_t& seen, std::uint64_t wanted) const noexcept {
    return __atomic_compare_exchange_n(&kind_.word, &seen, wanted, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
  }

  [[nodiscard]] int make_key(MPI_Comm_delete_attr_function* at_end) const {
    int made = MPI_KEYVAL_INVALID;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, at_end, &made, &kind_),
        "MPI_Comm_create_keyval");
    mpi::detail::keep_loaded(reinterpret_cast<const void*>(at_end));
    mpi::detail::keep_loaded(&kind_);
    return made;
  }
  [[nodiscard]] int make(std::uint64_t seen) const {
    int made = make_key(&drop);
    const std::uint64_t mine = std::uint64_t{static_cast<std::uint32_t>(made)} << 32 | 1;
    for (;;) {
      if (holders(seen) == 0) {
        if (swap(seen, mine)) return made;
      } else if (swap(seen, seen + 1)) {  // another thread was faster
        MPIGLOT_MPI(MPI_Comm_free_keyval)(&made);
        return key(seen);
      }
    }
  }

  static int at_finalize(MPI_Comm, int, void*, void* kind) {
    const cached_key self(*static_cast<cached_kind*>(kind));
    const std::uint64_t seen = self.load();
    return holders(seen) == 0 ? MPI_SUCCESS
                              : MPIGLOT_MPI(MPI_Comm_delete_attr)(MPI_COMM_WORLD, key(seen));
  }
  static int drop(MPI_Comm, int, void* object, void* of) {
    auto& kind = *static_cast<cached_kind*>(of);
    destroy(kind, object);
    cached_key(kind).release();
    return MPI_SUCCESS;
  }
  static void destroy(cached_kind& kind, void* object) noexcept;

  cached_kind& kind_;
};

#if defined(SMPI_H)

/// SimGrid simulates all ranks in one process, in which a communicator is one object: an attribute
/// of it holds the objects of all its ranks. (They take turns, so that nothing here is concurrent.)
struct cached_of_ranks {
  explicit cached_of_ranks(int ranks)
      : size(ranks), each(new void*[static_cast<unsigned>(ranks)]()) {}

  int size;
  void** each;
};

MPIGLOT_INLINE void cached_key::destroy(cached_kind& kind, void* object) noexcept {
  auto* const objects = static_cast<cached_of_ranks*>(object);
  for (int i = 0; i < objects->size; ++i)
    if (objects->each[i] != nullptr) kind.destroy(objects->each[i]);
  delete[] objects->each;
  delete objects;
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void* cached_on(cached_kind& kind,
                                                            mpi::comm_handle comm) {
  const cached_key shared(kind);
  const int key = shared.hold();
  void* found = nullptr;
  int has_one = 0;
  MPIGLOT_MPI(MPI_Comm_get_attr)(comm.native, key, &found, &has_one);
  auto* objects = static_cast<cached_of_ranks*>(found);
  if (has_one == 0) {
    int size = 0;
    MPIGLOT_MPI(MPI_Comm_size)(comm.native, &size);
    objects = new cached_of_ranks(size);
    mpi::detail::check(MPIGLOT_MPI(MPI_Comm_set_attr)(comm.native, key, objects),
                       "MPI_Comm_set_attr");
  } else {
    shared.release();
  }
  int rank = 0;
  MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank);
  if (objects->each[rank] == nullptr) objects->each[rank] = kind.make(comm);
  return objects->each[rank];
}

#else

MPIGLOT_INLINE void cached_key::destroy(cached_kind& kind, void* object) noexcept {
  kind.destroy(object);
}

[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void* cached_on(cached_kind& kind,
                                                            mpi::comm_handle comm) {
  struct holding {
    cached_key shared;
    int key = shared.hold();
    bool kept = false;
    ~holding() {
      if (!kept) shared.release();
    }
  } holder{cached_key(kind)};
  void* object = nullptr;
  int found = 0;
  mpi::detail::check(MPIGLOT_MPI(MPI_Comm_get_attr)(comm.native, holder.key, &object, &found),
                     "MPI_Comm_get_attr");
  if (found != 0) return object;
  object = kind.make(comm);
  const int code = MPIGLOT_MPI(MPI_Comm_set_attr)(comm.native, holder.key, object);
  if (code != MPI_SUCCESS) kind.destroy(object);
  mpi::detail::check(code, "MPI_Comm_set_attr");
  holder.kept = true;
  if (comm.native == MPI_COMM_WORLD) holder.shared.watch_finalize();
  return object;
}

#endif

}  // namespace mpiglot::detail
