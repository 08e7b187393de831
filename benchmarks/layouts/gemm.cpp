// A product of matrices with named layouts and with plain MPI, in turns of some rounds, for each
// layout of the tiles. The first round of a turn is not counted.
//
// A line of the output is `gemm`, the size, the layouts of C, A and B, the program, the step and the
// median of its times at the root, in microseconds. The argument `extralarge` adds the largest size;
// `tiny` is for tests.

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>

#include "gemm_ours.hpp"
#include "gemm_plain.hpp"
#include "turns.hpp"

namespace {

using mpiglot::communicator;

constexpr int turns = 3;
constexpr std::array step_names = {"scatter", "compute", "gather", "all"};

struct measured {
  std::array<std::vector<double>, step_names.size()> times;
  double sum = 0;
};

// All steps once.
void run_once(const communicator& comm, const auto& steps, measured& into, bool counts) {
  if (comm.rank() == 0) steps.fill();
  comm.barrier();
  std::array<double, 4> at{MPI_Wtime()};
  steps.scatter();
  at[1] = MPI_Wtime();
  steps.compute();
  at[2] = MPI_Wtime();
  steps.gather();
  at[3] = MPI_Wtime();
  if (!counts) return;
  for (std::size_t i = 0; i < 3; ++i) into.times[i].push_back(at[i + 1] - at[i]);
  into.times[3].push_back(at[3] - at[0]);
}

void turn(const communicator& comm, const gemm::problem& of, const auto& steps, measured& into) {
  for (int round = 0; round < of.rounds; ++round) run_once(comm, steps, into, round > 0);
  into.sum = 0;  // each element counts differently, so that it shows a transposition
  for (long i = 0; i < of.rows * of.columns; ++i)
    into.sum += steps.result[i] * static_cast<double>(1 + i % 7);
}

void report(const gemm::problem& of, const std::string& layouts, const char* program,
            const measured& one) {
  for (std::size_t i = 0; i < step_names.size(); ++i)
    measuring::print_median(
        "gemm\t" + std::string(of.name) + "\t" + layouts + "\t" + program + "\t" + step_names[i],
        one.times[i]);
}

template <bool RowsC, bool RowsA, bool RowsB>
void compare(const communicator& comm, const gemm::problem& of) {
  measured ours, plain;
  gemm::ours<RowsC, RowsA, RowsB>(comm, of, [&](const auto& our_steps) {
    gemm::plain<RowsC, RowsA, RowsB>(MPI_COMM_WORLD, of, [&](const auto& plain_steps) {
      for (int i = 0; i < turns; ++i) {
        turn(comm, of, our_steps, ours);
        turn(comm, of, plain_steps, plain);
      }
    });
  });
  if (comm.rank() != 0) return;
  if (std::abs(ours.sum - plain.sum) > 1e-9 * std::abs(plain.sum)) {
    std::fprintf(stderr, "gemm: the sums differ: %g and %g\n", ours.sum, plain.sum);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  constexpr auto name = [](bool rows) { return rows ? "rows" : "columns"; };
  const std::string layouts = std::string(name(RowsC)) + ", " + name(RowsA) + ", " + name(RowsB);
  report(of, layouts, "ours", ours);
  report(of, layouts, "plain", plain);
}

}  // namespace

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  const communicator comm;
  std::vector<gemm::problem> problems = {
      {"MINI", 64, 64, 64, 40},
      {"SMALL", 60, 72, 80, 40},
      {"MEDIUM", 200, 220, 240, 8},
      {"LARGE", 1000, 1100, 1200, 2},
  };
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "extralarge") problems.push_back({"EXTRALARGE", 2000, 2300, 2600, 2});
  if (word == "tiny") problems = {{"TINY", 12, 8, 10, 2}};
  for (gemm::problem& of : problems) {
    of.down = comm.size() % 4 == 0 ? 2 : 1;
    if (of.rows % of.down != 0 || of.columns % (comm.size() / of.down) != 0) {
      if (comm.rank() == 0) std::fprintf(stderr, "gemm: this many ranks do not divide the sizes\n");
      return 2;
    }
    compare<true, true, true>(comm, of);
    compare<true, true, false>(comm, of);
    compare<true, false, true>(comm, of);
    compare<true, false, false>(comm, of);
    compare<false, true, true>(comm, of);
    compare<false, true, false>(comm, of);
    compare<false, false, true>(comm, of);
    compare<false, false, false>(comm, of);
  }
}
