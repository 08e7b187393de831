// Where the bytes of an encoding come from, some at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/detail/base/cast_to.hpp>

namespace mpiglot::detail {

/// Gives the bytes of an encoding to memory, in their order. It owns the window of them that is read.
class byte_source {
 public:
  /// Bytes in memory.
  struct view {
    const std::byte* first;
    std::size_t size;
  };

  /// The bytes that no memory got yet. Waits for the sender, where only it knows that.
  [[nodiscard]] virtual std::uint64_t left() = 0;
  /// How many of the next bytes `read` puts into a place at once; 0 if they go through the window.
  [[nodiscard]] virtual std::size_t next_size() const noexcept = 0;
  virtual void read(std::byte* to) = 0;
  /// Bytes that are still needed, and at least so many, which are more, behind them. There are as many.
  /// While `kept`, the memory that was given before stays as it is, because it is still read.
  [[nodiscard]] virtual view more(view needed, std::size_t least, bool kept) = 0;

 protected:
  byte_source() noexcept = default;
  ~byte_source() { forget(); }
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// Memory of so many bytes, which begins with those that are needed: they lie in the window, unless it
  /// is the first.
  [[nodiscard]] std::byte* window(view needed, std::size_t size, bool kept) {
    if (kept || window_.size() == 0) {
      bytes next(size);
      if (needed.size != 0) std::memcpy(next.data(), needed.first, needed.size);
      keep();
      window_ = static_cast<bytes&&>(next);
    } else {
      forget();
      const std::ptrdiff_t at = needed.size == 0 ? 0 : needed.first - window_.data();
      if (size > window_.size()) window_.resize(size);
      if (needed.size != 0) std::memmove(window_.data(), window_.data() + at, needed.size);
    }
    return window_.data();
  }

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

  bytes window_;
  block<std::byte*> kept_;
};

/// A source whose length is known, and which is read in chunks of one size.
class chunk_source : public byte_source {
 public:
  [[nodiscard]] std::uint64_t left() noexcept final { return left_; }
  /// The bytes of the next chunk.
  [[nodiscard]] std::size_t next_size() const noexcept final {
    return left_ < chunk_ ? static_cast<std::size_t>(left_) : chunk_;
  }
  void read(std::byte* to) final {
    const std::size_t size = next_size();
    read_chunk(to, size);
    left_ -= size;
  }
  [[nodiscard]] view more(view needed, std::size_t least, bool kept) final {
    const std::size_t chunks = (least - needed.size + chunk_ - 1) / chunk_ * chunk_;
    const std::size_t size = needed.size + (left_ < chunks ? cast_to<std::size_t>(left_) : chunks);
    std::byte* const memory = window(needed, size, kept);
    for (std::size_t at = needed.size; at < size;) {
      const std::size_t step = next_size();
      read(memory + at);
      at += step;
    }
    return {memory, size};
  }

 protected:
  chunk_source(std::uint64_t size, std::size_t chunk) noexcept : left_(size), chunk_(chunk) {}
  ~chunk_source() = default;

  virtual void read_chunk(std::byte* to, std::size_t size) = 0;

 private:
  std::uint64_t left_;
  std::size_t chunk_;
};

}  // namespace mpiglot::detail
