// MPI from start to end as one object: initialises it, makes it return errors, finalises it.

#pragma once

#include <exception>

#include <mpiglot/mpi/constants.hpp>

namespace mpiglot {

/// Initialises MPI and finalises it when it goes out of scope; one per program, in `main`.
///
/// Errors of MPI_COMM_WORLD, MPI_COMM_SELF and everything made from them come back as codes, which
/// `mpiglot::mpi` turns into exceptions (MPI's default is to end the job). If MPI is initialised
/// already, an environment only does that, and leaves finalising to whoever initialised it.
///
/// An exception that nobody catches ends the whole job with its message: the other processes would
/// wait for this one. So does one that leaves the scope of the environment and is caught behind it,
/// but not before this process ends (MPI_Abort at exit), so that the handler can say what it was;
/// MPI runs until then. Objects that own handles may be destroyed after the environment: they do
/// nothing then.
class environment {
 public:
  explicit environment(mpi::thread_level required = mpi::thread_level::single)
      : environment(mpi::main_arguments{}, required) {}

  environment(int& argc, char**& argv, mpi::thread_level required = mpi::thread_level::single)
      : environment(mpi::main_arguments{argc, argv}, required) {}

  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  ~environment();

  /// What threads may do, which can be less than what was asked for.
  [[nodiscard]] mpi::thread_level thread_level() const noexcept { return provided_; }

 private:
  environment(mpi::main_arguments arguments, mpi::thread_level required);

  mpi::thread_level provided_{};
  bool owner_ = false;
  std::terminate_handler terminate_before_ = nullptr;
  [[maybe_unused]] int unwinding_ = 0;  // without exceptions nobody asks
};

}  // namespace mpiglot

#if MPIGLOT_BODIES
#include <mpiglot/environment.ipp>
#endif
