// Calls with unknown counts, in plain C (the textbook: counts first, then the data) and with mpiglot.
//
//   messages ROUNDS OPERATION...
//   messages ROUNDS histories NUMBER [FIRST]
//
// For every payload size one line: operation, bytes for each rank, MPI calls of one call (plain,
// mpiglot), microseconds (plain, mpiglot), and the median of the ratios of neighbouring measurements.
// Each measurement is a block of calls; the time of a block is that of the slowest rank. What is sent
// is there before; what is received is a container made in the call, on both sides.
//
// Rooted operations come twice: from rank 0 always, where calls overlap as in most programs, and
// `..._in_turn` from one rank after another, where each waits for the one before.
//
// `histories` draws that many sequences of 48 lengths that stay, grow, shrink, alternate or are random,
// and prints for each the operation, the kind, and the median of the ratios of times, textbook to mpiglot;
// then the least ratio, and the median.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/serialized.hpp>

#include "messages_count.h"

using namespace mpiglot;

namespace {

int rank = 0;
int size = 0;
volatile char sink = 0;

void keep(const std::vector<char>& values) { sink = values.empty() ? '\0' : values.back(); }

std::vector<int> offsets(const std::vector<int>& counts) {
  std::vector<int> displs(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
  return displs;
}

std::vector<char> room_for(const std::vector<int>& counts, const std::vector<int>& displs) {
  return std::vector<char>(static_cast<std::size_t>(counts.back() + displs.back()));
}

std::vector<int> one_for_each() { return std::vector<int>(static_cast<std::size_t>(size)); }

// A list of numbers and a name, which C turns into bytes by hand.
struct record {
  std::vector<char> values;
  std::string name;
};

/// What is sent.
struct payload {
  explicit payload(std::size_t bytes)
      : mine(bytes, 'x'),
        all(bytes * static_cast<std::size_t>(size), 'x'),
        counts(static_cast<std::size_t>(size), static_cast<int>(bytes)),
        one{std::vector<char>(bytes / 2, 'x'), std::string(bytes - bytes / 2, 'y')} {}

  std::vector<char> mine;
  std::vector<char> all;
  std::vector<int> counts;
  record one;
};

/// One operation both ways.
struct operation {
  const char* name;
  bool in_turn;
  void (*plain)(payload& sent, int root);
  void (*named)(const communicator& comm, payload& sent, int root);
};

void plain_allgatherv(payload& sent, int) {
  const int n = static_cast<int>(sent.mine.size());
  std::vector<int> counts = one_for_each();
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const std::vector<int> displs = offsets(counts);
  std::vector<char> all = room_for(counts, displs);
  MPI_Allgatherv(sent.mine.data(), n, MPI_CHAR, all.data(), counts.data(), displs.data(), MPI_CHAR,
                 MPI_COMM_WORLD);
  keep(all);
}
void named_allgatherv(const communicator& comm, payload& sent, int) {
  keep(comm.allgatherv(send_buf(sent.mine)));
}

void plain_bcast(payload& sent, int from) {
  std::vector<char> received;
  std::vector<char>& values = rank == from ? sent.mine : received;
  int n = static_cast<int>(values.size());
  MPI_Bcast(&n, 1, MPI_INT, from, MPI_COMM_WORLD);
  values.resize(static_cast<std::size_t>(n));
  MPI_Bcast(values.data(), n, MPI_CHAR, from, MPI_COMM_WORLD);
  keep(values);
}
void named_bcast(const communicator& comm, payload& sent, int from) {
  std::vector<char> received;
  std::vector<char>& values = rank == from ? sent.mine : received;
  comm.bcast(send_recv_buf<resize_to_fit>(values), root(from));
  keep(values);
}

void plain_serialized_bcast(payload& sent, int from) {
  record received;
  record& one = rank == from ? sent.one : received;
  std::vector<char> wire;
  int lengths[2] = {static_cast<int>(one.values.size()), static_cast<int>(one.name.size())};
  MPI_Bcast(lengths, 2, MPI_INT, from, MPI_COMM_WORLD);
  wire.resize(static_cast<std::size_t>(lengths[0] + lengths[1]));
  if (rank == from) {
    std::copy(one.values.begin(), one.values.end(), wire.begin());
    std::copy(one.name.begin(), one.name.end(), wire.begin() + lengths[0]);
  }
  MPI_Bcast(wire.data(), static_cast<int>(wire.size()), MPI_CHAR, from, MPI_COMM_WORLD);
  if (rank != from) {
    one.values.assign(wire.begin(), wire.begin() + lengths[0]);
    one.name.assign(wire.begin() + lengths[0], wire.end());
  }
  keep(one.values);
}
void named_serialized_bcast(const communicator& comm, payload& sent, int from);

void plain_alltoallv(payload& sent, int) {
  std::vector<int> counts = one_for_each();
  MPI_Alltoall(sent.counts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const std::vector<int> starts = offsets(sent.counts);
  const std::vector<int> displs = offsets(counts);
  std::vector<char> all = room_for(counts, displs);
  MPI_Alltoallv(sent.all.data(), sent.counts.data(), starts.data(), MPI_CHAR, all.data(),
                counts.data(), displs.data(), MPI_CHAR, MPI_COMM_WORLD);
  keep(all);
}
void named_alltoallv(const communicator& comm, payload& sent, int) {
  keep(comm.alltoallv(send_buf(sent.all), send_counts(sent.counts)));
}

void plain_scatterv(payload& sent, int from) {
  std::vector<int> starts;
  if (rank == from) starts = offsets(sent.counts);
  int n = 0;
  MPI_Scatter(sent.counts.data(), 1, MPI_INT, &n, 1, MPI_INT, from, MPI_COMM_WORLD);
  std::vector<char> mine(static_cast<std::size_t>(n));
  MPI_Scatterv(sent.all.data(), sent.counts.data(), starts.data(), MPI_CHAR, mine.data(), n,
               MPI_CHAR, from, MPI_COMM_WORLD);
  keep(mine);
}
void named_scatterv(const communicator& comm, payload& sent, int from) {
  keep(comm.scatterv(send_buf(sent.all), send_counts(sent.counts), root(from)));
}

}  // namespace

template <>
struct mpiglot::fields_of<record> {
  static void fields(auto& self, auto&& visit) {
    visit(self.values);
    visit(self.name);
  }
};

namespace {

void named_serialized_bcast(const communicator& comm, payload& sent, int from) {
  record received;
  record& one = rank == from ? sent.one : received;
  comm.bcast(send_recv_buf(as_serialized(one)), root(from));
  keep(one.values);
}

constexpr operation measured_operations[] = {
    {"allgatherv", false, plain_allgatherv, named_allgatherv},
    {"alltoallv", false, plain_alltoallv, named_alltoallv},
    {"bcast", false, plain_bcast, named_bcast},
    {"bcast_in_turn", true, plain_bcast, named_bcast},
    {"serialized_bcast", false, plain_serialized_bcast, named_serialized_bcast},
    {"serialized_bcast_in_turn", true, plain_serialized_bcast, named_serialized_bcast},
    {"scatterv", false, plain_scatterv, named_scatterv},
    {"scatterv_in_turn", true, plain_scatterv, named_scatterv},
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Microseconds of one of `calls` calls, on the slowest rank.
template <class Call>
double timed(Call call, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; ++i) call(i);
  double mine = (MPI_Wtime() - start) * 1e6 / calls;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

template <class Call>
long mpi_calls(Call call) {
  const long before = mpi_calls_counted;
  call(0);
  return mpi_calls_counted - before;
}

void measure(const operation& what, const communicator& comm, std::size_t bytes, int rounds) {
  const int calls = rounds > 10 ? 50 : 1;  // in simulation one call is as good as many
  payload sent(bytes);
  const auto plain = [&](int i) { what.plain(sent, what.in_turn ? i % size : 0); };
  const auto named = [&](int i) { what.named(comm, sent, what.in_turn ? i % size : 0); };
  for (int i = 0; i < 6; ++i) named(i);  // learns the length
  std::vector<double> plain_time, named_time, ratio;
  for (int i = 0; i < rounds; ++i) {
    plain_time.push_back(timed(plain, calls));
    named_time.push_back(timed(named, calls));
    ratio.push_back(plain_time.back() / named_time.back());
  }
  const long plain_calls = mpi_calls(plain);
  const long named_calls = mpi_calls(named);
  if (rank == 0)
    std::printf("%s %zu %ld %ld %.3f %.3f %.3f\n", what.name, bytes, plain_calls, named_calls,
                median(plain_time), median(named_time), median(ratio));
}

enum class kind {
  steady,
  growing,
  in_steps,
  shrinking,
  alternating,
  random,
  bursts,
  at_limit,
  count
};
constexpr const char* names_of_kinds[] = {"steady",      "growing", "in_steps", "shrinking",
                                          "alternating", "random",  "bursts",   "at_limit"};
struct history {
  kind what;
  std::vector<payload> sent;
};

// The same on every rank.
history draw(unsigned seed) {
  std::uint64_t state = seed * 2654435761u + 1;
  const auto below = [&](std::size_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % limit;
  };
  below(1);
  const std::size_t limit = below(2) == 0 ? 248 : 1004;
  const std::size_t least = below(limit), step = 1 + below(limit / 8), period = 1 + below(9);
  history made{static_cast<kind>(below(static_cast<std::size_t>(kind::count))), {}};
  for (std::size_t i = 0; i < 48; ++i) {
    const auto length = [&]() -> std::size_t {
      switch (made.what) {
        case kind::growing:
          return 8 + i * step % (2 * limit);
        case kind::in_steps:
          return 8 + i / period * step % (2 * limit);
        case kind::shrinking:
          return 2 * limit - i * step % (2 * limit);
        case kind::alternating:
          return i / period % 2 == 0 ? least / 4 : least / 4 + limit;
        case kind::random:
          return below(2 * limit);
        case kind::bursts:
          return below(8) == 0 ? below(4 * limit) : least / 4;
        case kind::at_limit:
          return limit - 5 + below(10);
        default:
          return least;
      }
    };
    made.sent.emplace_back(length());
  }
  return made;
}

void measure_histories(int rounds, unsigned histories, unsigned first) {
  std::vector<double> all;
  for (unsigned seed = first; seed < first + histories; ++seed) {
    const operation& what = measured_operations[seed % std::size(measured_operations)];
    history drawn = draw(seed);
    const communicator comm = communicator().dup();
    const auto root_of = [&](int i) { return what.in_turn ? i % size : 0; };
    const auto step = [&](int i) -> payload& { return drawn.sent[static_cast<std::size_t>(i)]; };
    const auto plain = [&](int i) { what.plain(step(i), root_of(i)); };
    const auto named = [&](int i) { what.named(comm, step(i), root_of(i)); };
    const int calls = static_cast<int>(drawn.sent.size());
    named(0);
    plain(0);
    std::vector<double> ratio;
    for (int i = 0; i < rounds; ++i) {
      const double textbook = timed(plain, calls);
      ratio.push_back(textbook / timed(named, calls));
    }
    all.push_back(median(ratio));
    if (rank == 0)
      std::printf("%s %s %u %.3f\n", what.name, names_of_kinds[static_cast<int>(drawn.what)], seed,
                  all.back());
  }
  if (rank == 0)
    std::printf("least %.3f median %.3f\n", *std::min_element(all.begin(), all.end()), median(all));
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  const communicator comm;
  rank = comm.rank();
  size = comm.size();
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
  if (argc > 3 && std::strcmp(argv[2], "histories") == 0) {
    const auto number = [&](int i) { return argc > i ? std::atoi(argv[i]) : 0; };
    measure_histories(rounds, static_cast<unsigned>(number(3)), static_cast<unsigned>(number(4)));
    return 0;
  }
  for (const operation& each : measured_operations) {
    bool wanted = argc <= 2;
    for (int i = 2; i < argc; ++i) wanted = wanted || std::strcmp(argv[i], each.name) == 0;
    if (!wanted) continue;
    const std::vector<std::size_t> simulated{8, 32, 120, 504};
    const std::vector<std::size_t> sizes{1,   8,   16,  24,  32,   56,   64,   120,   128,
                                         248, 256, 504, 512, 1000, 1024, 4096, 16384, 65536};
    for (const std::size_t bytes : rounds > 10 ? sizes : simulated)
      measure(each, comm, bytes, bytes > 4096 ? (rounds + 3) / 4 : rounds);
  }
}
