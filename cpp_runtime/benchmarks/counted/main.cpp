// Runs every pair. With an argument: that many calls of each, of which callgrind counts the
// instructions. Prints the allocations of a call.

#include "pairs.hpp"

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  data d;
  for (const auto& [name, call] : counted_calls()) {
    const long before = allocations;
    for (int i = 0; i < rounds; ++i) call(d);
    std::printf("%s %ld\n", name, (allocations - before) / rounds);
  }
}
