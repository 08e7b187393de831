// How long an encoding is, without keeping it.

#pragma once

#include <cstddef>
#include <cstdint>

#include <mpiglot/codec.hpp>

namespace mpiglot::detail {

/// The bytes of the encoding of a value. Keeps a window of 64 KiB.
template <class Value>
[[nodiscard]] std::uint64_t counted_bytes(const Value& value) {
  struct nowhere final : byte_sink {
    nowhere() noexcept : byte_sink(long_run) {}
    void take(const std::byte*, std::size_t, std::size_t) override {}
  } sink;
  bytes window;
  return builtin_codec::encode(window, sink, value);
}

}  // namespace mpiglot::detail
