// The status of a message or a file access, with counts by C++ type.

#pragma once

#include <mpiglot/datatype.hpp>
#include <mpiglot/mpi/calls/get_count.hpp>
#include <mpiglot/mpi/calls/get_elements.hpp>
#include <mpiglot/mpi/status.hpp>

namespace mpiglot {
namespace detail {

/// What MPI_Get_count would give if it could count so far, and MPI_Get_elements. Templates, since only
/// some MPIs have the functions.
template <class Status>
[[nodiscard, gnu::cold, gnu::noinline]] mpi::count_t many_elements(
    const Status& status, mpi::datatype_handle type) noexcept {
  MPI_Count n = MPI_UNDEFINED;
  if constexpr (mpi::has_large_counts)
    MPIGLOT_MPI(MPI_Get_elements_c)(&status.native, type.native, &n);
  else
    MPIGLOT_MPI(MPI_Get_elements_x)(&status.native, type.native, &n);
  return n;
}
template <class Status>
[[nodiscard, gnu::cold, gnu::noinline]] mpi::count_t many_whole_elements(
    const Status& status, mpi::datatype_handle type) noexcept {
  MPI_Count n = MPI_UNDEFINED;
  if constexpr (mpi::has_large_counts) {
    MPIGLOT_MPI(MPI_Get_count_c)(&status.native, type.native, &n);
    return n;
  } else {
    MPI_Count size = 0;
    n = many_elements(status, mpi::datatype_handle{MPI_BYTE});
    MPIGLOT_MPI(MPI_Type_size_x)(type.native, &size);
    return n < 0 || size <= 0 || n % size != 0 ? MPI_Count{MPI_UNDEFINED} : n / size;
  }
}

}  // namespace detail

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
    mpi::count_t n = 0;
    mpi::detail::check(mpi::calls::get_count::now(*this, type, n), "MPI_Get_count");
    return n < 0 ? detail::many_whole_elements(*this, type) : n;
  }
  /// How many elements of builtin types arrived in values of a derived datatype. Local.
  [[nodiscard]] mpi::count_t elements(mpi::datatype_handle type) const {
    mpi::count_t n = 0;
    mpi::detail::check(mpi::calls::get_elements::now(*this, type, n), "MPI_Get_elements");
    return n < 0 ? detail::many_elements(*this, type) : n;
  }
  [[nodiscard]] bool cancelled() const {
    int flag = 0;
    mpi::detail::check(MPIGLOT_MPI(MPI_Test_cancelled)(&native, &flag), "MPI_Test_cancelled");
    return flag != 0;
  }
};

}  // namespace mpiglot
