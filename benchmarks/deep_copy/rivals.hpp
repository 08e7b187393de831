// Other libraries, where they are installed: each encodes into a stream, whose text is broadcast after
// its length.

#pragma once

#include <mpi.h>

#include <sstream>
#include <string>

#ifndef DEEP_COPY_CEREAL
#define DEEP_COPY_CEREAL 0
#endif
#ifndef DEEP_COPY_BOOST
#define DEEP_COPY_BOOST 0
#endif

#if DEEP_COPY_CEREAL
#include <cereal/archives/binary.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/vector.hpp>
#endif
#if DEEP_COPY_BOOST
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/vector.hpp>
#endif

namespace rivals {

template <class Text>
void broadcast(Text& text) {
  unsigned long size = text.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD);
}

#if DEEP_COPY_CEREAL
template <class Pointer>
void by_cereal(bool is_root, const Pointer& root, Pointer& back) {
  std::string text;
  if (is_root) {
    std::ostringstream stream;
    cereal::BinaryOutputArchive archive(stream);
    archive(root);
    text = stream.str();
  }
  broadcast(text);
  if (is_root) return;
  std::istringstream stream(text);
  cereal::BinaryInputArchive archive(stream);
  archive(back);
}
#endif
#if DEEP_COPY_BOOST
template <class Node>
void by_boost(bool is_root, const Node* root, Node*& back) {
  std::string text;
  if (is_root) {
    std::ostringstream stream;
    boost::archive::binary_oarchive archive(stream);
    archive << root;
    text = stream.str();
  }
  broadcast(text);
  if (is_root) return;
  std::istringstream stream(text);
  boost::archive::binary_iarchive archive(stream);
  archive >> back;
}
#endif

}  // namespace rivals
