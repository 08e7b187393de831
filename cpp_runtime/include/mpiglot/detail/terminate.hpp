// An exception that nobody catches ends the whole job, with its message.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mpiglot/detail/last_words.hpp>

namespace mpiglot::detail {

/// A handler for std::set_terminate. Without it only this process would end, and the launcher may
/// take its time to notice.
[[noreturn, gnu::cold]] inline void end_job_with_its_message() noexcept {
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
  const auto started = mpi::nothrow::initialized();
  const auto finished = mpi::nothrow::finalized();
  if (started.value && !finished.value) abort_job(1);
  std::abort();
}

}  // namespace mpiglot::detail
