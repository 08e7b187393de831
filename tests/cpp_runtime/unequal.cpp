// Arguments that must be equal on all ranks and are not: at level `communication` an error on every
// rank, in every operation and form. With MPIGLOT_TESTS_ASKED it is MPIGLOT_CHECKS that asks for the level, and not the
// type of the communicator.

#include "catchable.hpp"

#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/topology.hpp>

using namespace catchable;

namespace {

#if defined(MPIGLOT_TESTS_ASKED)
using comparing = communicator;
using comparing_grid = cartesian;
using comparing_graph = distributed_graph;
#else
using comparing = basic_communicator<checked_together>;
using comparing_grid = basic_cartesian<checked_together>;
using comparing_graph = basic_distributed_graph<checked_together>;
#endif

// Two elements for each rank; what the last rank gives is another length.
struct unequal {
  explicit unequal(int size)
      : here(check::rank() == size - 1),
        ranks(static_cast<std::size_t>(size)),
        two(2),
        some(here ? 3 : 2),
        all(2 * ranks),
        each((here ? 3 : 2) * ranks),
        room(3 * ranks),
        twos(ranks, 2),
        other(ranks, 2) {
    if (!here) return;
    other.front() = 3;  // as many as all
    other.back() = 1;
  }
  bool here;
  std::size_t ranks;
  std::vector<int> two, some, all, each, room, twos, other;
};

// Lengths that no message tells, so that MPI is told them.
void lengths_differ(const auto& comm) {
  unequal v(comm.size());
  DIFFERS_IN_EVERY_FORM(bcast, send_recv_buf(v.room), send_recv_count(v.here ? 1 : 2));
  DIFFERS_IN_EVERY_FORM(gather, send_buf(v.some));
  DIFFERS_IN_EVERY_FORM(gatherv, send_buf(v.some), recv_counts(v.twos));
  DIFFERS_IN_EVERY_FORM(scatter, send_buf(v.all), recv_buf(v.room), recv_count(v.here ? 1 : 2));
  DIFFERS_IN_EVERY_FORM(scatterv, send_buf(v.all), send_counts(v.twos), recv_buf(v.room),
                        recv_count(v.here ? 1 : 2));
  DIFFERS_IN_EVERY_FORM(allgather, send_buf(v.some));
  DIFFERS_IN_EVERY_FORM(alltoall, send_buf(v.each));
  DIFFERS_IN_EVERY_FORM(reduce, send_buf(v.some), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(allreduce, send_buf(v.some), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(scan, send_buf(v.some), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(exscan, send_buf(v.some), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(reduce_scatter_block, send_buf(v.each), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(reduce_scatter, send_buf(v.all), recv_counts(v.other), op(mpi::sum));
}

}  // namespace

TEST(lengths_that_differ_are_a_disagreement_where_ranks_compare) {
  const comparing comm;
  if (comm.size() == 1) return;
  lengths_differ(comm);
  unequal v(comm.size());
  DIFFERS_IN_EVERY_FORM(bcast, send_recv_buf(v.some));
  DIFFERS_IN_EVERY_FORM(scatter, send_buf(v.all), recv_buf(v.some));
  DIFFERS_IN_EVERY_FORM(scatterv, send_buf(v.all), send_counts(v.twos), recv_buf(v.some));
  DIFFERS_IN_EVERY_FORM(allgatherv, send_buf(v.some), recv_counts(v.twos));
  DIFFERS_IN_EVERY_FORM(allgatherv, send_buf(v.two), recv_counts(v.other));
  DIFFERS_IN_EVERY_FORM(alltoallv, send_buf(v.each), send_counts(v.twos), recv_buf(v.room),
                        recv_counts(v.other));
}

TEST(parts_of_other_lengths_than_expected_are_a_disagreement_where_types_are_given) {
  const comparing comm;
  if (comm.size() == 1) return;
  unequal v(comm.size());
  const std::vector<int> places(v.ranks, 0);
  const std::vector<MPI_Datatype> types(v.ranks, MPI_INT);
  DIFFERS_IN_EVERY_FORM(alltoallw, send_buf(v.room), send_counts(v.twos), send_displs(places),
                        send_types(types), recv_buf(v.all), recv_counts(v.other),
                        recv_displs(places), recv_types(types));
}

TEST(lengths_among_neighbors_are_a_disagreement_where_ranks_compare) {
  const comparing_grid comm(mpi::comm_world, {check::size()}, {1});
  if (comm.size() == 1) return;
  unequal v(comm.size());
  const std::vector<int> both((v.here ? 3 : 2) * 2), twos(2, 2), other(2, v.here ? 3 : 2);
  std::vector<int> sent(6), received(6);
  DIFFERS_IN_EVERY_FORM(neighbor_allgather, send_buf(v.some));
  DIFFERS_IN_EVERY_FORM(neighbor_allgatherv, send_buf(v.some), recv_counts(twos));
  DIFFERS_IN_EVERY_FORM(neighbor_alltoall, send_buf(both));
  DIFFERS_IN_EVERY_FORM(neighbor_alltoallv, send_buf(sent), send_counts(twos), recv_buf(received),
                        recv_counts(other));
  const std::vector<mpi::aint_t> places(2, 0);
  const std::vector<MPI_Datatype> types(2, MPI_INT);
  DIFFERS_IN_EVERY_FORM(neighbor_alltoallw, send_buf(sent), send_counts(twos), send_displs(places),
                        send_types(types), recv_buf(received), recv_counts(other),
                        recv_displs(places), recv_types(types));
  check::equal(comm.neighbor_allgather(send_buf(v.two)).size(), std::size_t{4});
  check::equal(comm.neighbor_alltoall(send_buf(std::vector<int>(4))).size(), std::size_t{4});
}

// Neighbors must agree with each other only.
TEST(pairs_of_neighbors_may_differ_from_other_pairs) {
  if (check::size() < 4) return;
  const int rank = check::rank();
  const std::vector<int> partner(rank < 4 ? 1 : 0, rank ^ 1);
  const comparing_graph pairs(mpi::comm_world, {partner, partner});
  const std::vector<int> mine(rank < 2 ? 2 : 3, rank);
  const std::vector<int> theirs = pairs.neighbor_allgather(send_buf(mine));
  if (rank < 4) check::equal(theirs, std::vector<int>(mine.size(), rank ^ 1));
}

TEST(roots_and_operations_that_differ_are_a_disagreement_where_ranks_compare) {
  const comparing comm;
  if (comm.size() == 1) return;
  unequal v(comm.size());
  const int from = v.here ? 1 : 0;
  const mpi::op_handle combine = v.here ? mpi::op_handle(mpi::max) : mpi::op_handle(mpi::sum);
  DIFFERS_IN_EVERY_FORM(bcast, send_recv_buf(v.two), root(from));
  DIFFERS_IN_EVERY_FORM(gather, send_buf(v.two), root(from));
  DIFFERS_IN_EVERY_FORM(gatherv, send_buf(v.two), recv_counts(v.twos), root(from));
  DIFFERS_IN_EVERY_FORM(scatter, send_buf(v.all), recv_buf(v.two), root(from));
  DIFFERS_IN_EVERY_FORM(reduce, send_buf(v.two), op(mpi::sum), root(from));
  DIFFERS_IN_EVERY_FORM(reduce, send_buf(v.two), op(combine));
  DIFFERS_IN_EVERY_FORM(allreduce, send_buf(v.two), op(combine));
  DIFFERS_IN_EVERY_FORM(scan, send_buf(v.two), op(combine));
  DIFFERS_IN_EVERY_FORM(exscan, send_buf(v.two), op(combine));
  DIFFERS_IN_EVERY_FORM(reduce_scatter_block, send_buf(v.all), op(combine));
  DIFFERS_IN_EVERY_FORM(reduce_scatter, send_buf(v.all), recv_counts(v.twos), op(combine));
  const auto first = [](int a, int) { return a; };
  caught<disagreement>([&] {
    if (v.here)
      static_cast<void>(comm.allreduce(send_buf(v.two), op(first, non_commutative)));
    else
      static_cast<void>(comm.allreduce(send_buf(v.two), op(first, commutative)));
  });
  works_on();
}

// A buffer that takes what it is told agrees with any length.
TEST(ranks_that_make_room_agree_with_those_that_have_it) {
  const comparing comm;
  unequal v(comm.size());
  std::vector<int> grown;
  if (v.here) {
    comm.bcast(send_recv_buf<resize_to_fit>(v.here && comm.rank() == 0 ? v.two : grown));
    check::equal(comm.scatter(send_buf(v.all)), v.two);
  } else {
    comm.bcast(send_recv_buf(v.two));
    comm.scatter(send_buf(v.all), recv_buf(v.two));
  }
  check::equal(comm.gatherv(send_buf(v.two), recv_counts(v.twos)).size(),
               comm.rank() == 0 ? v.all.size() : 0);
  check::equal(comm.allgatherv(send_buf(v.two), recv_counts(v.twos)), v.all);
  check::equal(comm.alltoallv(send_buf(v.all), send_counts(v.twos), recv_counts(v.twos)), v.all);
  check::equal(comm.iscatter(send_buf(v.all), recv_buf(std::vector<int>(2))).wait(), v.two);
}
