// Every collective in its nonblocking and its persistent form, with other contents at each start.

#include <algorithm>

#include <mpiglot/communicator.hpp>
#include <mpiglot/topology.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using ints = std::vector<int>;

const communicator& world() {
  static const communicator comm;
  return comm;
}
int size() { return world().size(); }
int rank() { return world().rank(); }

// What `from` has for `to` in a round.
int word(int round, int from, int to) { return 10000 * round + 100 * from + to; }
ints words(int round, int from) {
  ints all;
  for (int to = 0; to < size(); ++to) all.push_back(word(round, from, to));
  return all;
}
ints words_of_all(int round) {
  ints all;
  for (int from = 0; from < size(); ++from) all.push_back(word(round, from, 0));
  return all;
}
ints words_for(int round, int to) {
  ints all;
  for (int from = 0; from < size(); ++from) all.push_back(word(round, from, to));
  return all;
}
ints sums(int round, int first, int last) {
  ints all(static_cast<std::size_t>(size()));
  for (int from = first; from < last; ++from)
    for (int to = 0; to < size(); ++to) all[static_cast<std::size_t>(to)] += word(round, from, to);
  return all;
}
ints counts() { return ints(static_cast<std::size_t>(size()), 1); }
ints places() {
  ints all;
  for (int i = 0; i < size(); ++i) all.push_back(i);
  return all;
}

constexpr int root_rank = 0;
constexpr const char* nothing = "none";
bool at_root() { return rank() == root_rank; }

// `start` gives a request and `make` a persistent one for the same buffers. Not with a defect of this
// MPI, by the id in provision/matrix.json.
template <class Start, class Make, class Expected>
void both(const char* defect, ints& out, ints& in, Start start, Make make, Expected expected) {
  const auto prepare = [&](int round) {
    const ints mine = words(round, rank());
    std::copy(mine.begin(), mine.end(), out.begin());  // where MPI was told that they are
    std::fill(in.begin(), in.end(), -1);
  };
  try {
    prepare(0);
    auto request = start();
    request.wait();
    check::equal(in, expected(0));
    if (check::known_defect(defect)) return;
    auto persistent = make();
    for (int round = 1; round < 4; ++round) {
      prepare(round);
      persistent.start();
      persistent.wait();
      check::equal(in, expected(round));
    }
  } catch (const mpi::unavailable&) {  // not every MPI has every form
  }
}

}  // namespace

