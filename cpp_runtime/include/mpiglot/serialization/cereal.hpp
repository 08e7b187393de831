// Codecs of cereal (https://uscilab.github.io/cereal): classes with a `serialize` function, and the
// standard types whose header `cereal/types/...` the program includes.
//
//   comm.send(send_buf(as_serialized<serialization::cereal_binary>(x)), destination(1));
//   auto x = comm.recv(recv_buf(as_deserializable<X, serialization::cereal_binary>()));
// An exception of an archive becomes `encode_error` or `decode_error` with the text of the
// exception. When a corrupt message is decoded, no container becomes longer than the message or
// than `longest_container`. For this, the two binary codecs have archives of their own, which use
// cereal's formats (cereal_binary.hpp).

#pragma once

#include <cereal/archives/json.hpp>
#include <cereal/archives/xml.hpp>

#include <mpiglot/serialization/cereal_binary.hpp>
#include <mpiglot/serialization/streams.hpp>

namespace mpiglot::serialization {

/// A codec of any pair of cereal archives. With `Exact`, the input archive reads all bytes that
/// were written.
template <class Out, class In, bool Exact = false>
struct cereal_codec : archive_codec<Exact> {
  template <class T>
  static constexpr bool can = cereal::traits::is_output_serializable<T, Out>::value &&
                              cereal::traits::is_input_serializable<T, In>::value;

  /// Appends the encoding of a value to `to`. Throws `encode_error`.
  template <class T>
  static void encode(detail::bytes& to, const T& value) {
    archive_codec<Exact>::encode_by(to, value, [](std::ostream& stream, const T& each) {
      Out archive(stream);
      archive(each);
    });
  }
  /// Decodes a value from `size` bytes. Throws `decode_error`.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    archive_codec<Exact>::decode_by(from, size, value, [](std::istream& stream, T& each) {
      In archive(stream);
      archive(each);
    });
  }
};

/// The binary format, for processes on the same architecture.
using cereal_binary =
    cereal_codec<archives::binary_output<false>, archives::binary_input<false>, true>;
/// The portable binary format, which is the same on every architecture.
using cereal_portable =
    cereal_codec<archives::binary_output<true>, archives::binary_input<true>, true>;
/// The JSON format.
using cereal_json = cereal_codec<cereal::JSONOutputArchive, cereal::JSONInputArchive>;
/// The XML format.
using cereal_xml = cereal_codec<cereal::XMLOutputArchive, cereal::XMLInputArchive>;

}  // namespace mpiglot::serialization
