// Ranks that disagree about a length: an error on the rank that sees it, never a wrong result.

#include "catchable.hpp"

#include <mpiglot/at_most.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/strided.hpp>

#include <array>

using namespace catchable;

TEST(a_bcast_into_an_empty_vector_is_an_error_there) {
  const communicator comm;
  for (const int length : {3, 100, 300, 5000}) {
    for (int round = 0; round < 3; ++round) {
      const bool here = comm.rank() == comm.size() - 1 && comm.rank() != 0;
      std::vector<int> values = here ? std::vector<int>() : kinds::vector(comm.rank(), length);
      if (here)
        caught<too_small>([&] { comm.bcast(send_recv_buf(values)); });
      else
        comm.bcast(send_recv_buf(values));
      check::equal(values, here ? std::vector<int>() : kinds::vector(0, length));
      works_on();
    }
  }
}

TEST(a_bcast_into_a_longer_buffer_is_an_error_there) {
  const communicator comm;
  const bool here = comm.rank() == comm.size() - 1 && comm.rank() != 0;
  for (const int length : {0, 3, 300, 5000}) {
    std::vector<int> values = kinds::vector(comm.rank(), here ? length + 2 : length);
    if (here) {
      caught<count_error>([&] { comm.bcast(send_recv_buf(values)); });
      std::span<int> view(values);
      caught<count_error>([&] { comm.bcast(send_recv_buf(view)); });
    } else {
      comm.bcast(send_recv_buf(values));
      comm.bcast(send_recv_buf(values));
    }
    works_on();
  }
}

TEST(ranks_of_a_bcast_may_differ_in_how_they_make_room) {
  const communicator comm;
  for (const int length : {0, 1, 60, 400, 9000}) {
    const std::vector<int> expected = kinds::vector(5, length);
    std::vector<int> values = comm.rank() == 0 ? expected : std::vector<int>(expected.size());
    std::span<int> view(values);
    std::vector<int> grown = values;
    if (comm.rank() % 3 == 1) grown.clear();
    switch (comm.rank() % 4) {
      case 0:
        comm.bcast(send_recv_buf(values));
        break;
      case 1:
        comm.bcast(send_recv_buf<resize_to_fit>(grown));
        check::equal(grown, expected);
        break;
      case 2:
        comm.bcast(send_recv_buf(view));
        break;
      default:
        comm.bcast(send_recv_buf<grow_only>(values));
    }
    if (comm.rank() % 4 != 1) check::equal(values, expected);
    works_on();
  }
}

TEST(a_bcast_with_a_count_is_one_message_on_all_ranks) {
  const communicator comm;
  std::array<int, 4> values{};
  if (comm.rank() == 0) values = {1, 2, 3, 4};
  comm.bcast(send_recv_buf(values), send_recv_count(3));
  check::equal(values, (std::array<int, 4>{1, 2, 3, comm.rank() == 0 ? 4 : 0}));
}

TEST(a_strided_view_is_broadcast_to_elements_one_after_another) {
  const communicator comm;
  kinds::matrix lies(comm.rank());
  std::vector<double> packed(6);
  auto view = lies.rectangle();
  if (comm.rank() == 0)
    comm.bcast(send_recv_buf(view));
  else
    comm.bcast(send_recv_buf(packed));
  if (comm.rank() != 0) check::equal(packed, kinds::rectangle_of(0));
}

TEST(a_scatter_into_a_buffer_of_another_length_is_an_error_there) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const bool here = comm.rank() == comm.size() - 1;
  for (const std::size_t each : {std::size_t{1}, std::size_t{50}, std::size_t{4000}}) {
    const std::vector<int> all(each * ranks, 7), counts(ranks, static_cast<int>(each));
    for (const bool longer : {false, true}) {
      std::vector<int> part(here ? (longer ? each + 1 : each - 1) : each);
      fails_on(here, [&] { comm.scatter(send_buf(all), recv_buf(part)); });
      fails_on(here, [&] { comm.scatterv(send_buf(all), send_counts(counts), recv_buf(part)); });
      fails_on(here, [&] {
        comm.scatterv(send_buf(all), send_counts(counts), recv_buf(part), lengths_first());
      });
      if (!here) check::equal(part, std::vector<int>(each, 7));
    }
  }
}

TEST(ranks_of_a_scatter_may_differ_in_how_they_make_room) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const std::size_t each :
       {std::size_t{0}, std::size_t{3}, std::size_t{60}, std::size_t{3000}}) {
    const std::vector<int> all = kinds::vector(4, static_cast<int>(each * ranks));
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(each) * comm.rank();
    const std::vector<int> expected(begin, begin + static_cast<std::ptrdiff_t>(each));
    std::vector<int> part(comm.rank() % 2 == 0 ? each : 0);
    if (comm.rank() % 2 == 0)
      comm.scatter(send_buf(all), recv_buf(part));
    else
      comm.scatter(send_buf(all), recv_buf<resize_to_fit>(part));
    check::equal(part, expected);
  }
}

// At level `communication`, where unequal.cpp has what is a disagreement.
TEST(elements_of_one_datatype_are_one_type_where_ranks_compare) {
  const basic_communicator<checked_together> comm;
  const bool here = comm.rank() == 0;
  std::vector<int> ints(2);
  enum class color { red };
  if (here)
    comm.bcast(send_recv_buf(ints), send_recv_count(2));
  else
    comm.bcast(send_recv_buf(std::vector<color>(2)), send_recv_count(2));
  std::vector<boolean> truths(2);
  bool pair[2] = {};
  if (here)
    comm.bcast(send_recv_buf(truths), send_recv_count(2));
  else
    comm.bcast(send_recv_buf(pair), send_recv_count(2));
}

