// The five kinds of buffer that every operation is tested with, and values to tell apart by a seed.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>

#include "../cpp/check.hpp"

namespace kinds {

using namespace mpiglot;

inline std::vector<int> vector(int seed, int length) {
  std::vector<int> made;
  for (int i = 0; i < length; ++i) made.push_back(1000 * seed + i);
  return made;
}

// Has padding after `kind`, so that a datatype of its fields would be another one.
struct particle {
  char kind = 0;
  double mass = 0;
  int charge[3] = {};

  bool operator==(const particle&) const = default;
};

inline particle particle_of(int seed) {
  return {static_cast<char>('a' + seed), seed + 0.5, {seed, -seed, 7}};
}

using dictionary = std::map<std::string, std::vector<std::string>>;

inline dictionary dictionary_of(int seed) {
  dictionary made;
  for (int i = 0; i <= seed; ++i)
    made["key " + std::to_string(i)] = {std::string(static_cast<std::size_t>(3 * i), 'x'),
                                        std::to_string(seed)};
  return made;
}

struct node {
  int value = 0;
  std::string label;
  std::vector<std::unique_ptr<node>> children;

  static void fields(auto& self, auto&& visit) { visit(self.value, self.label, self.children); }

  friend bool operator==(const node& a, const node& b) {
    if (a.value != b.value || a.label != b.label || a.children.size() != b.children.size())
      return false;
    for (std::size_t i = 0; i < a.children.size(); ++i) {
      if (!a.children[i] != !b.children[i]) return false;
      if (a.children[i] && !(*a.children[i] == *b.children[i])) return false;
    }
    return true;
  }
};

using forest = std::vector<std::unique_ptr<node>>;

// A tree whose shape depends on the seed, with an empty place in it.
inline std::unique_ptr<node> tree_of(int seed) {
  auto root = std::make_unique<node>();
  root->value = seed;
  root->label = std::string(static_cast<std::size_t>(seed), 'l');
  root->children.push_back(nullptr);
  for (int i = 0; i < seed; ++i) root->children.push_back(tree_of(i));
  return root;
}

inline forest forest_of(int seed) {
  forest made;
  for (int i = 0; i <= seed; ++i) made.push_back(tree_of(i));
  return made;
}

inline bool same(const forest& a, const forest& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i] || !b[i] || !(*a[i] == *b[i])) return false;
  return true;
}

// A matrix of 4 x 6, and the 2 x 3 rectangle in its middle.
struct matrix {
  std::vector<double> values = std::vector<double>(24, -1.0);

  explicit matrix(int seed) {
    for (int i = 0; i < 6; ++i) rectangle()(i / 3, i % 3) = 100 * seed + i;
  }
  [[nodiscard]] strided_view<double> rectangle() { return {values.data() + 7, 2, 3, 6}; }
  // The elements of the rectangle are those of `seed`, and nothing around it was touched.
  [[nodiscard]] bool is(int seed) { return values == matrix(seed).values; }
};

inline std::vector<double> rectangle_of(int seed) {
  std::vector<double> made;
  for (int i = 0; i < 6; ++i) made.push_back(100 * seed + i);
  return made;
}

template <class T>
std::vector<T> joined(std::vector<T> (*make)(int)) {
  std::vector<T> all;
  for (int rank = 0; rank < check::size(); ++rank)
    for (const T& each : make(rank)) all.push_back(each);
  return all;
}

}  // namespace kinds
