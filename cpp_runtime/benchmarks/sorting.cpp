// The sample sort of the paper's Table I in plain MPI, Boost.MPI and this library, and `sort` of the plugin, with as many
// numbers of 64 bits on each rank: the paper's Fig. 6.
//
//   sorting [EACH [TURNS]]    prints milliseconds of the slowest rank, and times those of plain MPI; medians
//
// The four take turns. Boost.MPI is there where MPIGLOT_BOOST is 1.

#include <cstdio>
#include <cstdlib>
#include <mpiglot/environment.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <string>

#define program plain
#include "../examples/table1/plain.hpp"
#undef program
#define program ours
#include "../examples/table1/mpiglot.hpp"
#undef program
#if MPIGLOT_BOOST
#define program boosted
#include "../examples/table1/boost.hpp"
#undef program
#endif

namespace {

using namespace mpiglot;
using numbers = std::vector<unsigned long>;
using communicator_that_sorts = basic_communicator<sorter>;

struct way {
  const char* name;
  void (*sort)(const communicator_that_sorts& comm, numbers& mine);
  std::vector<double> times = {};
};

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const environment mpi(argc, argv);
  const communicator_that_sorts comm;
  const std::size_t each = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  const int turns = argc > 2 ? std::atoi(argv[2]) : 11;
  way ways[] = {
      {"plain MPI", [](auto& on, auto& mine) { plain::sort(on.handle().native, mine, 1); }},
#if MPIGLOT_BOOST
      {"Boost.MPI", [](auto& on, auto& mine) { boosted::sort(on.handle().native, mine, 1); }},
#endif
      {"mpiglot", [](auto& on, auto& mine) { ours::sort(on.handle().native, mine, 1); }},
      {"mpiglot, plugin", [](auto& on, auto& mine) { on.sort(send_recv_buf(mine)); }},
  };
  std::mt19937_64 random(static_cast<std::size_t>(comm.rank()));
  numbers given(each);
  for (auto& number : given) number = random();
  for (int turn = 0; turn < turns; ++turn)
    for (way& one : ways) {
      numbers mine = given;
      comm.barrier();
      const double start = MPI_Wtime();
      one.sort(comm, mine);
      const double took = MPI_Wtime() - start;
      one.times.push_back(comm.allreduce_single(send_buf(took), op(mpi::max)));
    }
  if (comm.rank() != 0) return 0;
  for (const way& one : ways)
    std::printf("%-16s %9.3f ms  %.2f\n", one.name, 1e3 * median(one.times),
                median(one.times) / median(ways[0].times));
}
