// Rays through a scene: which triangle each of them hits first, and how far away.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "mesh.hpp"

namespace tracing {

using scenes::triangle;
using scenes::vector3;

struct hit {
  int triangle = -1;
  double distance = std::numeric_limits<double>::infinity();
  bool operator==(const hit&) const = default;
};
struct ray {
  vector3 from, along;
};

inline vector3 operator-(const vector3& a, const vector3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline double dot(const vector3& a, const vector3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline vector3 cross(const vector3& a, const vector3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// After Möller and Trumbore; infinity if the ray passes by.
inline double distance_to(const ray& one, const vector3& a, const vector3& b, const vector3& c) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const vector3 ab = b - a;
  const vector3 ac = c - a;
  const vector3 normal = cross(one.along, ac);
  const double facing = dot(ab, normal);
  if (std::abs(facing) < 1e-12) return never;
  const vector3 to = one.from - a;
  const double u = dot(to, normal) / facing;
  const vector3 beside = cross(to, ab);
  const double v = dot(one.along, beside) / facing;
  if (u < 0 || v < 0 || u + v > 1) return never;
  const double distance = dot(ac, beside) / facing;
  return distance > 0 ? distance : never;
}
inline bool enters(const ray& one, const vector3& low, const vector3& high, double before) {
  double begin = 0;
  double end = before;
  const auto clip = [&](double from, double along, double least, double most) {
    double in = (least - from) / along;
    double out = (most - from) / along;
    if (in > out) std::swap(in, out);
    // A ray within a side gives no number, which these comparisons pass over.
    if (in > begin) begin = in;
    if (out < end) end = out;
  };
  clip(one.from.x, one.along.x, low.x, high.x);
  clip(one.from.y, one.along.y, low.y, high.y);
  clip(one.from.z, one.along.z, low.z, high.z);
  return begin <= end;
}

template <class Scene>
hit first_hit(const Scene& scene, const ray& one) {
  hit found;
  std::vector<decltype(&*scene.volumes)> waiting{&*scene.volumes};
  while (!waiting.empty()) {
    const auto* const node = waiting.back();
    waiting.pop_back();
    if (!enters(one, node->low, node->high, found.distance)) continue;
    if (node->left != nullptr) {
      waiting.push_back(&*node->right);
      waiting.push_back(&*node->left);
      continue;
    }
    for (int i = node->first; i < node->first + node->count; ++i) {
      const triangle& each = scene.triangles[static_cast<std::size_t>(i)];
      const auto corner = [&](int k) {
        return scene.corners[static_cast<std::size_t>(each.corners[k])];
      };
      const double distance = distance_to(one, corner(0), corner(1), corner(2));
      if (distance < found.distance) found = {i, distance};
    }
  }
  return found;
}

// Of side * side rays from the camera towards the middle plane of the scene, and a little around it.
template <class Scene>
std::vector<hit> hits_of(const Scene& scene, int side) {
  std::vector<hit> found;
  const vector3 low = scene.volumes->low;
  const vector3 size = scene.volumes->high - low;
  for (int i = 0; i < side; ++i)
    for (int k = 0; k < side; ++k) {
      const vector3 towards{low.x + size.x * (1.4 * (i + 0.5) / side - 0.2), low.y + size.y / 2,
                            low.z + size.z * (1.4 * (k + 0.5) / side - 0.2)};
      found.push_back(first_hit(scene, {scene.eye.position, towards - scene.eye.position}));
    }
  return found;
}

}  // namespace tracing
