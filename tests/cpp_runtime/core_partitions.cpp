// Messages in partitions from and to views: MPI reads and writes the elements where they lie.

#include <numeric>
#include <string>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/view.hpp>

#include "foreign_views.hpp"

#include "../cpp/check.hpp"

using namespace mpiglot;
using namespace foreign;

namespace {

using cube = span_of_many<int, 3>;

const communicator& world() {
  static const communicator comm;
  return comm;
}
int next() { return (world().rank() + 1) % world().size(); }
int before() { return (world().rank() + world().size() - 1) % world().size(); }

#if defined(OPEN_MPI)  // a view with gaps is an error, and a contiguous one is not
constexpr bool takes_gaps = false;
#else
constexpr bool takes_gaps = mpi::has_psend_init;
#endif

constexpr long rows = 4;
constexpr long columns = 3;
constexpr long depth = 2;
constexpr int all = rows * columns * depth;

// Much memory with a view in its middle.
struct placed {
  const char* name;
  std::array<long, 3> strides;
  std::vector<int> memory = std::vector<int>(400, -1);

  [[nodiscard]] cube view() { return {memory.data() + 200, {rows, columns, depth}, strides}; }
  [[nodiscard]] int& element(int position) {
    const long k = position % depth;
    const long j = position / depth % columns;
    const long i = position / depth / columns;
    return memory[static_cast<std::size_t>(200 + i * strides[0] + j * strides[1] + k * strides[2])];
  }
  // The same memory with `n` numbers in the order of indices.
  [[nodiscard]] std::vector<int> with(int from, int n = all) const {
    placed other{name, strides};
    for (int position = 0; position < n; ++position) other.element(position) = from + position;
    return other.memory;
  }
};

std::vector<placed> placements() {
  return {{"row-major", {columns * depth, depth, 1}},
          {"column-major", {1, rows, rows * columns}},
          {"padded", {(columns + 1) * (depth + 2), depth + 2, 1}},
          {"every second", {2 * columns * depth, 2 * depth, 2}},
          {"reversed rows", {columns * depth, -depth, 1}},
          {"planes of columns", {columns * depth, 1, columns}},
          {"backwards", {-columns * depth, depth, 1}}};
}

// Twice through one pair of requests, with a partition that becomes ready before its neighbours.
[[maybe_unused]] void expect_moved(placed& from, placed& to, int parts) {
  const communicator& comm = world();
  const std::string what = std::string(from.name) + " to " + to.name + ", " + std::to_string(parts);
  auto sending = comm.psend_init(send_buf(from.view()), partitions(parts), destination(next()));
  auto receiving = comm.precv_init(recv_buf(to.view()), partitions(parts), source(before()));
  for (const int round : {0, 1}) {
    receiving.start();
    sending.start();
    const int each = all / parts;
    for (int i = parts; i-- > 0;) {  // written after the start: nothing was packed
      for (int position = i * each; position < (i + 1) * each; ++position)
        from.element(position) = 100 * comm.rank() + round + position;
      sending.pready(i);
    }
    for (int i = 0; i < parts; ++i)
      while (!receiving.parrived(i)) {
      }
    receiving.wait();
    sending.wait();
    check::expect(to.memory == to.with(100 * before() + round), what);
  }
}

}  // namespace

TEST(partitions_of_any_layout_arrive_in_any_other) {
  if constexpr (takes_gaps) {
    const std::size_t n = placements().size();
    for (const int parts : {1, 2, 4})
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<placed> sent = placements();
        std::vector<placed> received = placements();
        expect_moved(sent[i], received[(i + 1) % n], parts);
        expect_moved(sent[0], received[i], parts);
      }
  }
}

TEST(a_view_that_has_no_such_partitions_is_an_error) {
  if constexpr (mpi::has_psend_init) {
    const communicator& comm = world();
    std::vector<placed> views = placements();
    for (const int parts : {-1, 0, 3, 5, 8}) {
      check::thrown_by<count_error>([&] {
        auto request =
            comm.psend_init(send_buf(views[2].view()), partitions(parts), destination(0));
      });
      check::thrown_by<count_error>([&] {
        auto request = comm.precv_init(recv_buf(views[1].view()), partitions(parts), source(0));
      });
    }
    const strided_view<int> shared{views[0].memory.data(), 4, 2, 0, 1};
    check::thrown_by<view_error>(
        [&] { auto request = comm.precv_init(recv_buf(shared), partitions(2), source(0)); });
  }
}

TEST(a_contiguous_view_is_divided_on_every_mpi) {
  if constexpr (mpi::has_psend_init) {
    std::vector<placed> views = placements();
    placed received = views[0];
    for (const int parts : {1, 3, 8}) expect_moved(views[0], received, parts);
    if constexpr (!takes_gaps) {
      const communicator& comm = world();
      check::thrown_by<view_error>([&] {
        auto request = comm.psend_init(send_buf(views[2].view()), partitions(2), destination(0));
      });
      check::thrown_by<view_error>([&] {
        auto request = comm.precv_init(recv_buf(views[2].view()), partitions(1), source(0));
      });
    }
  }
}

