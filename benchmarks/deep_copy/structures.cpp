// Structures that are broadcast to another rank: trees whose nodes have one owner (the volumes of a ray
// tracer), graphs whose nodes have many, and a class of large arrays. Deep copies beside what is written
// by hand for them, and beside other libraries where these are installed, in turns.
//
// A line of the output is the case, the way and the median of its times in microseconds, from a barrier
// until the second rank has its structure. What it does with the structure afterwards is not measured.
// `tiny` is for the tests.

#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mpiglot/arena.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/mel.hpp>
#include <mpiglot/serialized.hpp>

#include "../layouts/turns.hpp"
#include "graphs.hpp"
#include "trees.hpp"

namespace {

using measuring::differs;
using measuring::print_median;

// The second rank compares what `sum` gives with the root's value, and `release` frees the structure.
struct way {
  std::string name;
  std::function<void()> broadcast;
  std::function<double()> sum;
  std::function<void()> release;
  std::vector<double> times{};
};

void compare(const std::string& what, std::vector<way> ways, double expected, int turns) {
  const int rank = measuring::rank_of_world();
  for (int turn = -1; turn < turns; ++turn)  // the first one warms up
    for (way& one : ways) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      one.broadcast();
      double time = MPI_Wtime() - begin;
      MPI_Bcast(&time, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
      if (turn >= 0) one.times.push_back(time);
      if (rank == 1 && one.sum() != expected) differs(what, one.name.c_str());
      one.release();
    }
  for (way& one : ways) print_median(what + "\t" + one.name, one.times);
}

void nothing() {}

void trees_of(int leaves, int turns, const mpiglot::communicator& comm) {
  namespace here = trees;
  const bool is_root = comm.rank() == 0;
  here::node* const root = here::make<here::node*>(leaves);
  const double expected = here::sum(root);
  here::node* back = nullptr;
  const auto sum = [&] { return here::sum(back); };
  const auto release = [&] { here::destroy(std::exchange(back, nullptr)); };
  mpiglot::arena_of<here::node> arena;
  std::vector<way> ways;
  ways.push_back({"by hand: MPI_Pack", [&] { here::by_packing(is_root ? root : nullptr, back); },
                  sum, release});
  ways.push_back(
      {"by hand: memcpy", [&] { here::by_copying(is_root ? root : nullptr, back); }, sum, release});
  ways.push_back({"by hand: a message a node",
                  [&] { here::node_by_node(is_root ? root : nullptr, back); }, sum, release});
  ways.push_back({"deep",
                  [&] {
                    if (is_root) {
                      comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(*root)));
                    } else {
                      back = new here::node;
                      comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(*back)));
                    }
                  },
                  sum, release});
  ways.push_back({"deep, into an arena",
                  [&] {
                    if (is_root)
                      comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(*root)));
                    else
                      comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(arena)));
                  },
                  [&] { return here::sum(&*arena); }, nothing});
#if DEEP_COPY_CEREAL
  auto owned = here::make<std::unique_ptr<here::owning_node>>(leaves);
  std::unique_ptr<here::owning_node> owned_back;
  ways.push_back({"cereal", [&] { here::by_cereal(is_root, owned, owned_back); },
                  [&] { return here::sum(owned_back.get()); }, [&] { owned_back.reset(); }});
#endif
#if DEEP_COPY_BOOST
  ways.push_back(
      {"Boost.Serialization", [&] { here::by_boost(is_root, root, back); }, sum, release});
#endif
  compare("tree of " + std::to_string(2 * leaves - 1) + " nodes", ways, expected, turns);
  here::destroy(root);
}

