// Operations of several stages while the program goes on: several in flight, completed by whatever waits, in
// another order on each rank.

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>

#include <mpiglot/coroutine.hpp>
#include <mpiglot/plugins/auto_alltoall.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/raw.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/wait.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using grid = basic_communicator<grid_alltoall>;
using ints = std::vector<int>;

// Numbers at random, below a limit.
struct chance_of {
  explicit chance_of(unsigned seed) : numbers(seed) {}
  unsigned operator()(unsigned below) { return static_cast<unsigned>(numbers()) % below; }
  std::mt19937 numbers;
};

// What rank `from` sends to rank `to` in operation `id`: lengths from none to above the eager limit.
ints part(int from, int to, unsigned id) {
  chance_of draw(1000003u * id + 1009u * static_cast<unsigned>(from) + static_cast<unsigned>(to));
  const unsigned lengths[] = {0, 0, 1, 1 + draw(5), draw(60), id % 7 == 3 ? 9000 + draw(20000) : 2};
  ints values(lengths[draw(6)]);
  for (int& each : values) each = static_cast<int>(draw(1u << 31));
  return values;
}
struct exchange {
  exchange(const auto& comm, unsigned id) {
    for (int other = 0; other < comm.size(); ++other) {
      const ints mine = part(comm.rank(), other, id);
      counts.push_back(static_cast<int>(mine.size()));
      values.insert(values.end(), mine.begin(), mine.end());
      const ints theirs = part(other, comm.rank(), id);
      wanted_counts.push_back(static_cast<int>(theirs.size()));
      wanted.insert(wanted.end(), theirs.begin(), theirs.end());
      texts.push_back(std::string(mine.size() % 50, 'a') + std::to_string(mine.size()));
      wanted_texts.push_back(std::string(theirs.size() % 50, 'a') + std::to_string(theirs.size()));
    }
  }
  ints values, counts, wanted, wanted_counts;
  std::vector<std::string> texts, wanted_texts;
};
auto begin(const auto& comm, const exchange& all) {
  return comm.ialltoallv_grid(send_buf(all.values), send_counts(all.counts));
}
using request_of_ints = decltype(begin(std::declval<grid&>(), std::declval<exchange&>()));

int right(const grid& comm) { return (comm.rank() + 1) % comm.size(); }
int left(const grid& comm) { return (comm.rank() + comm.size() - 1) % comm.size(); }

chance_of own_chance(const auto& comm, unsigned round) {
  return chance_of(77u * round + static_cast<unsigned>(comm.rank()));
}

task<ints> awaited(request_pool& pool, const grid& comm, const exchange& all) {
  static_cast<void>(pool);
  ints once = co_await begin(comm, all);
  const ints again = co_await begin(comm, all);
  if (once != again) once.push_back(-1);
  co_return once;
}

struct breaks_key {};
parameter<breaks_key, int> breaks(int where) { return {where}; }
struct own_trouble {};

// Moves values to other ranks so that all have equally many, and keeps their order.
struct even_operation {
  using accepts = plugin::names<keys::send_buf, keys::recv_buf, breaks_key>;
  using needs = plugin::names<keys::send_buf>;

  // What the communicator keeps: a communicator for each stage.
  struct kept : plugin::stage_context {
    explicit kept(mpi::comm_handle comm)
        : stage_context(comm),
          lengths(plugin::stage_communicator(comm).dup()),
          values(lengths.dup()) {}
    plugin::stage_communicator lengths, values;
  };

  template <class Arguments>
  struct state : plugin::staged<state<Arguments>, kept, 2> {
    static constexpr const char* name = "evened";
    using opened = plugin::opened<Arguments>;
    using value = typename opened::value_type;

    state(plugin::group_view on, Arguments&& given)
        : group(on),
          arguments(std::move(given)),
          mine(arguments),
          theirs(arguments),
          sizes(static_cast<std::size_t>(on.size)),
          sent(sizes),
          received(sizes) {}

