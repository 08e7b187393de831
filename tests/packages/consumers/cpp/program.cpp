// What somebody writes who has the package: the runtime, and the generated layer below it.
#include <mpi.h>

#include <cstdio>
#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/mpi.hpp>

namespace mpi = mpiglot::mpi;

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  const mpiglot::communicator world(mpi::comm_world);
  const int sum =
      world.allreduce_single(mpiglot::send_buf(world.rank() + 1), mpiglot::op(mpi::sum));
  if (world.rank() == 0)
    std::printf("the sum over %d ranks is %d\n", mpi::comm_size(mpi::comm_world), sum);
}
