// Reads the bytes of an encoding, and believes none of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/codec/format.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::detail {

/// Where the bytes of an encoding come from, a chunk at a time. What derives from it gives the function
/// that reads the next chunk.
class chunk_source {
 public:
  /// The bytes that were not read yet.
  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
  /// Those of the next chunk.
  [[nodiscard]] std::size_t next_size() const noexcept {
    return left_ < chunk_ ? static_cast<std::size_t>(left_) : chunk_;
  }
  /// Reads the next chunk.
  void read(std::byte* to) {
    const std::size_t size = next_size();
    read_(*this, to, size);
    left_ -= size;
  }
  /// Gives memory for chunks behind bytes that are still needed; reads until there are `least` bytes, which
  /// is more than their number.
  /// While `kept` is not 0, the memory that was given before stays as it is, because it is still read.
  [[nodiscard]] const bytes& window(const std::byte* needed, std::size_t number, std::size_t least,
                                    bool kept) {
    const std::size_t whole_chunks = (least - number + chunk_ - 1) / chunk_ * chunk_;
    const std::size_t size =
        number + (left_ < whole_chunks ? static_cast<std::size_t>(left_) : whole_chunks);
    if (kept) {
      bytes next(size);
      if (number != 0) std::memcpy(next.data(), needed, number);
      keep();
      window_ = static_cast<bytes&&>(next);
    } else {
      forget();
      if (number != 0) std::memmove(window_.data(), needed, number);
      window_.resize(size);
    }
    for (std::size_t at = number; at < size;) {
      const std::size_t step = next_size();
      read(window_.data() + at);
      at += step;
    }
    return window_;
  }

 protected:
  chunk_source(std::uint64_t size, std::size_t chunk,
               void (*reading)(chunk_source&, std::byte*, std::size_t)) noexcept
      : left_(size), chunk_(chunk), read_(reading) {}
  ~chunk_source() { forget(); }
  chunk_source(const chunk_source&) = delete;
  chunk_source& operator=(const chunk_source&) = delete;

 private:
  void keep() {
    std::byte* const memory = window_.data();
    if (memory == nullptr) return;
    kept_.append(&memory, 1);
    static_cast<void>(window_.release());
  }
  void forget() noexcept {
    for (std::size_t i = 0; i < kept_.size(); ++i) std::free(kept_[i]);
    kept_.resize(0);
  }

  std::uint64_t left_;
  std::size_t chunk_;
  void (*read_)(chunk_source&, std::byte*, std::size_t);
  bytes window_;
  block<std::byte*> kept_;
};

/// Bytes from the first to the last: those in memory, or those of a source, of which a window is in
/// memory. Throws `decode_error` where there are too few, or wrong ones.
class byte_reader {
 public:
  byte_reader(const std::byte* from, std::size_t size) noexcept : from_(from), end_(from + size) {}
  explicit byte_reader(chunk_source& source) noexcept
      : source_(&source), behind_(static_cast<std::size_t>(source.left())) {}

  /// Where the next bytes are.
  [[nodiscard]] const std::byte* next(std::size_t size) {
    if (size > in_memory()) [[unlikely]]
      read_more(size);
    const std::byte* const at = from_;
    from_ += size;
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
    if (size > in_memory()) [[unlikely]]
      return raw_from_source(static_cast<std::byte*>(to), size);
    if (size != 0) std::memcpy(to, from_, size);
    from_ += size;
  }
  /// How many bytes are left.
  [[nodiscard]] std::size_t left() const noexcept { return in_memory() + behind_; }
  /// How many of them are in memory now.
  [[nodiscard]] std::size_t in_memory() const noexcept {
    return static_cast<std::size_t>(end_ - from_);
  }
  /// Each of `n` elements takes a byte at least, or `each`.
  void require_bytes(std::uint64_t n, std::size_t each) const {
    if (n > left() / (each == 0 ? 1 : each))
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
    const std::size_t number = in_memory();
    const bytes& window = source_->window(from_, number, size, kept_ != 0);
    from_ = window.data();
    end_ = from_ + window.size();
    behind_ = static_cast<std::size_t>(source_->left());
  }
  // Whole chunks are read into their place.
  [[gnu::cold, gnu::noinline]] void raw_from_source(std::byte* to, std::size_t size) {
    if (size > left()) refuse_bytes("fewer bytes arrived than the type takes");
    const std::size_t begun = in_memory();
    if (begun != 0) std::memcpy(to, from_, begun);
    from_ = end_;
    to += begun;
    size -= begun;
    for (std::size_t chunk = 0; (chunk = source_->next_size()) <= size && chunk != 0;
         size -= chunk) {
      source_->read(to);
      to += chunk;
    }
    behind_ = static_cast<std::size_t>(source_->left());
    if (size != 0) std::memcpy(to, next(size), size);
  }
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

  const std::byte* from_ = nullptr;
  const std::byte* end_ = nullptr;
  chunk_source* source_ = nullptr;
  std::size_t behind_ = 0;  // the bytes that are not in memory
  int kept_ = 0;
};

}  // namespace mpiglot::detail