    void open() {
      mine.open();
      if (arguments.template value_or<breaks_key>(0) == 1) throw own_trouble();
    }
    void begin(int stage, plugin::troubles& met) {
      if (stage == 0) {
        own = met.any() ? -1 : static_cast<long long>(mine.values().size());
        request.begin(
            met, [&] { return this->kept().lengths.iallgather(send_buf(own), recv_buf(sizes)); });
      } else {
        request.begin(met, [&] {
          return this->kept().values.ialltoallv(
              send_buf(met.any() ? std::span<const value>() : mine.values()), send_counts(sent),
              recv_counts(received), recv_buf<resize_to_fit>(came));
        });
      }
    }
    bool completed(int stage, plugin::troubles& met) {
      if (!request.completed(met)) return false;
      if (stage == 0) share_out(met);
      return true;
    }
    void conclude() {
      if (arguments.template value_or<breaks_key>(0) == 2) throw own_trouble();
      std::copy(came.begin(), came.end(), theirs.make(came.size()).begin());
      theirs.finish();
    }
    auto results() { return theirs.results(arguments); }

    // Which of the values that lie here, one after another over the ranks, go to which rank.
    void share_out(plugin::troubles& met) {
      for (std::size_t rank = 0; rank < sizes.size(); ++rank)
        if (sizes[rank] < 0) met.met(static_cast<int>(rank));
      if (met.any()) return;
      long long all = 0, begin = 0, source = 0;
      for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
        if (rank == static_cast<std::size_t>(group.rank)) begin = all;
        all += sizes[rank];
      }
      const auto first_of = [&](auto rank) {
        return all * static_cast<long long>(rank) / group.size;
      };
      const auto common = [](long long a, long long b, long long c, long long d) {
        return std::max(0LL, std::min(b, d) - std::max(a, c));
      };
      for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
        sent[rank] = common(begin, begin + own, first_of(rank), first_of(rank + 1));
        received[rank] =
            common(source, source + sizes[rank], first_of(group.rank), first_of(group.rank + 1));
        source += sizes[rank];
      }
    }

    plugin::group_view group;
    Arguments arguments;
    opened mine;
    plugin::room<Arguments, value> theirs;
    std::vector<long long> sizes, sent, received;
    std::vector<value> came;
    long long own = 0;
    plugin::pending_stage request;
  };
};

template <class Base>
struct evening : Base {
  using Base::Base;
  template <class... A>
  auto evened(A&&... a) const {
    return plugin::perform<even_operation>(*this, std::forward<A>(a)...);
  }
  template <class... A>
  auto ievened(A&&... a) const {
    return plugin::perform_later<even_operation>(*this, std::forward<A>(a)...);
  }
};

// alltoallv by each way in turn, whatever the calls have shown.
struct alltoallv_in_turn : plugin::alltoallv_by_route<alltoallv_in_turn> {
  static constexpr const char* name = "alltoallv_in_turn";
  struct kept : auto_parts::ways {
    explicit kept(mpi::comm_handle comm) : ways(comm, 1, &in_turn) {}
    static auto_parts::way in_turn(const ways& on) {
      return static_cast<auto_parts::way>(on.ended % 3);
    }
  };
  template <class T>
  using route = auto_parts::route<T>;
};

template <class Base>
struct in_turn : Base {
  using Base::Base;
  template <class... A>
  auto ialltoallv_grid(A&&... a) const {
    return plugin::perform_later<alltoallv_in_turn>(*this, std::forward<A>(a)...);
  }
};

template <class Communicator>
void exchange_in_flight() {
  const Communicator comm;
  unsigned id = 0;
  for (const std::size_t in_flight : {1u, 2u, 3u, 8u})
    for (unsigned round = 0; round < 12; ++round) {
      chance_of chance = own_chance(comm, 100 * round + static_cast<unsigned>(in_flight));
      std::vector<std::unique_ptr<exchange>> all;
      std::vector<decltype(begin(comm, *all[0]))> begun;
      for (std::size_t i = 0; i < in_flight; ++i) {
        all.push_back(std::make_unique<exchange>(comm, ++id));
        if (chance(4) == 0) usleep(chance(200));
        begun.push_back(begin(comm, *all.back()));
        if (chance(4) == 0)
          static_cast<void>(begun[chance(static_cast<unsigned>(begun.size()))].pending());
      }
      std::vector<std::size_t> order(in_flight);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::shuffle(order.begin(), order.end(), chance.numbers);
      for (const std::size_t i : order) switch (chance(4)) {
          case 0: {
            const auto dropped = std::move(begun[i]);
            break;
          }
          case 1: {
            std::optional<ints> got;
            while (!(got = begun[i].test())) usleep(chance(20));
            check::equal(*got, all[i]->wanted);
            break;
          }
          default:
            check::equal(begun[i].wait(), all[i]->wanted);
        }
    }
}

}  // namespace

