// One exchange, a whole breadth-first search, an allgatherv and a sort, on the ranks of a simulated machine.
//
//   simulated WHAT EACH WAY    prints microseconds of simulated time, of the slowest rank
//
// WHAT EACH: elements of 8 bytes from each rank to each (exchange), of each rank (allgatherv, sort), vertices of each
// rank (bfs, of a random graph; geometric, hyperbolic). WAY: lengths_first, alltoallv, allgatherv, sort; grid_2,
// grid_3: alltoallv_grid of as many dimensions.
// What is timed is the second of two calls where the first one makes or learns what a communicator keeps.

#include <algorithm>
#include <cmath>
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
void timed(const ranks& comm, Do action) {
  comm.barrier();
  const double start = MPI_Wtime();
  action();
  const double mine = MPI_Wtime() - start;
  const double slowest = comm.allreduce_single(send_buf(mine), op(mpi::max));
  if (comm.rank() == 0) std::printf("%.2f\n", slowest * 1e6);
}

template <class On, class... Parts>
auto exchanged(const On& comm, const std::string& way, Parts&&... parts) {
  if (way == "lengths_first") return comm.alltoallv(parts..., lengths_first());
  if (way == "alltoallv") return comm.alltoallv(parts...);
  return comm.alltoallv_grid(parts..., dimensions(way == "grid_3" ? 3 : 2));
}

void exchange(const ranks& comm, int each, const std::string& way) {
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), each);
  const std::vector<long> sent(counts.size() * static_cast<std::size_t>(each), comm.rank());
  const auto call = [&] {
    static_cast<void>(exchanged(comm, way, send_buf(sent), send_counts(counts)));
  };
  if (way != "lengths_first") call();
  timed(comm, call);
}

graphs::part graph_of(const ranks& comm, const std::string& family, int each) {
  const graphs::vertex all = graphs::vertex{each} * comm.size();
  if (family == "geometric") {
    constexpr double in_cell = 16;  // so a vertex has about 50 neighbours
    const auto cells = std::lround(std::sqrt(static_cast<double>(all) / in_cell));
    return graphs::random_geometric(cells, in_cell, comm.rank(), comm.size(), 1);
  }
  if (family == "hyperbolic")
    return graphs::random_hyperbolic(all, 12, comm.rank(), comm.size(), 1);
  const double degree = std::min(256.0, static_cast<double>(all) / 4);  // few levels
  return graphs::erdos_renyi(all, degree, comm.rank(), comm.size(), 1);
}

void search(const ranks& comm, const std::string& family, int each, const std::string& way) {
  const graphs::part graph = graph_of(comm, family, each);
  const std::unordered_map<int, graphs::vertices> none;
  if (way != "lengths_first") static_cast<void>(exchanged(comm, way, send_buf(flattened(none))));
  timed(comm, [&] {
    static_cast<void>(
        searches::distances(searches::communicator(comm), graph, 0,
                            [&](const auto&, std::unordered_map<int, graphs::vertices> next) {
                              return exchanged(comm, way, send_buf(flattened(next)));
                            }));
  });
}

void gather(const ranks& comm, int each, const std::string& way) {
  const std::vector<long> mine(static_cast<std::size_t>(each), comm.rank());
  const auto call = [&] {
    if (way == "lengths_first")
      static_cast<void>(comm.allgatherv(send_buf(mine), lengths_first()));
    else
      static_cast<void>(comm.allgatherv(send_buf(mine)));
  };
  call();
  timed(comm, call);
}

void sort(const ranks& comm, int each) {
  graphs::random_numbers numbers(1, static_cast<std::uint64_t>(comm.rank()));
  std::vector<std::uint64_t> mine(static_cast<std::size_t>(each));
  for (auto& number : mine) number = numbers.next();
  const auto call = [&] { static_cast<void>(comm.sort(send_buf(mine))); };
  call();
  timed(comm, call);
}

}  // namespace

int main(int argc, char** argv) {
  const environment mpi(argc, argv);
  const ranks comm;
  const std::string what = argc > 1 ? argv[1] : "";
  const int each = argc > 2 ? std::atoi(argv[2]) : 0;
  const std::string way = argc > 3 ? argv[3] : "";
  if (what == "exchange")
    exchange(comm, each, way);
  else if (what == "bfs" || what == "geometric" || what == "hyperbolic")
    search(comm, what, each, way);
  else if (what == "allgatherv")
    gather(comm, each, way);
  else if (what == "sort")
    sort(comm, each);
  else
    return 2;
  return 0;
}
