// Plugins made of other operations: alltoall over a grid, hooks around operations, timers.

#include <mpiglot/at_most.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/plugins/timers.hpp>
#include <mpiglot/raw.hpp>
#include <memory>
#include <mpiglot/serialized.hpp>
#include <span>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using grid = basic_communicator<grid_alltoall>;

// Is told of all operations.
template <class Base>
struct watching : Base {
  using Base::Base;
  void before(const observed_call& call) const { seen += std::string("(") + call.operation; }
  void completed(const observed_call& call) const { seen += std::string(call.operation) + ")"; }
  mutable std::string seen;
};

// An operation of others: what they throw is the engine's business.
struct shared_largest_operation {
  using accepts = plugin::names<keys::send_buf, keys::root>;
  using needs = plugin::names<keys::send_buf>;
  template <class Arguments>
  struct state : plugin::algorithm {
    static constexpr const char* name = "shared_largest";
    state(plugin::group_view on, Arguments&& given)
        : group(on), arguments(static_cast<Arguments&&>(given)) {}
    bool agree(int&) {
      const communicator comm(group.comm);
      const int from = static_cast<int>(arguments.template value_or<keys::root>(0));
      found = comm.allreduce_single(send_buf(arguments.template get<keys::send_buf>().value),
                                    op(mpi::max));
      comm.bcast(send_recv_buf(found), root(from));
      return false;
    }
    int results() { return found; }

    plugin::group_view group;
    Arguments arguments;
    int found = 0;
  };
};

template <class Base>
struct sharing : Base {
  using Base::Base;
  template <class... A>
  auto shared_largest(A&&... a) const {
    using call = plugin::call<shared_largest_operation, typename Base::communicator_type, A...>;
    static_assert(plugin::is_right<typename call::verdict>);
    return call::perform(this->self(), static_cast<A&&>(a)...);
  }
};

// Counts errors.
template <class Base>
struct counting_errors : Base {
  using Base::Base;
  void on_error(const error&) const { ++errors; }
  mutable int errors = 0;
};

// Rank r sends to rank t as many elements as this says.
int length(int from, int to) { return (3 * from + 5 * to) % 4; }

std::vector<int> values_to_all(const grid& comm, std::vector<int>& counts) {
  std::vector<int> values;
  for (int to = 0; to < comm.size(); ++to) {
    counts.push_back(length(comm.rank(), to));
    for (int i = 0; i < counts.back(); ++i) values.push_back(1000 * comm.rank() + 10 * to + i);
  }
  return values;
}

}  // namespace

TEST(alltoall_over_a_grid_gives_what_alltoallv_gives) {
  const grid world;
  for (int left_out = 0; left_out < world.size(); ++left_out) {
    const grid comm = world.split(world.rank() >= left_out ? 0 : mpi::undefined);
    if (comm.size() == 0) continue;
    std::vector<int> counts;
    const std::vector<int> values = values_to_all(comm, counts);
    const auto [expected, expected_counts] =
        comm.alltoallv(send_buf(values), send_counts(counts), recv_counts_out());
    for (int hops = 1; hops < 5; ++hops) {
      const auto [found, found_counts] = comm.alltoallv_grid(send_buf(values), send_counts(counts),
                                                             recv_counts_out(), dimensions(hops));
      check::equal(found, expected);
      check::equal(found_counts, expected_counts);
    }
  }
  check::expect(check::thrown_by<error>([&] {
                  const std::vector<int> none(static_cast<std::size_t>(world.size()));
                  world.alltoallv_grid(send_buf(none), send_counts(none), dimensions(0));
                }).error_class() == mpi::error_class::dims);
}

