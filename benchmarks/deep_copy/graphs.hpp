// Graphs whose nodes have many owners, and ways to broadcast them.

#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <mpiglot/fields.hpp>

#include "../../cpp_runtime/examples/deep_copy/packing.hpp"
#include "../../cpp_runtime/examples/deep_copy/shapes.hpp"
#include "rivals.hpp"

namespace graphs {

struct ruled_node {
  int value = 0;
  std::vector<ruled_node*> edges;
  // count: graph: fields
  static void fields(auto& self, auto&& visit) { visit(self.value, mpiglot::shared(self.edges)); }
// end
#if DEEP_COPY_BOOST
  // count: graph: serialize of Boost
  template <class Archive>
  void serialize(Archive& archive, unsigned) {
    archive & value & edges;
  }
// end
#endif
};
struct hooked_node {
  int value = 0;
  std::vector<hooked_node*> edges;
  // count: graph: hook of MEL
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg & edges;
    for (auto& each : edges) msg.packSharedPtr(each);
  }
  // end
};

template <class Node>
double sum(Node* first) {
  double total = 0;
  double weight = 1;
  each_node(first, [&](const Node* node) {
    total += node->value * weight + static_cast<double>(node->edges.size());
    weight = weight > 1000 ? 1 : weight + 1;
  });
  return total;
}
template <class Node>
void destroy(Node* first) {
  std::vector<Node*> all;
  each_node(first, [&](Node* node) { all.push_back(node); });
  for (Node* const node : all) delete node;
}

template <class Node>
class graph {
 public:
  graph(std::string_view kind, int n) : nodes_(static_cast<std::size_t>(n)) {
    const auto edges = shape(kind, nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].value = static_cast<int>(i);
      nodes_[i].edges.reserve(edges[i].size());
      for (const std::size_t to : edges[i]) nodes_[i].edges.push_back(&nodes_[to]);
    }
  }
  [[nodiscard]] Node* first() { return nodes_.data(); }

 private:
  std::vector<Node> nodes_;
};

// The nodes are numbered and travel with the numbers of their neighbours.
// count: graph: numbers
inline std::vector<ruled_node*> numbered(ruled_node* first,
                                         std::unordered_map<const ruled_node*, int>& numbers) {
  std::vector<ruled_node*> nodes;
  each_node(first, [&](ruled_node* node) {
    numbers.emplace(node, static_cast<int>(nodes.size()));
    nodes.push_back(node);
  });
  return nodes;
}
inline std::vector<ruled_node*> new_nodes(std::size_t n) {
  std::vector<ruled_node*> nodes;
  for (std::size_t i = 0; i < n; ++i) nodes.push_back(new ruled_node);
  return nodes;
}
// end
// count: graph: MPI_Pack
inline void by_packing(ruled_node* root, ruled_node*& back) {
  by_hand::packing all{MPI_COMM_WORLD};
  if (root != nullptr) {
    std::unordered_map<const ruled_node*, int> numbers;
    const std::vector<ruled_node*> nodes = numbered(root, numbers);
    const std::size_t n = nodes.size();
    by_hand::pack(all, &n, 1);
    for (const ruled_node* node : nodes) {
      std::vector<int> edges;
      for (const ruled_node* edge : node->edges) edges.push_back(numbers.at(edge));
      by_hand::pack(all, &node->value, 1);
      by_hand::pack(all, edges);
    }
  }
  by_hand::broadcast(all);
  if (root != nullptr) return;
  std::size_t n = 0;
  by_hand::unpack(all, &n, 1);
  const std::vector<ruled_node*> nodes = new_nodes(n);
  for (ruled_node* const node : nodes) {
    std::vector<int> edges;
    by_hand::unpack(all, &node->value, 1);
    by_hand::unpack(all, edges);
    for (const int edge : edges) node->edges.push_back(nodes[static_cast<std::size_t>(edge)]);
  }
  back = nodes[0];
}
// end
// count: graph: a message a node
inline void node_by_node(ruled_node* root, ruled_node*& back) {
  std::unordered_map<const ruled_node*, int> numbers;
  std::vector<ruled_node*> nodes = numbered(root, numbers);
  std::size_t n = nodes.size();
  by_hand::broadcast(&n, 1, MPI_COMM_WORLD);
  if (root == nullptr) nodes = new_nodes(n);
  for (ruled_node* const node : nodes) {
    std::vector<int> edges;
    if (root != nullptr)
      for (const ruled_node* edge : node->edges) edges.push_back(numbers.at(edge));
    by_hand::broadcast(&node->value, 1, MPI_COMM_WORLD);
    by_hand::broadcast(edges, MPI_COMM_WORLD);
    if (root == nullptr)
      for (const int edge : edges) node->edges.push_back(nodes[static_cast<std::size_t>(edge)]);
  }
  if (root == nullptr) back = nodes[0];
}
// end

#if DEEP_COPY_CEREAL
struct sharing_node {
  int value = 0;
  std::vector<std::shared_ptr<sharing_node>> edges;
  // count: graph: serialize of cereal
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value, edges);
  }
  // end
};
// Nodes that own each other in a ring are never freed otherwise.
inline void cut(const std::shared_ptr<sharing_node>& first) {
  std::vector<std::shared_ptr<sharing_node>> all{first};
  std::unordered_set<const sharing_node*> met{first.get()};
  for (std::size_t i = 0; first != nullptr && i < all.size(); ++i)
    for (const auto& edge : all[i]->edges)
      if (met.insert(edge.get()).second) all.push_back(edge);
  if (first != nullptr)
    for (const auto& each : all) each->edges.clear();
}
class sharing_graph {
 public:
  sharing_graph(std::string_view kind, int n) {
    const auto edges = shape(kind, static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      nodes_.push_back(std::make_shared<sharing_node>());
      nodes_.back()->value = static_cast<int>(i);
    }
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (const std::size_t to : edges[i]) nodes_[i]->edges.push_back(nodes_[to]);
  }
  sharing_graph(const sharing_graph&) = delete;
  ~sharing_graph() {
    for (const auto& each : nodes_) each->edges.clear();
  }
  [[nodiscard]] const std::shared_ptr<sharing_node>& first() const { return nodes_.front(); }

 private:
  std::vector<std::shared_ptr<sharing_node>> nodes_;
};
#endif

}  // namespace graphs
