// The environment: an object that initialises MPI, sets the error handlers, and finalises MPI.

#pragma once

#include <exception>

#include <mpiglot/mpi/constants.hpp>

namespace mpiglot {

/// Initialises MPI, and finalises it when it goes out of scope. Make one per program, in `main`.
///
/// It sets the error handler MPI_ERRORS_RETURN on MPI_COMM_WORLD and MPI_COMM_SELF, from which
/// other communicators inherit it. `mpiglot::mpi` turns the returned error codes into exceptions.
/// (By default, MPI ends the job.) If MPI is already initialised, the environment only sets the
/// error handlers; it does not finalise MPI.
///
/// An exception that is not caught ends the whole job and prints its message, because the other
/// processes would wait for this one. If an exception leaves the scope of the environment and is
/// caught outside of it, the job ends as well, but only when this process exits (MPI_Abort at
/// exit), so that the handler can report the exception; MPI stays initialised until then. Objects
/// that own handles may be destroyed after the environment; their destructors then do nothing.
///
/// MPI_Finalize waits for the other processes. After ten seconds it says so on the error stream: a process
/// that has caught an exception and returned may wait for ever. `set_finalize_timeout` limits the wait, and so
/// does the variable MPIGLOT_FINALIZE_TIMEOUT (seconds) where the program says nothing.
class environment {
 public:
  explicit environment(mpi::thread_level required = mpi::thread_level::single)
      : environment(mpi::main_arguments{}, required) {}

  environment(int& argc, char**& argv, mpi::thread_level required = mpi::thread_level::single)
      : environment(mpi::main_arguments{argc, argv}, required) {}

  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  ~environment();

  /// The thread level that MPI provides. It can be lower than the requested one.
  [[nodiscard]] mpi::thread_level thread_level() const noexcept { return provided_; }

  /// The seconds for which MPI_Finalize may wait for other processes; then the job ends with a sentence.
  /// 0: no limit. Local.
  void set_finalize_timeout(double seconds) noexcept { finalize_timeout_ = seconds; }

 private:
  environment(mpi::main_arguments arguments, mpi::thread_level required);

  mpi::thread_level provided_{};
  double finalize_timeout_ = 0;
  bool owner_ = false;
  std::terminate_handler terminate_before_ = nullptr;
  [[maybe_unused]] int unwinding_ = 0;  // not read where exceptions are disabled
};

}  // namespace mpiglot

#if MPIGLOT_BODIES
#include <mpiglot/environment.ipp>
#endif
