// Windows that are there still when MPI finalizes, in objects of static storage for example: some
// MPIs end the job then, so they are freed before.

#pragma once

#include <cstdio>

#include <mpiglot/detail/base/at_finalize.hpp>
#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/mpi/attributes.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/loaded.hpp>
#include <mpiglot/mpi/rma.hpp>
#include <mpiglot/mpi/spin_lock.hpp>

namespace mpiglot::detail {

/// All windows that programs made and nobody has freed: an attribute of each window takes it out of
/// the list, whoever frees it.
class windows_left {
 public:
  static void add(mpi::win_handle window) {
#if !defined(SMPI_H)
    if (!mpi::initialized()) return;  // there are only sessions, which end with their objects
    int key = MPI_KEYVAL_INVALID;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Win_create_keyval)(MPI_WIN_NULL_COPY_FN, &freed, &key, nullptr),
        "MPI_Win_create_keyval");
    auto* const left = new entry{window, nullptr};
    const int code = MPIGLOT_MPI(MPI_Win_set_attr)(window.native, key, left);
    MPIGLOT_MPI(MPI_Win_free_keyval)(&key);
    if (code != MPI_SUCCESS) delete left;
    mpi::detail::check(code, "MPI_Win_set_attr");
    {
      const mpi::detail::spin_lock lock(busy);
      left->next = first;
      first = left;
    }
    if (!__atomic_exchange_n(&watching, true, __ATOMIC_ACQ_REL))
      mpi::detail::check(call_at_finalize(&at_finalize), "MPI_Comm_set_attr");
    mpi::detail::keep_loaded_for<windows_left>();
#else
    static_cast<void>(window);
#endif
  }

 private:
  struct entry {
    mpi::win_handle window;
    entry* next;
  };

  static inline constinit entry* first = nullptr;
  static inline constinit bool watching = false;
  static inline constinit bool busy = false;

  static int freed(MPI_Win, int, void* value, void*) noexcept {
    auto* const gone = static_cast<entry*>(value);
    {
      const mpi::detail::spin_lock lock(busy);
      for (entry** at = &first; *at != nullptr; at = &(*at)->next)
        if (*at == gone) {
          *at = gone->next;
          break;
        }
    }
    delete gone;
    return MPI_SUCCESS;
  }

  // The last one first, as on all ranks: making them was collective.
  static int at_finalize(MPI_Comm, int, void*, void*) noexcept {
    watching = false;
    while (first != nullptr) {
      entry* const left = first;
      mpi::win_handle window = left->window;
      if (mpi::nothrow::win_free(window).ok()) continue;
      // Some MPIs crash when they finalize with it.
      std::fputs("mpiglot: a window outlives MPI and cannot be freed; end its epoch\n", stderr);
      abort_job(1);
    }
    return MPI_SUCCESS;
  }
};

}  // namespace mpiglot::detail
