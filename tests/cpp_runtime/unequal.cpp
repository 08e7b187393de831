// Arguments that must be equal on all ranks and are not: at level `communication`, for which MPIGLOT_CHECKS
// asks, an error on every rank in all cases of disagreements.inc. disagreeing.cpp has communicators of that level.

#include "catchable.hpp"

#include <mpiglot/layouts.hpp>
#include <mpiglot/objects.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/topology.hpp>

using namespace catchable;

namespace {

int first_of(int a, int) { return a; }
int second_of(int, int b) { return b; }
struct choosing {
  bool first;
  int operator()(int a, int b) const { return first ? a : b; }
};
enum class color { red };

#define TYPED(counts, types)                                                                   \
  send_buf(room), send_counts(counts), send_displs(places), send_types(types), recv_buf(more), \
      recv_counts(counts), recv_displs(places), recv_types(types)
#define NEAR(counts, types)                                                         \
  send_buf(room), send_counts(counts), send_displs(near_places), send_types(types), \
      recv_buf(more), recv_counts(counts), recv_displs(near_places), recv_types(types)

// All cases of disagreements.inc: `seen` and `unseen` get what differs, and two calls.
template <class Seen, class Unseen>
void try_all(const Seen& seen, const Unseen& unseen) {
  const communicator comm;
  const int size = comm.size();
  const auto ranks = static_cast<std::size_t>(size);
  const cartesian ring(mpi::comm_world, {size}, {1});

  // Two elements for each rank, or three.
  std::vector<int> two(2), three(3), four(4), six(6), twelve(12), sixteen(16), room(3 * ranks);
  std::vector<int> all(2 * ranks), more(3 * ranks), mixed(2);
  std::vector<int> placed(comm.rank() == 0 ? all : two),
      placed_more(comm.rank() == 0 ? more : three);
  std::vector<float> two_floats(2), four_floats(4), all_floats(2 * ranks);
  std::vector<short> two_shorts(2), all_shorts(2 * ranks);
  int one = 0;
  float one_float = 0;
  std::vector<color> two_colors(2);
  std::string text = "text";
  std::vector<int> ones(ranks, 1), twos(ranks, 2), threes(ranks, 3), other(ranks, 2);
  other.front() = 3;  // as many as all
  other.back() = 1;
  const std::vector<int> pair_of_twos(2, 2), pair_of_threes(2, 3), places(ranks, 0);
  std::vector<int> forwards, backwards;
  for (int i = 0; i < size; ++i) {
    forwards.push_back(2 * i);
    backwards.insert(backwards.begin(), 2 * i);
  }
  const auto first = [](int a, int) { return a; };
  const auto second = [](int, int b) { return b; };

  const std::vector<MPI_Datatype> ints(ranks, MPI_INT), floats(ranks, MPI_FLOAT);
  const datatype pair = datatype::committed(mpi::type_contiguous(2, mpi::int_));
  const std::vector<MPI_Datatype> pairs(ranks, pair.handle().native);
  const std::vector<MPI_Datatype> pair_of_ints(2, MPI_INT), pair_of_floats(2, MPI_FLOAT);
  const std::vector<mpi::aint_t> near_places(2, 0);
  const std::vector<int> one_each(2, 1);
  const std::vector<mpi::aint_t> behind{0, sizeof(int)};
  const auto made_of = [&](MPI_Datatype a, MPI_Datatype b) {
    const MPI_Datatype types[] = {a, b};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, one_each.data(), behind.data(), types, &made);
    return datatype::committed(mpi::datatype_handle{made});
  };
  const datatype int_and_float = made_of(MPI_INT, MPI_FLOAT);
  const datatype float_and_int = made_of(MPI_FLOAT, MPI_INT);

  std::vector<int> with_gaps(20);
  const strided_view<int> flat{with_gaps.data(), 3, 4, 5}, tall{with_gaps.data(), 4, 3, 5};

