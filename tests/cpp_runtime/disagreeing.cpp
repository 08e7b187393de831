// Ranks that disagree about a length: an error on the rank that sees it, never a wrong result.

#include "catchable.hpp"

#include <mpiglot/plugins/policies.hpp>

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

// At level `communication`: everybody learns of it, and nobody gets garbage.
TEST(elements_of_different_types_are_a_disagreement_where_ranks_compare) {
  const basic_communicator<checked_together> comm;
  const bool here = comm.rank() == 0;
  if (comm.size() == 1) return;
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<int> ints(3 * ranks);
  std::vector<float> floats(3 * ranks);
  const auto differ = [&](auto call) {
    caught<disagreement>([&] {
      if (here)
        call(ints);
      else
        call(floats);
    });
    works_on();
  };
  differ([&](auto& v) { comm.bcast(send_recv_buf(v)); });
  differ([&](auto& v) { comm.ibcast(send_recv_buf(v)).wait(); });
  differ([&](auto& v) { static_cast<void>(comm.gather(send_buf(v))); });
  differ([&](auto& v) { static_cast<void>(comm.allgather(send_buf(v))); });
  differ([&](auto& v) { static_cast<void>(comm.allgatherv(send_buf(v))); });
  differ([&](auto& v) { static_cast<void>(comm.scatter(send_buf(v))); });
  differ([&](auto& v) { static_cast<void>(comm.alltoall(send_buf(v))); });
  differ([&](auto& v) { static_cast<void>(comm.allreduce(send_buf(v), op(mpi::sum))); });
  differ([&](auto& v) { static_cast<void>(comm.scan(send_buf(v), op(mpi::sum))); });

  // What has one datatype is one type; raw memory says nothing.
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
