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
#if defined(__cpp_exceptions)
  if (const std::exception_ptr uncaught = std::current_exception()) {
    try {
      std::rethrow_exception(uncaught);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "mpiglot: nobody caught an exception: %s\n", error.what());
    } catch (...) {
      std::fputs("mpiglot: nobody caught an exception\n", stderr);
    }
  }
#endif
  std::fflush(nullptr);
  int started = 0;
  int finished = 0;
  MPIGLOT_EARLY(MPI_Initialized)(&started);
  MPIGLOT_EARLY(MPI_Finalized)(&finished);
  if (started != 0 && finished == 0) abort_job(1);
  std::abort();
}

}  // namespace mpiglot::detail
