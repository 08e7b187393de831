// Values through transports of your own, and how long they are.
//
//   struct to_socket {
//     int socket;
//     void write(const std::byte* from, std::size_t size);  // all of them, or it throws
//   };
//   to_socket out{socket};
//   mpiglot::write_value(out, state);
//
// A transport is a class with one function for each direction. What travels is a checkpoint with one
// part: a header, then the encoding in chunks with checksums. C++ streams are in mpiglot/streams.hpp,
// MPI files in mpiglot/file_transport.hpp.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <mpiglot/codec.hpp>
#include <mpiglot/detail/codec/checkpoint_format.hpp>
#include <mpiglot/detail/codec/counted_bytes.hpp>
#include <mpiglot/detail/codec/fingerprint.hpp>
#include <mpiglot/detail/codec/measured.hpp>

namespace mpiglot {

/// Takes bytes: all of them, or it throws.
template <class T>
concept byte_output =
    requires(T& output, const std::byte* from, std::size_t size) { output.write(from, size); };

/// Gives the next bytes: so many, or it throws.
template <class T>
concept byte_input = requires(T& input, std::byte* to, std::size_t size) { input.read(to, size); };

/// A transport through memory: `write` appends to `bytes`, `read` goes on behind what it has read.
struct memory_transport {
  std::vector<std::byte> bytes;
  /// How many bytes were read.
  std::size_t position = 0;

  /// Appends `size` bytes.
  void write(const std::byte* from, std::size_t size) {
    bytes.insert(bytes.end(), from, from + size);
  }
  /// Throws `checkpoint_error` if there are fewer.
  void read(std::byte* to, std::size_t size) {
    if (size > bytes.size() - position) detail::refuse_short_checkpoint();
    if (size != 0) std::memcpy(to, bytes.data() + position, size);
    position += size;
  }
};

/// The bytes of the encoding of a value: of the message of `deep(value)`. Encodes it, but keeps no more
/// of it than a window of 64 KiB. Throws `encode_error`. Local.
template <class Value>
  requires builtin_codec::can<Value>
[[nodiscard]] std::uint64_t size_of(const Value& value) {
  return detail::counted_bytes(value);
}

/// Writes a value to a transport: all that it owns, with a header and checksums. The bytes are the same
/// for equal structures, as docs/guide/deep-copy.md says; no address is among them. `piece_bytes` is the memory that this takes, and the size
/// of chunks that the reader keeps in memory: 4 KiB to 1 GiB. A value that fits it is encoded once, a
/// longer one twice, since its length goes first; runs of elements of 64 KiB and more are written from
/// where they lie. `addresses` numbers shared objects in place of the codec's own. Throws `encode_error`, and
/// what the transport throws. Local.
template <byte_output Output, class Value>
  requires builtin_codec::can<Value>
void write_value(Output& output, const Value& value, std::size_t piece_bytes = detail::usual_chunk,
                 address_table* addresses = nullptr) {
  const std::size_t chunk = detail::chunk_of(piece_bytes);
  const detail::measured measured(value, chunk, addresses);
  const std::uint64_t length = measured.size();
  const detail::checkpoint_table table(detail::fingerprint::of<Value>(), &length, 1, chunk);
  table.write(output);
  detail::checked_output<Output> checked(output, chunk);
  measured.write(value, checked);
  checked.end();
}

/// Reads a value that `write_value` wrote, and nothing behind it; `value` is replaced. The reader needs
/// no length, and keeps one chunk in memory; runs of elements are read into their places. Throws
/// `checkpoint_error` if the bytes are something else, end too early or have changed, and what the
/// transport throws; `value` is then as it was, or empty. Local.
template <byte_input Input, class Value>
  requires builtin_codec::can<Value>
void read_value(Input& input, Value& value) {
  detail::checkpoint_header header{};
  input.read(reinterpret_cast<std::byte*>(&header.magic), sizeof header.magic);
  detail::checkpoint_table table;
  table.require_magic(header, sizeof header.magic);
  input.read(reinterpret_cast<std::byte*>(&header) + sizeof header.magic,
             sizeof header - sizeof header.magic);
  table.read_header(header, sizeof header, detail::checkpoint_table::unknown);
  if (header.parts != 1)
    detail::refuse_checkpoint("a checkpoint of several ranks: open it as a file");
  input.read(static_cast<std::byte*>(table.make_table()), table.table_bytes());
  table.check_table();
  table.require_type(detail::fingerprint::of<Value>());
  detail::checked_input<Input> checked(input, table.part(0).size, header.chunk);
  builtin_codec::decode(checked, value);
}

}  // namespace mpiglot
