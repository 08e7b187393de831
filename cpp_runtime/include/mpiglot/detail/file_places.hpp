// Which of MPI's functions reads or writes a file: by the pointer that is used, by who takes part,
// and whether at once, later or in two halves.

#pragma once

#include <mpiglot/mpi/io.hpp>

namespace mpiglot::detail {

enum class place { own, all, at, at_all, shared, ordered };

/// MPI_File_read and its like.
template <place Where>
struct reading {
  static auto now(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::nothrow::file_read(file, a...);
    if constexpr (Where == place::all) return mpi::nothrow::file_read_all(file, a...);
    if constexpr (Where == place::at) return mpi::nothrow::file_read_at(file, offset, a...);
    if constexpr (Where == place::at_all) return mpi::nothrow::file_read_at_all(file, offset, a...);
    if constexpr (Where == place::shared) return mpi::nothrow::file_read_shared(file, a...);
    if constexpr (Where == place::ordered) return mpi::nothrow::file_read_ordered(file, a...);
  }
  static auto later(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::nothrow::file_iread(file, a...);
    if constexpr (Where == place::all) return mpi::nothrow::file_iread_all(file, a...);
    if constexpr (Where == place::at) return mpi::nothrow::file_iread_at(file, offset, a...);
    if constexpr (Where == place::at_all)
      return mpi::nothrow::file_iread_at_all(file, offset, a...);
    if constexpr (Where == place::shared) return mpi::nothrow::file_iread_shared(file, a...);
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

/// MPI_File_write and its like.
template <place Where>
struct writing {
  static auto now(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::nothrow::file_write(file, a...);
    if constexpr (Where == place::all) return mpi::nothrow::file_write_all(file, a...);
    if constexpr (Where == place::at) return mpi::nothrow::file_write_at(file, offset, a...);
    if constexpr (Where == place::at_all)
      return mpi::nothrow::file_write_at_all(file, offset, a...);
    if constexpr (Where == place::shared) return mpi::nothrow::file_write_shared(file, a...);
    if constexpr (Where == place::ordered) return mpi::nothrow::file_write_ordered(file, a...);
  }
  static auto later(mpi::file_handle file, [[maybe_unused]] mpi::offset_t offset, auto... a) {
    if constexpr (Where == place::own) return mpi::nothrow::file_iwrite(file, a...);
    if constexpr (Where == place::all) return mpi::nothrow::file_iwrite_all(file, a...);
    if constexpr (Where == place::at) return mpi::nothrow::file_iwrite_at(file, offset, a...);
    if constexpr (Where == place::at_all)
      return mpi::nothrow::file_iwrite_at_all(file, offset, a...);
    if constexpr (Where == place::shared) return mpi::nothrow::file_iwrite_shared(file, a...);
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
