// Processes that are killed, and what the others do then: surviving.py starts this program.
//
//   surviving possible            whether MPI goes on
//   surviving calls               rank 1 dies; the single calls
//   surviving states SEED DEAD FILE   so many ranks die, at random moments; the state of all is right in the end,
//                                     which the file says then: launchers lose what is printed at the end
//   surviving steps SEED DEAD FILE    the same, of steps that the program restores
//   surviving lost                two neighbours die with all copies of a state
//   surviving uncaught            the same, and nobody catches that
//   surviving thrown              a step throws something else on one rank

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mpiglot/environment.hpp>
#include <mpiglot/plugins/fault_tolerance.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/ranges.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <mpiglot/topology.hpp>
#include <numeric>
#include <stdexcept>
#include <string>

using namespace mpiglot;

namespace {

using tolerant = basic_communicator<fault_tolerant, sorter, ranges, grid_alltoall, sparse_alltoall>;

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

template <class Error, class Call>
void throws(const char* what, Call call) {
  try {
    call();
  } catch (const Error&) {
    return;
  }
  require(false, what);
}

void die() { raise(SIGKILL); }
void die_within_a_second(unsigned seed) {
  std::srand(seed);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  itimerspec when{};
  when.it_value.tv_nsec = 1 + std::rand() % 999'000'000;
  timer_settime(timer, 0, &when, nullptr);
}

// Rank 1 is dead: what each call says.
void calls() {
  const tolerant world;
  const tolerant comm = world.dup(), child = comm.split(comm.rank() % 2), other = comm.dup();
  static_cast<void>(comm.sort(send_buf(std::vector<int>(3, comm.rank()))));
  require(world.survives_failures() && !comm.is_revoked() && comm.failed().size() == 0, "none");
  require(comm.agree(true) && comm.agree(6) == 6, "agreement of all");
  require(!comm.agree(comm.rank() != 2) && comm.agree(comm.rank() == 2 ? 5 : 6) == 4,
          "and of some");
  if (comm.rank() == 1) die();
  throws<process_failed>("a receive from the dead", [&] { comm.recv(recv_buf(0), source(1)); });
  throws<process_failed>("a request to the dead", [&] {
    auto request = comm.irecv(recv_buf(0), source(1));
    request.wait();
  });
  const group dead = comm.failed();
  require(dead.size() == 1 && dead.translate(0, comm.group()) == 1, "who failed");
  throws<process_failed>("agreement without acknowledgement",
                         [&] { static_cast<void>(comm.agree(true)); });
  require(comm.ack() == 1, "one is acknowledged");
  // All have acknowledged once all have come to an agreement.
  try {
    static_cast<void>(comm.agree(true));
  } catch (const process_failed&) {
  }
  require(comm.agree(true) && !comm.agree(comm.rank() != 0), "agreement of those left");
  tolerant rest = comm.shrink();
  require(rest.size() == comm.size() - 1 && rest.rank() == comm.rank() - (comm.rank() > 1), "rest");
  const int sum = rest.allreduce_single(send_buf(comm.rank()), op(mpi::sum));
  require(sum == comm.size() * (comm.size() - 1) / 2 - 1, "the rest computes");
  // Revoked by one rank, what was made of it, too, also what operations keep.
  if (comm.rank() == 0) comm.revoke();
  throws<revoked>("a receive", [&] { comm.recv(recv_buf(0), source(comm.rank())); });
  require(comm.is_revoked(), "it knows");
  comm.revoke();
  throws<revoked>("of a part", [&] { child.recv(recv_buf(0), source(child.rank())); });
  throws<revoked>("of a duplicate", [&] { other.barrier(); });
  throws<revoked>("a sort",
                  [&] { static_cast<void>(comm.sort(send_buf(std::vector<int>(3, 1)))); });
  throws<revoked>("outcomes and requests", [&] {
    auto request = comm.iallreduce(send_buf(1), op(mpi::sum));
    static_cast<void>(request.wait());
  });
  require(!rest.is_revoked(), "the rest is another family");
  rest.barrier();
}

struct part {
  int step = 0;
  std::vector<int> values;
  static void fields(auto& self, auto&& visit) { visit(self.step, self.values); }
};

constexpr int all_values = 2000, all_steps = 200;

void require_all(const tolerant& comm, const part& mine, int steps) {
  std::vector<int> all = comm.allgatherv(send_buf(mine.values));
  std::sort(all.begin(), all.end());
  std::vector<int> right(all_values);
  std::iota(right.begin(), right.end(), 0);
  require(all == right, "the values of all");
  require(mine.step == steps, "the steps");
}

part first_part(const tolerant& comm) {
  part made;
  for (int i = comm.rank(); i < all_values; i += comm.size()) made.values.push_back(i);
  return made;
}
// Many kinds of communication, with communicators of their own and requests in flight.
void mix(const tolerant& comm, part& mine) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  auto steps = comm.iallgather(send_buf(mine.step));
  std::vector<int> theirs(1);
  auto before = comm.irecv(recv_buf(theirs), source((comm.rank() + comm.size() - 1) % comm.size()));
  comm.send(send_buf(mine.step), destination((comm.rank() + 1) % comm.size()));
  comm.sort(send_recv_buf(mine.values));
  std::vector<std::size_t> counts(ranks, 0);
  counts[static_cast<std::size_t>(mine.step + comm.rank()) % ranks] = mine.values.size();
  mine.values = comm.alltoallv_grid(send_buf(mine.values), send_counts(counts));
  const tolerant half = comm.split(comm.rank() % 2);
  const int size = half.allreduce_single(send_buf(1), op(mpi::sum));
  const std::vector<std::pair<int, std::vector<int>>> message{
      {comm.size() - 1 - comm.rank(), {size}}};
  require(comm.alltoall_sparse(sparse_send_buf(message)).size() == 1, "one message");
  before.wait();
  for (const int each : steps.wait()) require(each == mine.step, "all are in the same step");
  require(theirs[0] == mine.step, "the neighbour, too");
  usleep(2000);
  ++mine.step;
}

