// Classes as programs for MEL have them; their objects are counted.

#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "encoding.hpp"

#include <mpiglot/mel.hpp>

namespace mel_classes {

using encoding::counted;

// The class of graphs.
template <class T>
struct graph_node {
  T value{};
  std::vector<graph_node*> edges;
  counted here;

  graph_node() {}
  explicit graph_node(const T& given) : value(given) {}
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg & edges;
    for (auto& each : edges) msg.packSharedPtr(each);
  }
};
using graph = graph_node<int>;

// Nodes in the order in which they are found, and for each node the numbers of its neighbours.
inline std::vector<graph*> nodes_of(graph* root) {
  std::vector<graph*> found{root};
  std::unordered_map<graph*, bool> seen{{root, true}};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (graph* each : found[i]->edges)
      if (seen.emplace(each, true).second) found.push_back(each);
  return found;
}
inline std::vector<std::vector<int>> shape_of(graph* root) {
  std::unordered_map<graph*, int> number;
  const auto nodes = nodes_of(root);
  for (graph* each : nodes) number.emplace(each, static_cast<int>(number.size()));
  std::vector<std::vector<int>> shape;
  for (graph* each : nodes) {
    shape.push_back({each->value});
    for (graph* next : each->edges) shape.back().push_back(number.at(next));
  }
  return shape;
}
inline void destroy(graph* root) {
  for (graph* each : nodes_of(root)) MEL::MemDestruct(each);
}
// Binary tree, ring, random graph, and one in which each node leads to each.
inline graph* make_graph(int kind, int count) {
  std::vector<graph*> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(MEL::MemConstruct<graph>(i));
  const auto at = [&](int i) { return nodes[static_cast<std::size_t>(i % count)]; };
  std::uint32_t random = 1234567;
  for (int i = 0; i < count; ++i) {
    auto& edges = at(i)->edges;
    if (kind == 0)
      for (int child = 2 * i + 1; child <= 2 * i + 2 && child < count; ++child)
        edges.push_back(at(child));
    if (kind == 1) edges = {at(i + 1), at(i + count - 1)};
    if (kind == 2) {
      edges.push_back(at(i + 1));
      for (int k = 0; k < i % 7; ++k)
        edges.push_back(at(static_cast<int>((random = random * 1664525u + 1013904223u) >> 8)));
    }
    if (kind == 3) edges = nodes;
  }
  return nodes[0];
}

// A scene: vectors and a tree whose nodes can be neither copied nor moved.
struct vec {
  double x, y, z;
};
struct tree_node {
  int first = 0, last = 0;
  vec low{}, high{};
  tree_node *left, *right;
  counted here;

  tree_node() : left(nullptr), right(nullptr) {}
  tree_node(const tree_node&) = delete;
  tree_node& operator=(const tree_node&) = delete;
  ~tree_node() {
    MEL::MemDestruct(left);
    MEL::MemDestruct(right);
  }
  template <class MSG>
  inline void DeepCopy(MSG& msg) {
    msg.packPtr(left);
    msg.packPtr(right);
  }
};
inline tree_node* make_tree(int first, int last) {
  auto* const made = MEL::MemConstruct<tree_node>();
  made->first = first;
  made->last = last;
  if (last - first > 1) {
    made->left = make_tree(first, (first + last) / 2);
    made->right = make_tree((first + last) / 2, last);
  }
  return made;
}
inline bool same(const tree_node* a, const tree_node* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->first == b->first && a->last == b->last && same(a->left, b->left) &&
         same(a->right, b->right);
}
struct scene {
  vec camera{};
  std::vector<int> materials;
  std::vector<vec> mesh;
  tree_node* root;

  scene() : root(nullptr) {}
  scene(const scene&) = delete;
  scene& operator=(const scene&) = delete;
  ~scene() { MEL::MemDestruct(root); }
  template <class MSG>
  inline void DeepCopy(MSG& msg) {
    msg & mesh & materials;
    msg.packPtr(root);
  }
};
inline scene* make_scene() {
  auto* const made = MEL::MemConstruct<scene>();
  made->camera = {1, 2, 3};
  made->materials = {4, 5, 6};
  made->mesh.assign(40, vec{1, 2, 3});
  made->root = make_tree(0, 40);
  return made;
}

