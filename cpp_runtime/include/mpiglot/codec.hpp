// The codec of `as_serialized` and `deep`. It encodes trivially copyable types, standard
// containers, owning pointers, and classes that list their fields. It recognises containers by
// their members and includes none of their headers.
//
//   struct node {
//     int value;
//     std::vector<std::unique_ptr<node>> children;
//     static void fields(auto& self, auto&& visit) { visit(self.value, self.children); }
//   };
// The encoding uses the byte order and the representations of this architecture. A trivially
// copyable class is encoded as the bytes of its memory, and its contents are not checked. A class
// that has a bool or a pointer should therefore list its fields.

#pragma once

#include <mpiglot/detail/codec/decoder.hpp>
#include <mpiglot/detail/codec/encoder.hpp>

namespace mpiglot {

/// The default codec of `as_serialized` and `deep`. A codec of your own has the same three members.
///
/// An object that several std::shared_ptr of a value own is encoded once; the decoded value has one
/// object with as many owners. Pointers to a class with virtual functions are refused when the
/// program is compiled, and std::shared_ptr to a base or a part of what it owns with `encode_error`.
struct builtin_codec {
  template <class T>
  static constexpr bool can = detail::codable<T>();

  /// Appends the encoding of `value`.
  template <class T>
  static void encode(detail::bytes& to, const T& value) {
    detail::encoder(to).write_all(value);
  }

  /// Replaces `value` by the decoded value. Throws `decode_error` if the bytes are not the encoding
  /// of exactly one value.
  template <class T>
  static void decode(const std::byte* from, std::size_t size, T& value) {
    detail::decoder(from, size).read_all(value);
  }
  /// The same for a value that is moved afterwards: a pointer that observes the value itself, or a
  /// field of it, is a `decode_error`, too.
  template <class T>
  static void decode_and_move(const std::byte* from, std::size_t size, T& value) {
    detail::decoder(from, size).read_all(value, true);
  }
};

}  // namespace mpiglot
