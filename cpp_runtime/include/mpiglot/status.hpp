// The status of a message or a file access, with counts by C++ type.

#pragma once

#include <mpiglot/datatype.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/pt2pt.hpp>
#include <mpiglot/mpi/status.hpp>

namespace mpiglot {

/// `source()`, `tag()`, `error()` of a completed operation, and how much there was. A value; it can
/// be passed wherever MPI fills a status.
struct status : mpi::status {
  status() noexcept = default;
  status(const mpi::status& other) noexcept : mpi::status(other) {}
  explicit status(const MPI_Status& other) noexcept : mpi::status{other} {}

  /// How many `T` arrived, or `mpi::undefined` if that is no whole number. Local.
  template <class T>
  [[nodiscard]] mpi::count_t count() const {
    return count(datatype_of<T>());
  }
  [[nodiscard]] mpi::count_t count(mpi::datatype_handle type) const {
    return mpi::get_count(*this, type);
  }
  /// How many elements of builtin types arrived in values of a derived datatype. Local.
  [[nodiscard]] mpi::count_t elements(mpi::datatype_handle type) const {
    return mpi::get_elements(*this, type);
  }
  [[nodiscard]] bool cancelled() const { return mpi::test_cancelled(*this); }
};

}  // namespace mpiglot
