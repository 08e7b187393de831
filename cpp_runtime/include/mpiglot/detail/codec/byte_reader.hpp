// Reads the bytes of an encoding, and believes none of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/byte_source.hpp>
#include <mpiglot/detail/codec/format.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::detail {

/// Bytes from the first to the last: those in memory, or those of a source, of which a window is in
/// memory. Throws `decode_error` where there are too few, or wrong ones.
class byte_reader {
 public:
  byte_reader(const std::byte* from, std::size_t size) noexcept : from_(from), end_(from + size) {}
  /// The first bytes of a source are in memory already.
  byte_reader(byte_source& source, byte_source::view first) noexcept
      : from_(first.first), end_(first.first + first.size), source_(&source), behind_(not_asked) {}

  /// Where the next bytes are.
  [[nodiscard]] const std::byte* next(std::size_t size) {
    if (size > in_memory()) [[unlikely]]
      read_more(size);
    const std::byte* const at = from_;
    from_ += size;
    return at;
  }
  /// The bytes in memory that are next.
  [[nodiscard]] const std::byte* peek() const noexcept { return from_; }
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
  /// A run of fewer than `wide_lengths` elements that is in memory as a whole, or null: then nothing is
  /// read.
  [[nodiscard]] const std::byte* next_short_run(std::size_t bytes_each, std::size_t& n) noexcept {
    const std::size_t there = in_memory();
    if (there == 0) [[unlikely]]
      return nullptr;
    n = std::to_integer<std::size_t>(*from_);
    const std::size_t size = 1 + n * bytes_each;
    if (n >= wide_lengths || size > there) [[unlikely]]
      return nullptr;
    const std::byte* const first = from_ + 1;
    from_ += size;
    return first;
  }
  void raw(void* to, std::size_t size) {
    if (size > in_memory()) [[unlikely]]
      return raw_from_source(static_cast<std::byte*>(to), size);
    if (size != 0) std::memcpy(to, from_, size);
    from_ += size;
  }
  /// How many bytes are left. The source may have to wait for that: `in_memory` is often enough.
  [[nodiscard]] std::size_t left() {
    if (behind_ == not_asked) [[unlikely]]
      behind_ = cast_to<std::size_t>(source_->left());
    return in_memory() + behind_;
  }
  /// How many of them are in memory now.
  [[nodiscard]] std::size_t in_memory() const noexcept {
    return static_cast<std::size_t>(end_ - from_);
  }
  /// Each of `n` elements takes a byte at least, or `each`.
  void require_bytes(std::uint64_t n, std::size_t each) {
    if (each == 0) each = 1;
    if (n > in_memory() / each && n > left() / each)
      refuse_bytes("a length that is larger than what arrived");
  }
  /// Elements whose encoding may be empty are followed by padding, so that there is one byte for
  /// each element.
  void skip_to(std::size_t end) {
    while (left() > end) {
      std::size_t step = left() - end;
      if (step > in_memory()) step = in_memory() != 0 ? in_memory() : 1;
      static_cast<void>(next(step));
    }
  }
  [[nodiscard]] static bool is_true(std::byte value) {
    if (value > std::byte{1}) [[unlikely]]
      refuse_bytes("a byte that is neither true nor false");
    return value == std::byte{1};
  }
  /// While this is not 0, all that `next` has given since then stays where it is.
  [[nodiscard]] int& kept() noexcept { return kept_; }

 private:
  [[gnu::cold, gnu::noinline]] void read_more(std::size_t size) {
    if (size > left()) refuse_bytes("fewer bytes arrived than the type takes");
    const byte_source::view window = source_->more({from_, in_memory()}, size, kept_ != 0);
    from_ = window.first;
    end_ = from_ + window.size;
    behind_ = cast_to<std::size_t>(source_->left());
  }
  // What the source can put into its place goes there.
  [[gnu::cold, gnu::noinline]] void raw_from_source(std::byte* to, std::size_t size) {
    if (size > left()) refuse_bytes("fewer bytes arrived than the type takes");
    while (size != 0) {
      std::size_t step = in_memory();
      if (step == 0) {
        step = source_->next_size();
        if (step != 0 && step <= size) {
          source_->read(to);
          behind_ = cast_to<std::size_t>(source_->left());
          to += step;
          size -= step;
          continue;
        }
        read_more(1);
        step = in_memory();
      }
      if (step > size) step = size;
      std::memcpy(to, from_, step);
      from_ += step;
      to += step;
      size -= step;
    }
  }
  [[nodiscard, gnu::noinline]] std::uint64_t wide_number(unsigned width) {
    if (width < 1 || width > 3) refuse_bytes("a byte that begins no length");
    const std::byte* const at = next(std::size_t{1} << width);
    std::uint64_t value =
        std::to_integer<std::uint64_t>(at[0]) | std::to_integer<std::uint64_t>(at[1]) << 8;
    for (unsigned i = 2; i < 1u << width; ++i)
      value |= std::to_integer<std::uint64_t>(at[i]) << 8 * i;
    if (value < (width == 1 ? wide_lengths : std::uint64_t{1} << (8u << (width - 1))))
      refuse_bytes("a length that is written wider than it needs");
    return value;
  }

  static constexpr std::size_t not_asked = static_cast<std::size_t>(-1);

  const std::byte* from_;
  const std::byte* end_;
  byte_source* source_ = nullptr;
  std::size_t behind_ = 0;  // the bytes that are not in memory
  int kept_ = 0;
};

}  // namespace mpiglot::detail
