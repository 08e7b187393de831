// Encodings whose length is told before them.

#pragma once

#include <cstddef>
#include <cstdint>

#include <mpiglot/codec.hpp>
#include <mpiglot/detail/codec/checkpoint_format.hpp>

namespace mpiglot::detail {

/// The size of chunks for a window that a program gives.
[[nodiscard]] inline std::size_t chunk_of(std::size_t window) {
  if (window < smallest_chunk || window > largest_chunk)
    refuse_argument(MPI_ERR_ARG, "a window must have 4 KiB to 1 GiB");
  return window;
}

/// The length of an encoding. The encoding itself is kept if it fits a window; else it is made again
/// when it is written.
class measured {
 public:
  measured() noexcept = default;
  template <class Value>
  measured(const Value& value, std::size_t window, address_table* table = nullptr)
      : codec_{{}, table} {
    struct counter final : byte_sink {
      bool whole = true;
      explicit counter(std::size_t size) noexcept : byte_sink(size) {}
      void take(const std::byte*, std::size_t, std::size_t) override { whole = false; }
    } counting(window);
    size_ = codec_.encode(memory_, counting, value);
    if (!counting.whole) memory_ = bytes();
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  template <class Value>
  void write(const Value& value, byte_sink& to) const {
    if (memory_.size() == size_) return to.take(memory_.data(), memory_.size(), 0);
    bytes window;
    if (codec_.encode(window, to, value) != size_)
      refuse_value("a value that changes while it is written");
    to.take(window.data(), window.size(), 0);
  }

 private:
  numbering_codec codec_;
  bytes memory_;
  std::uint64_t size_ = 0;
};

}  // namespace mpiglot::detail
