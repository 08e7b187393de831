// What the tests of the codec share: encoding and decoding by hand, and objects that are counted.

#pragma once

#include <cstddef>
#include <cstdint>

#include <mpiglot/serialized.hpp>

namespace encoding {

template <class T>
mpiglot::detail::bytes encoded(const T& value) {
  mpiglot::detail::bytes bytes;
  mpiglot::builtin_codec::encode(bytes, value);
  return bytes;
}
template <class T>
void decode(const mpiglot::detail::bytes& bytes, T& value) {
  mpiglot::builtin_codec::decode(bytes.data(), bytes.size(), value);
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