TEST(exchanges_in_flight_are_completed_in_another_order_on_each_rank) {
  exchange_in_flight<grid>();
}
TEST(the_way_of_an_exchange_depends_on_what_the_one_before_sent) {
  using auto_parts::way;
  constexpr auto of_1024 = [](count_t partners, count_t bytes) {
    return auto_parts::ways::cheapest(1024, 64, partners, bytes);
  };
  static_assert(of_1024(1024, 0) == way::grid && of_1024(1024, 9'000'000) == way::grid);
  static_assert(of_1024(1024, 10'000'000) == way::direct);
  static_assert(of_1024(21, 100) == way::sparse && of_1024(22, 100) == way::grid);
  static_assert(of_1024(400, 10'000'000) == way::sparse);
  const basic_communicator<auto_alltoall> comm;
  unsigned id = 50000;
  for (int round = 0; round < 5; ++round) {
    const exchange all(comm, ++id);
    auto begun = comm.ialltoallv_auto(send_buf(all.values), send_counts(all.counts));
    check::equal(comm.alltoallv_auto(send_buf(all.values), send_counts(all.counts)), all.wanted);
    check::equal(begun.wait(), all.wanted);
  }
}
TEST(exchanges_by_several_ways_are_completed_in_another_order_on_each_rank) {
  exchange_in_flight<basic_communicator<in_turn>>();
}

// Four calls a round, three ways: each fails by each way.
TEST(failures_by_each_way_are_thrown_on_all_ranks) {
  const basic_communicator<in_turn> comm;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const ints counts(ranks, 5);
  const std::vector<char> small(5 * ranks, 'a');
  const std::vector<double> large(5 * ranks, 1.0);
  const ints values(5 * ranks, comm.rank());
  for (unsigned round = 0; round < 3; ++round)
    for (int bad = 0; bad < comm.size(); ++bad) {
      const bool here = comm.rank() == bad;
      const auto differ = [&] {
        if (here)
          static_cast<void>(comm.ialltoallv_grid(send_buf(small), send_counts(counts)).wait());
        else
          static_cast<void>(comm.ialltoallv_grid(send_buf(large), send_counts(counts)).wait());
      };
      if (ranks == 1)
        differ();
      else
        check::expect(check::thrown_by<error>(differ).error_class() == mpi::error_class::type);
      const auto thrown = [here](auto call) {
        if (here)
          check::thrown_by<too_small>(call);
        else
          check::thrown_by<remote_failure>(call);
      };
      thrown([&] {
        const std::span<const int> sent(values.data(), here ? 0 : values.size());
        static_cast<void>(comm.ialltoallv_grid(send_buf(sent), send_counts(counts)).wait());
      });
      ints room(here ? 0 : values.size());
      thrown([&] {
        comm.ialltoallv_grid(send_buf(values), send_counts(counts), recv_buf<no_resize>(room))
            .wait();
      });
      const exchange all(comm, 60000 + 10 * round + static_cast<unsigned>(bad));
      check::equal(begin(comm, all).wait(), all.wanted);
    }
}

