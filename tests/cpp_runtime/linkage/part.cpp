// One of the libraries: LINKAGE_PART is its namespace.

#include "part.hpp"

#include <mpiglot/communicator.hpp>

namespace LINKAGE_PART {

std::vector<int> gather(MPI_Comm comm, const std::vector<int>& mine) {
  return mpiglot::communicator(comm).allgatherv(mpiglot::send_buf(mine));
}

// A type of its own, so that each library makes a datatype, which lives until MPI ends.
struct three_bytes {
  unsigned char bytes[3];
};

void fail(MPI_Comm comm) {
  const three_bytes nothing{};
  mpiglot::communicator(comm).send(mpiglot::send_buf(nothing), mpiglot::destination(1000));
}

}  // namespace LINKAGE_PART

const part_functions functions_of_part{&LINKAGE_PART::gather, &LINKAGE_PART::fail};
