// What somebody writes who has the package: the runtime's environment, and the generated layer.
#include <mpi.h>

#include <cstdio>
#include <mpiglot/environment.hpp>
#include <mpiglot/mpi.hpp>

namespace mpi = mpiglot::mpi;

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  const int rank = mpi::comm_rank(mpi::comm_world);
  int mine = rank + 1;
  int sum = 0;
  mpi::allreduce(&mine, &sum, 1, mpi::int_, mpi::sum, mpi::comm_world);
  if (rank == 0) std::printf("the sum over %d ranks is %d\n", mpi::comm_size(mpi::comm_world), sum);
}
