// Graphs whose nodes have many owners, and ways to broadcast them.

#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <mpiglot/fields.hpp>

#include "../../cpp_runtime/examples/deep_copy/shapes.hpp"
#include "rivals.hpp"

namespace graphs {

struct ruled_node {
  int value = 0;
  std::vector<ruled_node*> edges;
  static void fields(auto& self, auto&& visit) { visit(self.value, mpiglot::shared(self.edges)); }
#if DEEP_COPY_BOOST
  template <class Archive>
  void serialize(Archive& archive, unsigned) {
    archive & value & edges;
  }
#endif
};
struct hooked_node {
  int value = 0;
  std::vector<hooked_node*> edges;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg & edges;
    for (auto& each : edges) msg.packSharedPtr(each);
  }
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

#if DEEP_COPY_CEREAL
struct sharing_node {
  int value = 0;
  std::vector<std::shared_ptr<sharing_node>> edges;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value, edges);
  }
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
