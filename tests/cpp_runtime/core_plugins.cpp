// Plugins: stacked in any order they add members, override them, name parameters, hook errors.

#include <functional>
#include <map>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

// Overrides a member that is there.
template <class Base>
struct counting : Base {
  using Base::Base;
  template <class... A>
  auto bcast(A&&... a) const {
    ++broadcasts;
    return Base::bcast(static_cast<A&&>(a)...);
  }
  mutable int broadcasts = 0;
};

// Overrides the same member, and has a parameter of its own.
namespace keys_of_test {
struct times {};
}  // namespace keys_of_test

parameter<keys_of_test::times, int> times(int n) { return {n}; }

// A parameter that asks for a value: all that the library needs to know of it.
namespace keys_of_test {
struct ranks_out : keys::asked_for {
  template <class Result>
  struct extraction {
    [[nodiscard]] auto extract_ranks() {
      return detail::extract<ranks_out>(static_cast<Result&>(*this));
    }
  };
};
}  // namespace keys_of_test

parameter<keys_of_test::ranks_out, int> ranks_out() { return {0}; }
parameter<keys_of_test::ranks_out, int&> ranks_out(int& n) { return {n}; }

struct asking_operation {
  using accepts = plugin::names<keys_of_test::ranks_out, keys::recv_count_out>;
  using needs = plugin::names<>;

  template <class Arguments>
  struct state : plugin::algorithm {
    static constexpr const char* name = "ask";
    state(plugin::group_view on, Arguments&& given)
        : group(on), arguments(static_cast<Arguments&&>(given)) {}
    bool agree(int&) {
      arguments.template get<keys_of_test::ranks_out>().value = group.size;
      return false;
    }
    auto results() { return detail::results_with(arguments); }

    plugin::group_view group;
    Arguments arguments;
  };
};

template <class Base>
struct asking : Base {
  using Base::Base;
  template <class... A>
  auto ask(A&&... a) const {
    return plugin::perform<asking_operation>(*this, static_cast<A&&>(a)...);
  }
};

template <class Base>
struct repeating : Base {
  using Base::Base;
  template <class Repeat, class... A>
    requires std::is_same_v<typename std::remove_cvref_t<Repeat>::key, keys_of_test::times>
  void bcast(Repeat&& repeat, A&&... a) const {
    for (int i = 0; i < repeat.value; ++i) Base::bcast(a...);
  }
  template <class... A>
  auto bcast(A&&... a) const {
    return Base::bcast(static_cast<A&&>(a)...);
  }
};

// Adds a member that calls what other plugins made of the others.
template <class Base>
struct greeting : Base {
  using Base::Base;
  std::string greet() const {
    std::vector<char> text(5);
    if (this->rank() == 0) text = {'h', 'e', 'l', 'l', 'o'};
    this->self().bcast(send_recv_buf(text));
    return std::string(text.begin(), text.end());
  }
};

// Hooks errors.
template <class Base>
struct remembering : Base {
  using Base::Base;
  void on_error(const error& failed) const { last = failed.operation(); }
  mutable std::string last;
};

using one = basic_communicator<counting, repeating, greeting, remembering>;
using other = basic_communicator<remembering, greeting, repeating, counting>;

template <class Message>
using messages = std::vector<sparse_message<Message>>;

using sparse = basic_communicator<sparse_alltoall>;

}  // namespace

TEST(a_parameter_of_a_plugin_that_asks_is_part_of_the_result) {
  const basic_communicator<asking> comm;
  check::equal(comm.ask(ranks_out()), comm.size());
  auto both = comm.ask(recv_count_out(), ranks_out());
  check::equal(both.extract_ranks(), comm.size());
  const auto& [count, ranks] = both;
  check::expect(count == 0 && ranks == comm.size());
  int n = 0;
  comm.ask(ranks_out(n));
  check::equal(n, comm.size());
}

TEST(plugins_stack_in_any_order) {
  const one a;
  const other b(MPI_COMM_WORLD);
  std::vector<int> values(2, a.rank());
  check::equal(a.greet() + b.greet(), std::string("hellohello"));
  a.bcast(times(3), send_recv_buf(values));
  b.bcast(times(3), send_recv_buf(values));
  check::equal(values, std::vector<int>{0, 0});
  // `repeating` calls what lies below it: `counting` in one order, not in the other.
  check::equal(a.broadcasts, 4);
  check::equal(b.broadcasts, 2);
  const one half = a.split(a.rank() % 2);
  check::equal(half.greet(), std::string("hello"));
  check::equal(half.broadcasts, 1);
}

