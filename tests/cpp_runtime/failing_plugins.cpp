// A failure at each event of what plugins, streams and persistent reductions do.

#include "failing.hpp"

#include <sstream>
#include <utility>

#include <mpiglot/plugins/folds.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/lookup.hpp>
#include <mpiglot/plugins/ranges.hpp>
#include <mpiglot/plugins/reproducible.hpp>
#include <mpiglot/plugins/sort.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <mpiglot/streams.hpp>

using namespace failing;

TEST(persistent_reductions_and_what_is_replaced) {
  const int next = (rank() + 1) % size();
  const int before = (rank() + size() - 1) % size();
  struct taken {
    ints mine;
    ints got;
  };
  int none = 0;
  const auto captures = [&none](int a, int b) { return a + b + none; };
  for (const std::size_t n : {std::size_t{5}, std::size_t{3000}}) {
    const auto mine = [n] { return taken{ints_of(rank(), n), ints(n, -1)}; };
    ints sums(n), up_to(n);
    for (int from = 0; from < size(); ++from)
      for (std::size_t i = 0; i < n; ++i) {
        sums[i] += ints_of(from, n)[i];
        if (from <= rank()) up_to[i] += ints_of(from, n)[i];
      }
    AT_EACH("reduce_init", untold, mine, rank() != 0 || input.got == sums,
            once(world().reduce_init(send_buf(input.mine), recv_buf(input.got), op(mpi::sum))));
    AT_EACH("allreduce_init by a function", untold, mine, input.got == sums,
            once(world().allreduce_init(send_buf(input.mine), recv_buf(input.got),
                                        op(captures, commutative))));
    AT_EACH("scan_init by a function that may throw", untold, mine, input.got == up_to,
            once(world().scan_init(send_buf(input.mine), recv_buf(input.got),
                                   op(captures, commutative, may_throw))));
    AT_EACH("sendrecv_replace", untold, mine, input.mine == ints_of(before, n),
            (world().sendrecv_replace(send_recv_buf(input.mine), destination(next), source(before)),
             0));
    if (size() != 2) continue;
    AT_EACH("isendrecv_replace", untold, mine, input.mine == ints_of(before, n),
            (world()
                 .isendrecv_replace(send_recv_buf(input.mine), destination(next), source(before))
                 .wait(),
             0));
  }
}

TEST(values_of_plugins) {
  static const basic_communicator<sparse_alltoall, grid_alltoall> comm;
  const int next = (rank() + 1) % size();
  const int before = (rank() + size() - 1) % size();
  const auto mine = [next] {
    return std::vector<std::pair<int, things>>{{next, things_of(rank(), 2)}};
  };
  const things wanted = things_of(before, 2);
  AT_EACH("alltoall_sparse", told, mine,
          result.size() == 1 && result[0].source == before && result[0].data == wanted,
          comm.alltoall_sparse(sparse_send_buf(as_serialized(input))));
  const ints one(ranks(), 1);
  ints numbers;
  for (int from = 0; from < size(); ++from) numbers.push_back(10 * from + rank());
  const auto to_each = [] {
    ints all;
    for (int to = 0; to < size(); ++to) all.push_back(10 * rank() + to);
    return all;
  };
  AT_EACH("alltoallv_grid", told, to_each, result == numbers,
          comm.alltoallv_grid(send_buf(input), send_counts(one)));
  AT_EACH(
      "alltoallv_grid encoded", told,
      [] { return std::vector<things>(ranks(), things_of(rank(), 2)); }, result == lists(),
      comm.alltoallv_grid(send_buf(as_serialized(input))));
  AT_EACH("ialltoallv_grid", told, to_each, result == numbers,
          comm.ialltoallv_grid(send_buf(input), send_counts(one)).wait());
  AT_EACH(
      "ialltoallv_grid encoded", told,
      [] { return std::vector<things>(ranks(), things_of(rank(), 2)); }, result == lists(),
      comm.ialltoallv_grid(send_buf(as_serialized(input))).wait());
}

// Events of the comparator, too.
struct eventful {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    event();
    return a < b;
  }
};
struct eventful_equality {
  bool operator()(int a, int b) const {
    event();
    return a == b;
  }
};

