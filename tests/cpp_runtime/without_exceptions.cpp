// Compiled with -fno-exceptions: what would be thrown ends the job with its message.

#include <cstdio>
#include <map>
#include <string>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/at_most.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

int main(int argc, char**) {
  const environment environment;
  const communicator comm;
  std::vector<int> values(3, comm.rank());
  if (argc > 1) {
    comm.bcast(send_recv_buf(values), send_recv_count(4));
    std::puts("not reached");
    return 0;
  }
  comm.bcast(send_recv_buf(values));
  const std::vector<int> all = comm.allgatherv(send_buf(values));
  std::map<std::string, int> words;
  if (comm.rank() == 0) words["answer"] = 42;
  comm.ibcast(send_recv_buf(at_most(100, as_serialized(words)))).wait();
  const bool right =
      all == std::vector<int>(3 * static_cast<std::size_t>(comm.size())) && words["answer"] == 42;
  return right ? 0 : 1;
}
