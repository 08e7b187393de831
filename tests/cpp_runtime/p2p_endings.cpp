// Programs that must end the job: an exception leaves the scope of an operation that cannot be
// cancelled and that uses memory of the program. The first argument says which. (`told`: the memory is
// the operation's own, so the job goes on, and MPI_Finalize tells what nobody has completed.)

#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/request_pool.hpp>

using namespace mpiglot;

namespace {

[[noreturn]] void fail() { throw std::runtime_error("the reason of this program"); }

// Rank 1 waits for a message that never comes, unless the job ends.
void wait_for_ever(const communicator& comm) {
  static_cast<void>(comm.recv(recv_buf(int()), source(0), tag(99)));
}

void run(const char* what, const communicator& comm) {
  const std::vector<int> large(1u << 20);
  if (std::strcmp(what, "told") == 0) {
    if (comm.rank() != 0) return;
    // No messages: some MPIs wait in MPI_Finalize until those are received.
    auto first = comm.ireduce(send_buf(1), op(mpi::sum));
    auto second = comm.ireduce(send_buf(2), op(mpi::sum));
    auto third = comm.ibarrier();
    fail();
  }
  if (comm.rank() != 0) return wait_for_ever(comm);
  if (std::strcmp(what, "send") == 0) {
    auto pending = comm.issend(send_buf(large), destination(1));
    fail();
  } else if (std::strcmp(what, "span") == 0) {
    auto pending = comm.issend(send_buf(std::span<const int>(large)), destination(1));
    fail();
  } else if (std::strcmp(what, "pool") == 0) {
    request_pool pool;
    std::vector<int> in(3);
    pool.add(comm.irecv(recv_buf(in), source(1)));
    pool.add(comm.issend(send_buf(large), destination(1)));
    fail();
  } else if (std::strcmp(what, "persistent") == 0) {
    auto pending = comm.ssend_init(send_buf(large), destination(1));
    pending.start();
    fail();
  } else if (std::strcmp(what, "collective") == 0) {
    std::vector<int> all(large.size());
    auto pending = comm.iallreduce(send_buf(large), recv_buf(all), op(mpi::sum));
    fail();
  } else if (std::strcmp(what, "function") == 0) {
    int most = comm.size();
    auto pending = comm.iallreduce(
        send_buf(1), op([&](int a, int b) { return a + b < most ? a + b : most; }, commutative));
    fail();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  const communicator comm;
  try {
    run(argc > 1 ? argv[1] : "", comm);
  } catch (const std::exception&) {
    if (argc < 2 || std::strcmp(argv[1], "told") != 0) std::puts("not reached");
  }
}
