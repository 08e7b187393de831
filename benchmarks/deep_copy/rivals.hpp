// Other libraries, where they are installed: each encodes into a stream, which is a file, or whose text is
// broadcast after its length. Boost.MPI broadcasts by itself.

#pragma once

#include <mpi.h>

#include <istream>
#include <ostream>
#include <sstream>
#include <string>

#ifndef DEEP_COPY_CEREAL
#define DEEP_COPY_CEREAL 0
#endif
#ifndef DEEP_COPY_BOOST
#define DEEP_COPY_BOOST 0
#endif
#ifndef DEEP_COPY_BOOST_MPI
#define DEEP_COPY_BOOST_MPI 0
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
#if DEEP_COPY_BOOST_MPI
#include <boost/mpi.hpp>
#endif

namespace rivals {

// count: text
template <class Text>
void broadcast(Text& text) {
  unsigned long size = text.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD);
}
// end

// By a library with functions `write(stream, root)` and `read(stream, back)`.
// count: streams
template <class Library, class Root, class Back>
void broadcast_by(bool is_root, const Root& root, Back& back) {
  std::string text;
  if (is_root) {
    std::ostringstream stream;
    Library::write(stream, root);
    text = stream.str();
  }
  broadcast(text);
  if (is_root) return;
  std::istringstream stream(text);
  Library::read(stream, back);
}
// end

#if DEEP_COPY_CEREAL
// count: cereal
struct cereal_library {
  static void write(std::ostream& stream, const auto& root) {
    cereal::BinaryOutputArchive archive(stream);
    archive(root);
  }
  static void read(std::istream& stream, auto& back) {
    cereal::BinaryInputArchive archive(stream);
    archive(back);
  }
};
// end
#endif
#if DEEP_COPY_BOOST
// count: Boost.Serialization
struct boost_library {
  static void write(std::ostream& stream, const auto& root) {
    boost::archive::binary_oarchive archive(stream);
    archive << root;
  }
  static void read(std::istream& stream, auto& back) {
    boost::archive::binary_iarchive archive(stream);
    archive >> back;
  }
};
// end
#endif

}  // namespace rivals
