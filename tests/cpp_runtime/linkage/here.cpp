// The second translation unit of the program itself.

#include <mpiglot/communicator.hpp>

std::vector<int> gather_here(const mpiglot::communicator& comm, const std::vector<int>& mine) {
  return comm.allgatherv(mpiglot::send_buf(mine));
}
