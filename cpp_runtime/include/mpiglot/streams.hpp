// Values in C++ streams, in the format of a checkpoint with one part.
//
//   std::ofstream file("state", std::ios::binary);
//   mpiglot::write_value(file, state);
//   std::ifstream again("state", std::ios::binary);
//   mpiglot::read_value(again, state);

#pragma once

#include <cstddef>
#include <istream>
#include <ostream>

#include <mpiglot/transport.hpp>

namespace mpiglot {
namespace detail {

struct stream_output {
  std::ostream& stream;
  void write(const std::byte* from, std::size_t size) {
    stream.write(reinterpret_cast<const char*>(from), static_cast<std::streamsize>(size));
  }
};
struct stream_input {
  std::istream& stream;
  void read(std::byte* to, std::size_t size) {
    stream.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(size));
    if (static_cast<std::size_t>(stream.gcount()) != size) refuse_short_checkpoint();
  }
};

}  // namespace detail

/// `write_value` (mpiglot/transport.hpp) to a binary stream. If the stream refuses bytes, it is in its
/// state of failure, or throws if it is told to.
template <class Value>
  requires builtin_codec::can<Value>
void write_value(std::ostream& stream, const Value& value,
                 std::size_t piece_bytes = detail::usual_chunk) {
  detail::stream_output output{stream};
  write_value(output, value, piece_bytes);
}

/// `read_value` (mpiglot/transport.hpp) from a binary stream; what follows is left in it.
template <class Value>
  requires builtin_codec::can<Value>
void read_value(std::istream& stream, Value& value) {
  detail::stream_input input{stream};
  read_value(input, value);
}

}  // namespace mpiglot
