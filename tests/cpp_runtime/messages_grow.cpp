// How many messages operations of unknown length need and how large their slots are, for lengths that
// stay, grow, shrink, alternate or are random. MPI's functions are defined here and count.

#include "../cpp/check.hpp"

#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>

#include <algorithm>
#include <deque>
#include <numeric>

using namespace mpiglot;
namespace merged = mpiglot::detail::merged;

namespace {

struct counted {
  int calls = 0;
  std::size_t first = 0;  // bytes for each rank of the first one
  void call(int n, MPI_Datatype type) {
    if (calls++ != 0) return;
    int width = 0;
    PMPI_Type_size(type, &width);
    first = static_cast<std::size_t>(n) * static_cast<std::size_t>(width);
  }
} counts;

}  // namespace

extern "C" {
int MPI_Bcast(void* b, int n, MPI_Datatype t, int root, MPI_Comm c) {
  counts.call(n, t);
  return PMPI_Bcast(b, n, t, root, c);
}
int MPI_Allgather(const void* b, int n, MPI_Datatype t, void* to, int m, MPI_Datatype u,
                  MPI_Comm c) {
  counts.call(m, u);
  return PMPI_Allgather(b, n, t, to, m, u, c);
}
int MPI_Alltoall(const void* b, int n, MPI_Datatype t, void* to, int m, MPI_Datatype u,
                 MPI_Comm c) {
  counts.call(n, t);
  return PMPI_Alltoall(b, n, t, to, m, u, c);
}
int MPI_Scatter(const void* b, int n, MPI_Datatype t, void* to, int m, MPI_Datatype u, int root,
                MPI_Comm c) {
  counts.call(n, t);
  return PMPI_Scatter(b, n, t, to, m, u, root, c);
}
int MPI_Allgatherv(const void* b, int n, MPI_Datatype t, void* to, const int* m, const int* d,
                   MPI_Datatype u, MPI_Comm c) {
  counts.call(0, t);
  return PMPI_Allgatherv(b, n, t, to, m, d, u, c);
}
int MPI_Alltoallv(const void* b, const int* n, const int* e, MPI_Datatype t, void* to, const int* m,
                  const int* d, MPI_Datatype u, MPI_Comm c) {
  counts.call(0, u);
  return PMPI_Alltoallv(b, n, e, t, to, m, d, u, c);
}
int MPI_Scatterv(const void* b, const int* n, const int* e, MPI_Datatype t, void* to, int m,
                 MPI_Datatype u, int root, MPI_Comm c) {
  counts.call(0, u);
  return PMPI_Scatterv(b, n, e, t, to, m, u, root, c);
}
}

