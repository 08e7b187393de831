// Notes what it communicates, and writes when to trace.json, for ui.perfetto.dev and chrome://tracing.

#include <unistd.h>

#include <cstdio>
#include <mpiglot/environment.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <mpiglot/plugins/tracing.hpp>
#include <random>

using namespace mpiglot;

int main() {
  const environment mpi;
  const basic_communicator<tracing, sorter> comm;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  std::mt19937 draw(static_cast<unsigned>(comm.rank()));
  std::vector<unsigned> values(20'000);
  for (unsigned& one : values) one = static_cast<unsigned>(draw());
  static_cast<void>(comm.sort(send_buf(values)));  // makes what later sorts use
  comm.barrier();
  comm.forget_trace();
  for (int step = 0; step < 3; ++step) {
    usleep(1000 * static_cast<unsigned>(1 + comm.rank()));  // uneven work
    comm.sort(send_recv_buf(values));
    auto coming = comm.irecv(recv_buf(std::vector<unsigned>(1000)), source(before));
    comm.send(send_buf(std::vector<unsigned>(1000)), destination(next));
    usleep(500);
    coming.wait();
    const double sum = comm.allreduce_single(send_buf(1.0 * values.front()), op(mpi::sum));
    comm.bcast(send_recv_buf(std::vector<double>(100, sum)));
  }
  const trace_of_ranks all = comm.trace();
  if (comm.rank() == 0) std::fputs(to_text(all).c_str(), stdout);
  comm.write_trace("trace.json");
}
