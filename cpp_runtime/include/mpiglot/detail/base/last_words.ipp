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

/// " on rank 2", or nothing where the rank is not known.
struct place_of_process {
  explicit place_of_process(bool running) noexcept {
    int rank = 0;
    if (running && MPIGLOT_MPI(MPI_Comm_rank)(MPI_COMM_WORLD, &rank) == MPI_SUCCESS)
      std::snprintf(text, sizeof text, " on rank %d", rank);
  }
  char text[32] = "";
};

/// Prints a sentence and what the exception says that is being handled.
inline void tell_exception(const char* sentence) noexcept {
#if defined(__cpp_exceptions)
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "mpiglot: %s: %s\n", sentence, error.what());
    } catch (...) {
      std::fprintf(stderr, "mpiglot: %s\n", sentence);
    }
  }
#else
  static_cast<void>(sentence);
#endif
  std::fflush(nullptr);
}

MPIGLOT_INLINE void end_job_with_its_message() noexcept {
  const bool running = mpi_is_running();
  char sentence[80];
  std::snprintf(sentence, sizeof sentence, "nobody caught an exception%s",
                place_of_process(running).text);
  tell_exception(sentence);
  if (running) abort_job(1);
  std::abort();
}

[[gnu::noinline]] MPIGLOT_INLINE void end_job_for_function_of(const char* operation) noexcept {
  char sentence[120];
  std::snprintf(sentence, sizeof sentence, "the function of %s threw an exception%s, the job ends",
                operation, place_of_process(mpi_is_running()).text);
  tell_exception(sentence);
  abort_job(1);
}

}  // namespace mpiglot::detail