namespace {

class numbers {
 public:
  explicit numbers(unsigned seed) : state_(seed * 2654435761u + 1) {}
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_;
};

struct as_they_are {
  template <class T>
  static constexpr bool can = true;
  static void encode(detail::bytes& to, const std::vector<char>& value) {
    to.append(reinterpret_cast<const std::byte*>(value.data()), value.size());
  }
  static void decode(const std::byte* from, std::size_t size, std::vector<char>& value) {
    value.assign(size, '\0');
    if (size != 0) std::memcpy(value.data(), from, size);
  }
};

enum class operation { allgatherv, alltoallv, scatterv, bcast, coded_bcast };
constexpr operation learning[] = {operation::allgatherv, operation::alltoallv, operation::scatterv,
                                  operation::bcast, operation::coded_bcast};
bool is_bcast(operation what) { return what == operation::bcast || what == operation::coded_bcast; }
const char* name_of(operation what) {
  constexpr const char* names[] = {"allgatherv", "alltoallv", "scatterv", "bcast", "coded bcast"};
  return names[static_cast<int>(what)];
}

// The largest payload of one message.
std::size_t limit_of(operation what) {
  using limits = detail::merge_limits;
  const std::size_t most[] = {limits::allgatherv, limits::alltoallv, limits::scatterv,
                              limits::bcast, limits::bcast};
  const std::size_t slot = most[static_cast<int>(what)];
  const std::size_t largest = detail::largest_slot * detail::slot_unit;
  return (slot < largest ? slot : largest) - detail::slot_header;
}
std::size_t slot_of(operation what, std::size_t payload) {
  const auto size = static_cast<count_t>(payload);
  return detail::slot_unit * (what == operation::coded_bcast ? merged::units_for_bytes(size)
                                                             : merged::units_for(payload));
}
const detail::learned_size& learned_by(const communicator& comm, operation what) {
  const detail::learned& all = comm.learned();
  return what == operation::allgatherv  ? all.allgatherv
         : what == operation::alltoallv ? all.alltoallv
         : what == operation::scatterv  ? all.scatterv
                                        : all.bcast;
}

// What one rank sends another in a step. The values change between steps.
std::vector<char> message(std::size_t length, int from, int to, int step) {
  std::vector<char> made(length);
  for (std::size_t i = 0; i < length; ++i)
    made[i] = static_cast<char>(i * 7 + i / 251 + static_cast<std::size_t>(31 * from + 17 * to) +
                                static_cast<std::size_t>(step) * 13);
  return made;
}

// The lengths of a step, from each rank to each.
struct lengths {
  explicit lengths(int size, std::size_t each = 0)
      : side(static_cast<std::size_t>(size)), all(side * side, each) {}
  std::size_t& at(int from, int to) {
    return all[static_cast<std::size_t>(from) * side + static_cast<std::size_t>(to)];
  }
  std::size_t side;
  std::vector<std::size_t> all;
};

struct parts {
  parts(lengths& of, int from, int step) {
    for (int to = 0; to < static_cast<int>(of.side); ++to) {
      const auto part = message(of.at(from, to), from, to, step);
      starts.push_back(static_cast<int>(all.size()));
      sizes.push_back(static_cast<int>(part.size()));
      all.insert(all.end(), part.begin(), part.end());
    }
  }
  std::vector<char> all;
  std::vector<int> sizes;
  std::vector<int> starts;
};

std::vector<char> by_mpiglot(const communicator& comm, operation what, lengths& of, int from,
                             int step) {
  const int rank = comm.rank();
  switch (what) {
    case operation::allgatherv:
      return comm.allgatherv(send_buf(message(of.at(rank, 0), rank, 0, step)));
    case operation::alltoallv: {
      const parts mine(of, rank, step);
      return comm.alltoallv(send_buf(mine.all), send_counts(mine.sizes));
    }
    case operation::scatterv: {
      const parts mine(of, rank, step);
      return comm.scatterv(send_buf(mine.all), send_counts(mine.sizes), root(from));
    }
    default: {
      std::vector<char> value =
          rank == from ? message(of.at(from, 0), from, 0, step) : std::vector<char>(3, 'n');
      if (what == operation::bcast)
        comm.bcast(send_recv_buf<resize_to_fit>(value), root(from));
      else
        comm.bcast(send_recv_buf(as_serialized<as_they_are>(value)), root(from));
      return value;
    }
  }
}

// The textbook: lengths first.
std::vector<char> by_mpi(const communicator& comm, operation what, lengths& of, int from,
                         int step) {
  const MPI_Comm handle = comm.native();
  const int rank = comm.rank();
  std::vector<int> sizes(of.side), starts(of.side);
  std::vector<char> received;
  const auto lay_out = [&] {
    std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), 0);
    received.resize(static_cast<std::size_t>(sizes.back() + starts.back()));
  };
  const parts mine(of, rank, step);
  int n = mine.sizes[0];
  switch (what) {
    case operation::allgatherv:
      PMPI_Allgather(&n, 1, MPI_INT, sizes.data(), 1, MPI_INT, handle);
      lay_out();
      PMPI_Allgatherv(mine.all.data(), n, MPI_CHAR, received.data(), sizes.data(), starts.data(),
                      MPI_CHAR, handle);
      break;
    case operation::alltoallv:
      PMPI_Alltoall(mine.sizes.data(), 1, MPI_INT, sizes.data(), 1, MPI_INT, handle);
      lay_out();
      PMPI_Alltoallv(mine.all.data(), mine.sizes.data(), mine.starts.data(), MPI_CHAR,
                     received.data(), sizes.data(), starts.data(), MPI_CHAR, handle);
      break;
    case operation::scatterv:
      PMPI_Scatter(mine.sizes.data(), 1, MPI_INT, &n, 1, MPI_INT, from, handle);
      received.resize(static_cast<std::size_t>(n));
      PMPI_Scatterv(mine.all.data(), mine.sizes.data(), mine.starts.data(), MPI_CHAR,
                    received.data(), n, MPI_CHAR, from, handle);
      break;
    default:
      PMPI_Bcast(&n, 1, MPI_INT, from, handle);
      received.resize(static_cast<std::size_t>(n));
      if (rank == from) std::copy_n(mine.all.begin(), n, received.begin());
      PMPI_Bcast(received.data(), n, MPI_CHAR, from, handle);
  }
  return received;
}

