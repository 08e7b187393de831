// Values in MPI files of the program: at an offset, by one rank.
//
//   file_transport at(file, 0);
//   write_value(at, state);   // at.offset is behind it then

#pragma once

#include <cstddef>

#include <mpiglot/detail/codec/checkpoint_format.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/status.hpp>
#include <mpiglot/transport.hpp>

namespace mpiglot {

/// A transport (mpiglot/transport.hpp) through an MPI file: bytes from an offset on. The file is open for
/// bytes, as it is unless `set_view` was called. Not collective.
struct file_transport {
  /// Not owned.
  mpi::file_handle file;
  /// In bytes; behind what was written or read.
  mpi::offset_t offset = 0;

  /// A transport from the offset `at` on.
  file_transport(mpi::file_handle to, mpi::offset_t at) noexcept : file(to), offset(at) {}

  /// Writes `size` bytes at the offset. Throws `mpi::error`.
  void write(const std::byte* from, std::size_t size) {
    in_steps(size, [&](std::size_t done, mpi::count_t step) {
      mpi::file_write_at(file, offset, from + done, step, byte(), {});
    });
  }
  /// Reads `size` bytes at the offset. Throws `checkpoint_error` if the file is shorter, and `mpi::error`.
  void read(std::byte* to, std::size_t size) {
    in_steps(size, [&](std::size_t done, mpi::count_t step) {
      status got;
      mpi::file_read_at(file, offset, to + done, step, byte(), got);
      if (got.count(byte()) != step) detail::refuse_short_checkpoint();
    });
  }

 private:
  /// The most bytes of one access.
  static constexpr std::size_t at_once = std::size_t{1} << 29;
  template <class Access>
  void in_steps(std::size_t size, Access access) {
    for (std::size_t done = 0; done < size;) {
      const std::size_t step = size - done < at_once ? size - done : at_once;
      access(done, static_cast<mpi::count_t>(step));
      offset += static_cast<mpi::offset_t>(step);
      done += step;
    }
  }
  [[nodiscard]] static mpi::datatype_handle byte() noexcept {
    return mpi::datatype_handle{MPI_BYTE};
  }
};

}  // namespace mpiglot
