// Broadcasts of a scene that are written by hand for it (listings 24 and 25 of the paper of MEL): a message
// for each node, or one of all that MPI_Pack has put together.

#pragma once

#include <mpi.h>

#include <vector>

#include "packing.hpp"
#include "scene_classes.hpp"

namespace tracing {

// count: example scene: a message a node
inline void node_by_node(hooked_scene*& scene, MPI_Comm comm) {
  const bool receives = !by_hand::is_root(comm);
  if (receives) scene = MEL::MemConstruct<hooked_scene>();
  by_hand::broadcast(&scene->eye, 1, comm);
  by_hand::broadcast(scene->materials, comm);
  by_hand::broadcast(scene->corners, comm);
  by_hand::broadcast(scene->triangles, comm);
  if (receives) scene->volumes = MEL::MemConstruct<hooked_volume>();
  std::vector<hooked_volume*> waiting{scene->volumes};
  while (!waiting.empty()) {
    hooked_volume* const node = waiting.back();
    waiting.pop_back();
    by_hand::broadcast(node, 1, comm);
    // Until here the pointers are addresses of the root; they say which children come.
    for (hooked_volume** const child : {&node->right, &node->left}) {
      if (*child == nullptr) continue;
      if (receives) *child = MEL::MemConstruct<hooked_volume>();
      waiting.push_back(*child);
    }
  }
}
// end

// count: example scene: MPI_Pack
inline void pack_tree(by_hand::packing& to, const hooked_volume* node) {
  by_hand::pack(to, node, 1);
  if (node->left != nullptr) pack_tree(to, node->left);
  if (node->right != nullptr) pack_tree(to, node->right);
}
inline hooked_volume* unpack_tree(by_hand::packing& from) {
  hooked_volume* const node = MEL::MemConstruct<hooked_volume>();
  by_hand::unpack(from, node, 1);
  if (node->left != nullptr) node->left = unpack_tree(from);
  if (node->right != nullptr) node->right = unpack_tree(from);
  return node;
}
inline void packed(hooked_scene*& scene, MPI_Comm comm) {
  const bool receives = !by_hand::is_root(comm);
  by_hand::packing all{comm};
  if (!receives) {
    by_hand::pack(all, &scene->eye, 1);
    by_hand::pack(all, scene->materials);
    by_hand::pack(all, scene->corners);
    by_hand::pack(all, scene->triangles);
    pack_tree(all, scene->volumes);
  }
  by_hand::broadcast(all);
  if (!receives) return;
  scene = MEL::MemConstruct<hooked_scene>();
  by_hand::unpack(all, &scene->eye, 1);
  by_hand::unpack(all, scene->materials);
  by_hand::unpack(all, scene->corners);
  by_hand::unpack(all, scene->triangles);
  scene->volumes = unpack_tree(all);
}
// end

}  // namespace tracing
