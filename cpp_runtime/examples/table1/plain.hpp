// The three programs in plain MPI.

#pragma once

#include <mpi.h>

#include "shared.hpp"

namespace program {

using namespace shared;

template <typename T>
MPI_Datatype type_of() {
  return std::is_same_v<T, double> ? MPI_DOUBLE : MPI_UNSIGNED_LONG;
}

template <typename T>
std::vector<T> everybodys(const std::vector<T>& mine, MPI_Comm comm) {
  // count: vector allgather
  int size;
  MPI_Comm_size(comm, &size);
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(size), displs(size);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
  std::vector<T> all(counts.back() + displs.back());
  MPI_Allgatherv(mine.data(), n, type_of<T>(), all.data(), counts.data(),
                 displs.data(), type_of<T>(), comm);
  return all;
  // end
}

// count: sample sort
template <typename T>
void sort(MPI_Comm comm, std::vector<T>& data, std::size_t seed) {
  int size;
  MPI_Comm_size(comm, &size);
  const std::size_t each = 16 * std::log2(size) + 1;
  std::vector<T> mine(each);
  std::sample(data.begin(), data.end(), mine.begin(), each, std::mt19937(seed));
  std::vector<T> splitters(each * size);
  MPI_Allgather(mine.data(), static_cast<int>(each), type_of<T>(),
                splitters.data(), static_cast<int>(each), type_of<T>(), comm);
  pick_splitters(size - 1, each, splitters);
  std::vector<int> send_counts, send_displs, recv_counts(size),
      recv_displs(size);
  for (const auto& bucket : build_buckets(data, splitters)) {
    send_displs.push_back(static_cast<int>(data.size()));
    send_counts.push_back(static_cast<int>(bucket.size()));
    data.insert(data.end(), bucket.begin(), bucket.end());
  }
  MPI_Alltoall(send_counts.data(), 1, MPI_INT, recv_counts.data(), 1, MPI_INT,
               comm);
  std::exclusive_scan(recv_counts.begin(), recv_counts.end(),
                      recv_displs.begin(), 0);
  std::vector<T> received(recv_counts.back() + recv_displs.back());
  MPI_Alltoallv(data.data(), send_counts.data(), send_displs.data(),
                type_of<T>(), received.data(), recv_counts.data(),
                recv_displs.data(), type_of<T>(), comm);
  std::sort(received.begin(), received.end());
  data.swap(received);
}
// end

// count: BFS
class distributed_frontier final : public frontier {
 public:
  explicit distributed_frontier(MPI_Comm comm) : comm_(comm) {}
  std::pair<vertices, bool> exchange() override {
    if (is_empty()) {
      return {{}, true};
    }
    int size;
    MPI_Comm_size(comm_, &size);
    vertices found;
    std::vector<int> send_counts(size), send_displs(size), recv_counts(size),
        recv_displs(size);
    for (int rank = 0; rank < size; ++rank) {
      const auto it = next_.find(rank);
      if (it != next_.end()) {
        found.insert(found.end(), it->second.begin(), it->second.end());
        send_counts[rank] = static_cast<int>(it->second.size());
      }
    }
    next_.clear();
    MPI_Alltoall(send_counts.data(), 1, MPI_INT, recv_counts.data(), 1, MPI_INT,
                 comm_);
    std::exclusive_scan(send_counts.begin(), send_counts.end(),
                        send_displs.begin(), 0);
    std::exclusive_scan(recv_counts.begin(), recv_counts.end(),
                        recv_displs.begin(), 0);
    vertices received(recv_counts.back() + recv_displs.back());
    MPI_Alltoallv(found.data(), send_counts.data(), send_displs.data(),
                  MPI_UNSIGNED_LONG, received.data(), recv_counts.data(),
                  recv_displs.data(), MPI_UNSIGNED_LONG, comm_);
    return {std::move(received), false};
  }
  bool is_empty() const {
    bool empty = next_.empty();
    MPI_Allreduce(MPI_IN_PLACE, &empty, 1, MPI_C_BOOL, MPI_LAND, comm_);
    return empty;
  }

 private:
  MPI_Comm comm_;
};
// end

}  // namespace program
