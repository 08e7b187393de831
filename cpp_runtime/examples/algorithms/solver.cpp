// A solver that loses ranks: the temperatures of a rod, by Jacobi's method.
// With Open MPI 5 and `mpiexec --with-ft ulfm`, the ranks that are left end
// with the right temperatures; elsewhere it says what is missing.
//
//   mpiexec --with-ft ulfm -n 4 solver [STEP RANK]...     at this step, this
//   rank dies

#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <mpiglot/environment.hpp>
#include <mpiglot/plugins/fault_tolerance.hpp>
#include <mpiglot/plugins/ranges.hpp>
#include <vector>

using namespace mpiglot;
using communicator_that_survives = basic_communicator<fault_tolerant, ranges>;

namespace {

constexpr int points = 1000, steps = 50, iterations = 20;

/// What a rank has of the rod. It is encoded for the copies that other ranks
/// keep.
struct part {
  int step = 0;
  std::vector<double> rod;
  static void fields(auto& self, auto&& visit) { visit(self.step, self.rod); }
};

void iterate(std::vector<double>& rod, double before, double after) {
  std::vector<double> next(rod.size());
  for (std::size_t i = 0; i < rod.size(); ++i)
    next[i] = ((i == 0 ? before : rod[i - 1]) +
               (i + 1 == rod.size() ? after : rod[i + 1])) /
              2;
  rod = std::move(next);
}

part first_part(const communicator_that_survives& comm) {
  std::vector<double> whole;
  if (comm.rank() == 0) whole.assign(points, 0);
  return {0, comm.redistribute(send_buf(whole))};
}

bool do_step(const communicator_that_survives& comm, part& mine) {
  const int left = comm.rank_shifted(-1), right = comm.rank_shifted(1);
  for (int i = 0; i < iterations; ++i) {
    double before = 1, after = 0;  // the temperatures at the ends
    const double ends[] = {mine.rod.front(), mine.rod.back()};
    comm.sendrecv(send_buf(ends[1]), destination(right), recv_buf(before),
                  source(left));
    comm.sendrecv(send_buf(ends[0]), destination(left), recv_buf(after),
                  source(right));
    iterate(mine.rod, before, after);
  }
  return ++mine.step < steps;
}

part join(const communicator_that_survives& comm,
          const std::vector<part>& parts) {
  part all{parts.at(0).step, {}};
  for (const part& one : parts)
    all.rod.insert(all.rod.end(), one.rod.begin(), one.rod.end());
  all.rod = comm.redistribute(send_buf(all.rod));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const environment mpi;
  const communicator_that_survives world;
  const auto step = [&](const communicator_that_survives& comm, part& mine) {
    for (int i = 2; i < argc; i += 2)
      if (std::atoi(argv[i - 1]) == mine.step &&
          std::atoi(argv[i]) == world.rank())
        raise(SIGKILL);
    return do_step(comm, mine);
  };
  const auto [comm, mine] = resilient(world, &first_part, step, &join, 2);

  std::vector<double> expected(points, 0);
  for (int i = 0; i < steps * iterations; ++i) iterate(expected, 1, 0);
  const bool right = comm.allgatherv(send_buf(mine.rod)) == expected;
  if (comm.rank() == 0) {
    std::printf("%s on %d of %d ranks\n", right ? "right" : "wrong",
                comm.size(), world.size());
    std::fflush(stdout);  // launchers lose what is printed at the end
  }
  return right ? 0 : 1;
}
