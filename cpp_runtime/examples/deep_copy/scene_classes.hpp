// The scene of a ray tracer, twice (listing 23 of the paper of MEL): with raw pointers and MEL's hooks, and
// with a list of fields for each class that owns something. Both have the same members.

#pragma once

#include <memory>
#include <vector>

#include <mpiglot/fields.hpp>
#include <mpiglot/mel.hpp>

#include "mesh.hpp"

namespace tracing {

using scenes::camera;
using scenes::triangle;
using scenes::vector3;

struct material {
  vector3 diffuse, specular;
  double shininess;
};

// The triangles [first, first + count), or two volumes that divide them.
struct hooked_volume {
  vector3 low{}, high{};
  int first = 0, count = 0;
  hooked_volume *left = nullptr, *right = nullptr;

  hooked_volume() = default;
  hooked_volume(const hooked_volume&) = delete;
  hooked_volume& operator=(const hooked_volume&) = delete;
  ~hooked_volume() {
    MEL::MemDestruct(left);
    MEL::MemDestruct(right);
  }
  // count: example scene: hook of volumes
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg.packPtr(left);
    msg.packPtr(right);
  }
  // end
};
struct hooked_scene {
  camera eye{};
  std::vector<material> materials;
  std::vector<vector3> corners;
  std::vector<triangle> triangles;
  hooked_volume* volumes = nullptr;

  hooked_scene() = default;
  hooked_scene(const hooked_scene&) = delete;
  hooked_scene& operator=(const hooked_scene&) = delete;
  ~hooked_scene() { MEL::MemDestruct(volumes); }
  // count: example scene: hook of scenes
  template <class MSG>
  void DeepCopy(MSG& msg) {
    msg & materials & corners & triangles;
    msg.packPtr(volumes);
  }
  // end
};

struct listed_volume {
  vector3 low{}, high{};
  int first = 0, count = 0;
  std::unique_ptr<listed_volume> left, right;
  // count: example scene: fields of volumes
  static void fields(auto& self, auto&& visit) {
    visit(self.low, self.high, self.first, self.count, self.left, self.right);
  }
  // end
};
struct listed_scene {
  camera eye{};
  std::vector<material> materials;
  std::vector<vector3> corners;
  std::vector<triangle> triangles;
  std::unique_ptr<listed_volume> volumes;
  // count: example scene: fields of scenes
  static void fields(auto& self, auto&& visit) {
    visit(self.eye, self.materials, self.corners, self.triangles, self.volumes);
  }
  // end
};

}  // namespace tracing
