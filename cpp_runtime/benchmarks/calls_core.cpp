// Accesses to windows and files in plain C (`plain_...`) and with mpiglot (`named_...`), as calls.cpp
// does for communicators; overhead.py counts both.

#include <cstdio>
#include <cstdlib>
#include <mpiglot/file.hpp>
#include <mpiglot/window.hpp>
#include <vector>

using namespace mpiglot;

extern "C" long allocations;

namespace {

struct data {
  std::vector<int> mine = std::vector<int>(8);
  int one = 1, old = 0, wanted = 0;
};

int length(const std::vector<int>& v) { return static_cast<int>(v.size()); }

}  // namespace

#define ON_WINDOW(name) \
  extern "C" [[gnu::noinline]] void name(data& d, const window& win, const file&)
#define ON_FILE(name) \
  extern "C" [[gnu::noinline]] void name(data& d, const window&, const file& out)

ON_WINDOW(plain_put) {
  MPI_Put(d.mine.data(), length(d.mine), MPI_INT, 2, 10, length(d.mine), MPI_INT, win.native());
}
ON_WINDOW(named_put) { win.put(send_buf(d.mine), target_rank(2), target_displacement(10)); }

ON_WINDOW(plain_get) {
  MPI_Get(d.mine.data(), length(d.mine), MPI_INT, 2, 10, length(d.mine), MPI_INT, win.native());
}
ON_WINDOW(named_get) { win.get(recv_buf(d.mine), target_rank(2), target_displacement(10)); }

ON_WINDOW(plain_accumulate) {
  MPI_Accumulate(d.mine.data(), length(d.mine), MPI_INT, 2, 10, length(d.mine), MPI_INT, MPI_SUM,
                 win.native());
}
ON_WINDOW(named_accumulate) {
  win.accumulate(send_buf(d.mine), target_rank(2), target_displacement(10), op(mpi::sum));
}

ON_WINDOW(plain_fetch_and_op) {
  MPI_Fetch_and_op(&d.one, &d.old, MPI_INT, 2, 10, MPI_SUM, win.native());
}
ON_WINDOW(named_fetch_and_op) {
  win.fetch_and_op(send_buf(d.one), recv_buf(d.old), target_rank(2), target_displacement(10),
                   op(mpi::sum));
}

ON_WINDOW(plain_compare_and_swap) {
  MPI_Compare_and_swap(&d.one, &d.wanted, &d.old, MPI_INT, 2, 10, win.native());
}
ON_WINDOW(named_compare_and_swap) {
  win.compare_and_swap(send_buf(d.one), compare_buf(d.wanted), recv_buf(d.old), target_rank(2),
                       target_displacement(10));
}

ON_FILE(plain_write_at) {
  MPI_File_write_at(out.native(), 64, d.mine.data(), length(d.mine), MPI_INT, MPI_STATUS_IGNORE);
}
ON_FILE(named_write_at) { out.write(send_buf(d.mine), at(64)); }

ON_FILE(plain_read_at) {
  MPI_File_read_at(out.native(), 64, d.mine.data(), length(d.mine), MPI_INT, MPI_STATUS_IGNORE);
}
ON_FILE(named_read_at) { out.read(recv_buf(d.mine), at(64)); }

// With an argument: that many calls of each, of which callgrind counts the instructions.
int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  data d;
  const window win(mpi::win_handle{MPI_Win{}});
  const file out(mpi::file_handle{MPI_File{}});
  const auto run = [&](const char* name, void (*call)(data&, const window&, const file&)) {
    const long before = allocations;
    for (int i = 0; i < rounds; ++i) call(d, win, out);
    std::printf("%s %ld\n", name, (allocations - before) / rounds);
  };
#define RUN(name)                     \
  run("plain_" #name, &plain_##name); \
  run("named_" #name, &named_##name)
  RUN(put);
  RUN(get);
  RUN(accumulate);
  RUN(fetch_and_op);
  RUN(compare_and_swap);
  RUN(write_at);
  RUN(read_at);
}
