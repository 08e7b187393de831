// A node of any graph with MEL's hook, and what is done with graphs of it without recursion (listings 27 and
// 28 of the paper of MEL).

#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpiglot/mel.hpp>

#include "shapes.hpp"

namespace graphs {

template <class T>
struct digraph_node {
  T value{};
  std::vector<digraph_node*> edges;

  digraph_node() = default;
  explicit digraph_node(const T& given) : value(given) {}
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg & edges;
    for (auto& each : edges) msg.packSharedPtr(each);
  }
};

// The first node, on which all others hang. The values are the nodes' numbers.
template <class T>
[[nodiscard]] digraph_node<T>* make_graph(std::string_view kind, std::size_t n) {
  const auto edges = shape(kind, n);
  std::vector<digraph_node<T>*> nodes;
  for (std::size_t i = 0; i < n; ++i)
    nodes.push_back(MEL::MemConstruct<digraph_node<T>>(static_cast<T>(i)));
  for (std::size_t i = 0; i < n; ++i) {
    nodes[i]->edges.reserve(edges[i].size());
    for (const std::size_t to : edges[i]) nodes[i]->edges.push_back(nodes[to]);
  }
  return nodes[0];
}

// Frees each node once.
template <class T>
void destruct_graph(digraph_node<T>*& first) {
  std::vector<digraph_node<T>*> all;
  each_node(first, [&](digraph_node<T>* node) { all.push_back(node); });
  for (digraph_node<T>* node : all) MEL::MemDestruct(node);
  first = nullptr;
}

// True if the nodes that hang on `a` and on `b` correspond one to one, with their values and edges.
template <class T>
[[nodiscard]] bool isomorphic(digraph_node<T>* a, digraph_node<T>* b) {
  using node = digraph_node<T>;
  std::unordered_map<const node*, const node*> there;
  std::unordered_map<const node*, const node*> back;
  std::vector<std::pair<const node*, const node*>> waiting;
  const auto correspond = [&](const node* one, const node* other) {
    const bool is_new = there.emplace(one, other).second;
    if (back.emplace(other, one).second != is_new || there[one] != other || back[other] != one)
      return false;
    if (is_new) waiting.emplace_back(one, other);
    return true;
  };
  if (a == nullptr || b == nullptr) return a == b;
  if (!correspond(a, b)) return false;
  while (!waiting.empty()) {
    const auto [one, other] = waiting.back();
    waiting.pop_back();
    if (one->value != other->value || one->edges.size() != other->edges.size()) return false;
    for (std::size_t i = 0; i < one->edges.size(); ++i)
      if (!correspond(one->edges[i], other->edges[i])) return false;
  }
  return true;
}

}  // namespace graphs
