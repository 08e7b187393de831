// Several accesses to files under way: every way to complete them, beside messages, too.

#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include <mpiglot/request_pool.hpp>
#include <mpiglot/wait.hpp>

#include "scratch.hpp"

using namespace mpiglot;

namespace {

using numbers = std::vector<int>;

// Of an access of a rank in a round; of 0 elements, too.
numbers values_of(int rank, int round, int access) {
  numbers all(
      static_cast<std::size_t>((access * (round + 3) + rank) % 5 == 0 ? 0 : 700 * access + round));
  std::iota(all.begin(), all.end(), 1'000'000 * rank + 10'000 * round + 1000 * access);
  return all;
}

constexpr int room = 4000;  // of an access, in the file
constexpr int accesses = 3;

mpi::offset_t place_of(int rank, int access) {
  return mpi::offset_t{room} * (accesses * rank + access);
}

struct completed {
  numbers values;
  std::optional<count_t> count;  // of its status, if asked for
};

template <class Request>
using requests_of = std::vector<Request>;

std::vector<completed> with_counts(const std::vector<numbers>& values,
                                   const std::vector<status>& statuses) {
  check::equal(values.size(), statuses.size());
  std::vector<completed> all;
  for (std::size_t i = 0; i < values.size(); ++i)
    all.push_back({values[i], mpi::get_count(statuses[i], mpi::int_)});
  return all;
}
std::vector<completed> without_counts(const std::vector<numbers>& values) {
  std::vector<completed> all;
  for (const numbers& each : values) all.push_back({each, {}});
  return all;
}

// Ways to complete requests of one type. They give the results.
template <class Requests>
using way = std::vector<completed> (*)(Requests&);

template <class Requests>
std::vector<completed> one_by_one(Requests& all, bool wait) {
  std::vector<completed> done(all.size());
  std::size_t count = 0;
  while (count < all.size()) {
    status told;
    const auto i = wait ? wait_any(status_out(told), all) : test_any(status_out(told), all);
    if (!i) {
      check::expect(!wait, "nothing is pending");
      continue;
    }
    done[*i] = {all[*i].wait(), mpi::get_count(told, mpi::int_)};
    ++count;
  }
  check::expect(!(wait ? wait_any(all) : test_any(all)).has_value());
  return done;
}
template <class Requests>
std::vector<completed> some_at_once(Requests& all, bool wait) {
  std::vector<completed> done(all.size());
  std::size_t count = 0;
  while (count < all.size()) {
    const auto [which, told] =
        wait ? wait_some(statuses_out(), all) : test_some(statuses_out(), all);
    for (std::size_t k = 0; k < which.size(); ++k)
      done[which[k]] = {all[which[k]].wait(), mpi::get_count(told[k], mpi::int_)};
    count += which.size();
  }
  check::equal(wait_some(all).size(), std::size_t{0});
  return done;
}
template <class Requests>
constexpr way<Requests> ways[] = {
    [](Requests& all) { return without_counts(wait_all(all)); },
    [](Requests& all) {
      auto [values, told] = wait_all(statuses_out(), all);
      return with_counts(values, told);
    },
    [](Requests& all) {
      while (true)
        if (auto done = test_all(all)) return without_counts(*done);
    },
    [](Requests& all) {
      while (true)
        if (auto done = test_all(statuses_out(), all))
          return with_counts(std::get<0>(*done), std::get<1>(*done));
    },
    // What a test has seen is not lost.
    [](Requests& all) {
      if (auto done = test_all(statuses_out(), all))
        return with_counts(std::get<0>(*done), std::get<1>(*done));
      auto [values, told] = wait_all(statuses_out(), all);
      return with_counts(values, told);
    },
    [](Requests& all) { return one_by_one(all, true); },
    [](Requests& all) { return one_by_one(all, false); },
    [](Requests& all) { return some_at_once(all, true); },
    [](Requests& all) { return some_at_once(all, false); },
};

// Ways for a pool, which ends with all complete.
using way_of_pool = void (*)(request_pool&);
constexpr way_of_pool ways_of_pools[] = {
    [](request_pool& pool) { pool.wait_all(); },
    [](request_pool& pool) {
      while (!pool.test_all()) {
      }
    },
    [](request_pool& pool) {
      while (pool.pending() > 0) check::expect(pool.wait_any().has_value());
    },
    [](request_pool& pool) {
      while (pool.pending() > 0) static_cast<void>(pool.test_any());
    },
    [](request_pool& pool) {
      while (pool.pending() > 0) check::expect(pool.wait_some() > 0);
    },
    [](request_pool& pool) {
      while (pool.pending() > 0) static_cast<void>(pool.test_some());
    },
    [](request_pool&) {},  // each by its own `wait`
};

// Makes `accesses` requests with `begin`, completes them in each way, and looks at what came. `rewind`
// comes before each round.
template <class Begin, class Rewind, class Right>
void in_each_way(Begin begin, Rewind rewind, Right right) {
  using request = decltype(begin(0, 0));
  using requests = requests_of<request>;
  int round = 0;
  for (const auto complete : ways<requests>) {
    rewind(round);
    requests all;
    for (int i = 0; i < accesses; ++i) all.push_back(begin(round, i));
    right(round, complete(all));
    ++round;
  }
  for (const auto complete : ways_of_pools) {
    rewind(round);
    request_pool pool;
    std::vector<decltype(pool.add(begin(0, 0)))> tickets;
    for (int i = 0; i < accesses; ++i) tickets.push_back(pool.add(begin(round, i)));
    complete(pool);
    std::vector<completed> done(accesses);
    for (int i = accesses; i-- > 0;)
      done[static_cast<std::size_t>(i)] = {tickets[static_cast<std::size_t>(i)].wait(), {}};
    right(round, done);
    ++round;
  }
}

// Reads values that were written by the blocking functions before.
template <class Begin>
void read_in_each_way(const file& from, const communicator& comm, Begin begin) {
  const auto rewind = [&](int round) {
    mpi::barrier(comm);
    for (int i = 0; i < accesses; ++i)
      from.write(send_buf(values_of(comm.rank(), round, i)), at(place_of(comm.rank(), i)));
    from.sync();
    mpi::barrier(comm);
    from.sync();
  };
  in_each_way(
      [&](int round, int i) {
        const auto length = static_cast<count_t>(values_of(comm.rank(), round, i).size());
        return begin(length, place_of(comm.rank(), i));
      },
      rewind,
      [&](int round, const std::vector<completed>& done) {
        check::equal(done.size(), static_cast<std::size_t>(accesses));
        for (int i = 0; i < accesses; ++i) {
          const completed& one = done[static_cast<std::size_t>(i)];
          const numbers expected = values_of(comm.rank(), round, i);
          check::equal(one.values, expected);
          if (one.count) check::equal(*one.count, static_cast<count_t>(expected.size()));
        }
      });
}

}  // namespace

TEST(several_begun_reads_complete_in_every_way) {
  const scratch place;
  const communicator& comm = place.comm();
  const file from = place.open();
  from.set_view<int>();
  read_in_each_way(from, comm, [&](count_t length, mpi::offset_t where) {
    return from.iread(recv_buf(numbers()), recv_count(length), at(where));
  });
}
TEST(several_begun_collective_reads_complete_in_every_way) {
  const scratch place;
  const communicator& comm = place.comm();
  const file from = place.open();
  from.set_view<int>();
  read_in_each_way(from, comm, [&](count_t length, mpi::offset_t where) {
    return from.iread(recv_buf(numbers()), recv_count(length), at(where), collectively());
  });
}

namespace {

// Ways to complete requests of several types without results.
template <class... Requests>
void complete_in_way(int way, Requests&... all) {
  std::vector<status> told(sizeof...(all));
  switch (way) {
    case 0:
      wait_all(all...);
      return;
    case 1:
      while (!test_all(all...)) {
      }
      return;
    case 2:
      while (!test_all(statuses_out(told), all...)) {
      }
      return;
    case 3:
      while (wait_any(all...)) {
      }
      break;
    case 4:
      for (std::size_t count = 0; count < sizeof...(all);)
        if (test_any(all...)) ++count;
      break;
    case 5:
      while (!wait_some(all...).empty()) {
      }
      break;
    case 6:
      for (std::size_t count = 0; count < sizeof...(all);) count += test_some(all...).size();
      break;
    default:
      if (!test_all(all...)) wait_all(all...);
      return;
  }
  (all.wait(), ...);
}
constexpr int ways_of_several = 8;

// Begins writes, completes them beside a message to oneself in each way, and reads what they wrote.
template <class Write>
void write_in_each_way(const file& to, const communicator& comm, Write write) {
  for (int way = 0; way < ways_of_several; ++way) {
    const numbers first = values_of(comm.rank(), way, 1), second = values_of(comm.rank(), way, 2);
    numbers came(3), once(3);
    const numbers sent{way, way + 1, comm.rank()}, kept{-way, 5, comm.rank()};
    auto persistent = comm.recv_init(recv_buf(once), source(comm.rank()), tag(7));
    persistent.start();
    auto a = write(first, place_of(comm.rank(), 1));
    auto message = comm.irecv(recv_buf(came), source(comm.rank()), tag(5));
    auto b = write(second, place_of(comm.rank(), 2));
    comm.send(send_buf(sent), destination(comm.rank()), tag(5));
    comm.send(send_buf(kept), destination(comm.rank()), tag(7));
    if (way % 2 == 0)
      complete_in_way(way, a, message, b);
    else
      complete_in_way(way, message, a, persistent, b);
    persistent.wait();
    check::equal(came, sent);
    check::equal(once, kept);
    check::equal(to.read(recv_buf(numbers()), recv_count(static_cast<count_t>(first.size())),
                         at(place_of(comm.rank(), 1))),
                 first);
    check::equal(to.read(recv_buf(numbers()), recv_count(static_cast<count_t>(second.size())),
                         at(place_of(comm.rank(), 2))),
                 second);
  }
}

}  // namespace

TEST(begun_writes_complete_beside_messages_in_every_way) {
  const scratch place;
  const communicator& comm = place.comm();
  const file to = place.open();
  to.set_view<int>();
  write_in_each_way(to, comm, [&](const numbers& what, mpi::offset_t where) {
    return to.iwrite(send_buf(what), at(where));
  });
}
TEST(begun_collective_writes_complete_beside_messages_in_every_way) {
  const scratch place;
  const communicator& comm = place.comm();
  const file to = place.open();
  to.set_view<int>();
  write_in_each_way(to, comm, [&](const numbers& what, mpi::offset_t where) {
    return to.iwrite(send_buf(what), at(where), collectively());
  });
}
TEST(what_a_test_in_vain_has_seen_of_a_file_is_kept) {
  const scratch place;
  const communicator& comm = place.comm();
  const file to = place.open();
  to.set_view<int>();
  for (int way = 0; way < 4; ++way) {
    const numbers mine(static_cast<std::size_t>(10 + way), comm.rank());
    numbers came(2);
    auto message = comm.irecv(recv_buf(came), source(comm.rank()), tag(3));
    auto written = to.iwrite(send_buf(mine), at(place_of(comm.rank(), 0)));
    std::vector<status> told(2);
    for (int i = 0; i < 20000 && written.pending(); ++i) check::expect(!test_all(message, written));
    comm.send(send_buf(numbers{way, 1}), destination(comm.rank()), tag(3));
    if (way == 0) {
      wait_all(statuses_out(told), message, written);
    } else if (way == 1) {
      while (!test_all(statuses_out(told), message, written)) {
      }
    } else {
      request_pool pool;
      pool.add(std::move(message));
      pool.add(std::move(written));
      if (way == 3) {
        while (!pool.test_all()) {
        }
        check::equal(came, numbers{way, 1});
        continue;
      }
      pool.wait_all(statuses_out(told));
    }
    check::equal(came, numbers{way, 1});
    check::equal(mpi::get_count(told[0], mpi::int_), count_t{2});
    check::equal(mpi::get_count(told[1], mpi::int_), static_cast<count_t>(mine.size()));
  }
}
TEST(a_test_does_not_wait_for_ranks_that_begin_later) {
  const scratch place;
  const communicator& comm = place.comm();
  const file to = place.open();
  to.set_view<int>();
  const int length = 3;
  const auto write = [&](int access) {
    return to.iwrite(send_buf(numbers(length, 10 * comm.rank() + access)),
                     at(place_of(comm.rank(), access)), collectively());
  };
  if (comm.rank() > 0) static_cast<void>(comm.recv<int>(source(comm.rank() - 1)));
  auto a = write(0);
  auto b = write(1);
  const bool complete = test_all(a, b);
  if (comm.rank() + 1 < comm.size()) comm.send(send_buf(1), destination(comm.rank() + 1));
  if (!complete) wait_all(a, b);
  for (int access = 0; access < 2; ++access)
    check::equal(
        to.read(recv_buf(numbers()), recv_count(length), at(place_of(comm.rank(), access))),
        numbers(length, 10 * comm.rank() + access));
}
