// Takes the bytes of an encoding: into memory, or through a window of memory to a sink.

#pragma once

#include <cstddef>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// Where the bytes of an encoding go, some at a time. What derives from it gives its function.
class byte_sink {
 public:
  void take(const std::byte* from, std::size_t size) { take_(*this, from, size); }

 protected:
  explicit byte_sink(void (*taking)(byte_sink&, const std::byte*, std::size_t)) noexcept
      : take_(taking) {}
  ~byte_sink() = default;

 private:
  void (*take_)(byte_sink&, const std::byte*, std::size_t);
};

/// Appends bytes to memory. With a sink, that memory is a window, which is emptied when it is full.
class byte_writer {
 public:
  explicit byte_writer(bytes& to, byte_sink* sink = nullptr, std::size_t window = 0) noexcept
      : to_(to), sink_(sink), window_(window) {}

  /// Room for the next bytes. It is valid until the next call.
  [[nodiscard]] std::byte* extend(std::size_t size) {
    if (size > to_.room() - to_.size()) [[unlikely]]
      make_room(size);
    return to_.extend_within(size);
  }
  void append(const void* from, std::size_t size) {
    if (size != 0) std::memcpy(extend(size), from, size);
  }
  /// The same for many bytes, which need not be copied on their way to a sink.
  void append_long(const void* from, std::size_t size) {
    if (sink_ == nullptr || kept_ != 0) return append(from, size);
    flush();
    sent_ += size;
    sink_->take(static_cast<const std::byte*>(from), size);
  }
  /// Empties the window.
  void flush() {
    if (sink_ == nullptr || to_.size() == 0) return;
    sent_ += to_.size();
    sink_->take(to_.data(), to_.size());
    to_.resize(0);
  }
  /// How many bytes there were.
  [[nodiscard]] std::size_t position() const noexcept { return sent_ + to_.size(); }
  /// While this is not 0, bytes stay in memory, because some are changed later.
  [[nodiscard]] int& kept() noexcept { return kept_; }
  [[nodiscard]] bytes& memory() noexcept { return to_; }

 private:
  [[gnu::noinline]] void make_room(std::size_t size) {
    if (sink_ != nullptr && kept_ == 0 && to_.room() >= window_) flush();
    to_.reserve_more(size);
  }

  bytes& to_;
  byte_sink* sink_;
  std::size_t window_;
  std::size_t sent_ = 0;
  int kept_ = 0;
};

}  // namespace mpiglot::detail
