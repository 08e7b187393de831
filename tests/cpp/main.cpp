#include "check.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string_view>

#include <mpiglot/mpi/last_words.hpp>

namespace {
const char* running = "";

bool is_in(const check::test& test, const char* file) {
  return std::string_view(test.file).ends_with(file);
}
// Whether a test is asked for: by the names of files, or all without one.
bool is_asked_for(const check::test& test, int argc, char** argv) {
  return argc == 1 ||
         std::any_of(argv + 1, argv + argc, [&](auto file) { return is_in(test, file); });
}
// The CPU seconds of a test, if MPIGLOT_TESTS_TIMED asks for them.
void tell_time(const char* name, std::clock_t begin) {
  if (std::getenv("MPIGLOT_TESTS_TIMED") == nullptr || check::rank() != 0) return;
  const auto used = static_cast<double>(std::clock() - begin);
  std::printf("%8.2f s %s\n", used / CLOCKS_PER_SEC, name);
}
// A name of a file without a test would leave tests out.
void require_tests_in(const char* file) {
  for (const check::test& test : check::tests())
    if (is_in(test, file)) return;
  check::fail("no test is in " + std::string(file), std::source_location::current());
}

// With MPIGLOT_TESTS_MIXED, ranks with an odd number check less, as if they were compiled with NDEBUG.
void mix_levels() {
  if (std::getenv("MPIGLOT_TESTS_MIXED") == nullptr) return;
  for (const char* name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK"})
    if (const char* const rank = std::getenv(name))
      setenv("MPIGLOT_CHECKS", std::atoi(rank) % 2 != 0 ? "light" : "", 1);
}

}  // namespace

void check::fail(const std::string& what, std::source_location where) {
  std::fprintf(stderr, "rank %d: %s failed: %s (%s:%u)\n", rank(), running, what.c_str(),
               where.file_name(), static_cast<unsigned>(where.line()));
  std::fflush(stderr);
  mpi::detail::end_job(MPI_COMM_WORLD, 1);  // after the launcher has read the line above
}

int main(int argc, char** argv) {
  mix_levels();
  // With MPIGLOT_TESTS_THREADS, several threads could call MPI.
  const bool threads = std::getenv("MPIGLOT_TESTS_THREADS") != nullptr;
  const mpiglot::environment environment(
      argc, argv, threads ? mpi::thread_level::multiple : mpi::thread_level::single);
  for (int i = 1; i < argc; ++i) require_tests_in(argv[i]);
  std::size_t passed = 0;
  for (const check::test& test : check::tests()) {
    if (!is_asked_for(test, argc, argv)) continue;
    running = test.name;
    ++passed;
    const std::clock_t begin = std::clock();
    try {
      test.run();
    } catch (const std::exception& error) {
      check::fail(error.what(), std::source_location::current());
    }
    tell_time(test.name, begin);
    mpi::barrier(mpi::comm_world);
  }
  if (check::rank() != 0) return 0;
  const std::string library = mpi::get_library_version();
  std::printf("%zu tests passed on %d ranks of %s\n", passed, check::size(),
              library.substr(0, library.find_first_of(",\n")).c_str());
}
