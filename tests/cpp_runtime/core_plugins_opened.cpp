// What an operation of a plugin does with its arguments: values of any buffer, room for any result, failures that
// ride on inner calls, and errors that name the operation.

#include <algorithm>
#include <array>
#include <list>
#include <mpiglot/at_most.hpp>
#include <mpiglot/layouts.hpp>
#include <mpiglot/plugin.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>
#include <numeric>
#include <span>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using ints = std::vector<int>;

// Every rank gets the values of the rank before it. `fails` says where something throws before that.
struct fails_key {};
parameter<fails_key, bool> fails(bool here) { return {here}; }
struct own_trouble {};

struct turn_operation {
  using accepts = plugin::names<keys::send_buf, keys::recv_buf, fails_key>;
  using needs = plugin::names<keys::send_buf>;

  template <class Arguments>
  struct state : plugin::algorithm {
    static constexpr const char* name = "turn";
    using values = plugin::opened<Arguments>;
    using value = typename values::value_type;

    state(plugin::group_view on, Arguments&& given)
        : group(on),
          arguments(static_cast<Arguments&&>(given)),
          mine(arguments),
          theirs(arguments) {}

    bool agree(int&) {
      const plugin::inner<Arguments> comm(group.comm);
      const auto ranks = static_cast<std::size_t>(group.size);
      const auto rank = static_cast<std::size_t>(group.rank);
      failure.attempt([&] {
        mine.open();
        if (arguments.template value_or<fails_key>(false)) throw own_trouble();
      });
      std::vector<value> came;
      failure.attempt([&] {
        if constexpr (values::encoded) {
          std::vector<std::vector<value>> parts(ranks);
          if (!failure.any()) {
            const auto all = mine.values();
            parts[(rank + 1) % ranks].assign(all.begin(), all.end());
          }
          came = comm.alltoallv(send_buf(plugin::unless(failure, as_serialized(parts))))
                     .at((rank + ranks - 1) % ranks);
        } else {
          ints counts(ranks);
          counts[(rank + 1) % ranks] = failure.any() ? 0 : static_cast<int>(mine.values().size());
          came =
              comm.alltoallv(send_buf(plugin::unless(failure, mine.values())), send_counts(counts));
        }
      });
      if (failure.any()) return false;
      failure.attempt([&] {
        const auto to = theirs.make(came.size());
        std::move(came.begin(), came.end(), to.begin());
        theirs.finish();
      });
      return false;
    }
    void finish() { failure.rethrow(); }
    auto results() { return theirs.results(arguments); }

    plugin::group_view group;
    Arguments arguments;
    values mine;
    plugin::room<Arguments, value> theirs;
    plugin::kept_failure failure;
  };
};

template <class Base>
struct turning : Base {
  using Base::Base;
  template <class... A>
  auto turn(A&&... a) const {
    return plugin::perform<turn_operation>(*this, static_cast<A&&>(a)...);
  }
};
using turner = basic_communicator<turning>;

std::size_t length_of(int rank, std::size_t most) {
  return static_cast<std::size_t>(rank + 1) * most / 4;
}

// All kinds of room for `wanted`.
template <class Value, class Send>
void into_all_kinds(const turner& comm, const std::vector<Value>& wanted, Send send) {
  check::expect(comm.turn(send()) == wanted);
  check::expect(comm.turn(send(), recv_buf(std::vector<Value>())) == wanted);
  check::expect(comm.turn(send(), recv_buf(std::vector<Value>(9, Value{}))) == wanted);
  std::vector<Value> large(wanted.size() + 2, Value{});
  comm.turn(send(), recv_buf(large));
  check::expect(std::equal(wanted.begin(), wanted.end(), large.begin()));
  check::equal(large.size(), wanted.size() + 2);
  comm.turn(send(), recv_buf<grow_only>(large));
  check::equal(large.size(), wanted.size() + 2);
  comm.turn(send(), recv_buf<resize_to_fit>(large));
  check::expect(large == wanted);
  large.assign(wanted.size(), Value{});
  comm.turn(send(), recv_buf(std::span<Value>(large)));
  check::expect(large == wanted);
  std::vector<Value> wide(3 * wanted.size() + 1, Value{});
  comm.turn(send(),
            recv_buf(strided_view<Value>{wide.data(), static_cast<count_t>(wanted.size()), 1, 3}));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    check::expect(wide[3 * i] == wanted[i]);
    check::expect(wide[3 * i + 1] == Value{});
  }
}

