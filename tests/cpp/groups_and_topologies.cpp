#include "check.hpp"

#include <array>

TEST(communicators_are_compared_by_name) {
  mpi::unique_comm copy{mpi::comm_dup(mpi::comm_world)};
  check::expect(mpi::comm_compare(mpi::comm_world, mpi::comm_world) == mpi::comparison::ident);
  check::expect(mpi::comm_compare(mpi::comm_world, copy) == mpi::comparison::congruent);
}

TEST(a_communicator_is_split_by_colour) {
  mpi::unique_comm half{mpi::comm_split(mpi::comm_world, check::rank() % 2, -check::rank())};
  const int wanted = (check::size() + (check::rank() % 2 == 0 ? 1 : 0)) / 2;
  check::equal(mpi::comm_size(half), wanted);
  const int above = (check::size() - 1 - check::rank()) / 2;
  check::equal(mpi::comm_rank(half), above);
  const mpi::unique_comm none{mpi::comm_split(mpi::comm_world, mpi::undefined, 0)};
  check::expect(!none);
}

TEST(ranges_of_ranks_make_a_group) {
  mpi::unique_group world{mpi::comm_group(mpi::comm_world)};
  const std::array<mpi::rank_range, 1> ranges{{{check::size() - 1, 0, -1}}};
  mpi::unique_group reversed{mpi::group_range_incl(world, ranges)};
  check::equal(mpi::group_size(reversed), check::size());
  check::equal(mpi::group_rank(reversed), check::size() - 1 - check::rank());

  std::vector<int> ranks;
  for (int i = 0; i < check::size(); ++i) ranks.push_back(i);
  std::vector<int> translated(ranks.size());
  mpi::group_translate_ranks(world, ranks, reversed, translated);
  for (int i = 0; i < check::size(); ++i)
    check::equal(translated[static_cast<std::size_t>(i)], check::size() - 1 - i);
}

TEST(a_cartesian_grid_knows_its_neighbours) {
  std::array<int, 2> dimensions{0, 1};
  mpi::dims_create(check::size(), dimensions);
  check::equal(dimensions[0], check::size());
  const std::array<int, 2> periods{1, 0};
  mpi::unique_comm grid{mpi::cart_create(mpi::comm_world, dimensions, periods, false)};
  check::expect(mpi::topo_test(grid) == mpi::topology::cart);

  std::array<int, 2> found_dimensions{};
  std::array<int, 2> found_periods{};
  std::array<int, 2> coordinates{};
  mpi::cart_get(grid, found_dimensions, found_periods, coordinates);
  check::equal(found_dimensions, dimensions);
  check::expect(found_periods[0] != 0 && found_periods[1] == 0);
  check::equal(coordinates[0], mpi::comm_rank(grid));

  const auto [before, after] = mpi::cart_shift(grid, 0, 1);
  check::equal(after, (mpi::comm_rank(grid) + 1) % check::size());
  check::equal(before, (mpi::comm_rank(grid) + check::size() - 1) % check::size());
}

TEST(values_that_are_only_read_may_stand_in_braces) {
  mpi::unique_group world{mpi::comm_group(mpi::comm_world)};
  mpi::unique_group none{mpi::group_incl(world, {})};
  check::equal(mpi::group_size(none), 0);
  mpi::unique_group first{mpi::group_incl(world, {0})};
  check::equal(mpi::group_size(first), 1);
  mpi::unique_group all{mpi::group_range_incl(world, {{0, check::size() - 1, 1}})};
  check::equal(mpi::group_size(all), check::size());
  mpi::unique_comm line{mpi::cart_create(mpi::comm_world, {1, check::size()}, {0, 1}, false)};
  check::equal(mpi::cart_rank(line, {0, 0}), 0);
}

TEST(values_in_braces_that_fit_both_widths_go_to_the_small_function) {
  const mpi::unique_datatype spread{mpi::type_create_hindexed({1, 2}, {4, 16}, mpi::int_)};
  check::equal(mpi::type_size(spread), 12);
  check::equal(mpi::type_get_extent(spread).lb, 4);
  const std::vector<mpi::count_t> wide{0, 3};
  const mpi::unique_datatype mixed{mpi::type_indexed({1, 1}, wide, mpi::int_)};
  check::equal(mpi::type_get_extent(mixed).extent, 16);
  int one = 5;
  int all[1] = {};
  mpi::allgatherv(&one, 1, mpi::int_, all, {1}, {0}, mpi::int_, mpi::comm_self);
  check::equal(all[0], 5);
}

// Where C writes, braces are no array: `{0, 0}` would be a null address
// otherwise.
template <class T>
concept made_of_zeros = requires(void (*take)(mpi::span<T>)) { take({0, 0}); };
static_assert(made_of_zeros<const int> && !made_of_zeros<int>);

TEST(a_graph_may_have_no_weights) {
  const std::array<int, 1> before{(check::rank() + check::size() - 1) % check::size()};
  const std::array<int, 1> after{(check::rank() + 1) % check::size()};
  mpi::unique_comm ring{mpi::dist_graph_create_adjacent(
      mpi::comm_world, before, mpi::unweighted, after, mpi::unweighted, mpi::info_null, false)};
  int theirs = -1;
  const int mine = check::rank();
  mpi::neighbor_allgather(&mine, 1, mpi::int_, &theirs, 1, mpi::int_, ring);
  check::equal(theirs, before[0]);
  const auto [in, out, weighted] = mpi::dist_graph_neighbors_count(ring);
  check::expect(in == 1 && out == 1 && !weighted);
  std::array<int, 1> sources{-1};
  std::array<int, 1> destinations{-1};
  mpi::dist_graph_neighbors(ring, sources, mpi::unweighted, destinations, mpi::unweighted);
  check::expect(sources == before && destinations == after);
}

TEST(weights_are_as_many_as_neighbours_on_both_sides) {
  const int next[] = {0};
  const int weights[] = {1, 1};
  const auto code = [&](mpi::span<const int> in, mpi::span<const int> out) {
    return mpi::nothrow::dist_graph_create_adjacent(mpi::comm_self, next, in, next, out,
                                                    mpi::info_null, false)
        .code;
  };
  check::equal(code(weights, mpi::unweighted), MPI_ERR_ARG);
  check::equal(code(mpi::unweighted, weights), MPI_ERR_ARG);
  check::equal(code({}, {1}), MPI_ERR_ARG);
  check::equal(code({1}, {}), MPI_ERR_ARG);
}
