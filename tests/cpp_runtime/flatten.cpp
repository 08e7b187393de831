// Nested containers that say themselves what is for which rank.

#include "../cpp/check.hpp"

#include <map>
#include <utility>

#include <mpiglot/communicator.hpp>
#include <mpiglot/flatten.hpp>

using namespace mpiglot;

namespace {

using letters = std::vector<std::pair<int, std::vector<int>>>;

}  // namespace

TEST(items_for_the_same_rank_arrive_one_after_another) {
  const communicator comm;
  const int next = (comm.rank() + 1) % comm.size();
  const letters out{{next, {1, 2}}, {0, {}}, {next, {3}}, {next, {4, 5, 6}}};
  const std::vector<int> in = comm.alltoallv(send_buf(flattened(out)));
  check::equal(in, (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST(a_map_of_ranks_and_a_range_for_each_rank_are_flattened_alike) {
  const communicator comm;
  std::map<int, std::vector<double>> by_rank;
  std::vector<std::vector<double>> for_each(static_cast<std::size_t>(comm.size()));
  for (int to = 0; to < comm.size(); to += 2) {
    by_rank[to] = std::vector<double>(static_cast<std::size_t>(300 * to + 1), comm.rank() + 0.5);
    for_each[static_cast<std::size_t>(to)] = by_rank[to];
  }
  const auto [in, counts] = comm.alltoallv(send_buf(flattened(by_rank)), recv_counts_out());
  check::equal(comm.alltoallv(send_buf(flattened(std::move(for_each)))), in);
  const int each = comm.rank() % 2 == 0 ? 300 * comm.rank() + 1 : 0;
  check::equal(counts, std::vector<int>(static_cast<std::size_t>(comm.size()), each));
  if (each > 0) check::equal(in.back(), comm.size() - 0.5);
}

TEST(a_root_scatters_a_range_for_each_rank) {
  const communicator comm;
  std::vector<std::vector<int>> parts;
  if (comm.rank() == 0)
    for (int i = 0; i < comm.size(); ++i) parts.emplace_back(static_cast<std::size_t>(i), i);
  const std::vector<int> mine = comm.scatterv(send_buf(flattened(parts)), root(0));
  check::equal(mine, std::vector<int>(static_cast<std::size_t>(comm.rank()), comm.rank()));
}

TEST(an_item_for_a_rank_that_does_not_exist_is_an_error_on_all_ranks) {
  const communicator comm;
  for (const int wrong : {comm.size(), -1}) {
    const letters out{{comm.rank() == 0 ? wrong : 0, {1}}};
    const auto call = [&] { static_cast<void>(comm.alltoallv(send_buf(flattened(out)))); };
    if (comm.rank() == 0)
      check::thrown_by<count_error>(call);
    else
      check::equal(check::thrown_by<remote_failure>(call).failed_rank(), 0);
    const letters right{{0, {7}}};
    const std::vector<int> in = comm.alltoallv(send_buf(flattened(right)));
    check::equal(in.size(), static_cast<std::size_t>(comm.rank() == 0 ? comm.size() : 0));
  }
}
