// A program of two translation units and two shared libraries, all of which use mpiglot: what each
// throws is caught in another, what one learns of a communicator harms no other, and a library can be
// closed while MPI still has functions of it to call.

#include "part.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>

std::vector<int> gather_here(const mpiglot::communicator& comm, const std::vector<int>& mine);

namespace {

bool is_what_all_sent(const std::vector<int>& all, int ranks, std::size_t each) {
  if (all.size() != each * static_cast<std::size_t>(ranks)) return false;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != static_cast<int>(i / each)) return false;
  return true;
}

bool is_caught(void (*fail)(MPI_Comm), const mpiglot::communicator& comm) {
  try {
    fail(comm.native());
  } catch (const mpiglot::error& error) {
    return std::strcmp(error.operation(), "send") == 0 && error.rank() == comm.rank();
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  const mpiglot::communicator world;
  void* const library = ::dlopen(LINKAGE_SECOND, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) world.abort();
  const auto& second = *static_cast<const part_functions*>(::dlsym(library, "functions_of_part"));
  bool right = is_caught(&first::fail, world) && is_caught(second.fail, world);
  // Small and large by turns, so that what was learned of the communicator changes every time.
  for (const std::size_t each : {3u, 2000u, 5u, 40u}) {
    const std::vector<int> mine(each, world.rank());
    for (const auto& all : {first::gather(world.native(), mine), gather_here(world, mine),
                            second.gather(world.native(), mine)})
      right = right && is_what_all_sent(all, world.size(), each);
  }
  if (!right || ::dlclose(library) != 0) world.abort();
  if (world.rank() == 0) std::puts("all parts agree");
}