TEST(a_view_limited_by_at_most_is_divided_below_the_limit) {
  if constexpr (takes_gaps) {
    const communicator& comm = world();
    const int half = all / 2;
    std::vector<int> sent(static_cast<std::size_t>(half));
    std::iota(sent.begin(), sent.end(), 0);
    placed to = placements()[2];
    const count_t bytes = half * static_cast<count_t>(sizeof(int));
    auto sending = comm.psend_init(send_buf(sent), partitions(2), destination(next()));
    auto receiving =
        comm.precv_init(recv_buf(at_most(bytes, to.view())), partitions(2), source(before()));
    receiving.start();
    sending.start();
    sending.pready_range(0, 1);
    receiving.wait();
    sending.wait();
    check::expect(to.memory == to.with(0, half));
  }
}

namespace {

// A number of calls, each of which is an error with this class.
template <class... Calls>
[[maybe_unused]] void expect_refused(mpi::error_class expected, Calls... calls) {
  const auto one = [&](auto call) {
    check::expect(check::thrown_by<error>(call).error_class() == expected);
  };
  (one(calls), ...);
}

template <class Communicator>
[[maybe_unused]] void partitions_are_refused(const Communicator& comm, bool sees_repeated) {
  const mpi::error_class inactive{MPI_ERR_REQUEST};
  const mpi::error_class argument{MPI_ERR_ARG};
  for (const int parts : {1, 2, 5}) {
    std::vector<int> sent(static_cast<std::size_t>(10 * parts));
    std::vector<int> received(sent.size(), -1);
    auto sending = comm.psend_init(send_buf(sent), partitions(parts), destination(next()));
    auto receiving = comm.precv_init(recv_buf(received), partitions(parts), source(before()));
    std::vector<int> every(static_cast<std::size_t>(parts));
    std::iota(every.begin(), every.end(), 0);
    const auto not_started = [&] {
      expect_refused(
          inactive, [&] { sending.pready(0); }, [&] { sending.pready(parts); },
          [&] { sending.pready_range(0, parts - 1); }, [&] { sending.pready_list(every); },
          [&] { sending.pready_list(std::vector<int>()); });
    };
    not_started();
    for (const int round : {0, 1, 2}) {
      std::iota(sent.begin(), sent.end(), 1000 * comm.rank() + 100 * round);
      if (round == 1) {
        start_all(receiving, sending);
      } else {
        receiving.start();
        sending.start();
      }
      std::vector<int> beyond = every;
      beyond.push_back(parts);
      const std::vector<int> negative{0, -1};
      expect_refused(
          argument, [&] { sending.pready(-1); }, [&] { sending.pready(parts); },
          [&] { sending.pready_range(0, parts); }, [&] { sending.pready_range(-1, 0); },
          [&] { sending.pready_range(parts - 1, parts - 2); },
          [&] { sending.pready_range(parts, parts); }, [&] { sending.pready_list(beyond); },
          [&] { sending.pready_list(negative); },
          [&] { static_cast<void>(receiving.parrived(-1)); },
          [&] { static_cast<void>(receiving.parrived(parts)); });
      if (sees_repeated) {
        std::vector<int> twice = every;
        twice.push_back(parts - 1);
        expect_refused(argument, [&] { sending.pready_list(twice); });
      }
      // Nothing was marked by what was refused.
      if (round == 0)
        for (int i = parts; i-- > 0;) {
          sending.pready(i);
          if (sees_repeated)
            expect_refused(
                argument, [&] { sending.pready(i); }, [&] { sending.pready_range(0, parts - 1); },
                [&] { sending.pready_list(every); });
        }
      else if (round == 1)
        sending.pready_range(0, parts - 1);
      else
        sending.pready_list(every);
      if (sees_repeated) expect_refused(argument, [&] { sending.pready(parts - 1); });
      receiving.wait();
      sending.wait();
      std::vector<int> expected(sent.size());
      std::iota(expected.begin(), expected.end(), 1000 * before() + 100 * round);
      check::equal(received, expected);
      not_started();
    }
    auto moved = std::move(sending);
    not_started();
  }
}

}  // namespace

TEST(partitions_that_cannot_be_ready_are_errors) {
  if constexpr (mpi::has_psend_init) {
    partitions_are_refused(world(), false);
    const basic_communicator<checked> careful;
    partitions_are_refused(careful, true);
  }
}

TEST(partitions_with_nobody_are_complete_at_once) {
  if constexpr (mpi::has_psend_init) {
    std::vector<int> sent(6, 7), received(6, -1);
    for (const bool leaves_early : {false, true}) {
      auto sending = world().psend_init(send_buf(sent), partitions(3), destination(mpi::proc_null));
      auto receiving =
          world().precv_init(recv_buf(received), partitions(2), source(mpi::proc_null));
      for (int round = 0; round < 3; ++round) {
        sending.start();
        receiving.start();
        sending.pready(1);
        sending.pready_list(std::vector<int>{2});
        expect_refused(mpi::error_class{MPI_ERR_ARG}, [&] { sending.pready(3); });
        check::expect(receiving.parrived(1), "nothing has arrived from nobody");
        sending.pready_range(0, 0);
        if (leaves_early && round == 2) break;
        sending.wait();
        receiving.wait();
      }
      check::equal(received, std::vector<int>(6, -1));
      auto sum = world().barrier_init();  // nothing inherits what is left
      sum.start();
      sum.wait();
    }
  }
}
