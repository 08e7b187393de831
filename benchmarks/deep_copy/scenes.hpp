// A scene for a ray tracer: a mesh of as many triangles as the teapot of Utah has, materials, lights, a
// camera, and the tree of volumes over the triangles. All are aggregates.

#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpiglot/codec.hpp>

#include "../../cpp_runtime/examples/deep_copy/mesh.hpp"
#include "../../cpp_runtime/examples/deep_copy/packing.hpp"
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
// count: scene: serialize of cereal
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
// end
#endif

// By hand: what a volume has beside its children, of which it says whether they are there.
// count: scene: values of volumes
struct volume_values {
  vector3 low, high;
  int first, count;
  bool left, right;
};
inline volume_values values_of(const volume& of) {
  return {of.low, of.high, of.first, of.count, of.left != nullptr, of.right != nullptr};
}
inline std::unique_ptr<volume> volume_of(const volume_values& values) {
  return std::make_unique<volume>(
      volume{values.low, values.high, values.first, values.count, nullptr, nullptr});
}
// end
// count: scene: MPI_Pack
inline void pack_tree(by_hand::packing& to, const volume& from) {
  const volume_values values = values_of(from);
  by_hand::pack(to, &values, 1);
  if (values.left) pack_tree(to, *from.left);
  if (values.right) pack_tree(to, *from.right);
}
inline std::unique_ptr<volume> unpack_tree(by_hand::packing& from) {
  volume_values values;
  by_hand::unpack(from, &values, 1);
  auto made = volume_of(values);
  if (values.left) made->left = unpack_tree(from);
  if (values.right) made->right = unpack_tree(from);
  return made;
}
inline void by_packing(bool is_root, const scene& from, scene& back) {
  by_hand::packing all{MPI_COMM_WORLD};
  if (is_root) {
    by_hand::pack(all, &from.eye, 1);
    by_hand::pack(all, from.lights);
    const std::size_t n = from.materials.size();
    by_hand::pack(all, &n, 1);
    for (const material& each : from.materials) {
      by_hand::pack(all, each.name);
      by_hand::pack(all, &each.diffuse, 1);
      by_hand::pack(all, &each.specular, 1);
      by_hand::pack(all, &each.shininess, 1);
    }
    by_hand::pack(all, from.corners);
    by_hand::pack(all, from.normals);
    by_hand::pack(all, from.triangles);
    pack_tree(all, *from.volumes);
  }
  by_hand::broadcast(all);
  if (is_root) return;
  by_hand::unpack(all, &back.eye, 1);
  by_hand::unpack(all, back.lights);
  std::size_t n = 0;
  by_hand::unpack(all, &n, 1);
  back.materials.resize(n);
  for (material& each : back.materials) {
    by_hand::unpack(all, each.name);
    by_hand::unpack(all, &each.diffuse, 1);
    by_hand::unpack(all, &each.specular, 1);
    by_hand::unpack(all, &each.shininess, 1);
  }
  by_hand::unpack(all, back.corners);
  by_hand::unpack(all, back.normals);
  by_hand::unpack(all, back.triangles);
  back.volumes = unpack_tree(all);
}
// end
// count: scene: a message a node
inline void broadcast(std::unique_ptr<volume>& of) {
  volume_values values{};
  if (of != nullptr) values = values_of(*of);
  by_hand::broadcast(&values, 1, MPI_COMM_WORLD);
  if (of == nullptr) of = volume_of(values);
  if (values.left) broadcast(of->left);
  if (values.right) broadcast(of->right);
}
inline void node_by_node(scene& of) {
  by_hand::broadcast(&of.eye, 1, MPI_COMM_WORLD);
  by_hand::broadcast(of.lights, MPI_COMM_WORLD);
  std::size_t n = of.materials.size();
  by_hand::broadcast(&n, 1, MPI_COMM_WORLD);
  of.materials.resize(n);
  for (material& each : of.materials) {
    by_hand::broadcast(each.name, MPI_COMM_WORLD);
    by_hand::broadcast(&each.diffuse, 1, MPI_COMM_WORLD);
    by_hand::broadcast(&each.specular, 1, MPI_COMM_WORLD);
    by_hand::broadcast(&each.shininess, 1, MPI_COMM_WORLD);
  }
  by_hand::broadcast(of.corners, MPI_COMM_WORLD);
  by_hand::broadcast(of.normals, MPI_COMM_WORLD);
  by_hand::broadcast(of.triangles, MPI_COMM_WORLD);
  broadcast(of.volumes);
}
// end

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
