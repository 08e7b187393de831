// Codecs of cereal (https://uscilab.github.io/cereal): classes with a `serialize` function, and the
// standard types whose header `cereal/types/...` the program includes.
//
//   comm.send(send_buf(as_serialized<serialization::cereal_binary>(x)), destination(1));
//   auto x = comm.recv(recv_buf(as_deserializable<X, serialization::cereal_binary>()));
//
// What an archive throws becomes `encode_error` or `decode_error` with its text. A corrupt message
// makes no container longer than the message (and than `longest_container`); the two binary codecs
// write cereal's formats by archives of their own for that (cereal_binary.hpp).

#pragma once

#include <cereal/archives/json.hpp>
#include <cereal/archives/xml.hpp>

#include <mpiglot/serialization/cereal_binary.hpp>
#include <mpiglot/serialization/streams.hpp>

namespace mpiglot::serialization {

/// Any pair of cereal's archives. `Exact`: the input archive reads to the end of what was written.
template <class Out, class In, bool Exact = false>
struct cereal_codec : archive_codec<Exact> {
  template <class T>
  static constexpr bool can = cereal::traits::is_output_serializable<T, Out>::value &&
                              cereal::traits::is_input_serializable<T, In>::value;

  /// Writes a value behind the bytes in `to`; throws `encode_error`.
  template <class T>
  static void encode(detail::bytes& to, const T& value) {
    archive_codec<Exact>::encode_by(to, value, [](std::ostream& stream, const T& each) {
      Out archive(stream);
      archive(each);
    });
  }
  /// Reads a value from `size` bytes; throws `decode_error`.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    archive_codec<Exact>::decode_by(from, size, value, [](std::istream& stream, T& each) {
      In archive(stream);
      archive(each);
    });
  }
};

/// The bytes of this architecture.
using cereal_binary =
    cereal_codec<archives::binary_output<false>, archives::binary_input<false>, true>;
/// Of the same bytes on every architecture.
using cereal_portable =
    cereal_codec<archives::binary_output<true>, archives::binary_input<true>, true>;
/// JSON.
using cereal_json = cereal_codec<cereal::JSONOutputArchive, cereal::JSONInputArchive>;
/// XML.
using cereal_xml = cereal_codec<cereal::XMLOutputArchive, cereal::XMLInputArchive>;

}  // namespace mpiglot::serialization
