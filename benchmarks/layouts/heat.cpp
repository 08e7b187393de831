// Heat conduction in a cube whose layers are shared out among the ranks, with halos: named layouts
// beside plain C with pointers and datatypes, in turns.
//
//     heat [N [STEPS [TURNS]]]      a cube of N^3 elements; steps of a turn
//
// A line of the output is `heat`, the case, the program, the part of a step (the halo, or all) and
// the median of its times in microseconds. Both programs must have the same heat at the end.

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>

#include "heat_ours.hpp"
#include "heat_plain.hpp"
#include "turns.hpp"

namespace {

using namespace measuring;

struct measured {
  std::vector<double> halo, all;
};

void turn(auto& program, int steps, measured& into) {
  for (int i = 0; i < steps; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    program.exchange();
    const double exchanged = MPI_Wtime();
    program.conduct();
    MPI_Barrier(MPI_COMM_WORLD);
    into.halo.push_back(exchanged - begin);
    into.all.push_back(MPI_Wtime() - begin);
  }
}

void report(const std::string& what, const measured& one) {
  print_median(what + "\thalo", one.halo);
  print_median(what + "\tall", one.all);
}

template <char Split>
void compare_programs(const mpiglot::communicator& comm, int n, int steps, int turns) {
  heat::ours<Split> ours(comm, n);
  heat::plain plain(MPI_COMM_WORLD, n, Split == 'z' ? 0 : 2);
  measured of_ours, of_plain;
  for (int i = 0; i < turns; ++i) {
    turn(ours, steps, of_ours);
    turn(plain, steps, of_plain);
  }
  const std::string what = "heat\t" + std::to_string(n) + "^3, " +
                           (Split == 'z' ? "contiguous faces" : "faces of single elements");
  const double sum = ours.sum();
  if (sum != plain.sum()) differs(what, "plain C");
  if (comm.rank() == 0) std::printf("%s: the sum is %.17g\n", what.c_str(), sum);
  report(what + "\tours", of_ours);
  report(what + "\tplain", of_plain);
}

}  // namespace

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  const mpiglot::communicator comm;
  const auto number = [&](int i, int otherwise) {
    return argc > i ? std::atoi(argv[i]) : otherwise;
  };
  const int n = number(1, 256);
  const int steps = number(2, 10);
  const int turns = number(3, 5);
  if (n < 1 || n % comm.size() != 0 || steps < 1 || turns < 1) {
    if (comm.rank() == 0) std::fprintf(stderr, "heat: heat [N [STEPS [TURNS]]], N for all ranks\n");
    return 2;
  }
  compare_programs<'z'>(comm, n, steps, turns);
  compare_programs<'x'>(comm, n, steps, turns);
}
