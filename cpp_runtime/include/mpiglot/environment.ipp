// Bodies of environment.hpp.

#pragma once

#include <cstdlib>
#include <initializer_list>

#include <mpiglot/detail/base/finalize_watch.hpp>
#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/callbacks.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/external.hpp>
#include <mpiglot/mpi/guard.hpp>

namespace mpiglot {

namespace detail {

/// The seconds of MPIGLOT_FINALIZE_TIMEOUT; 0 if it is not set.
[[nodiscard, gnu::cold, gnu::noinline]] MPIGLOT_INLINE double finalize_timeout_of_environment() {
  const char* const text = std::getenv("MPIGLOT_FINALIZE_TIMEOUT");
  if (text == nullptr || *text == 0) return 0;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end != 0 || !(seconds > 0))
    refuse_argument(MPI_ERR_ARG,
                    "MPIGLOT_FINALIZE_TIMEOUT must be a number of seconds greater than 0");
  return seconds;
}

/// Variables of Open MPI for jobs that survive failures of processes. MPI_Finalize agrees with the processes that are
/// left, and then waits once more, which after two failures may never end, in plain C: the second wait is switched off.
/// The first message to a process of another host that has died may wait for its address for ever: all connect before.
/// Hierarchical collectives make communicators at the first call, which crash if a process dies: they are not taken.
[[gnu::cold, gnu::noinline]] MPIGLOT_INLINE void prepare_for_failures() {
  const char* const survives = std::getenv("OMPI_MCA_mpi_ft_enable");
  if (survives == nullptr || (*survives != '1' && *survives != 't')) return;
  static_cast<void>(::setenv("OMPI_MCA_async_mpi_finalize", "1", 0));
  static_cast<void>(::setenv("OMPI_MCA_mpi_preconnect_mpi", "1", 0));
  static_cast<void>(::setenv("OMPI_MCA_coll_han_priority", "-1", 0));
}

}  // namespace detail

[[gnu::cold]] MPIGLOT_INLINE environment::environment(mpi::main_arguments arguments,
                                                      mpi::thread_level required) {
#if defined(__cpp_exceptions)
  unwinding_ = std::uncaught_exceptions();
#endif
  if (mpi::initialized() && !mpi::finalized()) {
    provided_ = mpi::query_thread();
  } else {
    detail::prepare_for_failures();
    mpi::guard_before_init();
    provided_ = mpi::init_thread(arguments, required);
    mpi::guard_after_init();
    owner_ = true;
    finalize_timeout_ = detail::finalize_timeout_of_environment();
    terminate_before_ = std::set_terminate(&detail::end_job_with_its_message);
  }
  mpi::comm_set_errhandler(mpi::comm_world, mpi::errors_return);
  mpi::comm_set_errhandler(mpi::comm_self, mpi::errors_return);
}

[[gnu::cold]] MPIGLOT_INLINE environment::~environment() {
  if (!owner_) return;
  if (!mpi::nothrow::finalized().value) {
#if defined(__cpp_exceptions)
    if (std::uncaught_exceptions() > unwinding_) {
      detail::end_job_at_exit();
      return;
    }
#endif
#if !defined(SMPI_H)  // there all ranks are one process, and MPI_Finalize does not wait
    int rank = 0;
    MPIGLOT_MPI(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    const detail::finalize_watch watch(rank, finalize_timeout_);
#endif
    static_cast<void>(mpi::nothrow::finalize());
  }
  std::set_terminate(terminate_before_);
  mpi::release_callbacks();
}

}  // namespace mpiglot
