// Bodies of environment.hpp.

#pragma once

#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/mpi/callbacks.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/external.hpp>
#include <mpiglot/mpi/guard.hpp>

namespace mpiglot {

[[gnu::cold]] MPIGLOT_INLINE environment::environment(mpi::main_arguments arguments,
                                                      mpi::thread_level required) {
#if defined(__cpp_exceptions)
  unwinding_ = std::uncaught_exceptions();
#endif
  if (mpi::initialized() && !mpi::finalized()) {
    provided_ = mpi::query_thread();
  } else {
    mpi::guard_before_init();
    provided_ = mpi::init_thread(arguments, required);
    mpi::guard_after_init();
    owner_ = true;
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
    static_cast<void>(mpi::nothrow::finalize());
  }
  std::set_terminate(terminate_before_);
  mpi::release_callbacks();
}

}  // namespace mpiglot