TEST(alltoall_over_a_grid_takes_all_kinds_of_buffers) {
  const grid comm;
  std::vector<int> counts;
  const std::vector<int> values = values_to_all(comm, counts);
  const auto expected = comm.alltoallv(send_buf(values), send_counts(counts));

  std::vector<int> large(expected.size() + 3, -1);
  comm.alltoallv_grid(send_buf(values), send_counts(counts), recv_buf(large));
  check::equal(large[expected.size()], -1);
  comm.alltoallv_grid(send_buf(values), send_counts(counts), recv_buf<resize_to_fit>(large));
  check::equal(large, expected);

  // A vector of these has no elements in memory.
  const std::unique_ptr<bool[]> told(new bool[counts.size()]);
  for (std::size_t to = 0; to < counts.size(); ++to)
    told[to] = (static_cast<std::size_t>(comm.rank()) + to) % 3 == 0;
  std::unique_ptr<bool[]> heard(new bool[counts.size()]);
  const std::vector<int> one(counts.size(), 1);
  comm.alltoallv_grid(send_buf(std::span<const bool>(told.get(), counts.size())), send_counts(one),
                      recv_buf(std::span<bool>(heard.get(), counts.size())));
  check::expect(std::equal(told.get(), told.get() + counts.size(), heard.get()));

  // Every rank sends itself in words, as encoded values.
  std::vector<std::string> words;
  for (int to = 0; to < comm.size(); ++to)
    words.push_back(std::string(static_cast<std::size_t>(to), 'x') + std::to_string(comm.rank()));
  const std::vector<std::string> got = comm.alltoallv_grid(send_buf(as_serialized(words)));
  for (int from = 0; from < comm.size(); ++from)
    check::equal(got[static_cast<std::size_t>(from)],
                 std::string(static_cast<std::size_t>(comm.rank()), 'x') + std::to_string(from));
  check::equal(comm.alltoallv_grid(send_buf(at_most(64, as_serialized(words)))), got);

  // A datatype with gaps on the sending side.
  std::vector<int> pairs;
  std::vector<int> ones(static_cast<std::size_t>(comm.size()), 1);
  for (int to = 0; to < comm.size(); ++to) pairs.insert(pairs.end(), {comm.rank(), -1});
  const auto wide = mpi::type_create_resized(mpi::int_, 0, 2 * sizeof(int));
  mpi::datatype_handle type = wide;
  mpi::type_commit(type);
  std::vector<int> from_all(pairs.size(), -1);
  comm.alltoallv_grid(send_buf(raw(pairs.data(), comm.size(), type)), send_counts(ones),
                      recv_buf(raw(from_all.data(), comm.size(), type)));
  mpi::type_free(type);
  for (int from = 0; from < comm.size(); ++from) {
    check::equal(from_all[2 * static_cast<std::size_t>(from)], from);
    check::equal(from_all[2 * static_cast<std::size_t>(from) + 1], -1);
  }
}

TEST(a_failure_before_the_grid_or_behind_it_is_thrown_on_all_ranks) {
  const grid comm;
  const bool bad = comm.rank() == comm.size() - 1;
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), 1);
  const std::vector<int> values(bad ? 0 : counts.size());
  const auto exchange = [&] {
    static_cast<void>(comm.alltoallv_grid(send_buf(values), send_counts(counts)));
  };
  if (bad)
    check::thrown_by<too_small>(exchange);
  else
    check::thrown_by<remote_failure>(exchange);
  std::vector<int> room(comm.rank() == 0 ? 0 : counts.size());
  const auto receive = [&] {
    comm.alltoallv_grid(send_buf(counts), send_counts(counts), recv_buf<no_resize>(room));
  };
  if (comm.rank() == 0)
    check::thrown_by<too_small>(receive);
  else
    check::thrown_by<remote_failure>(receive);
}

// Counts for more ranks than there are, or for fewer, on one of them.
TEST(wrong_numbers_of_counts_on_one_rank_are_errors_on_all) {
  const grid comm;
  const int n = comm.size();
  for (int bad = 0; bad < n; ++bad)
    for (const int length : {0, n - 1, n + 1, n + 7}) {
      if (length < 0 || length == n) continue;
      const auto size = static_cast<std::size_t>(comm.rank() == bad ? length : n);
      const std::vector<int> counts(size, 1);
      const std::vector<int> values(static_cast<std::size_t>(n) + 8, comm.rank());
      check::thrown_by<error>(
          [&] { static_cast<void>(comm.alltoallv_grid(send_buf(values), send_counts(counts))); });
    }
  const std::vector<int> right(static_cast<std::size_t>(n), 1);  // nobody is out of step
  check::equal(comm.alltoallv_grid(send_buf(right), send_counts(right)), right);
}

