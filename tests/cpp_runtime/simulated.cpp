// On SimGrid, whose library has 88 functions that end the job or do nothing (MPI_Mprobe among them):
// messages of unknown length arrive all the same, and what cannot be is a typed error.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

namespace {

void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

template <class Call>
void refused(const char* what, Call call) {
  try {
    call();
  } catch (const mpi::error& error) {
    expect(error.error_class() == mpi::error_class::unsupported_operation, what);
    return;
  }
  expect(false, what);
}

}  // namespace

int main(int argc, char** argv) {
  static_assert(!mpi::has_mprobe && !mpi::has_improbe && !mpi::has_neighbor_allgather &&
                !mpi::has_dist_graph_create_adjacent);
  static_assert(mpi::has_probe && mpi::has_recv);
  const environment running(argc, argv);
  const communicator comm;
  const int other = 1 - comm.rank();
  for (const std::size_t n : {0, 1, 3, 1000}) {
    const std::vector<int> mine(n, comm.rank() + 1);
    if (comm.rank() == 0) {
      comm.send(send_buf(mine), destination(1), tag(7));
      comm.send(send_buf(std::string("text")), destination(1), tag(8));
    } else {
      // The second message is there, too: the first is the one that is asked for.
      const auto text = comm.recv(recv_buf(std::string()), source(0), tag(8));
      expect(text == "text", "recv of a text");
      const auto [got, status] = comm.recv<int>(status_out());
      expect(got == std::vector<int>(n, 1) && status.source() == 0 && status.tag() == 7,
             "recv from any rank");
    }
    const auto exchanged =
        comm.sendrecv<int>(send_buf(mine), destination(other), source(other), tag(9));
    expect(exchanged == std::vector<int>(n, other + 1), "sendrecv");
  }
  const auto large =
      comm.sendrecv<double>(send_buf(std::vector<double>(100'000)), destination(other));
  expect(large.size() == 100'000, "sendrecv of a message that waits for its receive");
  const std::vector<std::string> words{"word"};
  if (comm.rank() == 0) {
    comm.send(send_buf(as_serialized(words)), destination(1));
    comm.send(send_buf(std::vector<char>(5)), destination(1));
    comm.send(send_buf(42), destination(1));
  } else {
    const auto got = comm.recv(recv_buf(as_deserializable<std::vector<std::string>>()), source(0));
    expect(got == words, "recv of an object");
    bool odd = false;
    try {
      (void)comm.recv<int>(source(0));
    } catch (const count_error&) {
      odd = true;
    }
    expect(odd, "recv of five bytes as integers");
    expect(comm.recv<int>(source(0)) == std::vector{42}, "the message after it");
  }
  expect(comm.recv<int>(source(mpi::proc_null)).empty(), "recv from nobody");
  // Ranks have queues of their own.
  const basic_communicator<grid_alltoall> grid;
  const std::vector<int> ones(2, 1);
  for (int round = 0; round < 3; ++round) {
    const std::vector<int> mine(2, 10 * round + grid.rank());
    const std::vector<int> wanted{10 * round, 10 * round + 1};
    auto first = grid.ialltoallv_grid(send_buf(mine), send_counts(ones));
    auto second = grid.ialltoallv_grid(send_buf(mine), send_counts(ones));
    expect(grid.alltoallv_grid(send_buf(mine), send_counts(ones)) == wanted, "alltoallv_grid");
    expect(second.wait() == wanted && first.wait() == wanted, "ialltoallv_grid");
  }
  refused("improbe", [&] { (void)comm.improbe(source(other)); });
  refused("mprobe", [&] { (void)comm.mprobe(source(other)); });
  refused("add_error_class", [&] { (void)mpi::add_error_class(); });
  std::printf("rank %d: all right\n", comm.rank());
}
