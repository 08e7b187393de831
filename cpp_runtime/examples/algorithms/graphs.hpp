// Random graphs that need no communication: each rank generates the neighbours
// of its vertices, and the graph is the same for every number of ranks.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace graphs {

using vertex = long;
using vertices = std::vector<vertex>;

/// Random numbers (splitmix64) from a seed of up to three numbers.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed, std::uint64_t a = 0,
                          std::uint64_t b = 0)
      : state_(seed) {
    state_ = next() ^ a;
    state_ = next() ^ b;
  }
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 to 1, exclusive.
  double uniform() {
    return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52;
  }

 private:
  std::uint64_t state_;
};

/// The vertices of one rank, with their neighbours in order. Edges have no
/// direction.
struct part {
  vertex count = 0;  // of the whole graph
  int ranks = 1;
  vertex first = 0;
  std::vector<vertices> neighbors{};

  part(vertex all, int rank, int of_ranks)
      : count(all),
        ranks(of_ranks),
        first(begin_of(rank)),
        neighbors(begin_of(rank + 1) - first) {}
  vertex begin_of(int rank) const { return count * rank / ranks; }
  int home(vertex v) const {
    return static_cast<int>(((v + 1) * ranks - 1) / count);
  }
  bool has(vertex v) const { return first <= v && v < end(); }
  vertex end() const { return first + static_cast<vertex>(neighbors.size()); }
  vertices& of(vertex v) { return neighbors[v - first]; }
  const vertices& of(vertex v) const { return neighbors[v - first]; }
  void order() {
    for (vertices& some : neighbors) std::sort(some.begin(), some.end());
  }
};

/// Erdős–Rényi: any two vertices are neighbours with the same probability.
/// Pairs are drawn in blocks of vertices.
inline part erdos_renyi(vertex count, double degree, int rank, int ranks,
                        std::uint64_t seed) {
  constexpr vertex block = 64;
  part made(count, rank, ranks);
  if (made.neighbors.empty()) return made;
  const double skip = 1 / std::log1p(-degree / static_cast<double>(count - 1));
  const vertex blocks = (count + block - 1) / block;
  const vertex from = made.first / block, to = (made.end() - 1) / block;
  const auto draw = [&](vertex a, vertex b) {
    random_numbers random(seed, a, b);
    for (double at = -1;;) {
      at += 1 + std::floor(std::log(random.uniform()) * skip);
      if (at >= block * block) return;
      const vertex pair = static_cast<vertex>(at);
      const vertex u = a * block + pair / block, v = b * block + pair % block;
      if (u >= v || v >= count) continue;
      if (made.has(u)) made.of(u).push_back(v);
      if (made.has(v)) made.of(v).push_back(u);
    }
  };
  for (vertex a = 0; a < blocks; ++a)
    for (vertex b = a; b < blocks; ++b)
      if ((from <= a && a <= to) || (from <= b && b <= to)) draw(a, b);
  made.order();
  return made;
}