TEST(plugins_see_errors_before_they_are_thrown) {
  const one a;
  const other b;
  std::vector<int> small(1);
  check::thrown_by<too_small>([&] { a.bcast(send_recv_buf(small), send_recv_count(2)); });
  check::equal(a.last, std::string("bcast"));
  check::thrown_by<mpi::error>([&] { b.send(send_buf(small), destination(b.size())); });
  check::equal(b.last, std::string("send"));
}

TEST(policies_are_plugins) {
  using quiet = basic_communicator<with_outcomes>;
  using careful = basic_communicator<counting, checked>;
  static_assert(basic_communicator<unchecked>::checking == checks::off);
  static_assert(basic_communicator<checked_together>::checking == checks::communication);
  const quiet comm;
  const std::vector<int> one(1);
  auto sent = comm.send(send_buf(one), destination(comm.size()));
  check::expect(!sent && sent.error().error_class() == mpi::error_class::rank);
  std::vector<int> values(2, 3);
  check::expect(static_cast<bool>(comm.bcast(send_recv_buf(values))));
  check::thrown_by<error>([&] { careful().bcast(send_recv_buf(values), root(-5)); });
}

TEST(sparse_messages_arrive_by_source) {
  const sparse comm;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  std::map<int, std::vector<int>> out{{next, {comm.rank(), 7}}};
  const messages<std::vector<int>> got = comm.alltoall_sparse(sparse_send_buf(out));
  check::equal(got.size(), std::size_t{1});
  check::equal(got[0].source, before);
  check::equal(got[0].data, std::vector<int>{before, 7});

  // Everybody to rank 0, twice, empty messages too.
  std::vector<std::pair<int, std::vector<double>>> to_first{{0, {}}, {0, {comm.rank() + 0.5}}};
  const auto all = comm.alltoall_sparse(sparse_send_buf(to_first));
  check::equal(all.size(), static_cast<std::size_t>(comm.rank() == 0 ? 2 * comm.size() : 0));
  for (std::size_t i = 0; i < all.size(); ++i) {
    check::equal(all[i].source, static_cast<int>(i / 2));
    check::equal(all[i].data.size(), i % 2);
  }
}

TEST(sparse_rounds_do_not_mix) {
  const sparse comm;
  // Ranks leave a round at different times; the next one begins at once, by other wrappers too.
  for (int round = 0; round < 200; ++round) {
    const sparse again(MPI_COMM_WORLD);
    std::vector<std::pair<int, int>> out;
    for (int to = 0; to < comm.size(); ++to)
      if ((round + to + comm.rank()) % 3 == 0) out.push_back({to, round});
    const messages<int> got = (round % 2 == 0 ? comm : again).alltoall_sparse(sparse_send_buf(out));
    std::size_t wanted = 0;
    for (int from = 0; from < comm.size(); ++from)
      if ((round + from + comm.rank()) % 3 == 0) {
        check::expect(wanted < got.size() && got[wanted].source == from);
        check::equal(got[wanted++].data, round);
      }
    check::equal(got.size(), wanted);
  }
}

TEST(sparse_messages_meet_no_others) {
  const sparse comm;
  const int next = (comm.rank() + 1) % comm.size();
  auto any = comm.irecv(recv_buf(std::vector<int>()), recv_count(5));
  const std::vector<std::pair<int, std::vector<int>>> out{{next, {1}}};
  check::equal(comm.alltoall_sparse(sparse_send_buf(out)).size(), std::size_t{1});
  check::expect(any.pending());
  comm.isend(send_buf(std::vector<int>{5}), destination(comm.rank())).wait();
  check::equal(any.wait(), std::vector<int>{5});
}