TEST(whatever_waits_drives_all_of_them) {
  const grid comm;
  unsigned id = 10000;
  for (int way = 0; way < 14; ++way) {
    const exchange a(comm, ++id), b(comm, ++id);
    // A message that its sender only sends when its exchanges are complete: the receiver waits for it with
    // what must drive its own part of these.
    const bool sends = comm.rank() % 2 == 0;
    const int next = right(comm), before = left(comm);
    int got = -1;
    auto message = comm.irecv(recv_buf(got), source(before), tag(1));
    auto other = comm.irecv(recv_buf(0), source(before), tag(2));
    auto first = begin(comm, a);
    auto second = begin(comm, b);
    const auto send_both = [&] {
      comm.isend(send_buf(comm.rank()), destination(next), tag(1)).wait();
      comm.isend(send_buf(comm.rank()), destination(next), tag(2)).wait();
    };
    const auto complete = [&] {
      check::equal(second.wait(), b.wanted);
      check::equal(first.wait(), a.wanted);
    };
    if (sends || comm.size() == 1) {
      complete();
      send_both();
      message.wait();
      check::equal(other.wait(), before);
    } else {
      switch (way) {
        case 0:
          message.wait();
          break;
        case 1:
          while (!message.test()) {
          }
          break;
        case 2:
          check::equal(wait_all(message, other), before);
          break;
        case 3:
          while (!test_all(message, other)) {
          }
          break;
        case 4:
          check::expect(wait_any(message, other).has_value());
          break;
        case 5:
          while (!test_any(message, other)) {
          }
          break;
        case 6:
          check::expect(!wait_some(message, other).empty());
          break;
        case 7:
          while (test_some(message, other).empty()) {
          }
          break;
        case 8: {
          request_pool pool;
          pool.add(std::move(message));
          pool.wait_all();
          break;
        }
        case 9: {
          request_pool pool;
          pool.add(std::move(message));
          while (!pool.test_all()) {
          }
          break;
        }
        case 10: {
          request_pool pool;
          pool.add(std::move(message));
          static_cast<void>(pool.wait_any());
          break;
        }
        case 11: {
          request_pool pool;
          auto ticket = pool.add(std::move(message));
          pool.add(std::move(other));
          ticket.wait();
          break;
        }
        case 12: {
          const auto dropped = std::move(message);
          break;
        }
        default: {
          std::vector<decltype(message)> several;
          several.push_back(std::move(message));
          wait_all(several);
        }
      }
      complete();
      send_both();
    }
    comm.ibarrier().wait();
    check::equal(got, before);
  }
}

TEST(blocking_messages_drive_exchanges_while_they_wait) {
  const grid comm;
  const bool waits = comm.rank() % 2 != 0;
  // Of a pair, the even rank completes its exchanges first, and the odd one cannot do without them.
  const int other = waits ? comm.rank() - 1 : comm.rank() + 1;
  const ints much(70000, comm.rank());
  int got = -1;
  ints several(2);
  const auto send = [&] { comm.send(send_buf(comm.rank()), destination(other)); };
  const auto receive_much = [&] {
    check::equal(comm.recv(recv_buf(ints()), recv_count(70000), source(other)), ints(70000, other));
  };
  const std::vector<std::pair<std::function<void()>, std::function<void()>>> ways{
      {send, [&] { comm.recv(recv_buf(got), source(other)); }},
      {send, [&] { got = comm.recv(recv_buf(ints()), source(other)).at(0); }},
      {send, [&] { got = comm.recv(recv_buf(0), source(mpi::any_source)); }},
      {send, [&] { mpi::recv(&got, 1, mpi::int_, other, 0, comm.handle()); }},
      {send,
       [&] {
         static_cast<void>(comm.probe(source(other)));
         comm.recv(recv_buf(got), source(other));
       }},
      {send,
       [&] {
         auto message = comm.mprobe(source(other));
         got = message.recv(recv_buf(0));
       }},
      {receive_much, [&] { comm.send(send_buf(much), destination(other)); }},
      {receive_much, [&] { comm.ssend(send_buf(much), destination(other)); }},
      {receive_much, [&] { mpi::ssend(much.data(), 70000, mpi::int_, other, 0, comm.handle()); }},
      {[&] { comm.sendrecv(send_buf(much), destination(other), recv_buf(got), source(other)); },
       [&] {
         ints all(much.size());
         comm.sendrecv(send_buf(comm.rank()), destination(other), recv_buf(all), source(other));
         got = all.back();
       }},
      {[&] {
         several = {comm.rank(), -1};
         comm.sendrecv_replace(send_recv_buf(several), destination(other), source(other));
       },
       [&] {
         several = {comm.rank(), -2};
         comm.sendrecv_replace(send_recv_buf(several), destination(other), source(other));
         check::equal(several, ints{other, -1});
       }},
      {[&] {
         mpi::status from;
         check::expect(check::thrown_by<error>([&] {
                         comm.recv(recv_buf(several), recv_count(2), source(other),
                                   status_out(from));
                       }).error_class() == mpi::error_class::truncate);
       },
       [&] { comm.send(send_buf(ints(3)), destination(other)); }},
      {[&] { comm.send(send_buf(ints(3)), destination(other)); },
       [&] {
         check::thrown_by<error>([&] { comm.recv(recv_buf<no_resize>(several), source(other)); });
       }},
  };
  unsigned id = 60000;
  for (const auto& [first, last] : ways) {
    const exchange a(comm, ++id), b(comm, ++id);
    auto one = begin(comm, a);
    auto two = begin(comm, b);
    const bool alone = other >= comm.size();
    got = -1;
    if (waits) last();
    check::equal(two.wait(), b.wanted);
    check::equal(one.wait(), a.wanted);
    if (!waits && !alone) first();
    if (waits && got != -1) check::equal(got, other);
    comm.ibarrier().wait();
  }
}

