// The three programs in mpiglot.

#pragma once

#include <mpiglot/communicator.hpp>
#include <mpiglot/flatten.hpp>

#include "shared.hpp"

namespace program {

using namespace shared;

template <typename T>
std::vector<T> everybodys(const std::vector<T>& mine, MPI_Comm raw) {
  using namespace mpiglot;
  const communicator comm(raw);
  // count: vector allgather
  return comm.allgatherv(send_buf(mine));
  // end
}

// count: sample sort
template <typename T>
void sort(MPI_Comm raw, std::vector<T>& data, std::size_t seed) {
  using namespace mpiglot;
  const communicator comm(raw);
  const std::size_t each = 16 * std::log2(comm.size()) + 1;
  std::vector<T> mine(each);
  std::sample(data.begin(), data.end(), mine.begin(), each, std::mt19937(seed));
  auto splitters = comm.allgather(send_buf(mine));
  pick_splitters(comm.size() - 1, each, splitters);
  data = comm.alltoallv(send_buf(flattened(build_buckets(data, splitters))));
  std::sort(data.begin(), data.end());
}
// end

// count: BFS
class distributed_frontier final : public frontier {
 public:
  explicit distributed_frontier(MPI_Comm raw) : comm_(raw) {}
  std::pair<vertices, bool> exchange() override {
    using namespace mpiglot;
    if (comm_.allreduce_single(send_buf(next_.empty()),
                               op(std::logical_and<>{}))) {
      return {{}, true};
    }
    auto received = comm_.alltoallv(send_buf(flattened(next_)));
    next_.clear();
    return {std::move(received), false};
  }

 private:
  mpiglot::communicator comm_;
};
// end

}  // namespace program