void write_right(const char* name) {
  std::FILE* const file = std::fopen(name, "w");
  require(file != nullptr && std::fputs("right", file) >= 0 && std::fclose(file) == 0, "a file");
}

void states(unsigned seed, int dead, const char* file) {
  const tolerant world;
  const int rank = world.rank();
  if (rank >= 1 && rank <= dead) die_within_a_second(seed * 100 + static_cast<unsigned>(rank));
  const auto [comm, mine] = resilient(
      world, &first_part,
      [](const tolerant& on, part& own) {
        mix(on, own);
        if (own.step == all_steps) require_all(on, own, all_steps);
        return own.step < all_steps;
      },
      [](const tolerant& on, std::vector<part> parts) {
        part all{parts.at(0).step, {}};
        for (const part& each : parts) {
          require(each.step == all.step, "parts of one step");
          all.values.insert(all.values.end(), each.values.begin(), each.values.end());
        }
        all.values = on.redistribute(send_buf(all.values));
        return all;
      },
      2);
  require(mine.step == all_steps, "the last step");
  if (comm.rank() == 0) write_right(file);
}

void steps(unsigned seed, int dead, const char* file) {
  const tolerant world;
  const int rank = world.rank();
  if (rank >= 1 && rank <= dead) die_within_a_second(seed * 100 + static_cast<unsigned>(rank));
  tolerant comm = world.borrow();
  for (int step = 0; step < 20; ++step) {
    part mine;
    comm = resilient(comm, [&](const tolerant& on) {
      mine = first_part(on);
      for (int i = 0; i < 10; ++i) mix(on, mine);
      require_all(on, mine, 10);
    });
    require(mine.step == 10, "the steps of the last time");
  }
  if (comm.rank() == 0) write_right(file);
}

// One copy of each state, and two neighbours die.
void lose() {
  const tolerant world;
  static_cast<void>(resilient(
      world, [](const tolerant&) { return 0; },
      [&](const tolerant& comm, int& step) {
        if (step == 3 && (world.rank() == 1 || world.rank() == 2)) die();
        comm.barrier();
        return ++step < 6;
      },
      [](const tolerant&, const std::vector<int>& all) { return all.at(0); }));
}