TEST(blocking_collectives_complete_exchanges_before) {
  const grid comm;
  const auto n = static_cast<std::size_t>(comm.size());
  const ints ones(n, 1);
  const communicator all;
  const std::vector<std::function<void()>> ways{
      [&] { comm.barrier(); },
      [&] { static_cast<void>(comm.bcast_single(send_recv_buf(comm.rank()))); },
      [&] {
        ints values(comm.rank() == 0 ? 5u : 0u);
        comm.bcast(send_recv_buf<resize_to_fit>(values));
        check::equal(values.size(), std::size_t{5});
      },
      [&] { check::equal(comm.allreduce_single(send_buf(1), op(mpi::sum)), comm.size()); },
      [&] { static_cast<void>(comm.reduce(send_buf(ones), op(mpi::max))); },
      [&] { static_cast<void>(comm.gather(send_buf(ones))); },
      [&] { static_cast<void>(comm.gatherv(send_buf(ones))); },
      [&] { static_cast<void>(comm.scatter(send_buf(ones))); },
      [&] { check::equal(comm.allgather(send_buf(1)), ones); },
      [&] { check::equal(comm.allgatherv(send_buf(ints(1, 1))), ones); },
      [&] { check::equal(comm.alltoall(send_buf(ones)), ones); },
      [&] { check::equal(comm.alltoallv(send_buf(ones), send_counts(ones)), ones); },
      [&] { check::equal(comm.alltoallv_grid(send_buf(ones), send_counts(ones)), ones); },
      [&] { check::equal(comm.scan_single(send_buf(1), op(mpi::sum)), comm.rank() + 1); },
      [&] { static_cast<void>(comm.exscan(send_buf(ones), op(mpi::sum))); },
      [&] { static_cast<void>(comm.reduce_scatter_block(send_buf(ones), op(mpi::sum))); },
      [&] { check::expect(comm.is_same_on_all_ranks(7)); },
      [&] { static_cast<void>(comm.dup()); },
      [&] { static_cast<void>(comm.split(comm.rank())); },
      [&] { all.barrier(); },
      [&] { check::equal(all.allgather(send_buf(1)), ones); },
      [&] { mpi::barrier(all.handle()); },
  };
  unsigned id = 70000;
  for (const auto& way : ways) {
    const exchange a(comm, ++id), b(comm, ++id);
    auto one = begin(comm, a);
    auto two = begin(comm, b);
    if (comm.rank() % 2 != 0) way();
    check::equal(two.wait(), b.wanted);
    check::equal(one.wait(), a.wanted);
    if (comm.rank() % 2 == 0) way();
  }
}

