// Two threads on every rank, each with a communicator of its own: what one learns is nothing to the
// other, and communicators may come and go while the other communicates.

#include <cstdio>
#include <thread>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/mpi/environment.hpp>

using namespace mpiglot;

namespace {

bool exchanges(const communicator& comm, int seed) {
  for (int round = 0; round < 20; ++round) {
    const auto length = [&](int rank) {
      return static_cast<std::size_t>((rank * 7 + round * seed) % 23 * (round % 5 == 0 ? 20 : 1));
    };
    const std::vector<int> mine(length(comm.rank()), comm.rank() + seed);
    const std::vector<int> all = comm.allgatherv(send_buf(mine));
    std::vector<int> expected;
    for (int rank = 0; rank < comm.size(); ++rank)
      expected.insert(expected.end(), length(rank), rank + seed);
    if (all != expected) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv, mpi::thread_level::multiple);
  if (environment.thread_level() != mpi::thread_level::multiple) return 77;
  bool right[2] = {true, true};
  {
    const communicator world;
    const communicator bases[2] = {world.dup(), world.dup()};
    const auto work = [&](int thread) {
      for (int i = 0; i < 2; ++i) {
        const communicator own = bases[thread].dup();
        if (!exchanges(own, thread + 1) || !exchanges(bases[thread], i + 2)) right[thread] = false;
      }
    };
    std::thread other(work, 1);
    work(0);
    other.join();
  }
  if (right[0] && right[1]) return 0;
  std::fprintf(stderr, "a thread received something else than was sent\n");
  mpi::abort(mpi::comm_world, 1);
  return 1;
}
