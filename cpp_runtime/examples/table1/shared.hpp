// What the programs of the paper's Table I have in common whatever MPI is
// called by, and which is therefore not counted: local work, a graph, the loop
// of a breadth-first search.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace shared {

/// Turns the sorted samples of all ranks, `each` of every rank, into `count`
/// splitters.
template <typename T>
void pick_splitters(std::size_t count, std::size_t each,
                    std::vector<T>& samples) {
  std::sort(samples.begin(), samples.end());
  for (std::size_t i = 0; i < count; ++i) samples[i] = samples[each * (i + 1)];
  samples.resize(count);
}

/// One bucket for each rank; empties `data`.
template <typename T>
std::vector<std::vector<T>> build_buckets(std::vector<T>& data,
                                          const std::vector<T>& splitters) {
  std::vector<std::vector<T>> buckets(splitters.size() + 1);
  for (const T& value : data) {
    const auto at = std::upper_bound(splitters.begin(), splitters.end(), value);
    buckets[static_cast<std::size_t>(at - splitters.begin())].push_back(value);
  }
  data.clear();
  return buckets;
}

using vertex = unsigned long;
using vertices = std::vector<vertex>;
constexpr std::size_t unreached = std::numeric_limits<std::size_t>::max();

/// A directed graph of which each rank has as many vertices: v leads to v + 1
/// and to 3 v + 1.
struct graph {
  vertex count;
  vertex each;
  vertex first;

  graph(int rank, int ranks, vertex vertices_per_rank)
      : count(static_cast<vertex>(ranks) * vertices_per_rank),
        each(vertices_per_rank),
        first(static_cast<vertex>(rank) * vertices_per_rank) {}

  bool is_local(vertex v) const {
    return home(v) == static_cast<int>(first / each);
  }
  int home(vertex v) const { return static_cast<int>(v / each); }
  vertices neighbours(vertex v) const {
    return {(v + 1) % count, (3 * v + 1) % count};
  }
};

/// The vertices that a search reaches next, by the rank that has them.
class frontier {
 public:
  virtual ~frontier() = default;
  void add(vertex v, int home) { next_[home].push_back(v); }
  /// What the others found for this rank; true: nobody found any.
  virtual std::pair<vertices, bool> exchange() = 0;

 protected:
  std::unordered_map<int, vertices> next_;
};

/// The number of steps from `source` to each vertex of this rank.
inline std::vector<std::size_t> search(const graph& g, vertex source,
                                       frontier& next) {
  std::vector<std::size_t> levels(g.each, unreached);
  vertices here;
  if (g.is_local(source)) here.push_back(source);
  bool done = false;
  for (std::size_t level = 0; !done; ++level) {
    for (const vertex v : here) {
      if (levels[v - g.first] != unreached) continue;
      levels[v - g.first] = level;
      for (const vertex u : g.neighbours(v)) next.add(u, g.home(u));
    }
    std::tie(here, done) = next.exchange();
  }
  return levels;
}

}  // namespace shared
