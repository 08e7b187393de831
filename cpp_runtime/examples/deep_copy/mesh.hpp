// Meshes of triangles and the tree of volumes over them, for any class of nodes: the examples and
// benchmarks/deep_copy have scenes of them.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace scenes {

struct vector3 {
  double x, y, z;
};
struct triangle {
  int corners[3];
  int material;
};
struct camera {
  vector3 position, direction;
  double angle;
};
struct mesh {
  std::vector<vector3> corners, normals;
  std::vector<triangle> triangles;
};

// A torus of 2 * rings * sides triangles; 79 and 40 give as many as the teapot of Utah has.
inline mesh torus(int rings, int sides) {
  mesh made;
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
  return made;
}

// The volume of triangles [first, first + count), which are sorted along its longest side. `make()`
// gives a pointer to a node that has `low`, `high`, `first`, `count`, `left` and `right`.
template <class Make>
auto volumes_of(const std::vector<vector3>& corners, std::vector<triangle>& triangles, int first,
                int count, const Make& make) -> decltype(make()) {
  constexpr double far = std::numeric_limits<double>::infinity();
  auto made = make();
  made->low = {far, far, far};
  made->high = {-far, -far, -far};
  made->first = first;
  made->count = count;
  for (int i = first; i < first + count; ++i)
    for (const int corner : triangles[static_cast<std::size_t>(i)].corners) {
      const vector3& at = corners[static_cast<std::size_t>(corner)];
      made->low = {std::min(made->low.x, at.x), std::min(made->low.y, at.y),
                   std::min(made->low.z, at.z)};
      made->high = {std::max(made->high.x, at.x), std::max(made->high.y, at.y),
                    std::max(made->high.z, at.z)};
    }
  if (count <= 2) return made;
  const double wide[] = {made->high.x - made->low.x, made->high.y - made->low.y,
                         made->high.z - made->low.z};
  const auto side = std::max_element(wide, wide + 3) - wide;
  const auto begin = triangles.begin() + first;
  std::sort(begin, begin + count, [&](const triangle& a, const triangle& b) {
    const auto at = [&](const triangle& one) {
      const vector3& corner = corners[static_cast<std::size_t>(one.corners[0])];
      return side == 0 ? corner.x : side == 1 ? corner.y : corner.z;
    };
    return at(a) < at(b);
  });
  made->left = volumes_of(corners, triangles, first, count / 2, make);
  made->right = volumes_of(corners, triangles, first + count / 2, count - count / 2, make);
  return made;
}

}  // namespace scenes
