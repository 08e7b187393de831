// The three programs in Boost.MPI, which has no alltoallv.

#pragma once

#include <boost/mpi.hpp>
#include <boost/mpi/collectives/all_gatherv.hpp>

#include "shared.hpp"

namespace program {

using namespace shared;

template <typename T>
std::vector<T> everybodys(const std::vector<T>& mine, MPI_Comm raw) {
  const boost::mpi::communicator comm(raw, boost::mpi::comm_attach);
  // count: vector allgather
  std::vector<T> all;
  std::vector<int> counts;
  boost::mpi::all_gather(comm, static_cast<int>(mine.size()), counts);
  boost::mpi::all_gatherv(comm, mine, all, counts);
  return all;
  // end
}

// count: sample sort
template <typename T>
void sort(MPI_Comm raw, std::vector<T>& data, std::size_t seed) {
  const boost::mpi::communicator comm(raw, boost::mpi::comm_attach);
  const std::size_t each = 16 * std::log2(comm.size()) + 1;
  std::vector<T> mine(each);
  std::sample(data.begin(), data.end(), mine.begin(), each, std::mt19937(seed));
  std::vector<T> splitters;
  boost::mpi::all_gather(comm, mine.data(), static_cast<int>(each), splitters);
  pick_splitters(comm.size() - 1, each, splitters);
  std::vector<int> send_counts, send_displs, recv_counts,
      recv_displs(comm.size());
  for (const auto& bucket : build_buckets(data, splitters)) {
    send_displs.push_back(static_cast<int>(data.size()));
    send_counts.push_back(static_cast<int>(bucket.size()));
    data.insert(data.end(), bucket.begin(), bucket.end());
  }
  boost::mpi::all_to_all(comm, send_counts, recv_counts);
  std::exclusive_scan(recv_counts.begin(), recv_counts.end(),
                      recv_displs.begin(), 0);
  std::vector<T> received(recv_counts.back() + recv_displs.back());
  MPI_Alltoallv(data.data(), send_counts.data(), send_displs.data(),
                boost::mpi::get_mpi_datatype<T>(), received.data(),
                recv_counts.data(), recv_displs.data(),
                boost::mpi::get_mpi_datatype<T>(), comm);
  std::sort(received.begin(), received.end());
  data.swap(received);
}
// end

// count: BFS
class distributed_frontier final : public frontier {
 public:
  explicit distributed_frontier(MPI_Comm comm)
      : comm_(comm, boost::mpi::comm_attach) {}
  std::pair<vertices, bool> exchange() override {
    if (is_empty()) {
      return {{}, true};
    }
    vertices found;
    std::vector<int> send_counts(comm_.size()), send_displs(comm_.size()),
        recv_counts, recv_displs(comm_.size());
    for (int rank = 0; rank < comm_.size(); ++rank) {
      const auto it = next_.find(rank);
      if (it != next_.end()) {
        found.insert(found.end(), it->second.begin(), it->second.end());
        send_counts[rank] = static_cast<int>(it->second.size());
      }
    }
    next_.clear();
    boost::mpi::all_to_all(comm_, send_counts, recv_counts);
    std::exclusive_scan(send_counts.begin(), send_counts.end(),
                        send_displs.begin(), 0);
    std::exclusive_scan(recv_counts.begin(), recv_counts.end(),
                        recv_displs.begin(), 0);
    vertices received(recv_counts.back() + recv_displs.back());
    MPI_Alltoallv(found.data(), send_counts.data(), send_displs.data(),
                  boost::mpi::get_mpi_datatype<vertex>(), received.data(),
                  recv_counts.data(), recv_displs.data(),
                  boost::mpi::get_mpi_datatype<vertex>(), comm_);
    return {std::move(received), false};
  }
  bool is_empty() const {
    return boost::mpi::all_reduce(comm_, next_.empty(), std::logical_and<>{});
  }

 private:
  boost::mpi::communicator comm_;
};
// end

}  // namespace program
