// Reads the bytes of an encoding, and believes none of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/detail/codec/format.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::detail {

/// Bytes from the first to the last. Throws `decode_error` where there are too few, or wrong ones.
class byte_reader {
 public:
  byte_reader(const std::byte* from, std::size_t size) noexcept : from_(from), left_(size) {}

  /// Where the next bytes are.
  [[nodiscard]] const std::byte* next(std::size_t size) {
    if (size > left_) [[unlikely]]
      refuse_bytes("fewer bytes arrived than the type takes");
    const std::byte* const at = from_;
    from_ += size;
    left_ -= size;
    return at;
  }
  [[nodiscard]] bool flag() { return is_true(*next(1)); }
  [[nodiscard]] std::uint64_t number() {
    unsigned char first = 0;
    raw(&first, 1);
    return first < wide_lengths ? first : wide_number(first - wide_lengths);
  }
  /// Reads a number of elements, each of which takes at least `bytes_each` bytes.
  [[nodiscard]] std::size_t length(std::size_t bytes_each) {
    const std::uint64_t value = number();
    require_bytes(value, bytes_each);
    return static_cast<std::size_t>(value);
  }
  void raw(void* to, std::size_t size) {
    const std::byte* const at = next(size);
    if (size != 0) std::memcpy(to, at, size);
  }
  /// How many bytes are left.
  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  /// Each of `n` elements takes a byte at least, or `each`.
  void require_bytes(std::uint64_t n, std::size_t each) const {
    if (n > left_ / (each == 0 ? 1 : each))
      refuse_bytes("a length that is larger than what arrived");
  }
  /// Elements whose encoding may be empty are followed by padding, so that there is one byte for
  /// each element.
  void skip_to(std::size_t end) {
    if (left_ <= end) return;
    from_ += left_ - end;
    left_ = end;
  }
  [[nodiscard]] static bool is_true(std::byte value) {
    if (value > std::byte{1}) [[unlikely]]
      refuse_bytes("a byte that is neither true nor false");
    return value == std::byte{1};
  }

 private:
  [[nodiscard, gnu::noinline]] std::uint64_t wide_number(unsigned width) {
    if (width < 1 || width > 3) refuse_bytes("a byte that begins no length");
    unsigned char word[sizeof(std::uint64_t)];
    raw(word, std::size_t{1} << width);
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 1u << width; ++i) value |= std::uint64_t{word[i]} << 8 * i;
    if (value < (width == 1 ? wide_lengths : std::uint64_t{1} << (8u << (width - 1))))
      refuse_bytes("a length that is written wider than it needs");
    return value;
  }

  const std::byte* from_;
  std::size_t left_;
};

}  // namespace mpiglot::detail
