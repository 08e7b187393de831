// Values in C++ streams, in the format of a checkpoint with one part.
//
//   std::ofstream file("state", std::ios::binary);
//   mpiglot::write_value(file, state);
//   std::ifstream again("state", std::ios::binary);
//   mpiglot::read_value(again, state);

#pragma once

#include <cstdint>
#include <istream>
#include <ostream>

#include <mpiglot/codec.hpp>
#include <mpiglot/detail/codec/checkpoint_format.hpp>
#include <mpiglot/detail/codec/fingerprint.hpp>

namespace mpiglot {
namespace detail {

/// Reads so many bytes at the end of `to`, in steps, so that a wrong length allocates little memory.
inline void read_from(std::istream& stream, bytes& to, std::uint64_t size) {
  while (size != 0) {
    const auto step = static_cast<std::size_t>(size < checkpoint_chunk ? size : checkpoint_chunk);
    auto* const at = reinterpret_cast<char*>(to.extend(step));
    stream.read(at, static_cast<std::streamsize>(step));
    if (static_cast<std::size_t>(stream.gcount()) != step)
      refuse_checkpoint("a checkpoint that ends too early");
    size -= step;
  }
}

}  // namespace detail

/// Writes a value to a binary stream: all that it owns, with a header and checksums. The bytes are the
/// same for equal structures; no address is among them. Throws `encode_error`; if the stream refuses
/// bytes, it is in its state of failure, or throws if it is told to. Encodes the whole value in memory
/// first. Local.
template <class Value>
  requires builtin_codec::can<Value>
void write_value(std::ostream& stream, const Value& value) {
  detail::bytes part;
  builtin_codec::encode(part, value);
  const std::uint64_t length = part.size();
  detail::add_checks(part);
  const detail::checkpoint_table table(detail::fingerprint::of<Value>(), &length, 1);
  stream.write(reinterpret_cast<const char*>(&table.header()), sizeof table.header());
  stream.write(reinterpret_cast<const char*>(table.lengths()),
               static_cast<std::streamsize>(table.table_bytes()));
  stream.write(reinterpret_cast<const char*>(part.data()),
               static_cast<std::streamsize>(part.size()));
}

/// Reads a value that `write_value` wrote, and nothing behind it; `value` is replaced. Throws
/// `checkpoint_error` if the stream has something else, ends too early or has changed; `value` is
/// then as it was, or empty. Local.
template <class Value>
  requires builtin_codec::can<Value>
void read_value(std::istream& stream, Value& value) {
  detail::checkpoint_header header{};
  stream.read(reinterpret_cast<char*>(&header), sizeof header);
  detail::checkpoint_table table;
  table.read_header(header, static_cast<std::size_t>(stream.gcount()),
                    detail::checkpoint_table::unknown);
  if (header.parts != 1)
    detail::refuse_checkpoint("a checkpoint of several ranks: open it as a file");
  stream.read(static_cast<char*>(table.make_table()),
              static_cast<std::streamsize>(table.table_bytes()));
  if (static_cast<std::size_t>(stream.gcount()) != table.table_bytes())
    detail::refuse_checkpoint("a checkpoint that ends too early");
  table.check_table();
  table.require_type(detail::fingerprint::of<Value>());
  const std::uint64_t length = table.part(0).size;
  detail::bytes part;
  detail::read_from(stream, part, length + detail::checks_size(length));
  detail::compare_checks(part.data(), static_cast<std::size_t>(length));
  builtin_codec::decode(part.data(), static_cast<std::size_t>(length), value);
}

}  // namespace mpiglot
