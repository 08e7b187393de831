// The second translation unit of the program itself, in which every name of the runtime is visible,
// and which has names of its own.

#include <string>

#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>

using namespace std;
using namespace mpiglot;

static const int wrong = 0;
static const int count_of_parts = 1;
static const string mistake;

vector<int> gather_here(const communicator& comm, const vector<int>& mine) {
  auto all = comm.allgatherv(send_buf(mine), recv_counts_out());
  if (!mistake.empty()) comm.send(send_buf(wrong), destination(count_of_parts), tag(wrong));
  return all.extract_recv_buf();
}
