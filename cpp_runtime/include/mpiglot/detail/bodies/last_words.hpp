// Bodies of detail/last_words.hpp.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>

#include <mpiglot/detail/last_words.hpp>
#include <mpiglot/mpi/last_words.hpp>

namespace mpiglot::detail {

[[gnu::noinline]] MPIGLOT_INLINE void abort_job(int code) noexcept {
  mpi::detail::let_last_words_out();
  MPIGLOT_MPI(MPI_Abort)(MPI_COMM_WORLD, code);
}

MPIGLOT_INLINE void end_job_with_its_message() noexcept {
  int started = 0;
  int finished = 0;
  MPIGLOT_EARLY(MPI_Initialized)(&started);
  MPIGLOT_EARLY(MPI_Finalized)(&finished);
  const bool running = started != 0 && finished == 0;
#if defined(__cpp_exceptions)
  char where[32] = "";
  int rank = 0;
  if (running && MPIGLOT_MPI(MPI_Comm_rank)(MPI_COMM_WORLD, &rank) == MPI_SUCCESS)
    std::snprintf(where, sizeof where, " on rank %d", rank);
  if (const std::exception_ptr uncaught = std::current_exception()) {
    try {
      std::rethrow_exception(uncaught);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "mpiglot: nobody caught an exception%s: %s\n", where, error.what());
    } catch (...) {
      std::fprintf(stderr, "mpiglot: nobody caught an exception%s\n", where);
    }
  }
#endif
  std::fflush(nullptr);
  if (running) abort_job(1);
  std::abort();
}

}  // namespace mpiglot::detail
