// Bodies of detail/collectives/user_operation.hpp.

#pragma once

#include <exception>

#include <mpiglot/detail/collectives/user_operation.hpp>

namespace mpiglot::detail {

// In two steps: MPI_Type_contiguous takes an int, and a part may have more bytes.
MPIGLOT_INLINE mpi::unique_datatype flag::type_of(std::size_t size) {
  const std::size_t units = size / unit;
  if (!mpi::detail::fits<int>(static_cast<mpi::count_t>(units))) [[unlikely]]
    refuse_counts(
        "elements beside a flag have at most 32 GiB; give op a function without may_throw");
  mpi::unique_datatype of_unit, made;
  mpi::detail::check(
      MPIGLOT_MPI(MPI_Type_contiguous)(static_cast<int>(unit), MPI_BYTE, &of_unit.native),
      "MPI_Type_contiguous");
  mpi::detail::check(
      MPIGLOT_MPI(MPI_Type_contiguous)(static_cast<int>(units), of_unit.native, &made.native),
      "MPI_Type_contiguous");
  mpi::detail::check(MPIGLOT_MPI(MPI_Type_commit)(&made.native), "MPI_Type_commit");
  return made;
}

MPIGLOT_INLINE void flag_exception(void* part, std::size_t size, int rank) noexcept {
  flag told = flag::of(part);
  told.failed = rank + 1;
  std::memcpy(part, &told, sizeof told);
  char* to = static_cast<char*>(part) + sizeof(flag);
  char* const end = static_cast<char*>(part) + size - 1;
  const auto write = [&](const char* text) {
    while (*text != 0 && to != end) *to++ = *text++;
    *to = 0;
  };
#if defined(__cpp_exceptions)
  try {
    throw;
  } catch (const std::exception& error) {
    write(error.what());
  } catch (...) {
    write("");
  }
#else
  write("");
#endif
}

MPIGLOT_INLINE void require_value(const void* part) {
  const flag told = flag::of(part);
  if (told.failed < 0) [[unlikely]]
    tell_remote_failure(-1 - told.failed);
  if (told.failed > 0) [[unlikely]]
    mpi::detail::fail(function_failure(told.failed - 1, flag::text_of(part)));
}

}  // namespace mpiglot::detail
