// Ways to move a structure, in turns: their time, memory and messages.

#pragma once

#include <malloc.h>
#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "../layouts/turns.hpp"

namespace moving {

// What this process has called that sends or receives.
inline long messages = 0;

// `sum` of what was moved is compared with the original's on the second rank, and `release` frees it.
struct way {
  std::string name;
  std::function<void()> move;
  std::function<double()> sum;
  std::function<void()> release;
  std::vector<double> times{};
  double memory = 0;
  double calls = 0;
};

inline double kib_of(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(field, 0) == 0) return std::stod(line.substr(line.find(':') + 1));
  return 0;
}
// The memory that comes on top of what is there now begins to count.
inline double memory_before() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
  return kib_of("VmRSS");
}

// Prints for each way: the case, the way, the median in microseconds from a barrier until the second rank
// is done, the most memory in KiB that a rank took, and the messages that a rank called for.
inline void compare(const std::string& what, std::vector<way> ways, double expected, int turns) {
  const int rank = measuring::rank_of_world();
  for (int turn = -1; turn < turns; ++turn)  // the first one warms up, and is looked at
    for (way& one : ways) {
      const double before = turn < 0 ? memory_before() : 0;
      malloc_trim(0);  // else each way has the memory that the one before it has freed, or has not
      messages = 0;
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      one.move();
      double time = MPI_Wtime() - begin;
      double most[] = {turn < 0 ? kib_of("VmHWM") - before : 0, static_cast<double>(messages)};
      MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      MPI_Bcast(&time, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
      if (turn >= 0) one.times.push_back(time);
      if (turn < 0) one.memory = most[0];
      one.calls = most[1];
      if (rank == 1 && one.sum() != expected) measuring::differs(what, one.name.c_str());
      one.release();
    }
  for (const way& one : ways)
    if (rank == 0)
      std::printf("%s\t%s\t%.3f\t%.0f\t%.0f\n", what.c_str(), one.name.c_str(),
                  measuring::median(one.times) * 1e6, one.memory, one.calls);
}

}  // namespace moving

// Counted on their way to MPI.
extern "C" [[gnu::used]] inline int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root,
                                              MPI_Comm comm) {
  ++moving::messages;
  return PMPI_Bcast(buffer, count, type, root, comm);
}
extern "C" [[gnu::used]] inline int MPI_Allreduce(const void* from, void* to, int count,
                                                  MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++moving::messages;
  return PMPI_Allreduce(from, to, count, type, op, comm);
}
