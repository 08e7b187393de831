// How programs of `run` end. The last rank does what the argument says; the others wait for it for ever.
//
//   run_endings right | throws | number | returns | limited | caught

#include <cstdio>
#include <stdexcept>
#include <string_view>

#include <mpiglot/run.hpp>

using namespace mpiglot;

namespace {

int work(const communicator& comm, std::string_view what) {
  if (comm.rank() == comm.size() - 1) {
    if (what == "throws") throw std::runtime_error("matrix is singular");
    if (what == "number") throw 42;
    if (what == "returns") return 3;
  }
  const int sum = comm.allreduce_single(send_buf(1), op(mpi::sum));
  return sum == comm.size() ? 0 : 1;
}

// The environment is left by `return` after a caught exception.
int caught(int argc, char** argv, bool limited) {
  environment environment(argc, argv);
  if (limited) environment.set_finalize_timeout(1.5);
  const communicator comm;
  try {
    work(comm, "throws");
  } catch (const std::exception& error) {
    std::printf("caught: %s\n", error.what());
    return 1;
  }
  std::puts("not reached");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "caught" || what == "limited") return caught(argc, argv, what == "limited");
  int code = 0;
  try {
    code = run(argc, argv, [&](communicator& world) { return work(world, what); });
  } catch (...) {
    std::puts("not reached");
  }
  if (what == "right" && code == 0) std::puts("ended well");
  return code;
}
