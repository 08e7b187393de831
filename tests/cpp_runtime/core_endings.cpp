// How programs end: objects that outlive MPI, programs that have a session and no MPI_Init,
// exceptions that nobody catches. Compiled with exceptions and without.
//
//   core_endings late | session | uncaught

#include <cstdio>
#include <cstring>
#include <mpiglot/attribute.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/info.hpp>
#include <mpiglot/intercommunicator.hpp>
#include <mpiglot/objects.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <mpiglot/session.hpp>
#include <mpiglot/status.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/window.hpp>
#include <optional>
#include <string>

using namespace mpiglot;

// Asked by the leak sanitizer: handles that outlive MPI are leaked here, on purpose.
extern "C" int __lsan_is_turned_off() { return 1; }

namespace {

struct pair {
  int a;
  double b;
};

// Destroyed after main, and so after MPI_Finalize.
struct {
  std::optional<communicator> comm;
  std::optional<cartesian> grid;
  std::optional<group> all;
  std::optional<datatype> type;
  std::optional<attribute_key<int>> key;
  std::optional<window> win;
  std::optional<window> other;
  info hints;
} survivors;

int late() {
  const environment environment;
  const communicator world;
  survivors.comm = world.dup();
  survivors.grid.emplace(world, std::vector<int>{world.size()}, std::vector<int>{1});
  survivors.all = world.group();
  survivors.type = datatype::committed(mpi::type_contiguous(3, mpi::int_));
  survivors.key.emplace();
  survivors.comm->set_attribute(*survivors.key, 7);
  survivors.hints.set("key", "value");
  // MPICH over UCX would abort in MPI_Finalize if they were left.
  survivors.win = window::allocate<int>(world, 10);
  survivors.other = window::allocate<double>(*survivors.comm, 1);
  return 0;
}

// Everything comes from a session.
int session_only() {
  if (!mpi::has_session_init) return 77;
  {
    const session mine;
    const auto comm =
        mine.communicator<basic_communicator<sparse_alltoall>>("mpi://WORLD", "mpiglot.endings");
    std::vector<int> values(2, comm.rank());
    comm.bcast(send_recv_buf(values));
    const std::vector<pair> pairs = comm.allgatherv(send_buf(std::vector<pair>(2, {1, 2.5})));
    const std::vector<std::pair<int, int>> out{{0, comm.rank()}};
    const std::size_t got = comm.alltoall_sparse(sparse_send_buf(out)).size();
    const auto all = static_cast<std::size_t>(comm.size());
    if (values[0] != 0 || pairs.size() != 2 * all || got != (comm.rank() == 0 ? all : 0)) return 1;
  }
  return 0;
}

int uncaught() {
  const environment environment;
  const communicator world;
  const std::vector<int> none;
  if (world.rank() == 0)
    world.send(send_buf(none), destination(world.size()));  // throws
  else
    world.recv(recv_buf(std::vector<int>()), source(0));  // would wait
  std::puts("not reached");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (std::strcmp(what, "late") == 0) return late();
  if (std::strcmp(what, "session") == 0) return session_only();
  return uncaught();
}