template <class Value>
std::vector<Value> values_of(int rank, std::size_t most) {
  std::vector<Value> values(length_of(rank, most));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<Value>(1000 * rank + static_cast<int>(i % 997));
  return values;
}

template <class Value>
void from_all_kinds(const turner& comm) {
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  for (const std::size_t most : {0u, 4u, 40u, 90000u}) {
    std::vector<Value> mine = values_of<Value>(comm.rank(), most);
    const std::vector<Value> wanted = values_of<Value>(before, most);
    const auto& fixed = mine;
    into_all_kinds(comm, wanted, [&] { return send_buf(mine); });
    into_all_kinds(comm, wanted, [&] { return send_buf(fixed); });
    into_all_kinds(comm, wanted, [&] { return send_buf(std::vector<Value>(mine)); });
    into_all_kinds(comm, wanted, [&] { return send_buf(std::span<const Value>(mine)); });
    into_all_kinds(comm, wanted, [&] { return send_buf(at_most(1000000, mine)); });
    std::vector<Value> gaps(2 * mine.size() + 1);
    for (std::size_t i = 0; i < mine.size(); ++i) gaps[2 * i] = mine[i];
    into_all_kinds(comm, wanted, [&] {
      return send_buf(strided_view<Value>{gaps.data(), static_cast<count_t>(mine.size()), 1, 2});
    });
  }
  const auto first = static_cast<Value>(comm.rank());
  const auto theirs = static_cast<Value>(before);
  check::expect(comm.turn(send_buf(std::array<Value, 2>{first, first})) ==
                std::vector<Value>(2, theirs));
  const Value plain[3] = {first, first, first};
  check::expect(comm.turn(send_buf(plain)) == std::vector<Value>(3, theirs));
  check::expect(comm.turn(send_buf(first)) == std::vector<Value>(1, theirs));
}

std::vector<std::string> texts_of(int rank, std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i)
    texts.push_back(std::string(i % 60, 'x') + std::to_string(rank));
  return texts;
}

// A value that one rank cannot encode.
struct brittle {
  int number = 0;
  static inline bool breaks = false;
  bool operator==(const brittle&) const = default;
  static void fields(auto& self, auto&& visit) {
    if (breaks && self.number != 0) throw own_trouble();
    visit(self.number);
  }
};

}  // namespace

TEST(an_operation_sees_the_values_of_every_buffer_and_fills_every_room) {
  const turner comm;
  from_all_kinds<int>(comm);
  from_all_kinds<double>(comm);
  from_all_kinds<char>(comm);
}

TEST(bags_are_values_in_their_order) {
  using namespace mpiglot::layouts;
  const turner comm;
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  auto mine = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 3));
  auto theirs = bag(scalar<int>() ^ vectors<'j', 'i'>(4, 3));
  ints wanted;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      mine[idx<'i', 'j'>(i, j)] = 100 * comm.rank() + 4 * i + j;
      wanted.push_back(100 * before + 4 * i + j);
    }
  check::equal(comm.turn(send_buf(mine)), wanted);
  comm.turn(send_buf(mine), recv_buf(theirs));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      check::equal(theirs[idx<'i', 'j'>(i, j)], wanted[static_cast<std::size_t>(4 * i + j)]);
}

TEST(encoded_lists_are_values_too) {
  const turner comm;
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  for (const std::size_t count : {0u, 1u, 7u, 3000u}) {
    const std::vector<std::string> mine = texts_of(comm.rank(), count);
    const std::vector<std::string> wanted = texts_of(before, count);
    check::expect(comm.turn(send_buf(as_serialized(mine))) == wanted);
    check::expect(comm.turn(send_buf(at_most(1000000, as_serialized(mine)))) == wanted);
    const std::list<std::string> linked(mine.begin(), mine.end());
    const std::list<std::string> wanted_list(wanted.begin(), wanted.end());
    check::expect(comm.turn(send_buf(as_serialized(linked))) == wanted);
    std::list<std::string> into;
    comm.turn(send_buf(as_serialized(mine)), recv_buf(as_serialized(into)));
    check::expect(into == wanted_list);
    check::expect(comm.turn(send_buf(as_serialized(mine)),
                            recv_buf(as_serialized(std::list<std::string>()))) == wanted_list);
  }
}

