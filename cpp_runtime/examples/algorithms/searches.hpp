// Breadth-first search and label propagation on a distributed graph.

#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <mpiglot/communicator.hpp>
#include <mpiglot/flatten.hpp>
#include <mpiglot/plugins/auto_alltoall.hpp>
#include <mpiglot/plugins/grid_alltoall.hpp>
#include <mpiglot/plugins/sparse_alltoall.hpp>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graphs.hpp"

namespace searches {

using graphs::vertex;
using graphs::vertices;
using mpiglot::flattened;
using mpiglot::op;
using mpiglot::send_buf;
using communicator = mpiglot::basic_communicator<
    mpiglot::grid_alltoall, mpiglot::sparse_alltoall, mpiglot::auto_alltoall>;

/// The distance of each vertex of this rank from `source`, or -1.
/// `exchange(comm, found)` brings to each rank the vertices that others found
/// for it.
template <class Exchange>
std::vector<long> distances(const communicator& comm, const graphs::part& graph,
                            vertex source, Exchange exchange) {
  std::vector<long> found(graph.neighbors.size(), -1);
  vertices here;
  if (graph.has(source)) here.push_back(source);
  for (long distance = 0;
       !comm.allreduce_single(send_buf(here.empty()), op(std::logical_and<>{}));
       ++distance) {
    std::unordered_map<int, vertices> next;
    for (const vertex v : here) {
      if (found[v - graph.first] != -1) continue;
      found[v - graph.first] = distance;
      for (const vertex u : graph.of(v)) next[graph.home(u)].push_back(u);
    }
    here = exchange(comm, std::move(next));
  }
  return found;
}

// count: label propagation
struct labelled {
  vertex v, label;
  auto key() const { return std::pair(label, v); }
};

/// Clusters of at most `largest` vertices: in each round, half of the vertices
/// ask for the label that most of their neighbours have.
class label_propagation {
 public:
  label_propagation(const communicator& comm, const graphs::part& graph,
                    long largest)
      : comm_(comm),
        graph_(graph),
        largest_(largest),
        sizes_(graph.neighbors.size(), 1) {
    for (vertex v = graph.first; v < graph.end(); ++v) {
      labels_[v] = v;
      for (const vertex u : graph.of(v)) labels_[u] = u;
    }
  }

  std::vector<vertex> run(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      std::unordered_map<int, std::vector<labelled>> asked, left, moved, told;
      for (vertex v = graph_.first; v < graph_.end(); ++v) {
        if (graphs::random_numbers(round, v).next() % 2 == 0) continue;
        const vertex wanted = best_label(v);
        if (wanted != labels_[v])
          asked[graph_.home(wanted)].push_back({v, wanted});
      }
      for (const labelled& one : accepted(exchange(asked)))
        moved[graph_.home(one.v)].push_back(one);
      for (const auto& [v, label] : exchange(moved)) {
        left[graph_.home(labels_[v])].push_back({v, labels_[v]});
        labels_[v] = label;
        for (const int rank : ranks_around(v)) told[rank].push_back({v, label});
      }
      for (const labelled& one : exchange(left))
        --sizes_[one.label - graph_.first];
      for (const auto& [v, label] : exchange(told)) labels_[v] = label;
    }
    std::vector<vertex> result;
    for (vertex v = graph_.first; v < graph_.end(); ++v)
      result.push_back(labels_[v]);
    return result;
  }

 private:
  std::vector<labelled> exchange(
      const std::unordered_map<int, std::vector<labelled>>& parts) {
    return comm_.alltoallv_auto(send_buf(flattened(parts)));
  }
  vertex best_label(vertex v) {
    std::map<vertex, long> counts{{labels_[v], 0}};
    for (const vertex u : graph_.of(v)) ++counts[labels_[u]];
    const auto best =
        std::max_element(counts.begin(), counts.end(), [&](auto& a, auto& b) {
          return std::pair(a.second, a.first == labels_[v]) <
                 std::pair(b.second, b.first == labels_[v]);
        });
    return best->first;
  }
  /// Those for whom there is room, the first vertices before others.
  std::vector<labelled> accepted(std::vector<labelled> asking) {
    std::sort(asking.begin(), asking.end(),
              [](auto& a, auto& b) { return a.key() < b.key(); });
    std::erase_if(asking, [&](const labelled& one) {
      long& size = sizes_[one.label - graph_.first];
      return size >= largest_ || (++size, false);
    });
    return asking;
  }
  std::vector<int> ranks_around(vertex v) {
    std::vector<int> ranks;
    for (const vertex u : graph_.of(v)) ranks.push_back(graph_.home(u));
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
  }

  const communicator& comm_;
  const graphs::part& graph_;
  long largest_;
  std::vector<long>
      sizes_;  // of the clusters whose labels are vertices of this rank
  std::unordered_map<vertex, vertex> labels_;
};
// end

}  // namespace searches