  using namespace layouts;
  auto squares = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 4 * size));
  auto other_squares = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 4 * size));
  auto square = bag(scalar<int>() ^ vectors<'y', 'j'>(4, 4));
  auto other_square = bag(scalar<int>() ^ vectors<'y', 'j'>(4, 4));
  auto oblongs = bag(scalar<int>() ^ vectors<'j', 'i'>(8, 2 * size));
  auto oblong = bag(scalar<int>() ^ vectors<'y', 'j'>(2, 8));
  auto other_oblong = bag(scalar<int>() ^ vectors<'y', 'j'>(2, 8));
  const auto by_rows = mpi_traverser<'r'>(traverser(squares) ^ into_blocks<'i', 'r', 'y'>(), comm);
  const auto by_columns =
      mpi_traverser<'r'>(traverser(squares) ^ into_blocks<'i', 'r', 'y'>() ^ hoist<'j'>(), comm);
  const auto by_halves =
      mpi_traverser<'r'>(traverser(oblongs) ^ into_blocks<'i', 'r', 'y'>(), comm);

#define SEEN(what, here, there) \
  seen(what ": " #here, [&] { static_cast<void>(here); }, [&] { static_cast<void>(there); });
#define UNSEEN(what, here, there, reason) \
  unseen(what ": " #here, [&] { static_cast<void>(here); }, [&] { static_cast<void>(there); });
#include "disagreements.inc"
#undef SEEN
#undef UNSEEN
}
#undef TYPED
#undef NEAR

}  // namespace

TEST(all_ranks_learn_of_what_can_be_seen_and_nobody_of_the_rest) {
  const int size = check::size();
  if (size == 1) return;
  std::string wrong;
  for (const int odd : {0, size - 1}) {
    const bool here = check::rank() == odd;
    const auto called = [&](const std::string& what, const auto& mine, const auto& theirs) {
      try {
        if (here)
          mine();
        else
          theirs();
      } catch (const disagreement&) {
        return true;
      } catch (const std::exception& error) {
        wrong += what + " throws " + error.what() + "\n";
      }
      return false;
    };
    try_all(
        [&](const char* what, const auto& mine, const auto& theirs) {
          if (!called(what, mine, theirs)) wrong += std::string(what) + " is not seen\n";
          works_on();
        },
        [&](const char* what, const auto& mine, const auto& theirs) {
          if (called(what, mine, theirs)) wrong += std::string(what) + " is seen\n";
          works_on();
        });
  }
  check::expect(wrong.empty(), wrong);
}

// Neighbors must agree with each other only.
TEST(pairs_of_neighbors_may_differ_from_other_pairs) {
  if (check::size() < 4) return;
  const int rank = check::rank();
  const std::vector<int> partner(rank < 4 ? 1 : 0, rank ^ 1);
  const distributed_graph pairs(mpi::comm_world, {partner, partner});
  const std::vector<int> mine(rank < 2 ? 2 : 3, rank);
  const std::vector<int> theirs = pairs.neighbor_allgather(send_buf(mine));
  if (rank < 4) check::equal(theirs, std::vector<int>(mine.size(), rank ^ 1));
}

// A buffer that takes what it is told agrees with any length.
TEST(ranks_that_make_room_agree_with_those_that_have_it) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool here = comm.rank() == comm.size() - 1;
  std::vector<int> two(2), all(2 * ranks), twos(ranks, 2);
  std::vector<int> grown;
  if (here) {
    comm.bcast(send_recv_buf<resize_to_fit>(comm.rank() == 0 ? two : grown));
    check::equal(comm.scatter(send_buf(all)), two);
  } else {
    comm.bcast(send_recv_buf(two));
    comm.scatter(send_buf(all), recv_buf(two));
  }
  check::equal(comm.gatherv(send_buf(two), recv_counts(twos)).size(),
               comm.rank() == 0 ? all.size() : 0);
  check::equal(comm.allgatherv(send_buf(two), recv_counts(twos)), all);
  check::equal(comm.alltoallv(send_buf(all), send_counts(twos), recv_counts(twos)), all);
  check::equal(comm.iscatter(send_buf(all), recv_buf(std::vector<int>(2))).wait(), two);
}