#define BOTH(on, op, defect, expected, ...)                     \
  both(                                                         \
      defect, out, in, [&] { return (on).i##op(__VA_ARGS__); }, \
      [&] { return (on).op##_init(__VA_ARGS__); },              \
      [&]([[maybe_unused]] int round) -> ints { return expected; })

TEST(rooted_collectives_start_again_and_again) {
  ints out(static_cast<std::size_t>(size()));
  ints one(1), all(static_cast<std::size_t>(at_root() ? size() : 0));
  const ints none;
  {
    ints& in = all;
    BOTH(world(), gather, "persistent-gather", at_root() ? words_of_all(round) : none,
         send_buf(out), send_count(1), recv_buf(all), root(root_rank));
    BOTH(world(), gatherv, nothing, at_root() ? words_of_all(round) : none, send_buf(out),
         send_count(1), recv_buf(all), recv_counts(counts()), recv_displs(places()),
         root(root_rank));
    BOTH(world(), reduce, nothing, at_root() ? sums(round, 0, size()) : none, send_buf(out),
         recv_buf(all), op(mpi::sum), root(root_rank));
  }
  ints& in = one;
  BOTH(world(), scatter, "persistent-scatter", ints{word(round, root_rank, rank())}, send_buf(out),
       recv_buf(one), root(root_rank));
  BOTH(world(), scatterv, nothing, ints{word(round, root_rank, rank())}, send_buf(out),
       send_counts(counts()), send_displs(places()), recv_buf(one), root(root_rank));
}

TEST(collectives_of_all_start_again_and_again) {
  ints out(static_cast<std::size_t>(size()));
  ints in(out.size());
  {
    ints passed(out.size());
    ints& given = at_root() ? out : passed;
    both(
        nothing, out, passed, [&] { return world().ibcast(send_recv_buf(given)); },
        [&] { return world().bcast_init(send_recv_buf(given)); },
        [&](int round) { return at_root() ? ints(out.size(), -1) : words(round, root_rank); });
  }
  BOTH(world(), allgather, "persistent-allgather", words_of_all(round), send_buf(out),
       send_count(1), recv_buf(in));
  BOTH(world(), allgatherv, nothing, words_of_all(round), send_buf(out), send_count(1),
       recv_buf(in), recv_counts(counts()), recv_displs(places()));
  BOTH(world(), alltoall, nothing, words_for(round, rank()), send_buf(out), recv_buf(in));
  BOTH(world(), alltoallv, nothing, words_for(round, rank()), send_buf(out), send_counts(counts()),
       send_displs(places()), recv_buf(in), recv_counts(counts()), recv_displs(places()));
  std::vector<int> bytes;
  for (int i = 0; i < size(); ++i) bytes.push_back(i * static_cast<int>(sizeof(int)));
  const std::vector<mpi::datatype_handle> types(out.size(), mpi::int_);
  BOTH(world(), alltoallw, nothing, words_for(round, rank()), send_buf(out), send_counts(counts()),
       send_displs(bytes), send_types(types), recv_buf(in), recv_counts(counts()),
       recv_displs(bytes), recv_types(types));
  BOTH(world(), allreduce, nothing, sums(round, 0, size()), send_buf(out), recv_buf(in),
       op(mpi::sum));
  BOTH(world(), scan, nothing, sums(round, 0, rank() + 1), send_buf(out), recv_buf(in),
       op(mpi::sum));
  BOTH(world(), exscan, nothing, rank() == 0 ? ints(out.size(), 7) : sums(round, 0, rank()),
       send_buf(out), recv_buf(in), op(mpi::sum), values_on_rank_0(ints(out.size(), 7)));
}

TEST(reductions_to_shares_start_again_and_again) {
  ints out(static_cast<std::size_t>(size()));
  ints in(1);
  const auto mine = [](int round) {
    return ints{sums(round, 0, size())[static_cast<std::size_t>(rank())]};
  };
  BOTH(world(), reduce_scatter_block, nothing, mine(round), send_buf(out), recv_buf(in),
       op(mpi::sum));
  BOTH(world(), reduce_scatter, nothing, mine(round), send_buf(out), recv_buf(in),
       recv_counts(counts()), op(mpi::sum));
}

TEST(exchanges_between_neighbors_start_again_and_again) {
  if (size() < 3)
    return;  // of two messages between the same processes, MPIs differ in which is which
  const int before = (rank() + size() - 1) % size(), next = (rank() + 1) % size();
  const distributed_graph ring(world(), {{before}, {next}});
  ints out(static_cast<std::size_t>(size()));
  ints in(1);
  const ints one{1}, zero{0};
  const auto theirs = [&](int round) { return ints{word(round, before, 0)}; };
  const char* const defect = "none";
  BOTH(ring, neighbor_allgather, defect, theirs(round), send_buf(out), send_count(1), recv_buf(in));
  BOTH(ring, neighbor_allgatherv, defect, theirs(round), send_buf(out), send_count(1), recv_buf(in),
       recv_counts(one), recv_displs(zero));
  BOTH(ring, neighbor_alltoall, defect, theirs(round), send_buf(out), send_count(1), recv_buf(in));
  BOTH(ring, neighbor_alltoallv, defect, theirs(round), send_buf(out), send_counts(one),
       send_displs(zero), recv_buf(in), recv_counts(one), recv_displs(zero));
  const std::vector<mpi::aint_t> nowhere{0};
  const std::vector<mpi::datatype_handle> types{mpi::int_};
  BOTH(ring, neighbor_alltoallw, defect, theirs(round), send_buf(out), send_counts(one),
       send_displs(nowhere), send_types(types), recv_buf(in), recv_counts(one),
       recv_displs(nowhere), recv_types(types));
}

// What a persistent message to or from nobody leaves in MPI must not reach the next operations.
TEST(persistent_collectives_are_right_after_messages_with_nobody) {
  const auto mine = static_cast<int>(rank());
  ints out(3, mine), in(3);
  for (int round = 0; round < 8; ++round) {
    const auto leave = [&](auto request) {
      if (round % 2 != 0) {
        request.start();
        request.wait();
      }
    };
    const bool both = round >= 4;
    if (round % 4 < 2 || both) leave(world().send_init(send_buf(out), destination(mpi::proc_null)));
    if (round % 4 >= 2 || both) leave(world().recv_init(recv_buf(in), source(mpi::proc_null)));
    if (both) leave(world().ssend_init(send_buf(out), destination(mpi::proc_null)));
    if constexpr (mpi::has_allreduce_init) {
      auto sum = world().allreduce_init(send_buf(out), recv_buf(in), op(std::plus<>()));
      auto sent = world().bcast_init(send_recv_buf(out), root(0));
      for (int again = 0; again < 3; ++again) {
        out.assign(3, mine + round + again);
        in.assign(3, -1);
        sum.start();
        sum.wait();
        const int n = size();
        check::equal(in, ints(3, n * (n - 1) / 2 + n * (round + again)));
        sent.start();
        sent.wait();
        check::equal(out, ints(3, round + again));
      }
    }
  }
}
