// Structures that go to another rank, or to a file and back: trees whose nodes have one owner (the volumes
// of a ray tracer), graphs whose nodes have many, a class of large arrays, and a scene. Deep copies beside
// what is written by hand for them, and beside other libraries where these are installed, in turns.
//
// A line of the output is the case, the way, and what measuring.hpp says. What the second rank does with
// the structure afterwards is not measured. `tiny` is for the tests.

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <unistd.h>

#include <mpiglot/arena.hpp>
#include <mpiglot/channel.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/mel.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/streams.hpp>

#include "graphs.hpp"
#include "measuring.hpp"
#include "scenes.hpp"
#include "trees.hpp"

namespace {

using moving::compare;
using moving::way;

void nothing() {}

// The file of this process.
std::string path() {
  return "/tmp/mpiglot-deep-copy." + std::to_string(measuring::rank_of_world()) + "." +
         std::to_string(::getppid());
}
struct deep_library {
  static void write(std::ostream& stream, const auto& root) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(root)>>)
      mpiglot::write_value(stream, *root);
    else
      mpiglot::write_value(stream, root);
  }
  static void read(std::istream& stream, auto& back) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(back)>>)
      mpiglot::read_value(stream,
                          *(back = new std::remove_pointer_t<std::remove_cvref_t<decltype(back)>>));
    else
      mpiglot::read_value(stream, back);
  }
};
// The second rank writes and reads a file.
template <class Library, class Root, class Back>
way through_file(const char* name, const Root& root, Back& back, const way& like) {
  return {name,
          [&] {
            if (measuring::rank_of_world() != 1) return;
            {
              std::ofstream file(path(), std::ios::binary);
              Library::write(file, root);
            }
            std::ifstream file(path(), std::ios::binary);
            Library::read(file, back);
          },
          like.sum, like.release};
}
template <class Library, class Root, class Back>
way by_library(const char* name, bool is_root, const Root& root, Back& back, const way& like) {
  return {name, [is_root, &root, &back] { rivals::broadcast_by<Library>(is_root, root, back); },
          like.sum, like.release};
}
#if DEEP_COPY_BOOST_MPI
template <class Root>
way by_boost_mpi(Root& root, Root& back, bool is_root, const way& like) {
  return {"Boost.MPI",
          [is_root, &root, &back] {
            // count: Boost.MPI
            static const boost::mpi::communicator world;
            boost::mpi::broadcast(world, is_root ? root : back, 0);
            // end
          },
          like.sum, like.release};
}
#endif

void trees_of(int leaves, int turns, const mpiglot::communicator& comm) {
  namespace here = trees;
  const bool is_root = comm.rank() == 0;
  // count: tree: channel
  const mpiglot::channel pieces(comm);
  // end
  here::node* root = here::make<here::node*>(leaves);
  const double expected = here::sum(root);
  here::node* back = nullptr;
  // count: tree: arena
  mpiglot::arena_of<here::node> arena;
  // end
  const way like{"",
                 {},
                 [&] { return here::sum(back); },
                 [&] { here::destroy(std::exchange(back, nullptr)); }};
  const auto by = [&](const char* name, std::function<void()> move) {
    return way{name, std::move(move), like.sum, like.release};
  };
  std::vector<way> ways{
      by("by hand: MPI_Pack", [&] { here::by_packing(is_root ? root : nullptr, back); }),
      by("by hand: memcpy", [&] { here::by_copying(is_root ? root : nullptr, back); }),
      by("by hand: a message a node", [&] { here::node_by_node(is_root ? root : nullptr, back); }),
      by("deep",
         [&] {
           // count: tree: deep
           if (!is_root) back = new here::node;
           comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(is_root ? *root : *back)));
           // end
         }),
      {"deep, into an arena",
       [&] {
         // count: tree: deep, into an arena
         if (is_root)
           comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(*root)));
         else
           comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(arena)));
         // end
       },
       [&] { return here::sum(&*arena); }, nothing},
      by("deep, in pieces", [&] {
        // count: tree: deep, in pieces
        if (!is_root) back = new here::node;
        pieces.bcast(is_root ? *root : *back, 0);
        // end
      })};
  std::vector<way> files{
      by("by hand: memcpy", [&] { here::through_file(path(), is_root ? nullptr : root, back); }),
      through_file<deep_library>("deep", root, back, like)};
