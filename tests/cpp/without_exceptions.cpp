// Compiled with -fno-exceptions: results are looked at, and an error nobody looks at ends the job.

#include <mpiglot/environment.hpp>
#include <mpiglot/mpi.hpp>

#include <cstdio>

namespace mpi = mpiglot::mpi;

int main(int argc, char**) {
  const mpiglot::environment environment;
  const int value = 1;
  if (argc > 1) {
    mpi::send(&value, 1, mpi::int_, 9999, 0, mpi::comm_world);
    std::puts("not reached");
    return 0;
  }
  const auto refused = mpi::nothrow::send(&value, 1, mpi::int_, 9999, 0, mpi::comm_world);
  if (refused.ok()) return 1;
  int sum = 0;
  const auto done = mpi::nothrow::allreduce(&value, &sum, 1, mpi::int_, mpi::sum, mpi::comm_world);
  return done.ok() && sum == mpi::comm_size(mpi::comm_world) ? 0 : 1;
}
