// Codecs of Boost.Serialization: classes with a `serialize` function, and the standard types whose
// header `boost/serialization/...` the program includes. Link with boost_serialization.
//
//   comm.send(send_buf(as_serialized<serialization::boost_binary>(x)), destination(1));
//   auto x = comm.recv(recv_buf(as_deserializable<X, serialization::boost_binary>()));
//
// Whether a class can be written is only known when it is: an error there is Boost's. What an
// archive throws becomes `encode_error` or `decode_error` with its text.

#pragma once

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/archive/text_iarchive.hpp>
#include <boost/archive/text_oarchive.hpp>

#include <mpiglot/serialization/streams.hpp>

namespace mpiglot::serialization {

/// Any pair of Boost's archives that are made from a stream and flags. `Exact`: the input archive
/// reads to the end of what was written.
template <class Out, class In, bool Exact = false>
struct boost_codec : archive_codec<Exact> {
  /// The flags that archives are made with.
  static constexpr unsigned flags = ::boost::archive::no_header;

  template <class>
  static constexpr bool can = true;

  /// Writes a value behind the bytes in `to`; throws `encode_error`.
  template <class T>
  static void encode(detail::bytes& to, const T& value) {
    archive_codec<Exact>::encode_by(to, value, [](std::ostream& stream, const T& each) {
      Out archive(stream, flags);
      archive << each;
    });
  }
  /// Reads a value from `size` bytes; throws `decode_error`.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    archive_codec<Exact>::decode_by(from, size, value, [](std::istream& stream, T& each) {
      In archive(stream, flags);
      archive >> each;
    });
  }
};

/// The bytes of this architecture.
using boost_binary =
    boost_codec<::boost::archive::binary_oarchive, ::boost::archive::binary_iarchive, true>;
/// Of the same text on every architecture.
using boost_text = boost_codec<::boost::archive::text_oarchive, ::boost::archive::text_iarchive>;

}  // namespace mpiglot::serialization