#if DEEP_COPY_CEREAL
  auto owned = here::make<std::unique_ptr<here::owning_node>>(leaves);
  std::unique_ptr<here::owning_node> owned_back;
  const way owning{
      "", {}, [&] { return here::sum(owned_back.get()); }, [&] { owned_back.reset(); }};
  ways.push_back(by_library<rivals::cereal_library>("cereal", is_root, owned, owned_back, owning));
  files.push_back(through_file<rivals::cereal_library>("cereal", owned, owned_back, owning));
#endif
#if DEEP_COPY_BOOST
  ways.push_back(
      by_library<rivals::boost_library>("Boost.Serialization", is_root, root, back, like));
  files.push_back(through_file<rivals::boost_library>("Boost.Serialization", root, back, like));
#endif
#if DEEP_COPY_BOOST_MPI
  ways.push_back(by_boost_mpi(root, back, is_root, like));
#endif
  const std::string what = "tree of " + std::to_string(2 * leaves - 1) + " nodes";
  compare(what, std::move(ways), expected, turns);
  compare(what + ", through a file", std::move(files), expected, turns);
  here::destroy(root);
}

void graph_of(const char* kind, int nodes, int turns, const mpiglot::communicator& comm) {
  namespace here = graphs;
  const bool is_root = comm.rank() == 0;
  here::graph<here::ruled_node> ruled(kind, nodes);
  here::graph<here::hooked_node> hooked(kind, nodes);
  here::ruled_node* first = ruled.first();
  const double expected = here::sum(first);
  here::ruled_node* back = nullptr;
  here::hooked_node* hooked_back = nullptr;
  const way like{"",
                 {},
                 [&] { return here::sum(back); },
                 [&] { here::destroy(std::exchange(back, nullptr)); }};
  const auto by = [&](const char* name, std::function<void()> move) {
    return way{name, std::move(move), like.sum, like.release};
  };
  std::vector<way> ways{
      by("by hand: MPI_Pack", [&] { here::by_packing(is_root ? first : nullptr, back); }),
      by("by hand: a message a node", [&] { here::node_by_node(is_root ? first : nullptr, back); }),
      {"deep",
       [&] {
         // count: graph: deep
         if (!is_root) back = new here::ruled_node;
         comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(is_root ? *first : *back)));
         // end
       },
       like.sum, like.release},
      {"deep, by a hook of MEL",
       [&] {
         // count: graph: Bcast of MEL
         here::hooked_node* moved = is_root ? hooked.first() : nullptr;
         MEL::Deep::Bcast(moved, 0, comm);
         if (!is_root) hooked_back = moved;
         // end
       },
       [&] { return here::sum(hooked_back); },
       [&] { here::destroy(std::exchange(hooked_back, nullptr)); }}};
  std::vector<way> files{through_file<deep_library>("deep", first, back, like)};
  // The other libraries recurse along a ring until the stack is full.
  [[maybe_unused]] const bool others = std::string_view(kind) != "ring" || nodes < 8192;
#if DEEP_COPY_CEREAL
  here::sharing_graph sharing(kind, nodes);
  std::shared_ptr<here::sharing_node> sharing_back;
  const way owning{"",
                   {},
                   [&] { return here::sum(sharing_back.get()); },
                   [&] { here::cut(std::exchange(sharing_back, nullptr)); }};
  if (others) {
    ways.push_back(by_library<rivals::cereal_library>("cereal", is_root, sharing.first(),
                                                      sharing_back, owning));
    files.push_back(
        through_file<rivals::cereal_library>("cereal", sharing.first(), sharing_back, owning));
  }
#endif
#if DEEP_COPY_BOOST
  if (others) {
    ways.push_back(
        by_library<rivals::boost_library>("Boost.Serialization", is_root, first, back, like));
    files.push_back(through_file<rivals::boost_library>("Boost.Serialization", first, back, like));
  }
#endif
#if DEEP_COPY_BOOST_MPI
  if (others) ways.push_back(by_boost_mpi(first, back, is_root, like));
#endif
  const std::string what = std::string(kind) + " graph of " + std::to_string(nodes) + " nodes";
  compare(what, std::move(ways), expected, turns);
  compare(what + ", through a file", std::move(files), expected, turns);
}

