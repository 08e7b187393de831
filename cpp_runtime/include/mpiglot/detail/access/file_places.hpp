// Which of MPI's functions reads or writes a file: by the pointer that is used, by who takes part,
// and whether at once, later or in two halves.

#pragma once

#include <mpiglot/mpi/calls/file_iread.hpp>
#include <mpiglot/mpi/calls/file_iread_all.hpp>
#include <mpiglot/mpi/calls/file_iread_at.hpp>
#include <mpiglot/mpi/calls/file_iread_at_all.hpp>
#include <mpiglot/mpi/calls/file_iread_shared.hpp>
#include <mpiglot/mpi/calls/file_iwrite.hpp>
#include <mpiglot/mpi/calls/file_iwrite_all.hpp>
#include <mpiglot/mpi/calls/file_iwrite_at.hpp>
#include <mpiglot/mpi/calls/file_iwrite_at_all.hpp>
#include <mpiglot/mpi/calls/file_iwrite_shared.hpp>
#include <mpiglot/mpi/calls/file_read.hpp>
#include <mpiglot/mpi/calls/file_read_all.hpp>
#include <mpiglot/mpi/calls/file_read_at.hpp>
#include <mpiglot/mpi/calls/file_read_at_all.hpp>
#include <mpiglot/mpi/calls/file_read_ordered.hpp>
#include <mpiglot/mpi/calls/file_read_shared.hpp>
#include <mpiglot/mpi/calls/file_write.hpp>
#include <mpiglot/mpi/calls/file_write_all.hpp>
#include <mpiglot/mpi/calls/file_write_at.hpp>
#include <mpiglot/mpi/calls/file_write_at_all.hpp>
#include <mpiglot/mpi/calls/file_write_ordered.hpp>
#include <mpiglot/mpi/calls/file_write_shared.hpp>
#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/mpi/io.hpp>

namespace mpiglot::detail {

enum class place { own, all, at, at_all, shared, ordered };

/// The same place in an access of this rank alone. The order of ranks needs all of them.
[[nodiscard]] consteval place alone(place where) {
  return where == place::all ? place::own : where == place::at_all ? place::at : where;
}

/// MPI_File_read and its like.
template <place Where>
struct reading {
  static constexpr bool reads = true;
  /// What is called where the access is made at once (file_at_once.hpp).
  using made_at_once = reading<alone(Where)>;

  static int now(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::calls::file_read::now(file, a...);
    if constexpr (Where == place::all) return mpi::calls::file_read_all::now(file, a...);
    if constexpr (Where == place::at) return mpi::calls::file_read_at::now(file, offset, a...);
    if constexpr (Where == place::at_all)
      return mpi::calls::file_read_at_all::now(file, offset, a...);
    if constexpr (Where == place::shared) return mpi::calls::file_read_shared::now(file, a...);
    if constexpr (Where == place::ordered) return mpi::calls::file_read_ordered::now(file, a...);
  }
  static int later(mpi::request_handle& request, mpi::file_handle file,
                   [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::calls::file_iread::now(file, a..., request);
    if constexpr (Where == place::all) return mpi::calls::file_iread_all::now(file, a..., request);
    if constexpr (Where == place::at)
      return mpi::calls::file_iread_at::now(file, offset, a..., request);
    if constexpr (Where == place::at_all)
      return mpi::calls::file_iread_at_all::now(file, offset, a..., request);
    if constexpr (Where == place::shared)
      return mpi::calls::file_iread_shared::now(file, a..., request);
  }
  static auto begin(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::all) return mpi::nothrow::file_read_all_begin(file, a...);
    if constexpr (Where == place::at_all)
      return mpi::nothrow::file_read_at_all_begin(file, offset, a...);
    if constexpr (Where == place::ordered) return mpi::nothrow::file_read_ordered_begin(file, a...);
  }
  static auto end(mpi::file_handle file, auto... a) {
    if constexpr (Where == place::all) return mpi::nothrow::file_read_all_end(file, a...);
    if constexpr (Where == place::at_all) return mpi::nothrow::file_read_at_all_end(file, a...);
    if constexpr (Where == place::ordered) return mpi::nothrow::file_read_ordered_end(file, a...);
  }
};

/// After a collective write: returns when the data of this rank is in the file, which another one may write
/// (defect collective-write-returns-early). Collective.
[[gnu::cold, gnu::noinline]] inline void await_written(mpi::file_handle file) noexcept {
  static const bool returns_early = library_defect("collective-write-returns-early") != nullptr;
  if (!returns_early) return;
  const auto amode = mpi::nothrow::file_get_amode(file);
  constexpr int never_read = MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL;  // or not what was written
  if (amode.code != MPI_SUCCESS || (static_cast<int>(amode.value) & never_read) != 0) return;
  char nothing = 0;
  static_cast<void>(MPIGLOT_WAITING(MPI_File_read_at_all)(file.native, 0, &nothing, 0, MPI_BYTE,
                                                          MPI_STATUS_IGNORE));
}

/// MPI_File_write and its like.
template <place Where>
struct writing {
  static constexpr bool reads = false;
  /// What is called where the access is made at once (file_at_once.hpp).
  using made_at_once = writing<alone(Where)>;

  static int now(mpi::file_handle file, mpi::offset_t offset, auto... a) {
    const int code = write(file, offset, a...);
    if constexpr (Where == place::all || Where == place::at_all || Where == place::ordered)
      await_written(file);
    return code;
  }
  static int write(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::calls::file_write::now(file, a...);
    if constexpr (Where == place::all) return mpi::calls::file_write_all::now(file, a...);
    if constexpr (Where == place::at) return mpi::calls::file_write_at::now(file, offset, a...);
    if constexpr (Where == place::at_all)
      return mpi::calls::file_write_at_all::now(file, offset, a...);
    if constexpr (Where == place::shared) return mpi::calls::file_write_shared::now(file, a...);
    if constexpr (Where == place::ordered) return mpi::calls::file_write_ordered::now(file, a...);
  }
  static int later(mpi::request_handle& request, mpi::file_handle file,
                   [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::calls::file_iwrite::now(file, a..., request);
    if constexpr (Where == place::all) return mpi::calls::file_iwrite_all::now(file, a..., request);
    if constexpr (Where == place::at)
      return mpi::calls::file_iwrite_at::now(file, offset, a..., request);
    if constexpr (Where == place::at_all)
      return mpi::calls::file_iwrite_at_all::now(file, offset, a..., request);
    if constexpr (Where == place::shared)
      return mpi::calls::file_iwrite_shared::now(file, a..., request);
  }
  static auto begin(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::all) return mpi::nothrow::file_write_all_begin(file, a...);
    if constexpr (Where == place::at_all)
      return mpi::nothrow::file_write_at_all_begin(file, offset, a...);
    if constexpr (Where == place::ordered)
      return mpi::nothrow::file_write_ordered_begin(file, a...);
  }
  static auto end(mpi::file_handle file, auto... a) {
    if constexpr (Where == place::all) return mpi::nothrow::file_write_all_end(file, a...);
    if constexpr (Where == place::at_all) return mpi::nothrow::file_write_at_all_end(file, a...);
    if constexpr (Where == place::ordered) return mpi::nothrow::file_write_ordered_end(file, a...);
  }
};

}  // namespace mpiglot::detail
