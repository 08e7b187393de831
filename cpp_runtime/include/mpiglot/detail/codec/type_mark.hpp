// The mark that goes before an encoding in a message, if the sender's communicator checks at level `normal`
// or above: sixteen bytes that no encoding begins with by chance, of which eight are the fingerprint of the
// type. Whoever decodes recognises it, at every level.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

struct type_mark {
  std::uint64_t word;
  std::uint64_t type;

  static constexpr std::uint64_t right_word = 0xD1C3F2E85A974B60U;

  /// Whether bytes begin with one.
  [[nodiscard]] static bool is_at(const std::byte* first, std::size_t size) noexcept {
    if (size < sizeof(type_mark)) return false;
    std::uint64_t word = 0;
    std::memcpy(&word, first, sizeof word);
    return word == right_word;
  }
};

/// Where a type's name is in what the compiler says.
struct name_in_text {
  const char* first;
  std::size_t size;
};
template <class T>
[[nodiscard]] name_in_text full_name_of() noexcept {
  const char* const text = __PRETTY_FUNCTION__;
  const char* first = std::strstr(text, "T = ");
  first = first == nullptr ? text : first + 4;
  const std::size_t size = std::strlen(first);
  return {first, size == 0 ? 0 : size - 1};
}

/// Writes a text into memory, as far as there is room. It ends with 0.
struct text_writer {
  char* at;
  char* end;

  void put(name_in_text name) noexcept {
    const std::size_t room = static_cast<std::size_t>(end - at) - 1;
    const std::size_t most = name.size < 120 ? name.size : 120;
    const std::size_t size = most < room ? most : room;
    std::memcpy(at, name.first, size);
    at += size;
    *at = '\0';
  }
  void put(const char* text) noexcept { put(name_in_text{text, std::strlen(text)}); }
  void put(std::uint64_t number) noexcept {
    char digits[17] = {};
    for (int i = 15; i >= 0; --i, number >>= 4) digits[i] = "0123456789abcdef"[number & 15];
    put(digits);
  }
};

}  // namespace mpiglot::detail