void scene_of(int rings, int turns, const mpiglot::communicator& comm) {
  namespace here = scenes;
  const bool is_root = comm.rank() == 0;
  const here::scene all = here::make(rings, 40);
  const double expected = here::sum(all);
  here::scene sent = here::make(rings, 40);
  here::scene back;
  const way like{"", {}, [&] { return here::sum(back); }, [&] { back = {}; }};
  std::vector<way> ways{
      {"by hand: MPI_Pack", [&] { here::by_packing(is_root, all, back); }, like.sum, like.release},
      {"by hand: a message a node", [&] { here::node_by_node(is_root ? sent : back); }, like.sum,
       like.release},
      {"deep",
       [&] {
         // count: scene: deep
         comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(is_root ? sent : back)));
         // end
       },
       like.sum, like.release}};
  std::vector<way> files{through_file<deep_library>("deep", all, back, like)};
#if DEEP_COPY_CEREAL
  ways.push_back(by_library<rivals::cereal_library>("cereal", is_root, all, back, like));
  files.push_back(through_file<rivals::cereal_library>("cereal", all, back, like));
#endif
  const std::string what = "scene of " + std::to_string(all.triangles.size()) + " triangles";
  compare(what, std::move(ways), expected, turns);
  compare(what + ", through a file", std::move(files), expected, turns);
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
  const mpiglot::channel pieces(comm);
  arrays all, back;
  for (std::vector<double>* each : {&all.a, &all.b, &all.c})
    each->assign(bytes / sizeof(double), static_cast<double>(each - &all.a) + 0.5);
  const way like{"", {}, [&] { return sum(back); }, [&] { back = {}; }};
  std::vector<way> ways{
      {"by hand: resize, a message each",
       [&] {
         for (auto member : {&arrays::a, &arrays::b, &arrays::c}) {
           auto& values = (is_root ? all : back).*member;
           unsigned long n = values.size();
           MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
           values.resize(n);
           MPI_Bcast(values.data(), static_cast<int>(n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
         }
       },
       like.sum, like.release},
      {"deep", [&] { comm.bcast(mpiglot::send_recv_buf(mpiglot::deep(is_root ? all : back))); },
       like.sum, like.release},
      {"deep, in pieces", [&] { pieces.bcast(is_root ? all : back, 0); }, like.sum, like.release}};
  const std::string what = "three arrays of " + std::to_string(bytes / 1024) + " KiB";
  compare(what, std::move(ways), sum(all), turns);
  std::vector<way> files{{"by hand: write, read each",
                          [&] {
                            if (is_root) return;
                            {
                              std::ofstream file(path(), std::ios::binary);
                              for (auto member : {&arrays::a, &arrays::b, &arrays::c}) {
                                const std::size_t n = (all.*member).size();
                                file.write(reinterpret_cast<const char*>(&n), sizeof n);
                                file.write(reinterpret_cast<const char*>((all.*member).data()),
                                           static_cast<std::streamsize>(n * sizeof(double)));
                              }
                            }
                            std::ifstream file(path(), std::ios::binary);
                            for (auto member : {&arrays::a, &arrays::b, &arrays::c}) {
                              std::size_t n = 0;
                              file.read(reinterpret_cast<char*>(&n), sizeof n);
                              (back.*member).resize(n);
                              file.read(reinterpret_cast<char*>((back.*member).data()),
                                        static_cast<std::streamsize>(n * sizeof(double)));
                            }
                          },
                          like.sum, like.release},
                         through_file<deep_library>("deep", all, back, like)};
  compare(what + ", through a file", std::move(files), sum(all), turns);
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
  scene_of(tiny ? 3 : 79, turns, comm);
  for (const char* const kind : {"binary", "ring"})
    for (const int nodes : {1 << 10, 1 << 16})
      if (!tiny || nodes == 1 << 10) graph_of(kind, tiny ? 20 : nodes, turns, comm);
  for (const char* const kind : {"random", "full"})
    for (const int nodes : {1 << 8, 1 << 10, 1 << 11})
      if (!tiny || nodes == 1 << 8) graph_of(kind, tiny ? 20 : nodes, turns, comm);
  arrays_of(tiny ? 4096 : std::size_t{32} << 20, turns, comm);
  std::remove(path().c_str());
}
