// Broadcasts a graph whose nodes have many owners; every rank writes it to a file and reads it again
// (listings 26 to 28 of the paper of MEL, PeerJ CS 2:e95). What has arrived, and what was read, are compared
// with a graph that each rank makes itself.
//
//   graph [N [SHAPE [FOLDER]]]
// 2^N nodes. SHAPE is 0: binary tree, 1: ring, 2: random, 3: full; without it all have their turn. The files
// stay in FOLDER; without it they are removed.

#include <mpi.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include <mpiglot/mel.hpp>

#include "ending.hpp"
#include "graph_node.hpp"

namespace {

using node = graphs::digraph_node<int>;

constexpr const char* shapes[] = {"binary", "ring", "random", "full"};
// Random and full graphs have about 4^N edges.
constexpr int most[] = {22, 22, 12, 12};

void write(node* graph, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be written.");
  MEL::Deep::FileWrite(graph, file);
}
node* read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  node* graph = nullptr;
  MEL::Deep::FileRead(graph, file);
  return graph;
}

// False, on all ranks, if one of them has another graph. Ends the program if a file fails. Collective.
bool moved_alike(int kind, int n, const std::string& folder, const MEL::Comm& comm) {
  const std::size_t nodes = std::size_t{1} << n;
  const int rank = MEL::CommRank(comm);
  node* graph = rank == 0 ? graphs::make_graph<int>(shapes[kind], nodes) : nullptr;
  MEL::Barrier(comm);
  const double begin = MEL::Wtime();
  MEL::Deep::Bcast(graph, 0, comm);
  MEL::Barrier(comm);
  const double seconds = MEL::Wtime() - begin;

  const std::string name = std::string(shapes[kind]) + "-" + std::to_string(nodes) + "." +
                           std::to_string(rank) + ".graph";
  const std::filesystem::path path = folder.empty() ? std::filesystem::temp_directory_path() /
                                                          (std::to_string(::getpid()) + "." + name)
                                                    : std::filesystem::path(folder) / name;
  node* again = nullptr;
  std::string problem;
  try {
    write(graph, path.string());
    again = read(path.string());
  } catch (const std::exception& failure) {
    problem = std::string("graph: ") + failure.what();
  }
  std::error_code ignored;
  if (folder.empty()) std::filesystem::remove(path, ignored);
  ending::if_any(problem);

  node* expected = graphs::make_graph<int>(shapes[kind], nodes);
  int alike = graphs::isomorphic(expected, graph) && graphs::isomorphic(expected, again) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  std::size_t edges = 0;
  graphs::each_node(graph, [&](const node* one) { edges += one->edges.size(); });
  if (rank == 0)
    std::printf("%-6s %.6f s, %zu nodes, %zu edges, %s on all ranks and in their files\n",
                shapes[kind], seconds, nodes, edges, alike != 0 ? "the same" : "NOT the same");
  for (node* const each : {graph, again, expected}) {
    node* first = each;
    graphs::destruct_graph(first);
  }
  return alike != 0;
}

}  // namespace

int main(int argc, char** argv) {
  MEL::Init(argc, argv);
  const int n = argc > 1 ? ending::number(argv[1], 0, most[0]) : 6;
  const int chosen = argc > 2 ? ending::number(argv[2], 0, 3) : 0;
  const int last = argc > 2 ? chosen : 3;
  std::string problem;
  if (argc > 4 || n < 0 || chosen < 0)
    problem = "graph: wants a number from 0 to 22, a shape from 0 to 3, and a folder.";
  else if (n > most[last])
    problem = "graph: random and full graphs have at most 2^12 nodes.";
  ending::if_any(problem);

  bool alike = true;
  for (int kind = chosen; kind <= last; ++kind)
    alike = moved_alike(kind, n, argc > 3 ? argv[3] : "", MEL::Comm::WORLD) && alike;
  MEL::Finalize();
  return alike ? 0 : 1;
}
