// Codecs of Boost.Serialization: classes with a `serialize` function, and the standard types whose
// header `boost/serialization/...` the program includes. Link with boost_serialization.
//
//   comm.send(send_buf(as_serialized<serialization::boost_binary>(x)), destination(1));
//   auto x = comm.recv(recv_buf(as_deserializable<X, serialization::boost_binary>()));
// If a class cannot be serialized, the compile error comes from Boost. An exception of an archive
// becomes `encode_error` or `decode_error` with the text of the exception. The archives that read
// are this library's own (boost_input.hpp): they use Boost's formats and believe no length.

#pragma once

#include <boost/archive/binary_oarchive.hpp>
#include <boost/archive/text_oarchive.hpp>

#include <mpiglot/serialization/boost_input.hpp>
#include <mpiglot/serialization/streams.hpp>

namespace mpiglot::serialization {

/// A codec of any pair of Boost archives that are constructed from a stream and flags. With
/// `Exact`, the input archive reads all bytes that were written.
template <class Out, class In, bool Exact = false>
struct boost_codec : archive_codec<Exact> {
  /// The flags of the archives' constructors.
  static constexpr unsigned flags = ::boost::archive::no_header;

  template <class>
  static constexpr bool can = true;

  /// Appends the encoding of a value to `to`. Throws `encode_error`.
  template <class T>
  static void encode(detail::bytes& to, const T& value) {
    archive_codec<Exact>::encode_by(to, value, [](std::ostream& stream, const T& each) {
      Out archive(stream, flags);
      archive << each;
    });
  }
  /// Decodes a value from `size` bytes. Throws `decode_error`.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    archive_codec<Exact>::decode_by(from, size, value, [](std::istream& stream, T& each) {
      In archive(stream, flags);
      archive >> each;
    });
  }
};

/// The binary format, for processes on the same architecture.
using boost_binary =
    boost_codec<::boost::archive::binary_oarchive, archives::boost_binary_input, true>;
/// The text format, which is the same on every architecture.
using boost_text = boost_codec<::boost::archive::text_oarchive, archives::boost_text_input>;

}  // namespace mpiglot::serialization
