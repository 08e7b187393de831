// MPI from start to end as one object: initialises it, makes it return errors, finalises it.

#pragma once

#include <mpiglot/detail/last_words.hpp>
#include <mpiglot/detail/terminate.hpp>
#include <mpiglot/mpi/callbacks.hpp>
#include <mpiglot/mpi/environment.hpp>
#include <mpiglot/mpi/external.hpp>
#include <mpiglot/mpi/guard.hpp>

namespace mpiglot {

/// Initialises MPI and finalises it when it goes out of scope; one per program, in `main`.
///
/// Errors of MPI_COMM_WORLD, MPI_COMM_SELF and everything made from them come back as codes, which
/// `mpiglot::mpi` turns into exceptions (MPI's default is to end the job). If MPI is initialised
/// already, an environment only does that, and leaves finalising to whoever initialised it.
///
/// An exception that leaves the scope of the environment, or that nobody catches, ends the whole job
/// with its message: the other processes would wait for this one. Objects that own handles may be
/// destroyed after the environment: they do nothing then.
class environment {
 public:
  explicit environment(mpi::thread_level required = mpi::thread_level::single)
      : environment(mpi::main_arguments{}, required) {}

  environment(int& argc, char**& argv, mpi::thread_level required = mpi::thread_level::single)
      : environment(mpi::main_arguments{argc, argv}, required) {}

  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  ~environment() {
    if (!owner_ || mpi::nothrow::finalized().value) return;
#if defined(__cpp_exceptions)
    if (std::uncaught_exceptions() > unwinding_)
      detail::abort_job(1);
#endif
    static_cast<void>(mpi::nothrow::finalize());
    std::set_terminate(terminate_before_);
    mpi::release_callbacks();
  }

  /// What threads may do, which can be less than what was asked for.
  [[nodiscard]] mpi::thread_level thread_level() const noexcept { return provided_; }

 private:
  environment(mpi::main_arguments arguments, mpi::thread_level required) {
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

  mpi::thread_level provided_{};
  bool owner_ = false;
  std::terminate_handler terminate_before_ = nullptr;
#if defined(__cpp_exceptions)
  int unwinding_ = std::uncaught_exceptions();
#endif
};

}  // namespace mpiglot