/// Random geometric: points in the unit square are neighbours within a
/// distance. Points are drawn in cells, row by row.
inline part random_geometric(vertex cells_in_row, double points_in_cell,
                             int rank, int ranks, std::uint64_t seed) {
  const double side = 1 / static_cast<double>(cells_in_row);
  const auto points = [&](vertex cell) {
    random_numbers random(seed, cell);
    std::vector<std::pair<double, double>> made;
    for (double left = random.uniform(), least = std::exp(-points_in_cell);
         left > least; left *= random.uniform()) {
      const double x = random.uniform(), y = random.uniform();
      made.emplace_back((static_cast<double>(cell % cells_in_row) + x) * side,
                        (static_cast<double>(cell / cells_in_row) + y) * side);
    }
    return made;
  };
  std::vector<vertex> begin{0};  // of the vertices of each cell
  for (vertex cell = 0; cell < cells_in_row * cells_in_row; ++cell)
    begin.push_back(begin.back() + static_cast<vertex>(points(cell).size()));
  part made(begin.back(), rank, ranks);
  for (vertex cell = 0; cell < cells_in_row * cells_in_row; ++cell) {
    if (begin[cell + 1] <= made.first || begin[cell] >= made.end()) continue;
    const auto here = points(cell);
    for (vertex row = cell / cells_in_row - 1; row <= cell / cells_in_row + 1;
         ++row)
      for (vertex column = cell % cells_in_row - 1;
           column <= cell % cells_in_row + 1; ++column) {
        if (row < 0 || row >= cells_in_row || column < 0 ||
            column >= cells_in_row)
          continue;
        const vertex other = row * cells_in_row + column;
        const auto there = points(other);
        for (std::size_t i = 0; i < here.size(); ++i)
          for (std::size_t j = 0; j < there.size(); ++j) {
            const vertex u = begin[cell] + static_cast<vertex>(i);
            const vertex v = begin[other] + static_cast<vertex>(j);
            if (u != v && made.has(u) &&
                std::hypot(here[i].first - there[j].first,
                           here[i].second - there[j].second) < side)
              made.of(u).push_back(v);
          }
      }
  }
  made.order();
  return made;
}

/// Random hyperbolic: points in a hyperbolic disk are neighbours within its
/// radius; degrees follow a power law with exponent 3. Points are numbered by
/// their angle.
inline part random_hyperbolic(vertex count, double degree, int rank, int ranks,
                              std::uint64_t seed) {
  using std::numbers::pi;
  const double radius =
      2 * std::log(8 * static_cast<double>(count) / (pi * degree));
  struct point {
    double angle, radius;
    vertex number;
  };
  std::vector<point> points;
  for (vertex i = 0; i < count; ++i) {
    random_numbers random(seed, i);
    const double angle = 2 * pi * random.uniform();
    points.push_back(
        {angle, std::acosh(1 + (std::cosh(radius) - 1) * random.uniform()), 0});
  }
  std::sort(points.begin(), points.end(),
            [](const point& a, const point& b) { return a.angle < b.angle; });
  for (vertex i = 0; i < count; ++i) points[i].number = i;
  // Rings of the disk: in each, neighbours lie within an angle.
  std::vector<std::vector<point>> rings(static_cast<std::size_t>(radius) + 1);
  for (const point& one : points)
    rings[static_cast<std::size_t>(one.radius)].push_back(one);
  part made(count, rank, ranks);
  for (vertex v = made.first; v < made.end(); ++v) {
    const point& one = points[v];
    for (std::size_t ring = 0; ring < rings.size(); ++ring) {
      const double inner = static_cast<double>(ring);
      const double least =
          (std::cosh(one.radius) * std::cosh(inner) - std::cosh(radius)) /
          (std::sinh(one.radius) * std::sinh(inner));
      const double reach = ring == 0 || least <= -1 ? pi
                           : least >= 1             ? 0
                                                    : std::acos(least);
      const auto look_from = [&](double from, double to) {
        const auto is_before = [](const point& a, double angle) {
          return a.angle < angle;
        };
        const auto& all = rings[ring];
        for (auto at =
                 std::lower_bound(all.begin(), all.end(), from, is_before);
             at != all.end() && at->angle <= to; ++at)
          if (at->number != v && std::cosh(one.radius) * std::cosh(at->radius) -
                                         std::sinh(one.radius) *
                                             std::sinh(at->radius) *
                                             std::cos(one.angle - at->angle) <
                                     std::cosh(radius))
            made.of(v).push_back(at->number);
      };
      if (reach >= pi) {
        look_from(0, 2 * pi);
        continue;
      }
      look_from(one.angle - reach, one.angle + reach);
      look_from(one.angle - reach + 2 * pi, one.angle + reach + 2 * pi);
      look_from(one.angle - reach - 2 * pi, one.angle + reach - 2 * pi);
    }
  }
  made.order();
  return made;
}

}  // namespace graphs
