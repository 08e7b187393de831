// On a part of MPI 2.2: what it has works, what it lacks says so.
#include <cstdio>
#include <cstring>
#include <mpiglot/mpi.hpp>

namespace mpi = mpiglot::mpi;

static_assert(mpi::mpix_big == 0xFFFFFFFFFFFFFFF0 && mpi::mpix_every == ~0ULL &&
              mpi::mpix_half == 0x80000000 && mpi::mpix_wide == 0x9000000000000000 &&
              mpi::mpix_limit == 17 && mpi::mpix_least < -0x7FFFFFFFFFFFFFFF);

int main() {
  if (std::strcmp(mpi::mpix_lines, MPIX_LINES) != 0 || std::strcmp(mpi::mpix_utf8, MPIX_UTF8) != 0)
    return 1;
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
