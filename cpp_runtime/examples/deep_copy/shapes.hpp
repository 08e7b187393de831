// The four shapes of graphs of the paper of MEL (its listing 27), and a walk through any graph (its
// listing 28): the examples and benchmarks/deep_copy have graphs of them.

#pragma once

#include <cstddef>
#include <random>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace graphs {

// The neighbours of each node. All nodes hang on the first.
inline std::vector<std::vector<std::size_t>> shape(std::string_view kind, std::size_t n) {
  std::vector<std::vector<std::size_t>> edges(n);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < n; ++i) {
    if (kind == "binary") {
      for (const std::size_t child : {2 * i + 1, 2 * i + 2})
        if (child < n) edges[i].push_back(child);
    } else {
      edges[i].push_back((i + 1) % n);
    }
    if (kind == "ring") edges[i].push_back((i + n - 1) % n);
    if (kind == "random")
      for (std::size_t k = random() % n; k > 0; --k) edges[i].push_back(random() % n);
    if (kind == "full")
      for (std::size_t k = 0; k < n; ++k) edges[i].push_back(k);
  }
  return edges;
}

// Each node once, in the order in which a search meets them. No recursion: rings are long.
template <class Node, class Action>
void each_node(Node* first, Action action) {
  if (first == nullptr) return;
  std::unordered_set<const Node*> met{first};
  std::vector<Node*> waiting{first};
  while (!waiting.empty()) {
    Node* const node = waiting.back();
    waiting.pop_back();
    for (const auto& edge : node->edges)
      if (met.insert(&*edge).second) waiting.push_back(&*edge);
    action(node);
  }
}

}  // namespace graphs
