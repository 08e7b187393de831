// One of the libraries: LINKAGE_PART is its namespace.

#include "part.hpp"

#include <mpiglot/communicator.hpp>

namespace LINKAGE_PART {

std::vector<int> gather(MPI_Comm comm, const std::vector<int>& mine) {
  return mpiglot::communicator(comm).allgatherv(mpiglot::send_buf(mine));
}

void fail(MPI_Comm comm) {
  const int nothing = 0;
  mpiglot::communicator(comm).send(mpiglot::send_buf(nothing), mpiglot::destination(1000));
}

}  // namespace LINKAGE_PART