TEST(pools_and_coroutines_complete_exchanges_like_other_operations) {
  const grid comm;
  unsigned id = 20000;
  for (unsigned round = 0; round < 6; ++round) {
    chance_of chance = own_chance(comm, round);
    const exchange a(comm, ++id), b(comm, ++id), c(comm, ++id);
    request_pool pool;
    auto ticket = pool.add(begin(comm, a));
    ints acted;
    pool.add(begin(comm, b), [&](ints got) { acted = std::move(got); });
    auto both = awaited(pool, comm, c);
    int from_left = -1;
    pool.add(comm.irecv(recv_buf(from_left), source(left(comm))));
    pool.add(comm.isend(send_buf(comm.rank()), destination(right(comm))));
    if (chance(2) == 0) check::equal(both.wait(), c.wanted);
    if (chance(2) == 0) check::equal(ticket.wait(), a.wanted);
    pool.wait_all();
    check::equal(acted, b.wanted);
    check::equal(from_left, left(comm));
    if (both.pending()) check::equal(both.wait(), c.wanted);
  }
  const exchange a(comm, ++id), b(comm, ++id);
  auto first = begin(comm, a);
  auto counted = comm.ialltoallv_grid(send_buf(b.values), send_counts(b.counts), recv_counts_out());
  auto [one, two] = wait_all(first, counted);
  check::equal(one, a.wanted);
  check::equal(two.extract_recv_buf(), b.wanted);
  check::equal(two.extract_recv_counts(), b.wanted_counts);
}

TEST(every_kind_of_buffer_goes_through_stages) {
  const grid comm;
  const exchange all(comm, 30001);
  check::equal(comm.ialltoallv_grid(send_buf(as_serialized(all.texts))).wait(), all.wanted_texts);
  ints large(all.wanted.size() + 3, -1);
  comm.ialltoallv_grid(send_buf(all.values), send_counts(all.counts), recv_buf(large)).wait();
  check::equal(large.back(), -1);
  large.resize(all.wanted.size());
  check::equal(large, all.wanted);
  large.clear();
  comm.ialltoallv_grid(send_buf(all.values), send_counts(all.counts),
                       recv_buf<resize_to_fit>(large))
      .wait();
  check::equal(large, all.wanted);
  ints values = all.values;
  check::equal(comm.ialltoallv_grid(send_buf(std::move(values)), send_counts(ints(all.counts)),
                                    recv_buf(ints(7)))
                   .wait(),
               all.wanted);
  const grid part = comm.split(comm.rank() % 2);
  const exchange of_part(part, 30002);
  check::equal(begin(part, of_part).wait(), of_part.wanted);
}

TEST(what_fails_on_one_rank_is_an_error_on_all_and_the_next_exchange_is_right) {
  const grid comm;
  for (int bad = 0; bad < comm.size(); ++bad) {
    const exchange before(comm, 40000), behind(comm, 40001);
    ints wrong_counts = behind.counts;
    if (comm.rank() == bad) wrong_counts.push_back(1);
    ints small;
    auto first = begin(comm, before);
    auto failing = comm.ialltoallv_grid(send_buf(behind.values), send_counts(wrong_counts));
    // What has no room on one rank.
    const ints ones(static_cast<std::size_t>(comm.size()), 1);
    ints room(comm.rank() == bad ? 0 : ones.size());
    auto short_of_room =
        comm.ialltoallv_grid(send_buf(ones), send_counts(ones), recv_buf<no_resize>(room));
    auto last = begin(comm, behind);
    check::equal(last.wait(), behind.wanted);
    const auto judge = [&](auto action) {
      int told_by = comm.size();
      try {
        action();
      } catch (const remote_failure& failure) {
        told_by = failure.failed_rank();
      } catch (const error&) {
        told_by = comm.rank();
      }
      check::equal(told_by, bad);
    };
    judge([&] { static_cast<void>(failing.wait()); });
    judge([&] { short_of_room.wait(); });
    check::equal(first.wait(), before.wanted);
  }
}

