// What the tests of the codec share: encoding and decoding by hand, and objects that are counted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include <mpiglot/serialized.hpp>

namespace encoding {

// Some bytes of an encoding at a time: all that the codec does through windows of memory.
inline constexpr std::size_t some_bytes = 61;

struct into_bytes final : mpiglot::detail::byte_sink {
  mpiglot::detail::bytes all;
  into_bytes() noexcept : byte_sink(some_bytes) {}
  void take(const std::byte* from, std::size_t size, std::size_t) override {
    all.append(from, size);
  }
};
struct out_of_bytes final : mpiglot::detail::chunk_source {
  const std::byte* from;
  explicit out_of_bytes(const mpiglot::detail::bytes& all)
      : chunk_source(all.size(), some_bytes), from(all.data()) {}
  void read_chunk(std::byte* to, std::size_t size) override {
    std::memcpy(to, from, size);
    from += size;
  }
};

// The same bytes come out of windows.
template <class T>
mpiglot::detail::bytes encoded(const T& value) {
  mpiglot::detail::bytes bytes;
  mpiglot::builtin_codec::encode(bytes, value);
  into_bytes other;
  mpiglot::detail::bytes last;
  const std::size_t size = mpiglot::builtin_codec::encode(last, other, value);
  other.all.append(last.data(), last.size());
  if (size != bytes.size() || size != other.all.size() ||
      (size != 0 && std::memcmp(bytes.data(), other.all.data(), size) != 0))
    throw std::logic_error("other bytes through a window");
  return bytes;
}
template <class T>
void decode_once(const mpiglot::detail::bytes& bytes, T& value) {
  mpiglot::builtin_codec::decode(bytes.data(), bytes.size(), value);
}
template <class T>
void decode_through_windows(const mpiglot::detail::bytes& bytes, T& value) {
  out_of_bytes source(bytes);
  mpiglot::builtin_codec::decode(source, value);
}
// Through windows and, again, from memory: both refuse the bytes or read them.
template <class T>
void decode(const mpiglot::detail::bytes& bytes, T& value) {
  bool refused = false;
  try {
    decode_through_windows(bytes, value);
  } catch (const mpiglot::decode_error&) {
    refused = true;
  }
  try {
    decode_once(bytes, value);
  } catch (const mpiglot::decode_error&) {
    if (!refused) throw std::logic_error("read through windows, refused from memory");
    throw;
  }
  if (refused) throw std::logic_error("refused through windows, read from memory");
}

// A copy in which 1 to 3 bytes at random places have random values.
template <class Random>
mpiglot::detail::bytes with_changed_bytes(const mpiglot::detail::bytes& right, Random& random) {
  mpiglot::detail::bytes wrong;
  wrong.append(right.data(), right.size());
  for (auto changes = random() % 3 + 1; changes > 0; --changes)
    wrong[random() % wrong.size()] = static_cast<std::byte>(random() % 256);
  return wrong;
}

// Counts the objects that there are, and the most that there were.
struct counted {
  static inline std::int64_t alive = 0;
  static inline std::int64_t most = 0;
  counted() noexcept { most = ++alive > most ? alive : most; }
  counted(const counted&) noexcept : counted() {}
  counted& operator=(const counted&) noexcept = default;
  ~counted() { --alive; }
};

// What `operator new` of serial_depth.cpp has given, in bytes.
struct memory {
  static inline std::size_t now = 0;
  static inline std::size_t most = 0;
};

}  // namespace encoding