namespace {

// A matrix with gaps between its rows.
struct matrix {
  std::vector<double> memory;
  long rows, columns;
  matrix(long height, long width)
      : memory(static_cast<std::size_t>(height * (width + 1)), 1), rows(height), columns(width) {}
  [[nodiscard]] strided_view<double> view() { return {memory.data(), rows, columns, columns + 1}; }
};

}  // namespace

// The elements are as many, so only the shapes tell that what arrives is not what was meant.
TEST(views_of_different_shapes_are_a_disagreement_where_ranks_compare) {
  const basic_communicator<checked_together> comm;
  const long ranks = comm.size();
  const bool here = comm.rank() == comm.size() - 1;
  const std::vector<int> counts(static_cast<std::size_t>(ranks), 12);
  matrix three_rows(3, 4), four_rows(4, 3), all_fours(3 * ranks, 4), all_threes(4 * ranks, 3);
  // On this communicator nobody, or only the last rank, gives the other shape.
  const auto sent = three_rows.view();
  const auto received = four_rows.view();
  const auto mixed = here ? four_rows.view() : three_rows.view();
  const auto all_sent = all_fours.view();
  const auto all_received = all_threes.view();
  const auto all_mixed = here ? all_threes.view() : all_fours.view();

  DIFFERS_IN_EVERY_FORM(allgather, send_buf(sent), recv_buf(all_received));
  DIFFERS_IN_EVERY_FORM(allgatherv, send_buf(sent), recv_buf(all_received), recv_counts(counts));
  DIFFERS_IN_EVERY_FORM(gather, send_buf(sent), recv_buf(all_received));
  DIFFERS_IN_EVERY_FORM(gatherv, send_buf(sent), recv_buf(all_received), recv_counts(counts));
  DIFFERS_IN_EVERY_FORM(scatter, send_buf(all_sent), recv_buf(received));
  DIFFERS_IN_EVERY_FORM(scatterv, send_buf(all_sent), send_counts(counts), recv_buf(received));
  DIFFERS_IN_EVERY_FORM(alltoall, send_buf(all_sent), recv_buf(all_received));
  DIFFERS_IN_EVERY_FORM(alltoallv, send_buf(all_sent), send_counts(counts), recv_buf(all_received),
                        recv_counts(counts));
  DIFFERS_IN_EVERY_FORM(reduce, send_buf(sent), recv_buf(received), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(allreduce, send_buf(sent), recv_buf(received), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(scan, send_buf(sent), recv_buf(received), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(exscan, send_buf(sent), recv_buf(received), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(reduce_scatter_block, send_buf(all_sent), recv_buf(received), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(reduce_scatter, send_buf(all_sent), recv_buf(received), recv_counts(counts),
                        op(mpi::sum));
  caught<disagreement>([&] { comm.allgatherv(send_buf(sent), recv_buf(all_received)); });
  caught<disagreement>(
      [&] { comm.alltoallv(send_buf(all_sent), send_counts(counts), recv_buf(all_received)); });
  works_on();

  if (comm.size() == 1) return;
  DIFFERS_IN_EVERY_FORM(bcast, send_recv_buf(mixed));
  DIFFERS_IN_EVERY_FORM(bcast, send_recv_buf(mixed), send_recv_count(12));
  DIFFERS_IN_EVERY_FORM(bcast, send_recv_buf(at_most(200, mixed)));
  DIFFERS_IN_EVERY_FORM(gather, send_buf(mixed));
  DIFFERS_IN_EVERY_FORM(allgather, send_recv_buf(all_mixed));
  DIFFERS_IN_EVERY_FORM(alltoall, send_recv_buf(all_mixed));
  DIFFERS_IN_EVERY_FORM(scatter, send_buf(all_sent), recv_buf(mixed));
  DIFFERS_IN_EVERY_FORM(allreduce, send_recv_buf(mixed), op(mpi::sum));
  DIFFERS_IN_EVERY_FORM(scan, send_recv_buf(mixed), op(mpi::sum));
}

TEST(views_that_may_differ_do) {
  const basic_communicator<checked_together> comm;
  const long ranks = comm.size();
  const bool here = comm.rank() == comm.size() - 1;
  matrix mine(3, 4), other(4, 3), row(1, 12), column(12, 1), all(3 * ranks, 4);
  std::vector<double> flat(12);
  const auto shared = all.view();

  comm.allgather(send_buf(mine.view()), recv_buf(shared));
  comm.allgather(send_buf(flat), recv_buf(shared));
  comm.allreduce(send_buf(row.view()), recv_buf(column.view()), op(mpi::sum));
  comm.allreduce(send_buf(row.view()), recv_buf(mine.view()), op(mpi::sum));
  if (here)
    comm.bcast(send_recv_buf(flat));
  else
    comm.bcast(send_recv_buf(mine.view()));
  // Only the root's buffers take part here.
  const auto unused = comm.rank() == 0 ? mine.view() : other.view();
  comm.reduce(send_buf(mine.view()), recv_buf(unused), op(mpi::sum));
  matrix some(comm.rank() == 0 ? 3 * ranks : 4 * ranks, comm.rank() == 0 ? 4 : 3);
  comm.scatter(send_buf(some.view()), recv_buf(mine.view()));
  comm.gather(send_buf(mine.view()), recv_buf(some.view()));
  works_on();
}
