// State that belongs to a communicator and not to a wrapper of it: it hangs on the MPI_Comm as an
// attribute, so that a raw communicator that one rank wraps anew has what the others have. A
// duplicate starts anew, on all ranks.

#pragma once

#include <cstdint>
#include <mpiglot/mpi/attributes.hpp>

namespace mpiglot::detail {

/// The key of the attribute of type `T`, made for the first communicator and freed with the last,
/// so that MPI can be finalized and initialised again (sessions). One atomic word says how many
/// communicators hold it: no lock is held while MPI is called, and a key is only freed when nobody
/// can be using it.
template <class T>
class state_key {
 public:
  /// Counts one more holder. Throws `mpi::error`.
  [[nodiscard]] static int hold() {
    std::uint64_t seen = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    while (holders(seen) != 0)
      if (swap(seen, seen + 1)) return key(seen);
    return make(seen);
  }

  static void release() noexcept {
    std::uint64_t seen = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    while (!swap(seen, holders(seen) == 1 ? 0 : seen - 1)) {
    }
    if (holders(seen) != 1) return;
    int last = key(seen);
    MPIGLOT_MPI(MPI_Comm_free_keyval)(&last);
  }

  /// Has the state of MPI_COMM_WORLD deleted when MPI_Finalize begins, before anything else:
  /// together with the attributes of MPI_COMM_SELF. Later it can be too late to free anything.
  [[gnu::cold, gnu::noinline]] static void watch_finalize() {
    int made = MPI_KEYVAL_INVALID;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, &at_finalize, &made, nullptr),
        "MPI_Comm_create_keyval");
    const int code = MPIGLOT_MPI(MPI_Comm_set_attr)(MPI_COMM_SELF, made, nullptr);
    MPIGLOT_MPI(MPI_Comm_free_keyval)(&made);
    mpi::detail::check(code, "MPI_Comm_set_attr");
  }

 private:
  static inline constinit std::uint64_t word = 0;  // key in the upper half, holders in the lower

  [[nodiscard]] static std::uint32_t holders(std::uint64_t seen) noexcept {
    return static_cast<std::uint32_t>(seen);
  }
  [[nodiscard]] static int key(std::uint64_t seen) noexcept { return static_cast<int>(seen >> 32); }
  [[nodiscard]] static bool swap(std::uint64_t& seen, std::uint64_t wanted) noexcept {
    return __atomic_compare_exchange_n(&word, &seen, wanted, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
  }

  // Compiled for size, here and where else it says cold: once in the life of a communicator.
  [[nodiscard, gnu::cold, gnu::noinline]] static int make(std::uint64_t seen) {
    int made = MPI_KEYVAL_INVALID;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, &drop, &made, nullptr),
        "MPI_Comm_create_keyval");
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

  [[gnu::cold]] static int at_finalize(MPI_Comm, int, void*, void*) {
    const std::uint64_t seen = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    return holders(seen) == 0 ? MPI_SUCCESS
                              : MPIGLOT_MPI(MPI_Comm_delete_attr)(MPI_COMM_WORLD, key(seen));
  }
  [[gnu::cold]] static int drop(MPI_Comm, int, void* value, void*) {
    delete static_cast<T*>(value);
    release();
    return MPI_SUCCESS;
  }
};

#if defined(SMPI_H)

/// SimGrid simulates all ranks in one process, in which a communicator is one object: an attribute
/// of it holds the states of all its ranks. (They take turns, so that nothing here is concurrent.)
template <class T>
struct states_of_ranks {
  explicit states_of_ranks(int ranks) : size(ranks), each(new T*[static_cast<unsigned>(ranks)]()) {}
  ~states_of_ranks() {
    for (int i = 0; i < size; ++i) delete each[i];
    delete[] each;
  }
  states_of_ranks(const states_of_ranks&) = delete;
  states_of_ranks& operator=(const states_of_ranks&) = delete;

  int size;
  T** each;
};

template <class T, class Make>
[[nodiscard, gnu::noinline]] T& state_of(mpi::comm_handle comm, Make make) {
  using all = states_of_ranks<T>;
  const int key = state_key<all>::hold();
  const auto found = mpi::comm_get_attr(comm, key);
  all* states = found ? static_cast<all*>(*found) : nullptr;
  if (states == nullptr) {
    int size = 0;
    MPIGLOT_MPI(MPI_Comm_size)(comm.native, &size);
    states = new all(size);
    mpi::detail::check(MPIGLOT_MPI(MPI_Comm_set_attr)(comm.native, key, states),
                       "MPI_Comm_set_attr");
  } else {
    state_key<all>::release();
  }
  int rank = 0;
  MPIGLOT_MPI(MPI_Comm_rank)(comm.native, &rank);
  if (states->each[rank] == nullptr) states->each[rank] = make();
  return *states->each[rank];
}

#else

template <class T, class Make>
[[nodiscard, gnu::cold, gnu::noinline]] T* make_state(mpi::comm_handle comm, int key, Make make) {
  T* const made = make();
  const int code = MPIGLOT_MPI(MPI_Comm_set_attr)(comm.native, key, static_cast<void*>(made));
  if (code != MPI_SUCCESS) delete made;
  mpi::detail::check(code, "MPI_Comm_set_attr");
  return made;
}

/// The `T` of a communicator; made by `make()`, a pointer to delete, at its first use, and freed
/// with the communicator. Costs an attribute look-up.
template <class T, class Make>
[[nodiscard, gnu::noinline]] T& state_of(mpi::comm_handle comm, Make make) {
  struct holding {
    int key = state_key<T>::hold();
    bool kept = false;
    ~holding() {
      if (!kept) state_key<T>::release();
    }
  } holder;
  if (const auto found = mpi::comm_get_attr(comm, holder.key)) return *static_cast<T*>(*found);
  T* const made = make_state<T>(comm, holder.key, make);
  holder.kept = true;
  if (comm == mpi::comm_handle(mpi::comm_world)) state_key<T>::watch_finalize();
  return *made;
}

#endif

}  // namespace mpiglot::detail