struct cost {
  double calls;
  int most;  // of one operation
};

// The calls of an operation with one length for all, after some of the history to learn from.
template <class History>
cost cost_of(operation what, int steps, History length) {
  const communicator comm = communicator().dup();
  cost found{0, 0};
  for (int i = 0; i < steps; ++i) {
    lengths each(comm.size(), length(static_cast<std::size_t>(i)));
    counts = {};
    const auto received = by_mpiglot(comm, what, each, 0, i);
    if (counts.calls > found.most) found.most = counts.calls;
    found.calls += static_cast<double>(counts.calls) / steps;
    check::equal(received.size(), what == operation::allgatherv || what == operation::alltoallv
                                      ? each.side * each.all[0]
                                      : each.all[0]);
  }
  return found;
}

// More than two ranks share the processors, and each call takes long there.
bool few() { return check::size() > 2; }

template <class History>
void expect_at_most(double most, const char* name, History length) {
  for (const operation what : learning) {
    const auto found =
        cost_of(what, few() ? 50 : 200, [&](std::size_t i) { return length(i, limit_of(what)); });
    const std::string said = std::string(name_of(what)) + ", " + name + ": " +
                             std::to_string(found.calls) + " calls an operation";
    if (check::rank() == 0 && std::getenv("MPIGLOT_TESTS_SAY") != nullptr)
      std::printf("%s\n", said.c_str());
    check::expect(found.calls <= most && found.most <= 2, said);
  }
}

// The rules again, from all calls of a history.
class reference {
 public:
  reference(unsigned limit, unsigned in_two)
      : limit_(limit), in_two_(in_two > limit ? in_two : limit), next_(limit < 16 ? limit : 16) {}
  [[nodiscard]] unsigned next() const { return next_; }
  void leave() { next_ = 0; }
  void learn(unsigned wanted) {
    const bool over = wanted > next_ && wanted > in_two_;
    const bool grows = wanted > next_ && !over;
    const bool grew = std::count(last_.begin(), last_.end(), 'g') != 0;
    last_.push_back(over ? 'o' : grows ? 'g' : wanted < next_ ? 'l' : '=');
    if (last_.size() > 8) last_.pop_front();
    if (wanted > next_) {
      less_.clear();
      if (std::count(last_.begin(), last_.end(), 'o') > 5)
        next_ = 0;
      else if (grows)
        next_ = std::min(limit_, grew ? wanted * 3 / 2 : wanted);
    } else if (wanted == next_) {
      less_.clear();
    } else {
      less_.push_back(wanted);
      if (less_.size() == 8) {
        const unsigned before = *std::max_element(less_.begin(), less_.end() - 1);
        const bool rises = wanted > before;
        next_ = std::min(limit_, rises ? wanted * 3 / 2 : before);
        last_.assign(1, rises ? 'g' : '=');
        less_.clear();
      }
    }
    if (last_.size() == 8) last_.pop_front();  // leaves the seven before the next call
  }

 private:
  unsigned limit_;
  unsigned in_two_;
  unsigned next_;
  std::deque<char> last_;
  std::vector<unsigned> less_;
};