void graph_of(const char* kind, int nodes, int turns, const mpiglot::communicator& comm) {
  namespace here = graphs;
  const bool is_root = comm.rank() == 0;
  here::graph<here::ruled_node> ruled(kind, nodes);
  here::graph<here::hooked_node> hooked(kind, nodes);
  const double expected = here::sum(ruled.first());
  here::ruled_node* back = nullptr;
  here::hooked_node* hooked_back = nullptr;
  std::vector<way> ways;
  ways.push_back({"deep",
                  [&] {
                    if (is_root) {
                      comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(*ruled.first())));
                    } else {
                      back = new here::ruled_node;
                      comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(*back)));
                    }
                  },
                  [&] { return here::sum(back); },
                  [&] { here::destroy(std::exchange(back, nullptr)); }});
  ways.push_back({"deep, by a hook of MEL",
                  [&] {
                    if (is_root) {
                      here::hooked_node* first = hooked.first();
                      MEL::Deep::Bcast(first, 0, comm);
                    } else {
                      MEL::Deep::Bcast(hooked_back, 0, comm);
                    }
                  },
                  [&] { return here::sum(hooked_back); },
                  [&] { here::destroy(std::exchange(hooked_back, nullptr)); }});
  // The other libraries recurse along a ring until the stack is full.
  [[maybe_unused]] const bool others = std::string_view(kind) != "ring" || nodes < 8192;
#if DEEP_COPY_CEREAL
  here::sharing_graph sharing(kind, nodes);
  std::shared_ptr<here::sharing_node> sharing_back;
  if (others)
    ways.push_back({"cereal", [&] { here::by_cereal(is_root, sharing.first(), sharing_back); },
                    [&] { return here::sum(sharing_back.get()); },
                    [&] { here::cut(std::exchange(sharing_back, nullptr)); }});
#endif
#if DEEP_COPY_BOOST
  if (others)
    ways.push_back({"Boost.Serialization", [&] { here::by_boost(is_root, ruled.first(), back); },
                    [&] { return here::sum(back); },
                    [&] { here::destroy(std::exchange(back, nullptr)); }});
#endif
  compare(std::string(kind) + " graph of " + std::to_string(nodes) + " nodes", ways, expected,
          turns);
}

struct arrays {
  std::vector<double> a, b, c;
  static void fields(auto& self, auto&& visit) { visit(self.a, self.b, self.c); }
};
double sum(const arrays& of) {
  return of.a.empty() ? 0 : of.a.back() + of.b[of.b.size() / 2] + static_cast<double>(of.c.size());
}

void arrays_of(std::size_t bytes, int turns, const mpiglot::communicator& comm) {
  const bool is_root = comm.rank() == 0;
  arrays all, back;
  for (std::vector<double>* each : {&all.a, &all.b, &all.c})
    each->assign(bytes / sizeof(double), static_cast<double>(each - &all.a) + 0.5);
  std::vector<way> ways;
  ways.push_back({"by hand: resize, a message each",
                  [&] {
                    for (auto member : {&arrays::a, &arrays::b, &arrays::c}) {
                      auto& values = (is_root ? all : back).*member;
                      unsigned long n = values.size();
                      MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
                      values.resize(n);
                      MPI_Bcast(values.data(), static_cast<int>(n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
                    }
                  },
                  [&] { return sum(back); }, [&] { back = {}; }});
  ways.push_back({"deep",
                  [&] { comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(is_root ? all : back))); },
                  [&] { return sum(back); }, [&] { back = {}; }});
  compare("three arrays of " + std::to_string(bytes / 1024) + " KiB", ways, sum(all), turns);
}

}  // namespace

int main(int argc, char** argv) {
  const mpiglot::environment environment(argc, argv);
  const mpiglot::communicator comm;
  const bool tiny = argc > 1 && std::string_view(argv[1]) == "tiny";
  const int turns = tiny ? 1 : 11;
  if (comm.size() != 2) {
    if (comm.rank() == 0) std::fprintf(stderr, "structures: wants 2 ranks\n");
    return 2;
  }
  for (const int leaves : {5000, 50000})
    if (!tiny || leaves == 5000) trees_of(tiny ? 50 : leaves, turns, comm);
  for (const char* const kind : {"binary", "ring"})
    for (const int nodes : {1 << 10, 1 << 16})
      if (!tiny || nodes == 1 << 10) graph_of(kind, tiny ? 20 : nodes, turns, comm);
  for (const char* const kind : {"random", "full"})
    for (const int nodes : {1 << 8, 1 << 10, 1 << 11})
      if (!tiny || nodes == 1 << 8) graph_of(kind, tiny ? 20 : nodes, turns, comm);
  arrays_of(tiny ? 4096 : std::size_t{32} << 20, turns, comm);
}
