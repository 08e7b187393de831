// A function of a reduction throws on one rank: the job ends, and no rank gets a wrong value. One program
// for all reductions and forms, since each case ends its job.
//
//   throwing_functions OPERATION FORM RANK
//
// FORM is blocking, nonblocking, persistent, or captures (nonblocking). If MPI does not call the function
// on that rank, all results must be right.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>

using namespace mpiglot;

namespace {

int thrower = 0;  // the rank
int here = 0;
bool thrown = false;

// Throws at the last of three elements.
int sum(int a, int b) {
  if (here == thrower && a % 10 == 9) {
    thrown = true;
    throw std::runtime_error("the reason of this program");
  }
  return a - a % 10 + b;
}
// Each element of rank r is (r + 1) * 10, and 9 more in each third.
std::vector<int> values(std::size_t size) {
  std::vector<int> made(size, (here + 1) * 10);
  for (std::size_t i = 2; i < size; i += 3) made[i] += 9;
  return made;
}
int sum_to(int ranks) { return ranks * (ranks + 1) / 2; }

[[noreturn]] void fail(const char* what, int got, int expected) {
  std::fprintf(stderr, "wrong on rank %d: %s: %d instead of %d\n", here, what, got, expected);
  std::_Exit(1);
}

struct in_form {
  std::string_view form;
  const communicator& comm;

  void check(const std::vector<int>& got, int ranks) const {
    if (thrown) fail("the function threw and its rank has a result", 0, 1);
    for (const int each : got)
      if (each / 10 != sum_to(ranks)) fail("an element", each / 10, sum_to(ranks));
  }
  template <class Blocking, class Start, class Prepare>
  void operator()(int ranks, Blocking blocking, Start start, Prepare prepare) const {
    if (form == "blocking") {
      check(blocking(op(sum_object(), commutative)), ranks);
    } else if (form == "nonblocking") {
      check(start(op(sum_object(), non_commutative)), ranks);
    } else if (form == "captures") {
      check(
          start(op([by = this](int a, int b) { return sum(a, b + (by == nullptr)); }, commutative)),
          ranks);
    } else {
      const int rank = thrower;
      thrower = -1;  // not at the first start
      prepare(op(sum_object(), commutative), [&](auto& request, const std::vector<int>& into) {
        for (int i = 0; i < 2; ++i) {
          request.start();
          request.wait();
          check(into, ranks);
          comm.barrier();
          thrower = rank;
        }
      });
    }
  }
  struct sum_object {
    int operator()(int a, int b) const { return sum(a, b); }
  };
};

void run(std::string_view operation, const in_form& in, const communicator& comm) {
  const int size = comm.size();
  const auto all = static_cast<std::size_t>(size);
  const std::vector<int> mine = values(3);
  const std::vector<int> parts = values(3 * all);
  const std::vector<int> counts(all, 3);
  std::vector<int> into(3);
#define IN_EVERY_FORM(name, ranks, ...)                                               \
  in(                                                                                 \
      ranks, [&](auto how) { return comm.name(__VA_ARGS__, std::move(how)); },        \
      [&](auto how) { return comm.i##name(__VA_ARGS__, std::move(how)).wait(); },     \
      [&](auto how, auto started) {                                                   \
        auto request = comm.name##_init(__VA_ARGS__, recv_buf(into), std::move(how)); \
        started(request, into);                                                       \
      })
  if (operation == "allreduce") {
    IN_EVERY_FORM(allreduce, size, send_buf(mine));
  } else if (operation == "reduce") {
    if (here != 0) into.clear();
    IN_EVERY_FORM(reduce, size, send_buf(mine));
  } else if (operation == "scan") {
    IN_EVERY_FORM(scan, here + 1, send_buf(mine));
  } else if (operation == "exscan") {
    IN_EVERY_FORM(exscan, here, send_buf(mine), values_on_rank_0(0));
  } else if (operation == "reduce_scatter") {
    IN_EVERY_FORM(reduce_scatter, size, send_buf(parts), recv_counts(counts));
  } else if (operation == "reduce_scatter_block") {
    IN_EVERY_FORM(reduce_scatter_block, size, send_buf(parts));
  } else {
    fail("no such operation", 0, 0);
  }
#undef IN_EVERY_FORM
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  const communicator comm;
  if (argc < 4) return 2;
  here = comm.rank();
  thrower = std::atoi(argv[3]);
  try {
    run(argv[1], {argv[2], comm}, comm);
  } catch (const mpi::unavailable&) {
    std::puts("unavailable");
    return 0;
  }
  comm.barrier();
  std::printf("all values are right on rank %d\n", here);
}
