// The order in which the elements of hash tables are encoded: their keys' encodings decide, and not the
// history of the table.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// An element of a container, and the encoding of its key.
struct encoded_key {
  const void* element;
  const std::byte* text;
  std::size_t size;
  std::uint64_t mixed;  // a hash of the encoding

  /// Mixes the bytes of the encoding, eight at a time.
  void mix() noexcept {
    std::uint64_t made = size;
    std::size_t at = 0;
    for (; size - at >= sizeof made; at += sizeof made) {
      std::uint64_t next = 0;
      std::memcpy(&next, text + at, sizeof next);
      made = (made ^ next) * 0x9E3779B97F4A7C15U;
      made ^= made >> 32;
    }
    std::uint64_t last = 0;
    if (size - at >= sizeof(std::uint32_t)) {
      std::uint32_t next = 0;
      std::memcpy(&next, text + at, sizeof next);
      last = next;
      at += sizeof next;
    }
    for (; at < size; ++at) last = last << 8 | static_cast<std::uint64_t>(text[at]);
    made = (made ^ last) * 0x9E3779B97F4A7C15U;
    made ^= made >> 32;
    mixed = made * 0x9E3779B97F4A7C15U;
  }
  /// The first bits of the hash.
  [[nodiscard]] std::size_t bucket(unsigned shift) const noexcept {
    return cast_to<std::size_t>(mixed >> shift);
  }
  [[nodiscard]] static int compare(const encoded_key& a, const encoded_key& b) noexcept {
    if (a.mixed != b.mixed) return a.mixed < b.mixed ? -1 : 1;
    if (a.size != b.size) return a.size < b.size ? -1 : 1;
    return a.size == 0 ? 0 : std::memcmp(a.text, b.text, a.size);
  }
};

/// Sorts keys by their encodings, which lie one behind the other at `text`, in an order that only these
/// decide. Takes O(n), or O(n log n) if somebody has chosen the hashes.
inline void sort_keys(block<encoded_key>& all, const std::byte* text) {
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; text += all[i++].size) all[i].text = text;
  if (n < 2) return;
  unsigned bits = 1;
  while (n >> bits != 0) ++bits;
  const unsigned shift = 64 - bits;
  block<std::size_t> begins((std::size_t{1} << bits) + 1);
  std::memset(begins.data(), 0, begins.size() * sizeof(std::size_t));
  std::size_t most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    all[i].mix();
    const std::size_t there = ++begins[all[i].bucket(shift) + 1];
    if (there > most) most = there;
  }
  if (most > 32) {
    std::qsort(all.data(), n, sizeof(encoded_key), [](const void* a, const void* b) {
      return encoded_key::compare(*static_cast<const encoded_key*>(a),
                                  *static_cast<const encoded_key*>(b));
    });
    return;
  }
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  block<encoded_key> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[begins[all[i].bucket(shift)]++] = all[i];
  for (std::size_t i = 1; i < n; ++i) {
    const encoded_key here = sorted[i];
    std::size_t at = i;
    for (; at > 0 && encoded_key::compare(here, sorted[at - 1]) < 0; --at)
      sorted[at] = sorted[at - 1];
    sorted[at] = here;
  }
  all = static_cast<block<encoded_key>&&>(sorted);
}

}  // namespace mpiglot::detail
