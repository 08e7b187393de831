// A scene for a ray tracer: a mesh of as many triangles as the teapot of Utah has, materials, lights, a
// camera, and the tree of volumes over the triangles. All are aggregates.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpiglot/codec.hpp>

#include "../../cpp_runtime/examples/deep_copy/mesh.hpp"
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

// With the mesh of a torus.
inline scene make(int rings, int sides) {
  mesh from = torus(rings, sides);
  scene made{{{0, -5, 2}, {0, 1, -0.3}, 0.8}, {{4, -4, 6}, {-4, -4, 6}}, {}, {}, {}, {}, nullptr};
  for (int i = 0; i < 4; ++i)
    made.materials.push_back(
        {"material " + std::to_string(i), {0.1 * i, 0.5, 0.2}, {1, 1, 1}, 20.0});
  made.corners = std::move(from.corners);
  made.normals = std::move(from.normals);
  made.triangles = std::move(from.triangles);
  made.volumes =
      volumes_of(made.corners, made.triangles, 0, static_cast<int>(made.triangles.size()),
                 [] { return std::make_unique<volume>(); });
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
