#include "check.hpp"

#include <cstdio>
#include <exception>

namespace {
const char* running = "";
}

void check::fail(const std::string& what, std::source_location where) {
  std::fprintf(stderr, "rank %d: %s failed: %s (%s:%u)\n", rank(), running, what.c_str(),
               where.file_name(), static_cast<unsigned>(where.line()));
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::terminate();
}

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  for (const check::test& test : check::tests()) {
    running = test.name;
    if (argc > 1 && check::rank() == 0) std::fprintf(stderr, "%s\n", running);  // any argument
    try {
      test.run();
    } catch (const std::exception& error) {
      check::fail(error.what(), std::source_location::current());
    }
    mpi::barrier(mpi::comm_world);
  }
  if (check::rank() != 0) return 0;
  const std::string library = mpi::get_library_version();
  std::printf("%zu tests passed on %d ranks of %s\n", check::tests().size(), check::size(),
              library.substr(0, library.find_first_of(",\n")).c_str());
}