// The others wait for the rank that throws: in a collective, for a message, in requests, in steps with states.
void thrown() {
  const tolerant world;
  const auto throws_there = [&](const char* what, auto run) {
    if (world.rank() == 2)
      throws<std::runtime_error>(what, run);
    else
      throws<remote_failure>(what, run);
  };
  const auto expect = [&](const char* what, auto step) {
    int repeated = 0;
    throws_there(what, [&] {
      static_cast<void>(resilient(world, [&](const tolerant& comm) {
        ++repeated;
        step(comm);
      }));
    });
    require(repeated == 1, what);
  };
  const auto at_2 = [&] {
    if (world.rank() == 2) throw std::runtime_error("a mistake");
  };
  expect("nobody waits", [&](const tolerant&) { at_2(); });
  expect("a barrier", [&](const tolerant& comm) {
    at_2();
    comm.barrier();
  });
  expect("a message", [&](const tolerant& comm) {
    at_2();
    comm.recv(recv_buf(0), source(2));
  });
  expect("a request", [&](const tolerant& comm) {
    auto sums = comm.iallreduce(send_buf(1), op(mpi::sum));
    static_cast<void>(sums.wait());
    at_2();
    auto request = comm.irecv(recv_buf(0), source(2));
    request.wait();
  });
  expect("an operation of several messages", [&](const tolerant& comm) {
    at_2();
    static_cast<void>(comm.sort(send_buf(std::vector<int>(3, comm.rank()))));
  });
  expect("a part", [&](const tolerant& comm) {
    const tolerant half = comm.split(0);
    at_2();
    half.barrier();
  });
  expect("a grid", [&](const tolerant& comm) {
    const basic_cartesian<fault_tolerant> line(comm, {comm.size()}, {0});
    at_2();
    line.barrier();
  });
  expect("a request of several messages", [&](const tolerant& comm) {
    const std::vector<std::size_t> counts(static_cast<std::size_t>(comm.size()), 2);
    const std::vector<int> all(2 * counts.size(), 1);
    const auto request = comm.ialltoallv_grid(send_buf(all), send_counts(counts));
    at_2();
    comm.recv(recv_buf(0), source(2));
  });
  expect("its own requests", [&](const tolerant& comm) {
    int theirs[2] = {};
    std::vector<int> one(1), of_all(static_cast<std::size_t>(comm.size()));
    if (comm.rank() == 2) {
      const auto receive = comm.irecv(recv_buf(one), source(0), tag(7));
      const auto reduced = comm.iallreduce(send_buf(std::span(&theirs[0], 1)),
                                           recv_buf(std::span(&theirs[1], 1)), op(mpi::sum));
      request_pool pool;
      pool.add(comm.iallgather(send_buf(std::span(&theirs[0], 1)), recv_buf(std::span(of_all))));
      throw std::runtime_error("a mistake");
    }
    comm.barrier();
  });
  const auto with_states = [&](int at) {
    throws_there("a step", [&] {
      static_cast<void>(resilient(
          world, [](const tolerant&) { return 0; },
          [&](const tolerant& comm, int& step) {
            if (step == at) at_2();
            comm.barrier();
            return ++step < 6;
          },
          [](const tolerant&, const std::vector<int>& all) { return all.at(0); }));
    });
  };
  for (const int at : {0, 1, 5}) with_states(at);
  // A mistake that a failure brought about: the step is repeated.
  int repeated = 0;
  const tolerant rest = resilient(world, [&](const tolerant& comm) {
    if (++repeated > 1) return;
    if (world.rank() == 1) die();
    try {
      comm.barrier();
    } catch (const mpi::error&) {
      throw std::logic_error("of a failure");
    }
  });
  require(rest.size() == world.size() - 1 && repeated == 2, "again");
}

}  // namespace

int main(int argc, char** argv) {
  const environment mpi;
  const std::string what = argc > 1 ? argv[1] : "";
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  const int dead = argc > 3 ? std::atoi(argv[3]) : 1;
  if (what == "possible") std::puts(tolerant::survives_failures() ? "possible" : "not possible");
  if (what == "calls") calls();
  if (what == "states") states(seed, dead, argv[4]);
  if (what == "steps") steps(seed, dead, argv[4]);
  if (what == "lost") throws<state_lost>("a lost state", &lose);
  if (what == "uncaught") lose();
  if (what == "thrown") thrown();
}