// One length after another, of one of many kinds of history.
class drawn {
 public:
  drawn(numbers& random, std::size_t limit)
      : random_(random),
        limit_(limit),
        kind_(random.below(8)),
        at_(random.below(limit)),
        step_(1 + random.below(limit / 8)),
        period_(1 + random.below(9)) {}
  std::size_t next() {
    const std::size_t i = calls_++;
    switch (kind_) {
      case 0:
        return at_;  // steady
      case 1:
        return (i / (1 + period_ / 3) * step_) % (limit_ * 5 / 4);  // growing
      case 2:
        return limit_ * 5 / 4 - (i * step_) % (limit_ * 5 / 4);  // shrinking
      case 3:
        return i / period_ % 2 != 0 ? at_ / 4 : at_ / 4 + limit_;  // alternating
      case 4:
        return random_.below(2 * limit_);
      case 5:
        return random_.below(8) == 0 ? random_.below(4 * limit_) : at_ / 4;  // bursts
      case 6:
        return limit_ - 5 + random_.below(10);
      default:
        return random_.below(3);
    }
  }

 private:
  numbers& random_;
  std::size_t limit_;
  std::size_t kind_;
  std::size_t at_;
  std::size_t step_;
  std::size_t period_;
  std::size_t calls_ = 0;
};

}  // namespace

TEST(steady_lengths_take_one_call_and_exactly_their_bytes) {
  for (const operation what : learning)
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{8}, std::size_t{100}, limit_of(what)}) {
      const communicator comm = communicator().dup();
      for (int i = 0; i < 30; ++i) {
        lengths each(comm.size(), length);
        counts = {};
        static_cast<void>(by_mpiglot(comm, what, each, i % comm.size(), i));
        if (i < 9) continue;
        check::equal(counts.calls, 1);
        check::equal(counts.first, slot_of(what, length));
      }
    }
}

// Headroom goes when lengths no longer grow.
TEST(lengths_that_have_grown_take_exactly_their_bytes_after_eight_calls) {
  for (const operation what : learning) {
    const communicator comm = communicator().dup();
    for (int i = 0; i < 40; ++i) {
      lengths each(comm.size(), static_cast<std::size_t>(i < 20 ? 80 + 4 * i : 156));
      counts = {};
      static_cast<void>(by_mpiglot(comm, what, each, 0, i));
      if (i >= 20 + 16) check::equal(counts.first, slot_of(what, 156));
      if (i >= 20) check::equal(counts.calls, 1);
    }
  }
}

TEST(lengths_that_grow_take_few_calls_more_than_one) {
  expect_at_most(1.2, "by 4",
                 [](std::size_t i, std::size_t limit) { return 8 + 4 * i % (limit - 8); });
  expect_at_most(1.2, "by 16",
                 [](std::size_t i, std::size_t limit) { return 8 + 16 * i % (limit - 8); });
  if (few()) return;
  for (const std::size_t calls : {2u, 3u, 5u})
    for (const std::size_t step : {4u, 12u, 40u})
      expect_at_most(1.2, "in steps", [&](std::size_t i, std::size_t limit) {
        return 8 + step * (i / calls) % (limit - 8);
      });
}

TEST(lengths_that_vary_take_a_call_where_most_of_them_fit) {
  if (!few())
    expect_at_most(1.15, "random within the limit",
                   [random = numbers(3)](std::size_t, std::size_t limit) mutable {
                     return random.below(limit + 1);
                   });
  expect_at_most(1.55, "small and large in turn",
                 [](std::size_t i, std::size_t limit) { return i % 2 != 0 ? 8 : 4 * limit; });
  expect_at_most(1.3, "a quarter is large",
                 [](std::size_t i, std::size_t limit) { return i % 8 < 2 ? 4 * limit : 50; });
  expect_at_most(1.8, "three quarters are large, but few in a row fit",
                 [](std::size_t i, std::size_t limit) { return i % 8 < 5 ? 4 * limit : 50; });
}

TEST(lengths_above_the_limit_are_told_without_slots) {
  for (const operation what : learning) {
    const communicator comm = communicator().dup();
    for (int i = 0; i < 30; ++i) {
      // Where a part of the payload begins in the slot, there is one.
      lengths each(comm.size(), 4 * limit_of(what));
      counts = {};
      static_cast<void>(by_mpiglot(comm, what, each, 0, i));
      check::equal(counts.calls, 2);
      if (what == operation::coded_bcast)
        check::equal(counts.first, i < 6 ? std::size_t{64} : detail::merge_limits::bcast_beginning);
      else
        check::equal(counts.first, i < 6 ? std::size_t{64} : std::size_t{16});
    }
    // Slots return when three of eight fit.
    for (int i = 0; i < 12; ++i) {
      lengths each(comm.size(), 60);
      counts = {};
      static_cast<void>(by_mpiglot(comm, what, each, 0, i));
      const bool begins = what == operation::coded_bcast &&
                          slot_of(what, 60) <= detail::merge_limits::bcast_beginning;
      check::equal(counts.calls, i < 3 && !begins ? 2 : 1);
    }
  }
}

