#include "conformance.hpp"

#include <array>

namespace {

const auto& world = mpi::comm_world;

int right() { return (rank() + 1) % size(); }
int left() { return (rank() + size() - 1) % size(); }

// A ring as a graph: I hear from the left and speak to the right.
mpi::unique_comm ring() {
  const std::array sources{left()};
  const std::array destinations{right()};
  const std::array weight{1};
  return mpi::unique_comm{mpi::dist_graph_create_adjacent(world, sources, weight, destinations,
                                                          weight, mpi::info_null, false)};
}

}  // namespace

TEST(a_torus_knows_its_neighbours) {
  std::array<int, 2> dims{};
  mpi::dims_create(size(), dims);
  equal(dims[0] * dims[1], size());
  const std::array<int, 2> periods{1, 1};
  const mpi::unique_comm torus{mpi::cart_create(world, dims, periods, false)};
  equal(mpi::topo_test(torus), mpi::topology::cart);
  equal(mpi::cartdim_get(torus), 2);
  std::array<int, 2> found{}, periodic{}, here{}, coords{};
  mpi::cart_get(torus, found, periodic, here);
  expect(found == dims && periodic[0] != 0 && periodic[1] != 0);
  mpi::cart_coords(torus, rank(), coords);
  expect(coords == here);
  equal(mpi::cart_rank(torus, coords), rank());
  const auto [source, dest] = mpi::cart_shift(torus, 1, 1);
  coords[1] = (here[1] + 1) % dims[1];
  equal(mpi::cart_rank(torus, coords), dest);
  coords[1] = (here[1] + dims[1] - 1) % dims[1];
  equal(mpi::cart_rank(torus, coords), source);
  const mpi::unique_comm row{mpi::cart_sub(torus, std::array<int, 2>{0, 1})};
  equal(mpi::comm_size(row), dims[1]);
  equal(mpi::comm_rank(row), here[1]);
  const int mapped = mpi::cart_map(world, dims, periods);
  expect(mapped >= 0 && mapped < size());
  const auto many = size() + 1;
  refused([&] { return mpi::cart_create(world, std::array{many}, std::array{0}, false); },
          {MPI_ERR_ARG, MPI_ERR_DIMS, MPI_ERR_TOPOLOGY});
  refused([&] { return mpi::cart_shift(world, 0, 1); }, {MPI_ERR_TOPOLOGY, MPI_ERR_COMM});
}

TEST(a_graph_knows_its_edges) {
  // a ring, both ways
  std::vector<int> index, edges;
  for (int i = 0; i < size(); ++i) {
    edges.push_back((i + 1) % size());
    edges.push_back((i + size() - 1) % size());
    index.push_back(static_cast<int>(edges.size()));
  }
  const mpi::unique_comm graph{mpi::graph_create(world, index, edges, false)};
  equal(mpi::topo_test(graph), mpi::topology::graph);
  const auto [nodes, all] = mpi::graphdims_get(graph);
  equal(nodes, size());
  equal(all, 2 * size());
  std::vector<int> found_index(index.size()), found_edges(edges.size());
  mpi::graph_get(graph, found_index, found_edges);
  equal(found_index, index);
  equal(found_edges, edges);
  equal(mpi::graph_neighbors_count(graph, rank()), 2);
  std::vector<int> neighbours(2);
  mpi::graph_neighbors(graph, rank(), neighbours);
  equal(neighbours, std::vector{right(), left()});
  const int mapped = mpi::graph_map(world, index, edges);
  expect(mapped >= 0 && mapped < size());
}

TEST(a_distributed_graph_knows_its_neighbours) {
  const mpi::unique_comm adjacent = ring();
  const std::array me{rank()}, one{1}, to{right()}, weight{5};
  const mpi::unique_comm told{
      mpi::dist_graph_create(world, me, one, to, weight, mpi::info_null, false)};
  for (const mpi::comm_handle graph :
       {mpi::comm_handle(adjacent.get()), mpi::comm_handle(told.get())}) {
    equal(mpi::topo_test(graph), mpi::topology::dist_graph);
    const auto [indegree, outdegree, weighted] = mpi::dist_graph_neighbors_count(graph);
    equal(indegree, 1);
    equal(outdegree, 1);
    expect(weighted);
    std::array<int, 1> sources{}, source_weights{}, destinations{}, weights{};
    mpi::dist_graph_neighbors(graph, sources, source_weights, destinations, weights);
    equal(sources[0], left());
    equal(destinations[0], right());
    equal(weights[0], graph == adjacent.get() ? 1 : 5);
    equal(source_weights[0], weights[0]);
  }
}

TEST(neighbours_exchange_equal_blocks) {
  both([](auto) {
    const mpi::unique_comm graph = ring();
    const std::array<int, 2> mine{rank(), 100 + rank()};
    std::array<int, 2> theirs{};
    const auto reset = [&] { theirs = {-1, -1}; };
    const auto verify = [&] { expect(theirs == std::array{left(), 100 + left()}); };
    THREE_FORMS(neighbor_allgather, reset, verify, mine.data(), 2, mpi::int_, theirs.data(), 2,
                mpi::int_, graph);
    THREE_FORMS(neighbor_alltoall, reset, verify, mine.data(), 2, mpi::int_, theirs.data(), 2,
                mpi::int_, graph);
  });
}

TEST(neighbours_exchange_unequal_parts) {
  both([](auto form) {
    using count = typename decltype(form)::count;
    using place = typename decltype(form)::place;
    const mpi::unique_comm graph = ring();
    const std::vector<int> mine(at(rank() + 2), rank());  // from place 1 on
    std::vector<int> theirs(at(left() + 2));
    const std::vector<count> give{static_cast<count>(rank() + 1)},
        take{static_cast<count>(left() + 1)};
    const std::vector<place> from{1}, to{1};
    const std::vector<mpi::aint_t> bytes{sizeof(int)};
    const std::vector<mpi::datatype_handle> types{mpi::int_};
    const auto reset = [&] { std::fill(theirs.begin(), theirs.end(), -1); };
    const auto verify = [&] {
      equal(theirs[0], -1);
      for (std::size_t i = 1; i < theirs.size(); ++i) equal(theirs[i], left());
    };
    THREE_FORMS(neighbor_allgatherv, reset, verify, mine.data(), rank() + 1, mpi::int_,
                theirs.data(), take, to, mpi::int_, graph);
    THREE_FORMS(neighbor_alltoallv, reset, verify, mine.data(), give, from, mpi::int_,
                theirs.data(), take, to, mpi::int_, graph);
    THREE_FORMS(neighbor_alltoallw, reset, verify, mine.data(), give, bytes, types, theirs.data(),
                take, bytes, types, graph);
  });
}

TEST(unweighted_and_empty_weights_are_told_apart) {
  const std::array to{right()}, from{left()};
  const mpi::unique_comm graph{mpi::dist_graph_create_adjacent(
      world, from, mpi::unweighted, to, mpi::unweighted, mpi::info_null, false)};
  expect(!mpi::dist_graph_neighbors_count(graph).weighted);
}
