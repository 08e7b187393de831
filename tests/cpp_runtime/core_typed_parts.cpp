// Parts of several datatypes: alltoallw and neighbor_alltoallw.
#include <algorithm>
#include <array>
#include <memory>
#include <mpiglot/objects.hpp>
#include <mpiglot/raw.hpp>
#include <mpiglot/topology.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {
using types = std::vector<mpi::datatype_handle>;

// A field of 4 x 4 with a border: what is sent to the right is its last inner column, to the left its
// first, as one vector type each; the border takes what comes.
struct field {
  std::vector<int> cells = std::vector<int>(4 * 6, -1);
  explicit field(int rank) {
    for (int i = 0; i < 4; ++i)
      for (int j = 1; j < 5; ++j) cells[at(i, j)] = 100 * rank + 10 * i + j;
  }
  static std::size_t at(int i, int j) { return static_cast<std::size_t>(6 * i + j); }
};
}  // namespace

TEST(halos_travel_without_packing) {
  const communicator world;
  const cartesian ring(world, {world.size()}, {true});
  const datatype column = datatype::committed(mpi::type_vector(4, 1, 6, mpi::int_));
  const types both(2, column);
  const int left = ring.neighbors()[0], right = ring.neighbors()[1];
  const auto is_right = [&](field& mine) {
    for (int i = 0; i < 4; ++i) {
      check::equal(mine.cells[field::at(i, 0)], 100 * left + 10 * i + 4);
      check::equal(mine.cells[field::at(i, 5)], 100 * right + 10 * i + 1);
    }
    std::ranges::copy(field(ring.rank()).cells, mine.cells.begin());
  };
  field mine(ring.rank());
  // Where both neighbors are one process, MPIs differ in which message is which.
  if (world.size() < 3) return;
  const std::vector<int> ones{1, 1};
  const std::vector<mpi::aint_t> from{4, 16}, to{0, 20};
  ring.neighbor_alltoallw(send_buf(mine.cells), send_counts(ones), send_displs(from),
                          send_types(both), recv_buf(mine.cells), recv_counts(ones),
                          recv_displs(to), recv_types(both));
  is_right(mine);
  // Any integers, moved in, in a request that is moved; raw memory.
  auto started = ring.ineighbor_alltoallw(
      send_buf(mine.cells), send_counts(std::array<short, 2>{1, 1}),
      send_displs(std::array<int, 2>{4, 16}), send_types(both),
      recv_buf(raw(mine.cells.data(), 24, mpi::int_)), recv_counts(std::array<int, 2>{1, 1}),
      recv_displs(to), recv_types(std::array<mpi::datatype_handle, 2>{column, column}));
  auto moved = std::move(started);
  moved.wait();
  is_right(mine);
  if constexpr (mpi::has_neighbor_alltoallw_init) {
    auto again = ring.neighbor_alltoallw_init(
        send_buf(mine.cells), send_counts(ones), send_displs(from), send_types(both),
        recv_buf(mine.cells), recv_counts(ones), recv_displs(to), recv_types(both));
    for (int round = 0; round < 3; ++round) {
      again.start();
      again.wait();
      is_right(mine);
    }
  }
}

TEST(typed_parts_go_around_a_ring) {
  const communicator world;
  const int next = (world.rank() + 1) % world.size();
  const int before = (world.rank() + world.size() - 1) % world.size();
  // To the next and to itself: of two messages between the same processes, MPIs differ in which is
  // which.
  if (world.size() < 2) return;
  const distributed_graph ring(world, {{before, world.rank()}, {next, world.rank()}});
  const datatype pair = datatype::committed(mpi::type_contiguous(2, mpi::int_));
  const std::vector<int> counts{1, 2};
  const std::vector<long> places{0, 8};
  const types of{pair, mpi::int_};
  const std::vector<int> mine{world.rank(), 1, 2, 3};
  auto got = ring.neighbor_alltoallw(send_buf(mine), send_counts(counts), send_displs(places),
                                     send_types(of), recv_buf(std::vector<int>(4)),
                                     recv_counts(counts), recv_displs(places), recv_types(of));
  check::equal(got, std::vector<int>{before, 1, 2, 3});

  // Counts of MPI_Count: its own function, or copied where this MPI has none.
  const std::vector<mpi::count_t> wide{1, 2};
  auto [theirs, own] = ring.neighbor_alltoallw(
      send_buf_out(std::vector<int>(mine)), send_counts(wide), send_displs(places), send_types(of),
      recv_buf(std::vector<int>(4)), recv_counts(wide), recv_displs(places), recv_types(of));
  check::equal(theirs, got);
  check::equal(own, mine);
  if constexpr (!mpi::has_neighbor_alltoallw_c) {
    const std::vector<mpi::count_t> many{1, mpi::count_t{1} << 33};
    check::thrown_by<count_error>([&] {
      ring.neighbor_alltoallw(send_buf(mine), send_counts(many), send_displs(places),
                              send_types(of), recv_buf(got), recv_counts(counts),
                              recv_displs(places), recv_types(of));
    });
  }
  const types one{pair};
  check::thrown_by<count_error>([&] {
    ring.neighbor_alltoallw(send_buf(mine), send_counts(counts), send_displs(places),
                            send_types(one), recv_buf(got), recv_counts(counts),
                            recv_displs(places), recv_types(of));
  });
}

TEST(alltoallw_is_done_in_place_and_with_wide_counts) {
  const communicator world;
  const auto ranks = static_cast<std::size_t>(world.size());
  const std::vector<long> ones(ranks, 1);
  const types of(ranks, mpi::int_);
  std::vector<long> places;
  std::vector<int> mine, wanted;
  for (int i = 0; i < world.size(); ++i) {
    places.push_back(4 * i);
    mine.push_back(10 * world.rank() + i);
    wanted.push_back(10 * i + world.rank());
  }
  std::vector<int> got(ranks);
  world.alltoallw(send_buf(mine), send_counts(ones), send_displs(places), send_types(of),
                  recv_buf(got), recv_counts(ones), recv_displs(places), recv_types(of));
  check::equal(got, wanted);
  const std::vector<MPI_Datatype> of_c(ranks, MPI_INT);
  world.alltoallw(send_recv_buf(mine), recv_counts(ones), recv_displs(places), recv_types(of_c));
  check::equal(mine, wanted);
}

TEST(requests_with_arrays_of_counts_can_be_moved) {
  const communicator world;
  if (world.size() > 4) return;
  // One array more than there are ranks would be refused.
  const auto gather = [&]<std::size_t N>(std::array<int, N> counts) {
    for (int& each : counts) each = 2;
    auto started = world.iallgatherv(send_buf(std::vector<int>{world.rank(), 7}),
                                     recv_counts(std::move(counts)));
    const auto moved = std::make_unique<decltype(started)>(std::move(started));
    const std::vector<int> got = moved->wait();
    check::equal(got.size(), 2 * N);
    check::equal(got[2 * N - 2], static_cast<int>(N) - 1);
  };
  if (world.size() == 1) gather(std::array<int, 1>());
  if (world.size() == 2) gather(std::array<int, 2>());
  if (world.size() == 3) gather(std::array<int, 3>());
  if (world.size() == 4) gather(std::array<int, 4>());
}
