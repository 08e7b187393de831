// What a rank sends to itself and what its counts say of it: another length is an error on that rank,
// in every operation that takes both, form and kind of buffer, and the other ranks go on.

#include <mpiglot/plugins/policies.hpp>

#include "catchable.hpp"

using namespace catchable;

namespace {

// The errors of the runtime itself: MPI was told nothing wrong.
template <class Call>
void refused_on(bool here, Call call,
                std::source_location where = std::source_location::current()) {
  try {
    call();
    check::expect(!here, "no error was thrown", where);
  } catch (const mpi::unavailable&) {
  } catch (const count_error& error) {
    check::expect(here, error.what(), where);
  } catch (const too_small& error) {
    check::expect(here, error.what(), where);
  } catch (const std::exception& error) {
    check::fail(std::string("another error: ") + error.what(), where);
  }
  works_on();
}

#define REFUSED_IN_EVERY_FORM(here, operation, ...)                                    \
  refused_on(here, [&] { static_cast<void>(comm.operation(__VA_ARGS__)); });           \
  refused_on(here, [&] { static_cast<void>(comm.i##operation(__VA_ARGS__).wait()); }); \
  if (!check::known_defect("persistent-" #operation))                                  \
  refused_on(here, [&] { persistent(comm.operation##_init(__VA_ARGS__)); })

std::vector<int> zeros(std::size_t n) { return std::vector<int>(n); }

}  // namespace

TEST(counts_that_give_one_rank_another_length_than_it_sends_are_an_error_there) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const std::size_t one : {ranks - 1}) {
    const bool here = static_cast<std::size_t>(comm.rank()) == one;
    for (const int counted : {1, 3, 5000}) {
      const std::vector<int> mine = kinds::vector(comm.rank() + 1, 2);
      std::vector<int> counts(ranks, 2), displs(ranks), room(5002 * ranks);
      counts[one] = counted;
      const std::vector<short> of_short(counts.begin(), counts.end());
      const std::vector<count_t> of_mpi(counts.begin(), counts.end());
      for (std::size_t i = 0; i < ranks; ++i) displs[i] = static_cast<int>(5001 * i);
      std::span<int> view(room);

      REFUSED_IN_EVERY_FORM(here, allgatherv, send_buf(mine), recv_counts(counts));
      REFUSED_IN_EVERY_FORM(here, allgatherv, send_buf(mine), recv_counts(of_short));
      REFUSED_IN_EVERY_FORM(here, allgatherv, send_buf(mine), recv_counts(of_mpi), recv_buf(view));
      REFUSED_IN_EVERY_FORM(here, allgatherv, send_buf(std::vector<int>(mine)), recv_buf(room),
                            recv_counts(std::vector<int>(counts)));
      REFUSED_IN_EVERY_FORM(here, allgatherv, send_buf(mine), send_count(2), recv_buf(room),
                            recv_counts(counts), recv_displs(displs));
      std::vector<int> fitted;
      REFUSED_IN_EVERY_FORM(here, allgatherv, send_buf(mine), recv_buf<resize_to_fit>(fitted),
                            recv_counts(counts));
      if (!here) {
        std::vector<int> expected;
        for (std::size_t i = 0; i < ranks; ++i) {
          const std::vector<int> part = i == one ? zeros(static_cast<std::size_t>(counted))
                                                 : kinds::vector(static_cast<int>(i) + 1, 2);
          expected.insert(expected.end(), part.begin(), part.end());
        }
        check::equal(fitted, expected);
      }

      // At the root of gatherv, whoever that is.
      const auto to = root(static_cast<int>(one));
      REFUSED_IN_EVERY_FORM(here, gatherv, send_buf(mine), recv_counts(counts), to);
      REFUSED_IN_EVERY_FORM(here, gatherv, send_buf(mine), recv_counts(of_short), recv_buf(room),
                            to);
      REFUSED_IN_EVERY_FORM(here, gatherv, send_buf(mine), recv_counts(counts), recv_buf(view),
                            recv_displs(displs), to);
    }
  }
}

TEST(counts_that_are_wrong_for_all_are_an_error_on_all) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<int> mine = kinds::vector(comm.rank() + 1, 2), all(2 * ranks, comm.rank());
  std::vector<int> room(3 * ranks);
  for (const int counted : {1, 3}) {
    const std::vector<int> counts(ranks, counted), right(ranks, 2);
    REFUSED_IN_EVERY_FORM(true, allgatherv, send_buf(mine), recv_counts(counts));
    REFUSED_IN_EVERY_FORM(true, allgather, send_buf(mine), recv_count(counted));
    REFUSED_IN_EVERY_FORM(true, allgather, send_buf(mine), recv_buf(room), recv_count(counted));
    REFUSED_IN_EVERY_FORM(true, alltoall, send_buf(all), recv_count(counted));
    REFUSED_IN_EVERY_FORM(true, alltoall, send_buf(all), send_count(2), recv_buf(room),
                          recv_count(counted));
    const basic_communicator<with_outcomes> quiet;
    check::expect(!quiet.allgatherv(send_buf(mine), recv_counts(counts)));
    check::expect(!quiet.iallgatherv(send_buf(mine), recv_counts(counts)).wait());
    check::expect(!quiet.allgather(send_buf(mine), recv_count(counted)));
    check::expect(!quiet.alltoall(send_buf(all), recv_count(counted)));
    works_on();
    const basic_communicator<checked_together> together;
    check::thrown_by(
        [&] { static_cast<void>(together.allgatherv(send_buf(mine), recv_counts(counts))); });
    check::thrown_by([&] {
      static_cast<void>(together.alltoallv(send_buf(all), send_counts(right), recv_counts(counts)));
    });
    works_on();
  }
  // What is sent is a single value, a view, or encoded.
  kinds::matrix lies(comm.rank());
  const std::vector<int> three(ranks, 3);
  refused_on(true, [&] { static_cast<void>(comm.allgather(send_buf(7), recv_count(2))); });
  refused_on(true, [&] { static_cast<void>(comm.iallgather(send_buf(7), recv_count(2)).wait()); });
  refused_on(true, [&] { static_cast<void>(comm.allgatherv(send_buf(7), recv_counts(three))); });
  refused_on(true, [&] {
    static_cast<void>(comm.allgatherv(send_buf(lies.rectangle()), recv_counts(three)));
  });
}

TEST(a_part_of_another_length_than_recv_count_is_an_error_on_its_rank) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const std::size_t one : {ranks - 1}) {
    const bool here = static_cast<std::size_t>(comm.rank()) == one;
    for (const std::size_t length : {std::size_t{2}, std::size_t{700}}) {
      const std::vector<int> mine(here ? length : 3, comm.rank() + 1);
      std::vector<int> room(3 * ranks);
      REFUSED_IN_EVERY_FORM(here, allgather, send_buf(mine), recv_count(3));
      REFUSED_IN_EVERY_FORM(here, allgather, send_buf(mine), recv_buf(room), recv_count(3));
      if (!here) {
        for (std::size_t i = 0; i < 3 * ranks; ++i)
          check::equal(room[i], i / 3 == one ? 0 : static_cast<int>(i / 3) + 1);
      }
      const auto to = root(static_cast<int>(one));
      REFUSED_IN_EVERY_FORM(here, gather, send_buf(mine), recv_count(3), to);
      REFUSED_IN_EVERY_FORM(here, gather, send_buf(mine), recv_buf(room), recv_count(3), to);
      if (here) {
        for (std::size_t i = 0; i < 3 * ranks; ++i)
          check::equal(room[i], i / 3 == one ? 0 : static_cast<int>(i / 3) + 1);
      }
      const std::vector<int> all((here ? length : 3) * ranks, comm.rank() + 1);
      REFUSED_IN_EVERY_FORM(here, alltoall, send_buf(all), recv_count(3));
      REFUSED_IN_EVERY_FORM(here, alltoall, send_buf(all), recv_buf(room), recv_count(3));
    }
  }
}

TEST(the_own_part_of_an_alltoallv_is_compared_and_the_others_arrive) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto self = static_cast<std::size_t>(comm.rank());
  for (const std::size_t one : {ranks - 1}) {
    const bool here = self == one;
    for (const int counted : {1, 5000}) {
      for (const bool sends : {false, true}) {
        // On one side the own part has the length of all parts, on the other one it has not.
        std::vector<int> right(ranks, 2), wrong(ranks, 2), displs(ranks), room(5002 * ranks);
        for (std::size_t i = 0; i < ranks; ++i) displs[i] = static_cast<int>(5001 * i);
        if (here) wrong[one] = counted;
        const std::vector<int>& leaving = sends ? wrong : right;
        const std::vector<int>& coming = sends ? right : wrong;
        std::size_t length = 0;
        for (const int each : leaving) length += static_cast<std::size_t>(each);
        const std::vector<int> all(length, comm.rank() + 1);
        const std::vector<short> of_short(coming.begin(), coming.end());
        const std::vector<count_t> of_mpi(leaving.begin(), leaving.end());

        REFUSED_IN_EVERY_FORM(here, alltoallv, send_buf(all), send_counts(leaving),
                              recv_counts(coming));
        REFUSED_IN_EVERY_FORM(here, alltoallv, send_buf(all), send_counts(leaving), recv_buf(room),
                              recv_counts(of_short));
        refused_on(here, [&] {
          static_cast<void>(
              comm.alltoallv(send_buf(all), send_counts(of_mpi), recv_counts(coming)));
        });
        REFUSED_IN_EVERY_FORM(here, alltoallv, send_buf(std::vector<int>(all)),
                              send_counts(std::vector<int>(leaving)), recv_buf(room),
                              recv_counts(std::vector<int>(coming)), recv_displs(displs));
        for (std::size_t i = 0; i < ranks; ++i)
          if (i != self) {
            check::equal(room[5001 * i], static_cast<int>(i) + 1);
            check::equal(room[5001 * i + 1], static_cast<int>(i) + 1);
          }
      }
    }
  }
}

TEST(the_own_part_of_a_scatter_is_compared_at_the_root) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  for (const int one : {comm.size() - 1}) {
    const bool here = comm.rank() == one;
    const std::vector<int> all(3 * ranks, 7), counts(ranks, 3);
    for (const int counted : {2, 5000}) {
      const int mine = here ? counted : 3;
      std::vector<int> part(5000), exact(static_cast<std::size_t>(mine));
      REFUSED_IN_EVERY_FORM(here, scatter, send_buf(all), recv_count(mine), root(one));
      REFUSED_IN_EVERY_FORM(here, scatter, send_buf(all), send_count(3), recv_buf(part),
                            recv_count(mine), root(one));
      REFUSED_IN_EVERY_FORM(here, scatterv, send_buf(all), send_counts(counts), recv_count(mine),
                            root(one));
      REFUSED_IN_EVERY_FORM(here, scatterv, send_buf(all), send_counts(counts), recv_buf(part),
                            recv_count(mine), root(one));
      // A buffer of fixed length stands for its count.
      REFUSED_IN_EVERY_FORM(here, scatter, send_buf(all), recv_buf(exact), root(one));
      REFUSED_IN_EVERY_FORM(here, scatterv, send_buf(all), send_counts(counts), recv_buf(exact),
                            root(one));
      if (!here) check::equal(exact, std::vector<int>(3, 7));
    }
  }
}

TEST(a_count_in_place_does_not_leave_the_buffer) {
  const communicator comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<int> all(2 * ranks, 1);
  refused_on(true, [&] { comm.allgather(send_recv_buf(all), recv_count(3)); });
  refused_on(true, [&] { comm.iallgather(send_recv_buf(all), recv_count(3)).wait(); });
  refused_on(false, [&] { comm.allgather(send_recv_buf(all), recv_count(2)); });
  refused_on(false, [&] { comm.allgather(send_recv_buf(all), recv_count(1)); });
  const std::vector<int> counts(ranks, 2), more(ranks, 3);
  refused_on(false, [&] { comm.allgatherv(send_recv_buf(all), recv_counts(counts)); });
  refused_on(true, [&] { comm.allgatherv(send_recv_buf(all), recv_counts(more)); });
}
