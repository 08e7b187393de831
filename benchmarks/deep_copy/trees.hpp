// Trees whose nodes have one owner, and ways to broadcast them.

#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <mpiglot/fields.hpp>

#include "rivals.hpp"

namespace trees {

// 72 bytes, as the volumes of the paper of MEL.
struct corner {
  double x, y, z;
};
struct node {
  int first = 0;
  int count = 0;
  corner low{};
  corner high{};
  node* left = nullptr;
  node* right = nullptr;
  // count: tree: fields
  static void fields(auto& self, auto&& visit) {
    visit(self.first, self.count, self.low, self.high, mpiglot::owned(self.left),
          mpiglot::owned(self.right));
  }
// end
#if DEEP_COPY_BOOST
  // count: tree: serialize of Boost
  template <class Archive>
  void serialize(Archive& archive, unsigned) {
    archive & first & count & low.x & low.y & low.z & high.x & high.y & high.z & left & right;
  }
// end
#endif
};

// Of nodes behind pointers of any kind.
template <class Pointer>
Pointer make(int leaves) {
  Pointer made(new std::remove_reference_t<decltype(*Pointer())>);
  made->first = leaves;
  made->high.z = 0.5 * leaves;
  if (leaves > 1) {
    made->left = make<Pointer>(leaves / 2);
    made->right = make<Pointer>(leaves - leaves / 2);
  }
  return made;
}
template <class Pointer>
double sum(const Pointer& of) {
  return of == nullptr ? 0 : of->first + of->high.z + sum(of->left) + 2 * sum(of->right);
}
inline void destroy(node* of) {
  if (of == nullptr) return;
  destroy(of->left);
  destroy(of->right);
  delete of;
}

// The number of nodes first, then the nodes in one buffer.
// count: tree: MPI_Pack
inline int count(const node* of) {
  return of == nullptr ? 0 : 1 + count(of->left) + count(of->right);
}
inline void pack(const node* of, std::vector<char>& to, int& at) {
  const int size = static_cast<int>(to.size());
  MPI_Pack(of, sizeof *of, MPI_BYTE, to.data(), size, &at, MPI_COMM_WORLD);
  if (of->left != nullptr) pack(of->left, to, at);
  if (of->right != nullptr) pack(of->right, to, at);
}
inline node* unpack(const std::vector<char>& from, int& at) {
  node* const made = new node;
  const int size = static_cast<int>(from.size());
  MPI_Unpack(from.data(), size, &at, made, sizeof *made, MPI_BYTE, MPI_COMM_WORLD);
  if (made->left != nullptr) made->left = unpack(from, at);
  if (made->right != nullptr) made->right = unpack(from, at);
  return made;
}
inline void by_packing(const node* root, node*& back) {
  std::vector<char> bytes;
  int n = count(root);
  int at = 0;
  if (root != nullptr) {
    bytes.resize(static_cast<std::size_t>(n) * sizeof(node));
    pack(root, bytes, at);
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  bytes.resize(static_cast<std::size_t>(n) * sizeof(node));
  MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (root == nullptr) back = unpack(bytes, at);
}
// end

// The same by memcpy, into a vector that grows.
// count: tree: memcpy
inline void copy(const node* of, std::vector<char>& to) {
  const char* const first = reinterpret_cast<const char*>(of);
  to.insert(to.end(), first, first + sizeof *of);
  if (of->left != nullptr) copy(of->left, to);
  if (of->right != nullptr) copy(of->right, to);
}
inline node* copied(const char*& from) {
  node* const made = new node;
  std::memcpy(static_cast<void*>(made), from, sizeof *made);
  from += sizeof *made;
  if (made->left != nullptr) made->left = copied(from);
  if (made->right != nullptr) made->right = copied(from);
  return made;
}
inline void by_copying(const node* root, node*& back) {
  std::vector<char> bytes;
  if (root != nullptr) copy(root, bytes);
  rivals::broadcast(bytes);
  const char* from = bytes.data();
  if (root == nullptr) back = copied(from);
}
// end

// Written by one rank, in one piece, and read again.
inline void through_file(const std::string& path, const node* root, node*& back) {
  if (root == nullptr) return;
  std::vector<char> bytes;
  copy(root, bytes);
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<char> again(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(again.data(), static_cast<std::streamsize>(again.size()));
  const char* from = again.data();
  back = copied(from);
}

// Nothing is packed: each node is a broadcast.
// count: tree: a message a node
inline node* one_by_one(const node* of) {
  node* made = nullptr;
  node* const shown = of != nullptr ? const_cast<node*>(of) : made = new node;
  MPI_Bcast(shown, sizeof *shown, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (node* node::* side : {&node::left, &node::right})
    if (shown->*side != nullptr) {
      node* const below = one_by_one(of != nullptr ? of->*side : nullptr);
      if (of == nullptr) made->*side = below;
    }
  return made;
}
inline void node_by_node(const node* root, node*& back) {
  node* const made = one_by_one(root);
  if (root == nullptr) back = made;
}
// end

#if DEEP_COPY_CEREAL
struct owning_node {
  int first = 0;
  int count = 0;
  corner low{};
  corner high{};
  std::unique_ptr<owning_node> left, right;
  // count: tree: serialize of cereal
  template <class Archive>
  void serialize(Archive& archive) {
    archive(first, count, low.x, low.y, low.z, high.x, high.y, high.z, left, right);
  }
  // end
};
#endif

}  // namespace trees