TEST(lengths_that_no_slot_tells_take_a_call_more_once) {
  const communicator comm = communicator().dup();
  const count_t huge = count_t{1} << 40;
  for (int round = 0; round < 9; ++round) {
    counts = {};
    const auto told = merged::bcast(
        comm.learned(), comm.handle(), comm.rank() == 0, 0,
        merged::payload::of<int>({nullptr, huge, mpi::int_}, comm.rank() == 0 ? huge : 0));
    check::equal(told.length, huge);
    check::equal(counts.calls, round == 0 ? 2 : 1);
    std::vector<count_t> each(static_cast<std::size_t>(comm.size()));
    counts = {};
    const auto all = merged::allgather<int>(comm.learned(), comm.handle(), comm.rank(), comm.size(),
                                            huge, {}, each.data());
    check::expect(!all.complete);
    check::equal(each.back(), huge);
    check::equal(counts.calls, round == 0 ? 2 : 1);
  }
}

TEST(slots_that_are_nearly_empty_are_given_up_at_once) {
  using detail::merge_limits;
  // Ranks of which only one sends need 8 KiB of slots for that, which a few ranks do not have.
  detail::learned_size kind(64);
  kind.learn(60);
  kind.leave();
  check::equal(kind.next(), detail::lengths_only);
  kind.learn(merged::too_large);
  check::equal(kind.next(), detail::lengths_only);
  kind.learn(20);
  check::equal(kind.next(), 30u);
}

TEST(slots_follow_the_rules_in_random_histories) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    numbers random(seed);
    const unsigned limit = std::array{253u, 64u, 64u, 20u, 7u, 0u}[random.below(6)];
    const unsigned in_two = random.below(3) == 0 ? 2 * limit : 0;
    detail::learned_size kind(limit, in_two < 254 ? in_two : 0);
    reference expected(limit, in_two < 254 ? in_two : 0);
    for (int part = 0; part < 4; ++part) {
      drawn sizes(random, limit < 16 ? 16 : limit);
      for (std::size_t i = 0, n = 8 + random.below(40); i < n; ++i) {
        check::equal(kind.next(), expected.next());
        const std::size_t wanted = sizes.next();
        if (random.below(60) == 0) kind.leave(), expected.leave();
        kind.learn(wanted < 254 ? static_cast<unsigned>(wanted) : 254u);
        expected.learn(wanted < 254 ? static_cast<unsigned>(wanted) : 254u);
      }
    }
  }
}

TEST(what_arrives_is_what_plain_mpi_brings_in_random_histories) {
  const int histories = few() ? 30 : 300;
  for (int history = 0; history < histories; ++history) {
    numbers random(static_cast<unsigned>(history));
    const communicator comm = communicator().dup();
    const int size = comm.size();
    const operation what = learning[static_cast<std::size_t>(history) % std::size(learning)];
    const bool alike = random.below(3) == 0;
    std::vector<drawn> of_each;
    for (int i = 0; i < size * size; ++i) of_each.emplace_back(random, limit_of(what));
    for (int step = 0, steps = few() ? 24 : 40; step < steps; ++step) {
      lengths each(size);
      for (std::size_t i = 0; i < each.all.size(); ++i)
        each.all[i] = i == 0 || !alike ? of_each[i].next() : each.all[0];
      const int from = static_cast<int>(random.below(static_cast<std::size_t>(size)));
      counts = {};
      const auto found = by_mpiglot(comm, what, each, from, step);
      check::expect(counts.calls == 1 || counts.calls == 2);
      check::equal(found, by_mpi(comm, what, each, from, step));
      if (is_bcast(what)) check::equal(found, message(each.at(from, 0), from, 0, step));
    }
    const int next = static_cast<int>(learned_by(comm, what).next());
    const auto least = comm.allreduce(send_buf({next, -next}), op(mpi::min));
    check::equal(least[0], -least[1]);
  }
}