TEST(a_failure_rides_on_an_inner_call_and_errors_name_the_operation) {
  const basic_communicator<turning, checked> comm;
  const auto told_by = [&](auto action) {
    try {
      action();
    } catch (const own_trouble&) {
      return comm.rank();
    } catch (const remote_failure& failure) {
      check::expect(std::string(failure.what()).find("turn on rank") == 0);
      return failure.failed_rank();
    }
    return -1;
  };
  for (int bad = 0; bad < comm.size(); ++bad) {
    const bool here = comm.rank() == bad;
    const ints mine(4, comm.rank());
    check::equal(told_by([&] { static_cast<void>(comm.turn(send_buf(mine), fails(here))); }), bad);
    const auto texts = texts_of(comm.rank(), 3);
    check::equal(
        told_by([&] { static_cast<void>(comm.turn(send_buf(as_serialized(texts)), fails(here))); }),
        bad);
    const std::vector<brittle> glass(3, brittle{comm.rank() + 1});
    brittle::breaks = here;
    const int seen = told_by([&] { static_cast<void>(comm.turn(send_buf(as_serialized(glass)))); });
    brittle::breaks = false;
    check::equal(seen, bad);
    check::equal(comm.turn(send_buf(mine)), ints(4, (comm.rank() + comm.size() - 1) % comm.size()));
  }
  ints small;
  check::expect(std::string(check::thrown_by<too_small>([&] {
                              comm.turn(send_buf(1), recv_buf<no_resize>(small));
                            }).what())
                    .find("turn on rank") == 0);
}

TEST(a_failed_rank_tells_it_in_every_call_that_tells_lengths) {
  const communicator comm;
  const auto told = [&](int bad, auto call) {
    plugin::kept_failure failure;
    if (comm.rank() == bad) failure.attempt([] { throw own_trouble(); });
    try {
      call(failure);
    } catch (const own_trouble&) {
      return comm.rank() == bad;
    } catch (const remote_failure& seen) {
      return comm.rank() != bad && seen.failed_rank() == bad;
    }
    return false;
  };
  const auto by_all = [&](auto buffer) {
    for (int bad = 0; bad < comm.size(); ++bad) {
      check::expect(told(bad, [&](auto& failure) {
        comm.allgatherv(send_buf(plugin::unless(failure, buffer())));
      }));
      // The root alone learns of others.
      const bool gathered = told(
          bad, [&](auto& failure) { comm.gatherv(send_buf(plugin::unless(failure, buffer()))); });
      check::expect(gathered || (comm.rank() != 0 && comm.rank() != bad));
    }
  };
  for (const std::size_t n : {0u, 1u, 5u, 90000u}) {
    ints mine(n, comm.rank());
    const ints fixed = mine;
    ints counts(static_cast<std::size_t>(comm.size()));
    counts.back() = static_cast<int>(n);
    by_all([&]() -> ints& { return mine; });
    by_all([&]() -> const ints& { return fixed; });
    by_all([&] { return ints(mine); });
    by_all([&] { return std::span<const int>(mine); });
    by_all([&] { return strided_view<int>{mine.data(), static_cast<count_t>(n), 1, 1}; });
    for (int bad = 0; bad < comm.size(); ++bad) {
      check::expect(told(bad, [&](auto& failure) {
        comm.alltoallv(send_buf(plugin::unless(failure, mine)), send_counts(counts));
      }));
      check::expect(told(bad, [&](auto& failure) {
        comm.alltoallv(send_buf(plugin::unless(failure, std::span<const int>(mine))),
                       send_counts(counts), recv_counts_out());
      }));
      const std::vector<ints> parts(static_cast<std::size_t>(comm.size()), mine);
      check::expect(told(bad, [&](auto& failure) {
        comm.alltoallv(send_buf(plugin::unless(failure, as_serialized(parts))));
      }));
      check::expect(told(bad, [&](auto& failure) {
        comm.allgather(send_buf(plugin::unless(failure, as_serialized(mine))));
      }));
    }
  }
  const std::array<int, 2> two{1, 2};
  by_all([&]() -> const std::array<int, 2>& { return two; });
}