TEST(elements_of_another_size_are_an_error_where_they_arrive) {
  const grid comm;
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), 5);
  const std::vector<char> small(5 * counts.size(), 'a');
  const std::vector<double> large(5 * counts.size(), 1.0);
  for (int other = 0; other < comm.size(); ++other) {
    const auto exchange = [&] {
      if (comm.rank() == other)
        static_cast<void>(comm.alltoallv_grid(send_buf(small), send_counts(counts)));
      else
        static_cast<void>(comm.alltoallv_grid(send_buf(large), send_counts(counts)));
    };
    if (comm.size() == 1)
      exchange();
    else
      check::expect(check::thrown_by<error>(exchange).error_class() == mpi::error_class::type);
  }
}

TEST(errors_inside_of_a_composed_operation_are_those_of_its_communicator) {
  const basic_communicator<sharing, counting_errors> comm;
  check::equal(comm.shared_largest(send_buf(comm.rank())), comm.size() - 1);
  const auto fail = [&comm] { comm.shared_largest(send_buf(1), root(comm.size())); };
  check::expect(check::thrown_by<error>(fail).error_class() == mpi::error_class::root);
  check::equal(comm.errors, 1);
  const basic_communicator<sharing, with_outcomes> quiet;
  const auto none = quiet.shared_largest(send_buf(1), root(comm.size()));
  check::expect(!none && none.error().error_class() == mpi::error_class::root);
  check::equal(quiet.shared_largest(send_buf(comm.rank())).value(), comm.size() - 1);
}

TEST(hooks_see_operations_begin_and_end) {
  const basic_communicator<watching, grid_alltoall, timers> comm;
  std::vector<int> one(1, comm.rank());
  comm.bcast(send_recv_buf(one));
  comm.ibarrier().wait();
  check::thrown_by<error>([&] { comm.send(send_buf(one), destination(comm.size())); });
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), 1);
  static_cast<void>(comm.alltoallv_grid(send_buf(counts), send_counts(counts)));
  std::string hops = "(ialltoallialltoall)(ialltoallvialltoallv)";
  std::string verdict = "(iallreduceiallreduce)";
  if (comm.size() >= 4) {
    hops += hops;
    verdict = "(iallgatheriallgather)(iallgatheriallgather)";
  }
  check::equal(comm.seen, std::string("(bcastbcast)(ibarrieribarrier)(sendsend)"
                                      "(alltoallv_grid" +
                                      hops + verdict + "alltoallv_grid)"));
  // Communicators without such a plugin are no larger, and have no hook.
  static_assert(sizeof(grid) == sizeof(communicator) && !detail::is_observed<grid>);
}

TEST(timers_compare_ranks) {
  const basic_communicator<timers> comm;
  for (int i = 0; i <= comm.rank(); ++i) const auto part = comm.timed("a \"quoted\"\nname");
  if (comm.rank() == 0) const auto part = comm.timed("only the first");
  comm.barrier();
  const std::vector<timing> all = comm.timings();
  check::equal(all.size(), std::size_t{3});
  check::equal(all[0].calls, static_cast<long long>(comm.size()));
  check::equal(all[1].name, std::string("barrier"));
  for (const timing& each : all) {
    check::expect(0 <= each.min && each.min <= each.mean && each.mean <= each.max * 1.000001);
    check::expect(each.imbalance() > 0.999999 && each.imbalance() <= comm.size() * 1.000001);
  }
  if (comm.size() > 1) check::equal(all[2].min, 0.0);
  // All ranks have the same.
  check::expect(comm.is_same_on_all_ranks(to_json(all)));
  comm.reset_timings();
  check::equal(comm.timings().size(), std::size_t{0});
}

TEST(timings_are_text_and_json) {
  const std::vector<timing> some{{"a \"b\"\n", 1, 2, 3, 4}, {"c", 0, 0, 0, 1}};
  check::equal(to_json(some),
               std::string(R"([{"name": "a \"b\"\u000a", "calls": 4, "min": 1, "mean": 2, )"
                           R"("max": 3, "imbalance": 1.5}, {"name": "c", "calls": 1, "min": 0, )"
                           R"("mean": 0, "max": 0, "imbalance": 1}])"));
  const std::string text = to_text({{"bcast", 0.5, 0.75, 1, 7}});
  check::expect(text.find("imbalance  name") != std::string::npos);
  check::expect(text.find("7     0.500000     0.750000     1.000000      1.33  bcast") !=
                std::string::npos);
}
