// Windows that are there still when MPI finalizes, in objects of static storage for example: some
// MPIs end the job then, so they are freed before. The list also keeps what is known of their memory.

#pragma once

#include <cstdio>

#include <mpiglot/detail/access/window_targets.hpp>
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
  /// What is known of the memory of a window.
  struct known {
    /// Null if it is not known. It exists as long as the window.
    const window_targets* targets = nullptr;
    /// What this rank asked for, in bytes; negative if MPI's size is that.
    mpi::aint_t asked = -1;
  };

  static void add(mpi::win_handle window, std::unique_ptr<window_targets> targets,
                  mpi::aint_t asked) {
#if !defined(SMPI_H)
    const bool world = mpi::initialized();
    if (!world && !targets) return;  // there are only sessions, which end with their objects
    int key = MPI_KEYVAL_INVALID;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Win_create_keyval)(MPI_WIN_NULL_COPY_FN, &freed, &key, nullptr),
        "MPI_Win_create_keyval");
    auto* const left = new_to_take_part<entry>();
    *left = {window, nullptr, static_cast<std::unique_ptr<window_targets>&&>(targets), asked,
             world};
    const int code = MPIGLOT_MPI(MPI_Win_set_attr)(window.native, key, left);
    MPIGLOT_MPI(MPI_Win_free_keyval)(&key);
    if (code != MPI_SUCCESS) delete left;
    mpi::detail::check(code, "MPI_Win_set_attr");
    {
      const mpi::detail::spin_lock lock(busy);
      left->next = first;
      first = left;
    }
    if (world && !__atomic_exchange_n(&watching, true, __ATOMIC_ACQ_REL))
      mpi::detail::check(call_at_finalize(&at_finalize), "MPI_Comm_set_attr");
    mpi::detail::keep_loaded_for<windows_left>();
#else
    static_cast<void>(window), static_cast<void>(asked);
#endif
  }
  [[nodiscard]] static known find(mpi::win_handle window) noexcept {
    const mpi::detail::spin_lock lock(busy);
    for (const entry* at = first; at != nullptr; at = at->next)
      if (at->window.native == window.native) return {at->targets.get(), at->asked};
    return {};
  }

 private:
  struct entry {
    mpi::win_handle window;
    entry* next;
    std::unique_ptr<window_targets> targets;
    mpi::aint_t asked;
    bool of_world;  // not of a session, whose end MPI_Finalize is not
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
    for (;;) {
      const entry* left = first;
      while (left != nullptr && !left->of_world) left = left->next;
      if (left == nullptr) break;
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
