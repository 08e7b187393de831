// Standard streams over the bytes of a message, for codecs that use streams.

#pragma once

#include <exception>
#include <istream>
#include <ostream>
#include <streambuf>

#include <mpiglot/serialized.hpp>

namespace mpiglot::serialization {

/// An output buffer that appends to a block of bytes.
class writing_buffer : public std::streambuf {
 public:
  explicit writing_buffer(detail::bytes& to) noexcept : to_(to) {}

 protected:
  std::streamsize xsputn(const char* from, std::streamsize size) override {
    to_.append(reinterpret_cast<const std::byte*>(from), static_cast<std::size_t>(size));
    return size;
  }
  int_type overflow(int_type character) override {
    const char one = traits_type::to_char_type(character);
    xsputn(&one, 1);
    return character;
  }

 private:
  detail::bytes& to_;
};

/// An input buffer that reads a message without a copy.
class reading_buffer : public std::streambuf {
 public:
  reading_buffer(const std::byte* from, std::size_t size) {
    char* const begin = reinterpret_cast<char*>(const_cast<std::byte*>(from));
    setg(begin, begin, begin + size);
  }
  /// True if all bytes were read.
  [[nodiscard]] bool at_end() const noexcept { return gptr() == egptr(); }
};

/// The common part of the codecs of archives. With `Exact`, the reader must read all bytes.
template <bool Exact>
struct archive_codec {
  /// Appends the encoding of a value to `to` by `write(stream, value)`. Throws `encode_error`.
  template <class T, class Action>
  static void encode_by(detail::bytes& to, const T& value, Action write) {
    writing_buffer buffer(to);
    std::ostream stream(&buffer);
#if defined(__cpp_exceptions)
    try {
      write(stream, value);
    } catch (const mpi::error&) {
      throw;
    } catch (const std::exception& error) {
      throw encode_error(error.what());
    }
#else
    write(stream, value);
#endif
  }

  /// Decodes a value from `size` bytes by `read(stream, value)`. Throws `decode_error`.
  template <class T, class Action>
  static void decode_by(const std::byte* from, std::size_t size, T& value, Action read) {
    reading_buffer buffer(from, size);
    std::istream stream(&buffer);
#if defined(__cpp_exceptions)
    try {
      read(stream, value);
    } catch (const std::exception& error) {
      throw decode_error(error.what());
    }
#else
    read(stream, value);
#endif
    if (Exact && !buffer.at_end()) detail::refuse_bytes("more bytes arrived than the type takes");
  }
};

}  // namespace mpiglot::serialization
