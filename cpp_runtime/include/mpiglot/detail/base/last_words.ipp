// Bodies of detail/base/last_words.hpp.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>

#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/mpi/last_words.hpp>

namespace mpiglot::detail {

[[gnu::noinline]] MPIGLOT_INLINE void abort_job(int code) noexcept {
  mpi::detail::end_job(MPI_COMM_WORLD, code);
}

/// Between MPI_Init and MPI_Finalize.
[[nodiscard]] inline bool mpi_is_running() noexcept {
  int started = 0;
  int finished = 0;
  MPIGLOT_EARLY(MPI_Initialized)(&started);
  MPIGLOT_EARLY(MPI_Finalized)(&finished);
  return started != 0 && finished == 0;
}

inline void end_job_now() noexcept {
  if (!mpi_is_running()) return;
  std::fputs("mpiglot: an exception left the scope of the environment; the job ends\n", stderr);
  std::fflush(nullptr);
  abort_job(1);
}

MPIGLOT_INLINE void end_job_at_exit() noexcept {
#if defined(SMPI_H)
  end_job_now();  // all ranks are one process, which does not end with one of them
#else
  if (std::atexit(&end_job_now) != 0 || std::at_quick_exit(&end_job_now) != 0) end_job_now();
#endif
}

MPIGLOT_INLINE void end_job_with_its_message() noexcept {
  const bool running = mpi_is_running();
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
