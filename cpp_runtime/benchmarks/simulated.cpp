// One exchange, a whole breadth-first search, an allgatherv and a sort, on the ranks of a simulated machine.
//
//   simulated WHAT EACH    prints, for each way to do WHAT: its name, microseconds of simulated time (of the slowest
//                          rank, the second of two calls), seconds that the simulator took
//
// EACH: elements of 8 bytes from each rank to each (exchange), of each rank (allgatherv, sort), vertices of each rank
// (bfs).

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mpiglot/environment.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <string>

#include "../examples/algorithms/searches.hpp"

namespace {

using namespace mpiglot;
using ranks = basic_communicator<grid_alltoall, sparse_alltoall, auto_alltoall, sorter>;

template <class Do>
void timed(const ranks& comm, const char* name, Do action) {
  const auto began = std::chrono::steady_clock::now();
  action();  // makes what the communicator keeps
  comm.barrier();
  const double start = MPI_Wtime();
  action();
  const double mine = MPI_Wtime() - start;
  const double slowest = comm.allreduce_single(send_buf(mine), op(mpi::max));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  if (comm.rank() == 0) std::printf("%s %.2f %.2f\n", name, slowest * 1e6, wall.count());
}

void exchange(const ranks& comm, int each) {
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), each);
  const std::vector<long> sent(counts.size() * static_cast<std::size_t>(each), comm.rank());
  const auto call = [&](auto&&... more) {
    static_cast<void>(comm.alltoallv(send_buf(sent), send_counts(counts), more...));
  };
  timed(comm, "lengths_first", [&] { call(lengths_first()); });
  timed(comm, "alltoallv", [&] { call(); });
  for (const int d : {2, 3}) {
    const std::string name = "grid_" + std::to_string(d);
    timed(comm, name.c_str(), [&] {
      static_cast<void>(comm.alltoallv_grid(send_buf(sent), send_counts(counts), dimensions(d)));
    });
  }
}

void search(const ranks& comm, int each) {
  const graphs::part graph =
      graphs::erdos_renyi(graphs::vertex{each} * comm.size(), 8, comm.rank(), comm.size(), 1);
  const auto by = [&](const char* name, auto way) {
    timed(comm, name, [&] {
      static_cast<void>(searches::distances(
          searches::communicator(comm), graph, 0,
          [&](const auto&, std::unordered_map<int, graphs::vertices> next) { return way(next); }));
    });
  };
  by("lengths_first",
     [&](auto& next) { return comm.alltoallv(send_buf(flattened(next)), lengths_first()); });
  by("alltoallv", [&](auto& next) { return comm.alltoallv(send_buf(flattened(next))); });
  by("grid_2", [&](auto& next) { return comm.alltoallv_grid(send_buf(flattened(next))); });
}

void gather(const ranks& comm, int each) {
  const std::vector<long> mine(static_cast<std::size_t>(each), comm.rank());
  timed(comm, "lengths_first",
        [&] { static_cast<void>(comm.allgatherv(send_buf(mine), lengths_first())); });
  timed(comm, "allgatherv", [&] { static_cast<void>(comm.allgatherv(send_buf(mine))); });
}

void sort(const ranks& comm, int each) {
  graphs::random_numbers numbers(1, static_cast<std::uint64_t>(comm.rank()));
  std::vector<std::uint64_t> mine(static_cast<std::size_t>(each));
  for (auto& number : mine) number = numbers.next();
  timed(comm, "sort", [&] { static_cast<void>(comm.sort(send_buf(mine))); });
}

}  // namespace

int main(int argc, char** argv) {
  const environment mpi(argc, argv);
  const ranks comm;
  const std::string what = argc > 1 ? argv[1] : "";
  const int each = argc > 2 ? std::atoi(argv[2]) : 0;
  if (what == "exchange")
    exchange(comm, each);
  else if (what == "bfs")
    search(comm, each);
  else if (what == "allgatherv")
    gather(comm, each);
  else if (what == "sort")
    sort(comm, each);
  else
    return 2;
  return 0;
}
