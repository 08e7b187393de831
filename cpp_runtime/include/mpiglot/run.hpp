// `run`: a whole MPI program from a function that gets the communicator of all processes.

#pragma once

#include <exception>

#include <mpiglot/communicator.hpp>
#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/environment.hpp>

namespace mpiglot {

namespace detail {

/// The seconds for which a process that failed waits for the others.
inline constexpr double patience_after_failure = 10;

// An exception that reaches this is not unwound further, so no destructor waits for other processes.
template <class Program>
int run_or_end_job(Program& program, communicator& world) noexcept {
  const auto before = std::set_terminate(&end_job_with_its_message);
  const int code = program(world);
  std::set_terminate(before);
  return code;
}

}  // namespace detail

/// Initialises MPI, calls `program` with a communicator of all processes, finalises MPI and returns what
/// `program` returned. Collective.
///
///     int main(int argc, char** argv) {
///       return mpiglot::run(argc, argv, [](mpiglot::communicator& world) -> int { ... });
///     }
///
/// If `program` throws on one rank, the job ends and prints the rank and what the exception says, because
/// the other processes would wait for this one. If it returns another value than 0, this process waits for
/// the others at most 10 seconds in MPI_Finalize; then the job ends with a sentence.
template <class Program>
[[nodiscard]] int run(int& argc, char**& argv, Program&& program,
                      mpi::thread_level required = mpi::thread_level::single) {
  environment started(argc, argv, required);
  communicator world;
  const int code = detail::run_or_end_job(program, world);
  if (code != 0) started.set_finalize_timeout(detail::patience_after_failure);
  return code;
}

}  // namespace mpiglot
