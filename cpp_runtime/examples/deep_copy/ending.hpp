// How the examples of this folder end: with one sentence, on all ranks, whichever of them has met a problem.

#pragma once

#include <cstdio>
#include <string>

#include <mpiglot/mel.hpp>

namespace ending {

// Ends the program with status 2 if a rank has a problem; the first of those says it. Collective.
inline void if_any(const std::string& problem) {
  const int rank = MEL::CommRank(MEL::Comm::WORLD);
  const int size = MEL::CommSize(MEL::Comm::WORLD);
  int first = problem.empty() ? size : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size) return;
  if (first == rank) std::fprintf(stderr, "%s\n", problem.c_str());
  MEL::Exit(2);
}

// A number of an argument, or -1 if it is none of `least` to `most`.
inline int number(const std::string& argument, int least, int most) {
  if (argument.empty() || argument.size() > 3 ||
      argument.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  const int value = std::stoi(argument);
  return value < least || value > most ? -1 : value;
}

}  // namespace ending
