// Runs the tests that need MPI as usual, or those whose names contain an argument (`alone_`
// begins what nothing may run after); `conformance LIFE` is a program that starts or ends in another
// way (lives.cpp).

#include "conformance.hpp"
#include "lives.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace {

const char* running = "";
std::vector<std::string> left_out;  // "test (defect)"
bool keep_going = false;

struct failure {};

}  // namespace

bool conformance::without(const char* id) {
  if (!known(id)) return false;
  std::string note = std::string(running) + " (" + id + ")";
  if (left_out.empty() || left_out.back() != note) left_out.push_back(std::move(note));
  return true;
}

void check::fail(const std::string& what, std::source_location where) {
  std::fprintf(stderr, "rank %d: %s failed: %s (%s:%u)\n", rank(), running, what.c_str(),
               where.file_name(), static_cast<unsigned>(where.line()));
  std::fflush(stderr);
  if (keep_going) throw failure{};
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::terminate();
}

int main(int argc, char** argv) {
  if (argc > 1)
    if (const auto life = conformance::life(argv[1])) return life(argc, argv);
  const mpiglot::environment environment(argc, argv, mpi::thread_level::multiple);
  provided = environment.thread_level();
  std::vector<const char*> parts;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--keep-going") == 0)
      keep_going = true;  // for somebody who looks for what an MPI has wrong
    else
      parts.push_back(argv[i]);
  }
  int passed = 0;
  int failed = 0;
  for (const check::test& test : check::tests()) {
    const auto named = [&](const char* part) { return std::strstr(test.name, part) != nullptr; };
    const bool chosen = parts.empty() ? std::strncmp(test.name, "alone_", 6) != 0
                                      : std::any_of(parts.begin(), parts.end(), named);
    if (!chosen) continue;
    running = test.name;
    skipped = nullptr;
    if ((!parts.empty() && rank() == 0) || std::getenv("MPIGLOT_TRACE") != nullptr)
      std::fprintf(stderr, "[%d] %s\n", rank(), running);
    bool failing = false;
    try {
      test.run();
    } catch (const failure&) {
      failing = true;
    } catch (const std::exception& error) {
      try {
        check::fail(error.what(), std::source_location::current());
      } catch (const failure&) {
        failing = true;
      }
    }
    large = false;
    if (skipped != nullptr)
      left_out.push_back(std::string(running) + " (" + skipped + ")");
    else
      ++(failing ? failed : passed);
    mpi::barrier(mpi::comm_world);
  }
  if (rank() == 0) {
    for (const std::string& one : left_out) std::printf("known defect, not run: %s\n", one.c_str());
    std::printf("%d passed, %d failed, %zu skipped\n", passed, failed, left_out.size());
  }
  return failed == 0 ? 0 : 1;
}
