// All ranks agree on the messages of every call, whatever was called before: random histories of
// operations with unknown lengths, on communicators that overlap, wrapped anew on some ranks only,
// with encoders that throw. Whoever disagrees hangs or receives something else than was sent.
//
//   messages_agree            histories of one thread
//   messages_agree threads    two threads at once, each with communicators of its own

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/mpi.hpp>
#include <mpiglot/serialized.hpp>

using namespace mpiglot;

namespace {

[[noreturn]] void fail(unsigned seed, int step, const char* what) {
  std::fprintf(stderr, "rank %d, history %u, step %d: %s\n", mpi::comm_rank(mpi::comm_world), seed,
               step, what);
  std::fflush(stderr);
  mpi::abort(mpi::comm_world, 1);
  std::terminate();
}

// The same numbers on every rank that has the same seed.
class numbers {
 public:
  explicit numbers(unsigned seed) : state_(seed * 2654435761u + 1) {}
  unsigned below(unsigned limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>(state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_;
};

struct broken {};

// A text whose encoder throws if it is empty.
struct fragile {
  std::string text;
  static void fields(const fragile& self, auto&& visit) {
    if (self.text.empty()) throw broken();
    visit(self.text);
  }
  static void fields(fragile& self, auto&& visit) { visit(self.text); }
  bool operator==(const fragile&) const = default;
};

enum class what {
  allgatherv,
  alltoallv,
  bcast,
  scatterv,
  gatherv,
  coded_allgather,
  coded_bcast,
  coded_scatter,
  count
};

// One call, as all members of the communicator know it: who sends how much to whom.
struct step {
  what operation;
  int root;
  int failing;  // the rank whose encoder throws, or -1
  bool lengths_first;
  std::vector<std::size_t> lengths;  // from each rank to each

  step(numbers& random, int size) : lengths(static_cast<std::size_t>(size * size)) {
    operation = static_cast<what>(random.below(static_cast<unsigned>(what::count)));
    root = static_cast<int>(random.below(static_cast<unsigned>(size)));
    failing = static_cast<int>(random.below(static_cast<unsigned>(size)));
    if (random.below(10) != 0) failing = -1;
    lengths_first = random.below(8) == 0;
    // Mostly small, sometimes one that is far too large, sometimes around a limit.
    const unsigned most = std::array{4u, 16u, 70u, 70u, 300u, 1500u}[random.below(6)];
    const bool at_border = random.below(6) == 0;
    for (auto& each : lengths)
      each = at_border ? std::array{61u, 62u, 63u, 64u, 65u, 127u, 252u, 253u}[random.below(8)]
             : random.below(5) == 0 ? 0
                                    : random.below(most);
    if (random.below(12) == 0) lengths[random.below(static_cast<unsigned>(lengths.size()))] = 40000;
  }
  [[nodiscard]] std::size_t length(int from, int to) const {
    return lengths[static_cast<std::size_t>(from) * side() + static_cast<std::size_t>(to)];
  }
  [[nodiscard]] std::size_t side() const {
    std::size_t n = 1;
    while (n * n < lengths.size()) ++n;
    return n;
  }
};

std::vector<int> message(const step& call, int from, int to) {
  std::vector<int> made(call.length(from, to));
  std::iota(made.begin(), made.end(), 1000 * from + 100000 * to);
  return made;
}
std::vector<int> gathered(const step& call, int size, int to) {
  std::vector<int> all;
  for (int from = 0; from < size; ++from) {
    const auto part = message(call, from, to);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}
fragile text(const step& call, int from, int to) {
  if (from == call.failing) return {};
  return {std::string(call.length(from, to) + 1, static_cast<char>('a' + from))};
}

/// Runs one call with what `how...` adds to its arguments; whether what arrived is right.
template <class... How>
bool right(const communicator& comm, const step& call, How... how) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto all_from = [&](int from, std::vector<int>& counts) {
    std::vector<int> all;
    for (int to = 0; to < size; ++to) {
      const auto part = message(call, from, to);
      counts.push_back(static_cast<int>(part.size()));
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  };
  std::vector<int> counts;
  switch (call.operation) {
    case what::allgatherv:
      return comm.allgatherv(send_buf(message(call, rank, 0)), how...) == gathered(call, size, 0);
    case what::alltoallv: {
      const std::vector<int> mine = all_from(rank, counts);
      return comm.alltoallv(send_buf(mine), send_counts(counts), how...) ==
             gathered(call, size, rank);
    }
    case what::bcast: {
      std::vector<int> values = message(call, rank, rank == call.root ? 0 : rank);
      comm.bcast(send_recv_buf<resize_to_fit>(values), root(call.root), how...);
      return values == message(call, call.root, 0);
    }
    case what::scatterv: {
      std::vector<int> mine;
      if (rank == call.root) mine = all_from(rank, counts);
      return comm.scatterv(send_buf(mine), send_counts(counts), root(call.root), how...) ==
             message(call, call.root, rank);
    }
    case what::gatherv: {
      const auto all = comm.gatherv(send_buf(message(call, rank, 0)), root(call.root));
      return rank != call.root || all == gathered(call, size, 0);
    }
    case what::coded_allgather: {
      const auto all = comm.allgatherv(send_buf(as_serialized(text(call, rank, 0))), how...);
      for (int from = 0; from < size; ++from)
        if (all[static_cast<std::size_t>(from)] != text(call, from, 0)) return false;
      return true;
    }
    case what::coded_bcast: {
      fragile value = text(call, rank, 0);
      comm.bcast(send_recv_buf(as_serialized(value)), root(call.root), how...);
      return value == text(call, call.root, 0);
    }
    case what::coded_scatter: {
      std::vector<fragile> values;
      for (int to = 0; rank == call.root && to < size; ++to) values.push_back(text(call, rank, to));
      return comm.scatter(send_buf(as_serialized(values)), root(call.root)) ==
             text(call, call.root, rank);
    }
    case what::count:
      break;
  }
  return false;
}

// Whether an encoder throws in this call, and whether it is this rank's.
bool fails(const step& call) {
  if (call.failing < 0) return false;
  if (call.operation == what::coded_allgather) return true;
  return (call.operation == what::coded_bcast || call.operation == what::coded_scatter) &&
         call.failing == call.root;
}

void run(const communicator& comm, const step& call, unsigned seed, int number) {
  const bool somebody_fails = fails(call);
  try {
    const bool as_expected =
        call.lengths_first ? right(comm, call, lengths_first()) : right(comm, call);
    if (somebody_fails) fail(seed, number, "a failure was not told");
    if (!as_expected) fail(seed, number, "something else arrived than was sent");
  } catch (const broken&) {
    if (!somebody_fails || comm.rank() != call.failing) fail(seed, number, "threw by itself");
  } catch (const remote_failure&) {
    if (!somebody_fails || comm.rank() == call.failing) fail(seed, number, "was told a failure");
  } catch (const std::exception& error) {
    fail(seed, number, error.what());
  }
}

// Communicators that overlap; two of them have the same group.
std::vector<communicator> communicators_of(const communicator& base) {
  const int rank = base.rank();
  std::vector<communicator> all;
  all.push_back(base.dup());
  all.push_back(base.dup());
  all.push_back(base.split(rank % 2, rank));
  all.push_back(base.split(rank < base.size() - 1 ? 0 : 1, -rank));
  all.push_back(all[2].dup());
  all.push_back(base.split(rank));
  return all;
}

// A wrapper that lives for one call knows nothing that the communicator does not.
void history(const communicator& base, unsigned seed, int steps) {
  numbers shared(seed);
  numbers own(seed + 1000u * static_cast<unsigned>(base.rank() + 1));
  std::vector<communicator> all = communicators_of(base);
  for (int number = 0; number < steps; ++number) {
    const std::size_t which = shared.below(static_cast<unsigned>(all.size()));
    if (shared.below(40) == 0) all[0] = base.dup();
    // Members of one communicator draw the same numbers, others draw others.
    numbers of_members(seed * 7919u + static_cast<unsigned>(number));
    const communicator& comm = all[which];
    const step call(of_members, comm.size());
    if (own.below(3) == 0)
      run(communicator(comm.handle()), call, seed, number);
    else
      run(comm, call, seed, number);
  }
}

void two_threads() {
  const communicator world;
  const communicator bases[2] = {world.dup(), world.dup()};
  const auto work = [&](unsigned thread) { history(bases[thread], 100 + thread, 150); };
  std::thread other(work, 1u);
  work(0);
  other.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "threads") == 0) {
    const environment environment(argc, argv, mpi::thread_level::multiple);
    if (environment.thread_level() != mpi::thread_level::multiple) {
      std::puts("this MPI has no MPI_THREAD_MULTIPLE");
      return 77;
    }
    two_threads();
    return 0;
  }
  const environment environment(argc, argv);
  const communicator world;
  for (unsigned seed = 1; seed <= 4; ++seed) history(world, seed, 200);
  history(world, 5, 100);
}