TEST(sparse_messages_can_be_encoded_and_taken_as_they_come) {
  const sparse comm;
  std::map<int, std::map<std::string, int>> out;
  for (int to = 0; to <= comm.rank(); ++to) out[to] = {{"from", comm.rank()}};
  const auto got = comm.alltoall_sparse(sparse_send_buf(as_serialized(out)));
  check::equal(got.size(), static_cast<std::size_t>(comm.size() - comm.rank()));
  for (const auto& [source, data] : got) check::equal(data.at("from"), source);

  int sum = 0;
  const std::vector<std::pair<int, int>> mine{{0, 1}, {comm.size() - 1, 2}};
  comm.alltoall_sparse(on_message([&sum](int, int value) { sum += value; }), sparse_send_buf(mine));
  const int first = comm.rank() == 0 ? comm.size() : 0;
  const int last = comm.rank() == comm.size() - 1 ? 2 * comm.size() : 0;
  check::equal(sum, first + last);
}

TEST(polling_yields_where_spinning_does_not_end_waits) {
  plugin::polling pace;
  const auto wait = [&pace](unsigned misses) {
    for (unsigned i = 0; i < misses; ++i) pace.missed();
    pace.found();
    return pace.patience();
  };
  check::equal(wait(3), plugin::polling::most);
  unsigned patience = 0;
  for (int i = 0; i < 10; ++i) patience = wait(100);
  check::equal(patience, 0u);
  // It tries again from time to time, and waits that end at once tell nothing.
  unsigned trials = 0;
  for (unsigned i = 0; i < plugin::polling::trial; ++i)
    if (wait(100) == plugin::polling::most) ++trials;
  check::equal(trials, 1u);
  while (patience == 0) patience = wait(100);
  check::equal(wait(0), patience);
  for (unsigned i = 0; i < 40 * plugin::polling::trial; ++i) patience = wait(1);
  check::equal(patience, plugin::polling::most);
}

namespace {

// What a communicator keeps: two others, made once.
struct halves {
  explicit halves(mpi::comm_handle comm)
      : by_parity(communicator(comm).split(communicator(comm).rank() % 2)),
        same(communicator(comm).dup()) {}
  communicator by_parity, same;
  int calls = 0;
};

}  // namespace

TEST(plugins_keep_several_communicators_on_one) {
  const communicator world;
  const communicator twin = world.dup();
  halves& kept = plugin::kept_on<halves>(twin.handle());
  check::equal(++kept.calls, 1);
  const int parts = kept.by_parity.allreduce_single(send_buf(1), op(std::plus<>()));
  check::equal(parts, (world.size() + 1 - world.rank() % 2) / 2);
  check::equal(kept.same.size(), world.size());
  check::expect(&plugin::kept_on<halves>(twin.borrow().handle()) == &kept);
  // A duplicate begins anew, on all ranks.
  const communicator other = twin.dup();
  check::equal(plugin::kept_on<halves>(other.handle()).calls, 0);
}

TEST(sparse_failures_reach_everybody_and_the_next_round_works) {
  const sparse comm;
  const bool bad = comm.rank() == comm.size() - 1;
  const std::vector<std::pair<int, int>> out{{bad ? comm.size() : 0, 1}};
  const auto exchange = [&] { return comm.alltoall_sparse(sparse_send_buf(out)); };
  if (bad)
    check::expect(check::thrown_by<error>(exchange).error_class() == mpi::error_class::rank);
  else
    check::thrown_by<remote_failure>(exchange);
  const std::vector<std::pair<int, int>> good{{comm.rank(), 3}};
  check::equal(comm.alltoall_sparse(sparse_send_buf(good))[0].data, 3);

  // What a callable throws comes after all messages were received.
  const auto refuse = [](int, int) { throw decode_error("refused"); };
  check::thrown_by<decode_error>(
      [&] { comm.alltoall_sparse(sparse_send_buf(good), on_message(refuse)); });
  check::equal(comm.alltoall_sparse(sparse_send_buf(good)).size(), std::size_t{1});
}

TEST(sparse_exchanges_work_on_parts_and_duplicates) {
  const sparse comm;
  const sparse half = comm.split(comm.rank() % 2);
  const sparse twin = half.dup();
  for (const sparse* each : {&half, &twin, &comm}) {
    const std::vector<std::pair<int, int>> out{{0, each->rank()}};
    const auto got = each->alltoall_sparse(sparse_send_buf(out));
    check::equal(got.size(), static_cast<std::size_t>(each->rank() == 0 ? each->size() : 0));
  }
}