// An array of its own.
struct row {
  int len = 0;
  char* array = nullptr;
  counted here;
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.packPtr(array, len);
  }
};
inline row* make_rows(int n) {
  row* const made = MEL::MemAlloc<row>(n, row());
  for (int i = 0; i < n; ++i) {
    made[i].len = i + 1;
    made[i].array = MEL::MemAlloc<char>(made[i].len);
    for (int k = 0; k <= i; ++k) made[i].array[k] = static_cast<char>(k);
  }
  return made;
}
inline bool are_rows(const row* rows, int n) {
  for (int i = 0; i < n; ++i) {
    if (rows[i].len != i + 1) return false;
    for (int k = 0; k <= i; ++k)
      if (rows[i].array[k] != k) return false;
  }
  return true;
}
inline void free_rows(row*& rows, int n) {
  for (int i = 0; i < n; ++i) MEL::MemFree(rows[i].array);
  MEL::MemDestruct(rows, n);
}

// Every call that a hook may make.
struct everything {
  int a = 1;
  short b = 2;
  row inner[2];
  row e, f;
  char* text = nullptr;
  int len = 0;
  double** matrix = nullptr;
  int rows = 0, columns = 0;
  graph* shared = nullptr;
  graph* again = nullptr;
  row* fixed[3] = {};
  std::vector<int> v;
  std::vector<row> w;
  std::list<std::string> words;
  std::map<std::string, std::vector<int>> index;
  std::unique_ptr<row> owned;
  std::shared_ptr<row> first, second;
  std::optional<std::string> perhaps;
  std::list<row*> listed;
  everything() = default;
  everything(const everything&) = delete;
  everything& operator=(const everything&) = delete;

  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.packVar(e);
    msg & f & inner & a;
    msg.packPtr(text, len);
    msg.packPtr(matrix, rows);
    if (matrix != nullptr)
      for (int i = 0; i < rows; ++i) msg.packPtr(matrix[i], columns);
    msg.packSharedPtr(shared);
    msg.packSharedPtr(again);
    for (auto& each : fixed) msg.packPtr(each);
    msg.packSTL(v);
    msg & w & words & index & owned & first & second & perhaps & listed;
    for (auto& each : listed) msg.packPtr(each);
  }
};
inline void fill_row(row& to, int len) {
  to.len = len;
  to.array = MEL::MemAlloc<char>(len, static_cast<char>(len));
}
inline row* new_row(int len) {
  auto* const made = new row;
  fill_row(*made, len);
  return made;
}
inline void fill(everything& x) {
  x.a = 7;
  fill_row(x.inner[1], 3);
  fill_row(x.e, 4);
  fill_row(x.f, 0);
  x.len = 5;
  x.text = MEL::MemAlloc<char>(5, 'x');
  x.rows = 3;
  x.columns = 2;
  x.matrix = MEL::MemAlloc<double*>(3);
  for (int i = 0; i < 3; ++i) x.matrix[i] = i == 1 ? nullptr : MEL::MemAlloc<double>(2, i);
  x.shared = x.again = make_graph(1, 5);
  x.fixed[1] = new_row(6);
  x.v = {1, 2, 3};
  x.w.resize(2);
  fill_row(x.w[1], 2);
  x.words = {"one", "a text that is longer than what lies in a string itself"};
  x.index = {{"b", {1}}, {"a", {}}};
  x.owned.reset(new_row(1));
  x.first = x.second = std::shared_ptr<row>(new_row(2));
  x.perhaps = "perhaps";
  x.listed = {new_row(3), nullptr, new_row(4)};
}
inline bool is_filled(const everything& x) {
  const auto has = [](const row* r, int len) {
    if (r == nullptr || r->len != len) return false;
    for (int i = 0; i < len; ++i)
      if (r->array[i] != len) return false;
    return true;
  };
  return x.a == 7 && x.b == 2 && has(&x.inner[0], 0) && has(&x.inner[1], 3) && has(&x.e, 4) &&
         x.f.array != nullptr && x.len == 5 && x.text[4] == 'x' && x.matrix[0][1] == 0 &&
         x.matrix[1] == nullptr && x.matrix[2][1] == 2 && x.shared == x.again &&
         nodes_of(x.shared).size() == 5 && has(x.fixed[1], 6) && x.fixed[2] == nullptr &&
         x.v == std::vector<int>{1, 2, 3} && has(&x.w[1], 2) && x.words.size() == 2 &&
         x.words.back().size() > 30 && x.index.at("b")[0] == 1 && has(x.owned.get(), 1) &&
         x.first == x.second && has(x.first.get(), 2) && *x.perhaps == "perhaps" &&
         has(x.listed.front(), 3) && has(x.listed.back(), 4) && x.listed.size() == 3;
}

}  // namespace mel_classes
