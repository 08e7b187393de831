// A scene for a ray tracer: a mesh of as many triangles as the teapot of Utah has, materials, lights, a
// camera, and the tree of volumes over the triangles. All are aggregates.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <mpiglot/codec.hpp>

#include "rivals.hpp"

// With Boost.PFR aggregates need no line, else those that own something need one.
#if __has_include(<boost/pfr/core.hpp>)
#include <mpiglot/reflect.hpp>
#define LISTS(...)
#else
#define LISTS(...) \
  static void fields(auto& self, auto&& visit) { visit(__VA_ARGS__); }
#endif

namespace scenes {

struct vector3 {
  double x, y, z;
};
struct triangle {
  int corners[3];
  int material;
};
struct material {
  std::string name;
  vector3 diffuse, specular;
  double shininess;
  LISTS(self.name, self.diffuse, self.specular, self.shininess)
};
struct volume {
  vector3 low, high;
  int first, count;
  std::unique_ptr<volume> left, right;
  LISTS(self.low, self.high, self.first, self.count, self.left, self.right)
};
struct camera {
  vector3 position, direction;
  double angle;
};
struct scene {
  camera eye;
  std::vector<vector3> lights;
  std::vector<material> materials;
  std::vector<vector3> corners, normals;
  std::vector<triangle> triangles;
  std::unique_ptr<volume> volumes;
  LISTS(self.eye, self.lights, self.materials, self.corners, self.normals, self.triangles,
        self.volumes)
};
#undef LISTS

#if DEEP_COPY_CEREAL
template <class Archive>
void serialize(Archive& archive, vector3& of) {
  archive(of.x, of.y, of.z);
}
template <class Archive>
void serialize(Archive& archive, triangle& of) {
  archive(of.corners[0], of.corners[1], of.corners[2], of.material);
}
template <class Archive>
void serialize(Archive& archive, material& of) {
  archive(of.name, of.diffuse, of.specular, of.shininess);
}
template <class Archive>
void serialize(Archive& archive, volume& of) {
  archive(of.low, of.high, of.first, of.count, of.left, of.right);
}
template <class Archive>
void serialize(Archive& archive, camera& of) {
  archive(of.position, of.direction, of.angle);
}
template <class Archive>
void serialize(Archive& archive, scene& of) {
  archive(of.eye, of.lights, of.materials, of.corners, of.normals, of.triangles, of.volumes);
}
#endif

// The volume of triangles [first, first + count), which are sorted along its longest side.
inline std::unique_ptr<volume> volumes_of(scene& of, int first, int count) {
  auto made = std::make_unique<volume>(
      volume{{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}, first, count, nullptr, nullptr});
  for (int i = first; i < first + count; ++i)
    for (const int corner : of.triangles[static_cast<std::size_t>(i)].corners) {
      const vector3& at = of.corners[static_cast<std::size_t>(corner)];
      made->low = {std::min(made->low.x, at.x), std::min(made->low.y, at.y),
                   std::min(made->low.z, at.z)};
      made->high = {std::max(made->high.x, at.x), std::max(made->high.y, at.y),
                    std::max(made->high.z, at.z)};
    }
  if (count <= 2) return made;
  const double wide[] = {made->high.x - made->low.x, made->high.y - made->low.y,
                         made->high.z - made->low.z};
  const auto side = std::max_element(wide, wide + 3) - wide;
  const auto begin = of.triangles.begin() + first;
  std::sort(begin, begin + count, [&](const triangle& a, const triangle& b) {
    const auto at = [&](const triangle& one) {
      const vector3& corner = of.corners[static_cast<std::size_t>(one.corners[0])];
      return side == 0 ? corner.x : side == 1 ? corner.y : corner.z;
    };
    return at(a) < at(b);
  });
  made->left = volumes_of(of, first, count / 2);
  made->right = volumes_of(of, first + count / 2, count - count / 2);
  return made;
}

// A torus of 2 * rings * sides triangles.
inline scene make(int rings, int sides) {
  scene made{{{0, -5, 2}, {0, 1, -0.3}, 0.8}, {{4, -4, 6}, {-4, -4, 6}}, {}, {}, {}, {}, nullptr};
  for (int i = 0; i < 4; ++i)
    made.materials.push_back(
        {"material " + std::to_string(i), {0.1 * i, 0.5, 0.2}, {1, 1, 1}, 20.0});
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const double a = 2 * M_PI * i / rings;
      const double b = 2 * M_PI * k / sides;
      const vector3 out{std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
      made.normals.push_back(out);
      made.corners.push_back(
          {2 * std::cos(a) + 0.5 * out.x, 2 * std::sin(a) + 0.5 * out.y, 0.5 * out.z});
      const int next = (i + 1) % rings * sides;
      const int beside = (k + 1) % sides;
      made.triangles.push_back({{i * sides + k, next + k, next + beside}, i % 4});
      made.triangles.push_back({{i * sides + k, next + beside, i * sides + beside}, i % 4});
    }
  made.volumes = volumes_of(made, 0, static_cast<int>(made.triangles.size()));
  return made;
}

inline double sum(const volume* of) {
  return of == nullptr ? 0
                       : of->low.x + 2 * of->high.z + of->count + sum(of->left.get()) -
                             0.5 * sum(of->right.get());
}
inline double sum(const scene& of) {
  double total = of.eye.angle + static_cast<double>(of.lights.size() + of.materials.size());
  for (const vector3& each : of.corners) total += each.x + 2 * each.y;
  for (const vector3& each : of.normals) total += each.z;
  for (const triangle& each : of.triangles) total += each.corners[1] - each.material;
  return of.materials.empty() ? total
                              : total + of.materials.back().shininess + sum(of.volumes.get());
}

}  // namespace scenes
