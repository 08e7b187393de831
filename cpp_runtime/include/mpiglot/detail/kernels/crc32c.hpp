// CRC-32C (Castagnoli): the checksum of chunks of checkpoints, by the instruction of the processor
// where there is one.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mpiglot::detail {

/// What the next byte does to the checksum, and what it does with 1 to 7 zero bytes behind it.
inline constexpr auto crc32c_tables = [] {
  constexpr std::uint32_t polynomial = 0x82F63B78U;  // its bits are reversed
  std::array<std::array<std::uint32_t, 256>, 8> all{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? polynomial : 0U);
    all[0][byte] = crc;
  }
  for (std::size_t zeros = 1; zeros < 8; ++zeros)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = all[zeros - 1][byte];
      all[zeros][byte] = before >> 8U ^ all[0][before & 0xFFU];
    }
  return all;
}();

/// Without the instruction. `crc` is the state, not the checksum.
[[nodiscard]] inline std::uint32_t crc32c_by_tables(std::uint32_t crc, const std::byte* at,
                                                    std::size_t size) noexcept {
  for (; size >= 8; size -= 8, at += 8) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const auto byte = std::to_integer<std::uint32_t>(at[i]);
      next ^= crc32c_tables[7 - i][(i < 4 ? byte ^ (crc >> 8 * i & 0xFFU) : byte)];
    }
    crc = next;
  }
  for (; size != 0; --size, ++at)
    crc = crc >> 8U ^ crc32c_tables[0][(crc ^ std::to_integer<std::uint32_t>(*at)) & 0xFFU];
  return crc;
}

#if defined(__x86_64__)
[[nodiscard, gnu::target("sse4.2")]] inline std::uint32_t crc32c_by_instruction(
    std::uint32_t crc, const std::byte* at, std::size_t size) noexcept {
  std::uint64_t wide = crc;
  for (; size >= 8; size -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  crc = static_cast<std::uint32_t>(wide);
  for (; size != 0; --size, ++at)
    crc = __builtin_ia32_crc32qi(crc, std::to_integer<unsigned char>(*at));
  return crc;
}
#endif

/// The state behind more bytes; it begins with all bits set, and the checksum is its complement.
[[nodiscard]] inline std::uint32_t crc32c_behind(std::uint32_t crc, const void* memory,
                                                 std::size_t size) noexcept {
  const auto* const at = static_cast<const std::byte*>(memory);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc32c_by_instruction(crc, at, size);
#endif
  return crc32c_by_tables(crc, at, size);
}
/// The checksum of some bytes.
[[nodiscard]] inline std::uint32_t crc32c(const void* memory, std::size_t size) noexcept {
  return ~crc32c_behind(~0U, memory, size);
}

}  // namespace mpiglot::detail
