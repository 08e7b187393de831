// Everybody's vector on everybody, in mpiglot.

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>

using namespace mpiglot;

std::vector<double> everybody(const std::vector<double>& mine, const communicator& comm) {
  return comm.allgatherv(send_buf(mine));
}

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  return everybody({1.0}, communicator()).empty() ? 1 : 0;
}
