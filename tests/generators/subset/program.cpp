// On a part of MPI 2.2: what it has works, what it lacks says so.
#include <cstdio>
#include <cstring>
#include <mpiglot/mpi.hpp>

namespace mpi = mpiglot::mpi;

int main() {
  mpi::init();
  const int sent[] = {4, 2};
  int got[3] = {};
  mpi::status status;
  mpi::send(sent, 2, mpi::int_, 0, 7, mpi::comm_world);
  mpi::recv(got, 3, mpi::int_, mpi::any_source, mpi::any_tag, mpi::comm_world, status);
  std::printf("rank %d of %d got %d%d with tag %d\n", mpi::comm_rank(mpi::comm_world),
              mpi::comm_size(mpi::comm_world), got[0], got[1], status.tag());
  std::printf("a count has %zu bytes\n", sizeof(mpi::count_t));
  try {
    constexpr bool is_wide = sizeof(mpi::count_t) > sizeof(int);
    mpi::send(sent, static_cast<mpi::count_t>(is_wide ? 1LL << 40 : -1), mpi::int_, 0, 7,
              mpi::comm_world);
  } catch (const mpi::error& error) {
    std::printf("%s, code %d\n", error.what(), error.code());
  }
  try {
    mpi::send(sent, 1, mpi::int_, 1, 7, mpi::comm_world);
  } catch (const mpi::error& error) {
    std::printf("%s, code %d\n", error.what(), error.code());
  }
  try {
    static_cast<void>(mpi::info_create());
  } catch (const mpi::unavailable& error) {
    std::printf("%s\n", error.what());
  }
  mpi::finalize();
}
