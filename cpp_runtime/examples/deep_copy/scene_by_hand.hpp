// Broadcasts of a scene that are written by hand for it (listings 24 and 25 of the paper of MEL): a message
// for each node, or one of all that MPI_Pack has put together.

#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "scene_classes.hpp"

namespace tracing::by_hand {

inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

// count: example scene, message a node
template <class T>
void broadcast(std::vector<T>& values, int root, MPI_Comm comm) {
  unsigned long n = values.size();
  MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG, root, comm);
  values.resize(n);
  MPI_Bcast(values.data(), static_cast<int>(n * sizeof(T)), MPI_BYTE, root, comm);
}
inline void node_by_node(hooked_scene*& scene, int root, MPI_Comm comm) {
  const bool receives = rank_of(comm) != root;
  if (receives) scene = MEL::MemConstruct<hooked_scene>();
  MPI_Bcast(&scene->eye, sizeof scene->eye, MPI_BYTE, root, comm);
  broadcast(scene->materials, root, comm);
  broadcast(scene->corners, root, comm);
  broadcast(scene->triangles, root, comm);
  if (receives) scene->volumes = MEL::MemConstruct<hooked_volume>();
  std::vector<hooked_volume*> waiting{scene->volumes};
  while (!waiting.empty()) {
    hooked_volume* const node = waiting.back();
    waiting.pop_back();
    MPI_Bcast(node, sizeof *node, MPI_BYTE, root, comm);
    // Addresses of the root until here; they say which children come.
    for (hooked_volume** const child : {&node->right, &node->left}) {
      if (*child == nullptr) continue;
      if (receives) *child = MEL::MemConstruct<hooked_volume>();
      waiting.push_back(*child);
    }
  }
}
// end

// count: example scene, MPI_Pack
struct packing {
  std::vector<char> bytes;
  int at;
  MPI_Comm comm;
  int room() const { return static_cast<int>(bytes.size()); }
};
template <class T>
void pack(packing& to, const T* from, std::size_t n) {
  MPI_Pack(from, static_cast<int>(n * sizeof(T)), MPI_BYTE, to.bytes.data(), to.room(), &to.at,
           to.comm);
}
template <class T>
void unpack(packing& from, T* to, std::size_t n) {
  MPI_Unpack(from.bytes.data(), from.room(), &from.at, to, static_cast<int>(n * sizeof(T)),
             MPI_BYTE, from.comm);
}
template <class T>
void pack(packing& to, const std::vector<T>& from) {
  const std::size_t n = from.size();
  pack(to, &n, 1);
  pack(to, from.data(), n);
}
template <class T>
void unpack(packing& from, std::vector<T>& to) {
  std::size_t n = 0;
  unpack(from, &n, 1);
  to.resize(n);
  unpack(from, to.data(), n);
}
inline std::size_t nodes_of(const hooked_volume* first) {
  return first == nullptr ? 0 : 1 + nodes_of(first->left) + nodes_of(first->right);
}
inline void pack(packing& to, const hooked_volume* node) {
  pack(to, node, 1);
  if (node->left != nullptr) pack(to, node->left);
  if (node->right != nullptr) pack(to, node->right);
}
inline hooked_volume* unpack(packing& from) {
  hooked_volume* const node = MEL::MemConstruct<hooked_volume>();
  unpack(from, node, 1);
  if (node->left != nullptr) node->left = unpack(from);
  if (node->right != nullptr) node->right = unpack(from);
  return node;
}
inline void packed(hooked_scene*& scene, int root, MPI_Comm comm) {
  const bool receives = rank_of(comm) != root;
  packing all{{}, 0, comm};
  if (!receives) {
    all.bytes.resize(
        sizeof(camera) + 3 * sizeof(std::size_t) + scene->materials.size() * sizeof(material) +
        scene->corners.size() * sizeof(vector3) + scene->triangles.size() * sizeof(triangle) +
        nodes_of(scene->volumes) * sizeof(hooked_volume));
    pack(all, &scene->eye, 1);
    pack(all, scene->materials);
    pack(all, scene->corners);
    pack(all, scene->triangles);
    pack(all, scene->volumes);
  }
  unsigned long size = all.bytes.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, root, comm);
  all.bytes.resize(size);
  MPI_Bcast(all.bytes.data(), all.room(), MPI_BYTE, root, comm);
  if (!receives) return;
  scene = MEL::MemConstruct<hooked_scene>();
  unpack(all, &scene->eye, 1);
  unpack(all, scene->materials);
  unpack(all, scene->corners);
  unpack(all, scene->triangles);
  scene->volumes = unpack(all);
}
// end

}  // namespace tracing::by_hand
