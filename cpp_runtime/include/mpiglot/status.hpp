// The status of a message or a file access, which counts elements by C++ type or by datatype.

#pragma once

#include <mpiglot/datatype.hpp>
#include <mpiglot/mpi/calls/get_count.hpp>
#include <mpiglot/mpi/calls/get_elements.hpp>
#include <mpiglot/mpi/calls/type_size.hpp>
#include <mpiglot/mpi/status.hpp>

namespace mpiglot {
namespace detail {

/// Computes the result of MPI_Get_count as a `count_t`, for MPIs whose function returns an int.
[[nodiscard, gnu::cold, gnu::noinline]] inline mpi::count_t many_whole_elements(
    const mpi::status& status, mpi::datatype_handle type) noexcept {
  mpi::count_t all = MPI_UNDEFINED;
  mpi::count_t size = 0;
  static_cast<void>(mpi::calls::get_elements::now(status, mpi::datatype_handle{MPI_BYTE}, all));
  static_cast<void>(mpi::calls::type_size::now(type, size));
  return all < 0 || size <= 0 || all % size != 0 ? mpi::count_t{MPI_UNDEFINED} : all / size;
}

}  // namespace detail

/// The source, tag, error code and size of a completed message or access. It can be passed to every
/// function of `mpiglot::mpi` that returns a status.
struct status : mpi::status {
  status() noexcept = default;
  status(const mpi::status& other) noexcept : mpi::status(other) {}
  explicit status(const MPI_Status& other) noexcept : mpi::status{other} {}

  /// The number of elements of type `T`; `mpi::undefined` if the size is not a multiple of theirs.
  /// Local.
  template <class T>
  [[nodiscard]] mpi::count_t count() const {
    return count(datatype_of<T>());
  }
  /// The number of elements of datatype `type`; `mpi::undefined` if the size is not a multiple of
  /// theirs. Local.
  [[nodiscard]] mpi::count_t count(mpi::datatype_handle type) const {
    mpi::count_t n = 0;
    mpi::detail::check(mpi::calls::get_count::now(*this, type, n), "MPI_Get_count");
    return n < 0 ? detail::many_whole_elements(*this, type) : n;
  }
  /// The number of elements of predefined types, counted inside values of the datatype `type`
  /// (MPI_Get_elements). Local.
  [[nodiscard]] mpi::count_t elements(mpi::datatype_handle type) const {
    mpi::count_t n = 0;
    mpi::detail::check(mpi::calls::get_elements::now(*this, type, n), "MPI_Get_elements");
    return n;
  }
  /// True if the operation was cancelled. Local.
  [[nodiscard]] bool cancelled() const {
    int flag = 0;
    mpi::detail::check(MPIGLOT_MPI(MPI_Test_cancelled)(&native, &flag), "MPI_Test_cancelled");
    return flag != 0;
  }
};

}  // namespace mpiglot
