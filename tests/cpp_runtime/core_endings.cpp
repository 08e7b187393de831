// How programs end: objects that outlive MPI, programs that have a session and no MPI_Init,
// exceptions that nobody catches. Compiled with exceptions and without.
//
//   core_endings late | requests | handles | session | uncaught | caught | counts

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpiglot/attribute.hpp>
#include <mpiglot/bsend_buffer.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/matched_message.hpp>
#include <mpiglot/info.hpp>
#include <mpiglot/intercommunicator.hpp>
#include <mpiglot/objects.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/session.hpp>
#include <mpiglot/status.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/window.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
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

struct anything {
  anything() = default;
  anything(const anything&) = delete;
  virtual ~anything() = default;
};
template <class T>
struct this_thing : anything {
  explicit this_thing(T&& given) : value(std::move(given)) {}
  T value;
};
std::vector<std::unique_ptr<anything>> others;
template <class T>
T& survives(T&& value) {
  auto made = std::make_unique<this_thing<T>>(std::move(value));
  T& kept = made->value;
  others.push_back(std::move(made));
  return kept;
}
std::vector<int> landing(3);
const int summand = 1;

// Operations that nobody has waited for. Their messages go from a process to itself, so that MPI can
// finalize.
int requests() {
  const environment environment;
  const communicator self(MPI_COMM_SELF);
  const auto to = destination(0);
  const auto from = source(0);
  survives(self.irecv(recv_buf(std::vector<int>()), recv_count(3), from));
  survives(self.isend(send_buf({1, 2, 3}), to));
  survives(self.recv_init(recv_buf(landing), from, tag(2))).start();
  survives(self.send_init(send_buf(summand), to, tag(2))).start();
  survives(self.iallreduce(send_buf(summand),
                           op([k = 1](int a, int b) { return a + b * k; }, commutative)));
  auto& pool = survives(request_pool());
  survives(pool.add(self.irecv(recv_buf(int()), from, tag(4))));
  pool.add(self.isend(send_buf(summand), to, tag(4)));
  const auto& room = survives(std::make_unique<bsend_buffer>(1000));
  static_cast<void>(room);
  survives(self.isend(send_buf({1, 2, 3}), to, tag(5)));
  survives(self.mprobe(from, tag(5)));
  return 0;
}

// What owns a handle of the generated layer.
int handles() {
  const environment environment;
  survives(mpi::unique_comm(mpi::comm_dup(mpi::comm_self)));
  survives(mpi::unique_group(mpi::comm_group(mpi::comm_world)));
  survives(mpi::unique_datatype(mpi::type_contiguous(3, mpi::int_)));
  survives(mpi::unique_op(mpi::op_create([](void*, void*, int*, MPI_Datatype*) {}, true)));
  survives(mpi::unique_errhandler(mpi::comm_create_errhandler([](mpi::comm_handle, int) {})));
  survives(mpi::unique_info(mpi::info_create()));
  survives(mpi::unique_request(mpi::send_init(&summand, 1, mpi::int_, 0, 0, mpi::comm_self)));
  return 0;
}

bool has_defect(const char* id) {
  const char* const all = std::getenv("MPIGLOT_DEFECTS");
  return all != nullptr && std::strstr(all, id) != nullptr;
}

// Everything comes from a session.
int session_only() {
  if (!mpi::has_session_init) return 77;
  {
    const session mine;
    if (mine.group("mpi://WORLD").size() == 1 && has_defect("session-alone-crashes")) {
#if defined(__cpp_exceptions)
      try {
        static_cast<void>(mine.communicator("mpi://WORLD", "mpiglot.endings"));
      } catch (const mpi::unavailable&) {
        return 0;
      }
#endif
      return 77;
    }
    const auto comm =
        mine.communicator<basic_communicator<sparse_alltoall>>("mpi://WORLD", "mpiglot.endings");
    std::vector<int> values(2, comm.rank());
    comm.bcast(send_recv_buf(values));
    const std::vector<pair> pairs = comm.allgatherv(send_buf(std::vector<pair>(2, {1, 2.5})));
    const std::vector<std::pair<int, int>> out{{0, comm.rank()}};
    const std::size_t got = comm.alltoall_sparse(sparse_send_buf(out)).size();
    const auto all = static_cast<std::size_t>(comm.size());
    if (values[0] != 0 || pairs.size() != 2 * all || got != (comm.rank() == 0 ? all : 0)) return 1;
    // Requests without a peer pass nothing on to those that come behind them.
    for (int i = 0; i < 5; ++i) {
      const int mine_now = comm.rank() + i;
      static_cast<void>(comm.send_init(send_buf(mine_now), destination(mpi::proc_null)));
      int sum = 0;
      auto adding = comm.allreduce_init(send_buf(mine_now), recv_buf(sum), op(std::plus<>()));
      adding.start();
      adding.wait();
      if (sum != comm.size() * i + comm.size() * (comm.size() - 1) / 2) return 1;
    }
  }
  return 0;
}

// The other ranks wait for ever, unless the job ends.
int caught() {
#if defined(__cpp_exceptions)
  try {
    const environment environment;
    const communicator world;
    if (world.rank() == 0) throw std::runtime_error("the reason of this program");
    world.recv(recv_buf(std::vector<int>()), source(0));
  } catch (const std::exception& error) {
    std::printf("the handler says: %s\n", error.what());
    return 3;
  }
  std::puts("not reached");
#endif
  return 0;
}

// The root alone gives a count. Some ranks wait for ever, unless the job ends.
int counts() {
  const environment environment;
  const communicator world;
  const char* const defects = std::getenv("MPIGLOT_DEFECTS");
  if (defects != nullptr && std::strstr(defects, ",blocking-hides-truncation") != nullptr) {
    std::puts("left out: on some processors this MPI waits for ever");
    return 0;
  }
  const std::vector<int> all(2 * static_cast<std::size_t>(world.size()));
  std::vector<int> mine(2);
  if (world.rank() == 0) {
    world.scatter(send_buf(all), recv_buf(mine), recv_count(2));
    world.recv(recv_buf(mine), source(0));  // would wait
  }
  mine = world.scatter<int>();  // throws
  std::puts("not reached");
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
  if (std::strcmp(what, "requests") == 0) return requests();
  if (std::strcmp(what, "handles") == 0) return handles();
  if (std::strcmp(what, "session") == 0) return session_only();
  if (std::strcmp(what, "caught") == 0) return caught();
  if (std::strcmp(what, "counts") == 0) return counts();
  return uncaught();
}
