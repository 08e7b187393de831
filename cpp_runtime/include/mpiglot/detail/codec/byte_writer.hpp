// Takes the bytes of an encoding: into memory, or through a window of memory to a sink.

#pragma once

#include <cstddef>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// Where the bytes of an encoding go, some at a time.
class byte_sink {
 public:
  /// Takes bytes. If `run` is not 0, the next call brings so many, from where they lie.
  virtual void take(const std::byte* from, std::size_t size, std::size_t run) = 0;
  /// How many bytes fill the window.
  [[nodiscard]] std::size_t window() const noexcept { return window_; }

 protected:
  explicit byte_sink(std::size_t window) noexcept : window_(window) {}
  byte_sink(const byte_sink&) = default;
  byte_sink& operator=(const byte_sink&) = default;
  ~byte_sink() = default;
  void set_window(std::size_t size) noexcept { window_ = size; }

 private:
  std::size_t window_;
};

/// Appends bytes to memory. With a sink, that memory is a window, which is emptied when it is full, but
/// for what was in it before.
class byte_writer {
 public:
  explicit byte_writer(bytes& to, byte_sink* sink = nullptr) noexcept
      : to_(to), sink_(sink), front_(to.size()) {}

  /// Room for the next bytes. It is valid until the next call.
  [[nodiscard]] std::byte* extend(std::size_t size) {
    if (size > to_.room() - to_.size()) [[unlikely]]
      make_room(size);
    return to_.extend_within(size);
  }
  void append(const void* from, std::size_t size) {
    if (size != 0) std::memcpy(extend(size), from, size);
  }
  /// The room there is behind the last byte.
  struct tail {
    std::byte* at;
    const std::byte* end;

    [[nodiscard]] std::size_t room() const noexcept { return static_cast<std::size_t>(end - at); }
  };
  /// It is valid until another function is called. What is written there counts after `end_at`.
  [[nodiscard]] tail open_tail() noexcept {
    return {to_.data() + to_.size(), to_.data() + to_.room()};
  }
  /// The tail after there is room for `size` more bytes.
  [[nodiscard]] tail open_tail(std::size_t size) {
    if (size > to_.room() - to_.size()) make_room(size);
    return open_tail();
  }
  /// The same for `n` elements of `each` bytes, as many as a sink wants at once.
  [[nodiscard]] tail open_tail_for(std::size_t n, std::size_t each) {
    if (sink_ == nullptr && n <= static_cast<std::size_t>(-1) / each) return open_tail(n * each);
    return open_tail();
  }
  void end_at(const std::byte* at) noexcept {
    static_cast<void>(to_.extend_within(static_cast<std::size_t>(at - (to_.data() + to_.size()))));
  }
  /// Many bytes, which need not be copied on their way to a sink, unless the whole may fit
  /// the window.
  void append_long(const void* from, std::size_t size) {
    if (sink_ == nullptr || kept_ != 0 || (sent_ == 0 && to_.size() + size <= sink_->window()))
      return append(from, size);
    flush(size);
    sent_ += size;
    sink_->take(static_cast<const std::byte*>(from), size, 0);
  }
  /// How many bytes there were.
  [[nodiscard]] std::size_t position() const noexcept { return sent_ + to_.size() - front_; }
  /// How many of them the sink has.
  [[nodiscard]] std::size_t sent() const noexcept { return sent_; }
  /// While this is not 0, bytes stay in memory, because some are changed later.
  [[nodiscard]] int& kept() noexcept { return kept_; }
  [[nodiscard]] bytes& memory() noexcept { return to_; }

 private:
  [[gnu::noinline]] void make_room(std::size_t size) {
    if (sink_ != nullptr && kept_ == 0 && to_.room() >= sink_->window()) flush(0);
    to_.reserve_more(size);
  }
  void flush(std::size_t run) {
    const std::size_t size = to_.size() - front_;
    if (size == 0 && run == 0) return;
    sent_ += size;
    sink_->take(to_.data() + front_, size, run);
    to_.resize(front_);
  }

  bytes& to_;
  byte_sink* sink_;
  std::size_t front_;
  std::size_t sent_ = 0;
  int kept_ = 0;
};

}  // namespace mpiglot::detail