TEST(ranges_of_plugins) {
  static const basic_communicator<sorter, ranges> comm;
  const auto mine = [] {
    ints values(5);
    for (int i = 0; i < 5; ++i) values[static_cast<std::size_t>(i)] = size() * (4 - i) + rank();
    return values;
  };
  const auto in_order = [](int i) { return 5 * rank() + i; };
  const auto is_part = [&](const ints& part) {
    for (std::size_t i = 0; i < part.size(); ++i)
      if (part[i] != in_order(static_cast<int>(i))) return false;
    return part.size() == 5;
  };
  AT_EACH("sort", told, mine, is_part(result),
          comm.sort(send_buf(input), comparator(eventful()), imbalance(0)));
  AT_EACH("stable_sort in place", told, mine, is_part(input),
          (comm.stable_sort(send_recv_buf(input), comparator(eventful()), imbalance(0)), 0));
  const auto texts = [] { return things_of(rank(), 3); };
  AT_EACH("sort encoded", told, texts, result.size() == 3,
          comm.sort(send_buf(as_serialized(input)), imbalance(0), projection(&thing::text)));
  AT_EACH("nth_element", told, mine, result == 2,
          comm.nth_element(send_buf(input), nth(2), comparator(eventful())));
  AT_EACH("is_sorted", told, mine, result == false,
          comm.is_sorted(send_buf(input), comparator(eventful())));
  AT_EACH("redistribute", told, mine, result == mine(), comm.redistribute(send_buf(input)));
  AT_EACH("redistribute in place", told, mine, input == mine(),
          (comm.redistribute(send_recv_buf(input)), 0));
  AT_EACH("redistribute encoded", told, texts, result == texts(),
          comm.redistribute(send_buf(as_serialized(input))));
  AT_EACH("shift_left", told, mine, result.size() == (rank() == size() - 1 ? 4u : 5u),
          comm.shift_left(send_buf(input)));
  AT_EACH("unique", told, mine, result == mine(),
          comm.unique(send_buf(input), equality(eventful_equality())));
}

TEST(reproducible_reductions_of_plugins) {
  static const basic_communicator<reproducible> comm;
  const auto mine = [] { return ints_of(rank(), 5); };
  const auto sum = [](int a, int b) {
    event();
    return a + b;
  };
  int all = 0;
  for (int from = 0; from < size(); ++from)
    for (const int one : ints_of(from, 5)) all += one;
  AT_EACH("reproducible_allreduce", told, mine, result == all,
          comm.reproducible_allreduce(send_buf(input), op(sum)));
  AT_EACH("reproducible_scan in place", told, mine, rank() != size() - 1 || input.back() == all,
          (comm.reproducible_scan(send_recv_buf(input), op(sum)), 0));
}

TEST(folds_and_look_ups_of_plugins) {
  static const basic_communicator<folds, lookup> comm;
  const auto mine = [] { return ints_of(rank(), 5); };
  const auto sum = [](int a, int b) {
    event();
    return a + b;
  };
  const auto is_odd = [](int a) {
    event();
    return a % 2 != 0;
  };
  int all = 0;
  count_t odd = 0;
  for (int from = 0; from < size(); ++from)
    for (const int one : ints_of(from, 5)) {
      all += one;
      odd += one % 2 != 0 ? 1 : 0;
    }
  AT_EACH("count_if", told, mine, result == odd, comm.count_if(send_buf(input), predicate(is_odd)));
  AT_EACH("transform_reduce", told, mine, result == all,
          comm.transform_reduce(send_buf(input), op(sum)));
  AT_EACH("inclusive_scan", told, mine, rank() != size() - 1 || result.back() == all,
          comm.inclusive_scan(send_buf(input), op(sum)));
  AT_EACH("adjacent_difference in place", told, mine, input.size() == 5,
          (comm.adjacent_difference(send_recv_buf(input), op(sum)), 0));
  const auto of = [](int key) {
    event();
    return key % size();
  };
  const auto text = [](int key) {
    event();
    return thing(key, 30);
  };
  AT_EACH("look_up", told, mine, result == mine(),
          comm.look_up(send_buf(input), home([](int key) { return key % size(); }),
                       answer([](int key) { return key; })));
  AT_EACH("look_up encoded", told, mine, result.size() == 5,
          comm.look_up(send_buf(input), home(of), answer(text)));
}

TEST(values_in_streams) {
  const auto mine = [] { return things_of(rank(), 3); };
  AT_EACH("write_value and read_value of a stream", told, mine, result == input, [&] {
    std::stringstream bytes;
    write_value(bytes, input);
    things back;
    read_value(bytes, back);
    return back;
  }());
}