TEST(exchanges_outlive_their_communicator_and_the_exception_that_leaves_them) {
  const exchange all(communicator(), 50000);
  std::optional<request_of_ints> last;
  {
    const grid own = grid(communicator().dup().handle()).dup();
    last.emplace(begin(own, all));
  }
  check::equal(last->wait(), all.wanted);
  // Elements of a datatype, which MPI packs on a communicator.
  const auto n = static_cast<std::size_t>(communicator().size());
  ints wide(2 * n, communicator().rank()), came(2 * n, -1);
  const ints ones(n, 1);
  const auto type = mpi::type_create_resized(mpi::int_, 0, 2 * sizeof(int));
  mpi::datatype_handle committed = type;
  mpi::type_commit(committed);
  {
    std::optional<decltype(std::declval<const grid&>().ialltoallv_grid(
        send_buf(raw(wide.data(), 1, committed)), send_counts(ones),
        recv_buf(raw(came.data(), 1, committed))))>
        typed;
    {
      const grid own = grid().dup();
      typed.emplace(own.ialltoallv_grid(
          send_buf(raw(wide.data(), static_cast<count_t>(n), committed)), send_counts(ones),
          recv_buf(raw(came.data(), static_cast<count_t>(n), committed))));
    }
    typed->wait();
  }
  mpi::type_free(committed);
  for (std::size_t i = 0; i < n; ++i)
    check::expect(came[2 * i] == static_cast<int>(i) && came[2 * i + 1] == -1);
  try {
    const auto left_behind =
        grid().ialltoallv_grid(send_buf(ints(all.values)), send_counts(ints(all.counts)));
    throw 1;
  } catch (int) {
  }
  check::equal(begin(grid(), all).wait(), all.wanted);
  const basic_communicator<grid_alltoall, with_outcomes> quiet;
  check::equal(quiet.ialltoallv_grid(send_buf(all.values), send_counts(all.counts)).wait().value(),
               all.wanted);
  const basic_communicator<grid_alltoall, unchecked> unlooked;
  check::equal(unlooked.ialltoallv_grid(send_buf(all.values), send_counts(all.counts)).wait(),
               all.wanted);
}

TEST(an_operation_of_a_plugin_has_its_forms_from_one_description) {
  const basic_communicator<evening> comm;
  const auto n = static_cast<std::size_t>(comm.size());
  for (unsigned id = 1; id < 40; ++id) {
    // The values over all ranks are 0, 1, 2 and so on.
    std::vector<std::size_t> lengths;
    std::size_t all = 0;
    int begin = 0;
    for (int rank = 0; rank < comm.size(); ++rank) {
      chance_of draw(31u * id + static_cast<unsigned>(rank));
      lengths.push_back(draw(3) == 0 ? 0 : draw(id % 9 == 0 ? 40000 : 30));
      if (rank == comm.rank()) begin = static_cast<int>(all);
      all += lengths.back();
    }
    ints mine(lengths[static_cast<std::size_t>(comm.rank())]);
    std::iota(mine.begin(), mine.end(), begin);
    const auto first = all * static_cast<std::size_t>(comm.rank()) / n;
    ints wanted(all * static_cast<std::size_t>(comm.rank() + 1) / n - first);
    std::iota(wanted.begin(), wanted.end(), static_cast<int>(first));
    auto one = comm.ievened(send_buf(mine));
    auto two = comm.ievened(send_buf(mine), recv_buf(ints()));
    const int bad = static_cast<int>(id) % comm.size();
    const int how = comm.rank() == bad ? static_cast<int>(id % 2) + 1 : 0;
    auto broken = comm.ievened(send_buf(mine), breaks(how));
    check::equal(comm.evened(send_buf(mine)), wanted);
    if ((id + static_cast<unsigned>(comm.rank())) % 2 == 0) check::equal(two.wait(), wanted);
    const auto told_by = [&](auto action) {
      try {
        action();
      } catch (const own_trouble&) {
        return comm.rank();
      } catch (const remote_failure& failure) {
        return failure.failed_rank();
      }
      return -1;
    };
    check::equal(told_by([&] { static_cast<void>(broken.wait()); }), bad);
    check::equal(told_by([&] { static_cast<void>(comm.evened(send_buf(mine), breaks(how))); }),
                 bad);
    check::equal(one.wait(), wanted);
    if ((id + static_cast<unsigned>(comm.rank())) % 2 != 0) check::equal(two.wait(), wanted);
  }
}
