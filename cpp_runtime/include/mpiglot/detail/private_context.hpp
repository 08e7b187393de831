// A duplicate of a communicator for the messages of one algorithm, which thus meet no others.

#pragma once

#include <mpiglot/detail/state_of.hpp>
#include <mpiglot/mpi/groups.hpp>

namespace mpiglot::detail {

/// Made at the first use of an algorithm on a communicator (collective), the same for all its
/// wrappers, freed with it or when MPI_Finalize begins. `Algorithm` tells the owners apart.
template <class Algorithm>
class private_context {
 public:
  /// The context of a communicator. Collective at its first use.
  [[nodiscard]] static private_context& of(mpi::comm_handle comm) {
    return state_of<private_context>(comm, [comm] { return new private_context(comm); });
  }
  private_context(const private_context&) = delete;
  private_context& operator=(const private_context&) = delete;
  ~private_context() {
    const locked guard;
    *back_ = next_;
    if (next_ != nullptr) next_->back_ = back_;
  }

  [[nodiscard]] mpi::comm_handle comm() const noexcept { return comm_; }
  /// What the algorithm keeps from call to call; all ranks change it alike.
  unsigned round = 0;

 private:
  explicit private_context(mpi::comm_handle comm) : comm_(mpi::comm_dup(comm)) {
    watch_finalize();
    const locked guard;
    next_ = first;
    if (next_ != nullptr) next_->back_ = &next_;
    back_ = &first;
    first = this;
  }

  // Held while the list changes, which happens once for each communicator.
  struct locked {
    locked() noexcept {
      while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
      }
    }
    ~locked() { __atomic_clear(&busy, __ATOMIC_RELEASE); }
  };

  static int at_finalize(MPI_Comm, int, void*, void*) {
    for (private_context* each = first; each != nullptr; each = each->next_)
      static_cast<void>(each->comm_.reset());
    __atomic_store_n(&watched, false, __ATOMIC_RELEASE);
    return MPI_SUCCESS;
  }
  // MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else, and those of
  // MPI_COMM_WORLD when it may be too late to free a communicator.
  static void watch_finalize() {
    int started = 0;
    MPIGLOT_MPI(MPI_Initialized)(&started);
    if (started == 0 || __atomic_exchange_n(&watched, true, __ATOMIC_ACQ_REL)) return;
    int key = MPI_KEYVAL_INVALID;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, &at_finalize, &key, nullptr),
        "MPI_Comm_create_keyval");
    mpi::detail::check(MPIGLOT_MPI(MPI_Comm_set_attr)(MPI_COMM_SELF, key, nullptr),
                       "MPI_Comm_set_attr");
    mpi::comm_free_keyval(key);
  }

  static inline constinit private_context* first = nullptr;
  static inline constinit bool busy = false;
  static inline constinit bool watched = false;

  mpi::unique_comm comm_;
  private_context* next_ = nullptr;
  private_context** back_ = nullptr;
};

}  // namespace mpiglot::detail
