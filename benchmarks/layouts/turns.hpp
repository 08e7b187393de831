// Ways to do the same thing, measured in turns: what the programs of this folder share.

#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace measuring {

using memory = std::vector<double>;
inline memory doubles(long n) { return memory(static_cast<std::size_t>(n)); }

// Other numbers for each rank.
inline void number(memory& all, int rank) {
  double next = 1;
  for (double& each : all) each = (rank + 1) * next++;
}

inline int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// A line of the output: what was measured, cells and tabs, and the median in microseconds.
inline void print_median(const std::string& what, std::vector<double> times) {
  const double middle = median(std::move(times));
  if (rank_of_world() == 0) std::printf("%s\t%.3f\n", what.c_str(), middle * 1e6);
}

[[noreturn]] inline void differs(const std::string& what, const char* who) {
  std::fprintf(stderr, "%s: %s has another result\n", what.c_str(), who);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

struct way {
  std::string name;
  std::function<void()> exchange;
  std::vector<double> times{};
};

// How many exchanges take a block of 10 ms, at most `most`: fewer if others use the cores, where each
// wait can take as long as a turn of the system's scheduler.
inline int exchanges_in_a_block(const way& of, int most) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  constexpr int some = 2;
  for (int i = 0; i < some; ++i) of.exchange();
  double each = (MPI_Wtime() - begin) / some;
  MPI_Allreduce(MPI_IN_PLACE, &each, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return static_cast<int>(std::clamp(0.01 / each, 1.0, static_cast<double>(most)));
}

// Prints the median of each way, of as many turns of at most `most` exchanges. The first way is the
// contiguous one, with a result of its own; all others must leave the same in `result`.
inline void compare(const std::string& what, std::vector<way> ways, memory& result, int turns,
                    int most) {
  memory expected;
  for (way& one : ways) {
    number(result, 2 + rank_of_world());
    one.exchange();
    if (&one == &ways[1]) expected = result;
    if (&one > &ways[1] && result != expected) differs(what, one.name.c_str());
  }
  const int exchanges = exchanges_in_a_block(ways[0], most);
  for (int turn = 0; turn < turns; ++turn)
    for (way& one : ways) {
      one.exchange();
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      for (int i = 0; i < exchanges; ++i) one.exchange();
      MPI_Barrier(MPI_COMM_WORLD);
      one.times.push_back((MPI_Wtime() - begin) / exchanges);
    }
  for (way& one : ways) print_median(what + "\t" + one.name, one.times);
}

}  // namespace measuring
