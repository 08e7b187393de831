// The same calls in plain C (`plain_...`) and with mpiglot (`named_...`); overhead.py counts their
// instructions and allocations.

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <mpiglot/communicator.hpp>

using namespace mpiglot;

// Below the level `light`, as plain C checks nothing.
template <>
inline constexpr checks mpiglot::detail::checking_of<communicator> = checks::off;

extern "C" long allocations;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}

struct data {
  std::vector<int> mine = std::vector<int>(8);
  std::vector<int> all = std::vector<int>(32);
  std::vector<int> counts = std::vector<int>(4, 8);
  std::vector<int> displs = {0, 8, 16, 24};
};

int length(const std::vector<int>& v) { return static_cast<int>(v.size()); }

}  // namespace

#define CALL(name) extern "C" [[gnu::noinline]] void name(data& d, const communicator& comm)

CALL(plain_bcast) { MPI_Bcast(d.mine.data(), length(d.mine), MPI_INT, 0, comm.native()); }
CALL(named_bcast) { comm.bcast(send_recv_buf(d.mine), send_recv_count(length(d.mine)), root(0)); }

CALL(plain_send) { MPI_Send(d.mine.data(), length(d.mine), MPI_INT, 2, 0, comm.native()); }
CALL(named_send) { comm.send(send_buf(d.mine), destination(2)); }

CALL(plain_recv) {
  MPI_Recv(d.mine.data(), length(d.mine), MPI_INT, 2, 0, comm.native(), MPI_STATUS_IGNORE);
}
CALL(named_recv) { comm.recv(recv_buf(d.mine), source(2), tag(0)); }

CALL(plain_recv_by_value) {
  MPI_Message message;
  MPI_Status status;
  int n = 0;
  MPI_Mprobe(2, 0, comm.native(), &message, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  std::vector<int> values(static_cast<std::size_t>(n));
  MPI_Mrecv(values.data(), n, MPI_INT, &message, MPI_STATUS_IGNORE);
  d.all[0] = values[0];
}
CALL(named_recv_by_value) {
  const auto values = comm.recv(recv_buf(std::vector<int>()), source(2), tag(0));
  d.all[0] = values[0];
}

CALL(plain_allgatherv_given) {
  MPI_Allgatherv(d.mine.data(), length(d.mine), MPI_INT, d.all.data(), d.counts.data(),
                 d.displs.data(), MPI_INT, comm.native());
}
CALL(named_allgatherv_given) {
  comm.allgatherv(send_buf(d.mine), recv_buf(d.all), recv_counts(d.counts), recv_displs(d.displs));
}

CALL(plain_allgatherv) {
  int size = 0;
  MPI_Comm_size(comm.native(), &size);
  const int n = length(d.mine);
  std::vector<int> counts(static_cast<std::size_t>(size)), displs(static_cast<std::size_t>(size));
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm.native());
  std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
  std::vector<int> all(static_cast<std::size_t>(counts.back() + displs.back()));
  MPI_Allgatherv(d.mine.data(), n, MPI_INT, all.data(), counts.data(), displs.data(), MPI_INT,
                 comm.native());
  d.all[0] = all[0];
}
CALL(named_allgatherv) {
  const auto all = comm.allgatherv(send_buf(d.mine));
  d.all[0] = all[0];
}

CALL(plain_isend_wait) {
  MPI_Request request;
  MPI_Isend(d.mine.data(), length(d.mine), MPI_INT, 2, 0, comm.native(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
CALL(named_isend_wait) { comm.isend(send_buf(d.mine), destination(2)).wait(); }

CALL(plain_irecv_wait) {
  MPI_Request request;
  MPI_Irecv(d.mine.data(), length(d.mine), MPI_INT, 2, 0, comm.native(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
CALL(named_irecv_wait) { comm.irecv(recv_buf(d.mine), source(2), tag(0)).wait(); }

// With an argument: that many calls of each, of which callgrind counts the instructions.
int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  data d;
  const communicator& comm = world();
  const auto run = [&](const char* name, void (*call)(data&, const communicator&)) {
    const long before = allocations;
    for (int i = 0; i < rounds; ++i) call(d, comm);
    std::printf("%s %ld\n", name, (allocations - before) / rounds);
  };
#define RUN(name)                     \
  run("plain_" #name, &plain_##name); \
  run("named_" #name, &named_##name)
  RUN(bcast);
  RUN(send);
  RUN(recv);
  RUN(recv_by_value);
  RUN(allgatherv_given);
  RUN(allgatherv);
  RUN(isend_wait);
  RUN(irecv_wait);
}
