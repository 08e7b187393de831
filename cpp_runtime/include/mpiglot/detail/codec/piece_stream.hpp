// Encodings that travel in pieces, while the value is still encoded and decoded already: the first piece,
// how long the whole is, then the other pieces. All ranks need memory for some pieces only.
//
//   the first piece    as the operation sends it
//   start_of_stream    the length of the whole, which is counted while the first piece is decoded
//   a piece            a header, which says how many bytes are used, and the bytes: a message of one size,
//                      or shorter if less than that is left
//   a long run         from where it lies to where it goes, in parts of that size: the header before it
//                      tells how long it is

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mpiglot/codec.hpp>
#include <mpiglot/detail/base/failure.hpp>
#include <mpiglot/detail/base/cast_to.hpp>
#include <mpiglot/detail/codec/counted_bytes.hpp>
#include <mpiglot/detail/codec/piece_size.hpp>

namespace mpiglot::detail {

/// What comes next: a run of so many bytes, or one of these.
namespace next_piece {
inline constexpr std::uint64_t more = 0;
inline constexpr std::uint64_t last = ~std::uint64_t{0};
inline constexpr std::uint64_t failed = last - 1;
[[nodiscard]] constexpr bool is_run(std::uint64_t next) noexcept {
  return next != more && next < failed;
}
}  // namespace next_piece

struct start_of_stream {
  std::uint64_t size;  // of all bytes
  std::uint64_t next;
};
/// Stands before the bytes of a piece.
struct piece_header {
  std::uint64_t next;
  std::uint32_t size;
  static constexpr std::size_t room = sizeof(std::uint64_t) + sizeof(std::uint32_t);

  void put(std::byte* to) const noexcept {
    std::memcpy(to, &next, sizeof next);
    std::memcpy(to + sizeof next, &size, sizeof size);
  }
  void get(const std::byte* from) noexcept {
    std::memcpy(&next, from, sizeof next);
    std::memcpy(&size, from + sizeof next, sizeof size);
  }
  /// The size of its message, if so many bytes of the whole are left.
  [[nodiscard]] static std::size_t message_of(std::uint64_t left, std::size_t piece) noexcept {
    return left < piece - room ? cast_to<std::size_t>(left) + room : piece;
  }
};

/// Moves the bytes of a run, `move(address, size)`, in parts.
template <class Move>
void move_run(Move& move, std::byte* at, std::uint64_t size, std::size_t part) {
  for (std::uint64_t now = 0; size != 0; at += now, size -= now) {
    now = size < part ? size : part;
    move(at, cast_to<std::size_t>(now));
  }
}

/// Sends the pieces of a value as it is encoded into `window`, which begins with room for a header.
/// `First` sends the first one: the window. `move(address, size)` sends a message.
template <class Value, class Move, class First>
class piece_sender final : public byte_sink {
 public:
  piece_sender(const Value& value, bytes& window, piece_sizes sizes, Move move,
               First first) noexcept
      : byte_sink(sizes.first),
        value_(value),
        window_(window),
        piece_(sizes.others),
        move_(move),
        first_(first) {}

  /// The bytes of the whole.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// How many bytes the codec writes before the value.
  void set_before(std::uint64_t size) noexcept { before_ = size; }

  void take(const std::byte* from, std::size_t size, std::size_t run) override {
    if (!begun_) return begin(run);
    if (in_run_) {
      in_run_ = false;
      count(size);
      return guarded([&] { move_run(move_, const_cast<std::byte*>(from), size, piece_); });
    }
    send(size, run != 0 ? run : next_piece::more);
    if (window_.room() > piece_) take_window();
  }
  /// The value was encoded. Sends what is still in the window as the last piece, if anything was sent
  /// before.
  void end(std::uint64_t size) {
    if (!begun_) return;
    if (size != size_) refuse_change();
    send(window_.size() - piece_header::room, next_piece::last);
    ended_ = true;
  }
  /// Encoding it failed: tells the receivers, if they are waiting.
  void fail() {
    if (begun_ && !ended_) send(0, next_piece::failed);
    ended_ = true;
  }

 private:
  // What MPI did not move is the end of the stream.
  template <class Action>
  void guarded(Action action) {
    ended_ = true;
    action();
    ended_ = false;
  }
  void begin(std::size_t run) {
    begun_ = true;
    set_window(piece_);
    start_of_stream start{next_piece::failed, 0};
    kept_failure failure;
    guarded([&] {
      const std::uint64_t first = window_.size() - piece_header::room;
      const std::uint64_t left_out = first_();
      failure.attempt([&] {
        take_window();
        size_ = start.size = before_ + counted_bytes(value_) - left_out;
        left_ = size_ - first;
        start.next = run != 0 ? run : next_piece::more;
      });
      move_(&start, sizeof start);
    });
    in_run_ = run != 0;
    ended_ = failure.any();
    failure.rethrow();
  }
  void send(std::size_t size, std::uint64_t next) {
    const std::uint64_t left = left_;
    count(size);
    guarded([&] {
      if (size <= piece_ - piece_header::room) {
        send_piece(left, size, next);
      } else {  // more than a piece, since some of it was changed until now
        send_piece(left, 0, size);
        move_run(move_, window_.data() + piece_header::room, size, piece_);
        send_piece(left_, 0, next);
      }
    });
    in_run_ = next_piece::is_run(next);
  }
  void send_piece(std::uint64_t left, std::size_t size, std::uint64_t next) {
    piece_header{next, static_cast<std::uint32_t>(size)}.put(window_.data());
    move_(window_.data(), piece_header::message_of(left, piece_));
  }
  void count(std::size_t size) {
    if (size > left_) refuse_change();
    left_ -= size;
  }
  [[noreturn]] static void refuse_change() {
    refuse_value("a value that changes while it is sent");
  }
  void take_window() {
    bytes next(piece_);
    next.resize(piece_header::room);
    window_ = static_cast<bytes&&>(next);
  }

  std::uint64_t before_ = 0;
  const Value& value_;
  bytes& window_;
  std::size_t piece_;
  Move move_;
  First first_;
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;
  bool begun_ = false;
  bool in_run_ = false;
  bool ended_ = false;
};

/// Receives the pieces behind the first. `move(address, size)` receives a message.
template <class Move>
class piece_source final : public byte_source {
 public:
  /// From rank `from`. The first piece lies in `memory`, which has room for another one.
  piece_source(Move move, int from, bytes& memory, piece_sizes sizes) noexcept
      : move_(move), from_(from), memory_(memory), sizes_(sizes) {}

  [[nodiscard]] std::uint64_t left() override {
    if (!started_) start();
    return left_;
  }
  [[nodiscard]] std::size_t next_size() const noexcept override {
    return started_ && !ended_ && next_piece::is_run(next_) ? static_cast<std::size_t>(next_) : 0;
  }
  void read(std::byte* to) override {
    for (std::size_t now = 0; next_ != next_piece::more; to += now) now = take_part(to);
  }
  [[nodiscard]] view more(view needed, std::size_t least, bool kept) override {
    if (!started_) start();
    do {
      if (next_piece::is_run(next_)) {
        std::byte* const memory = window(needed, needed.size + part(), kept);
        needed.first = memory;
        needed.size += take_part(memory + needed.size);
      } else {
        needed = more_of_piece(needed, kept);
      }
      kept = false;
    } while (needed.size < least);
    return needed;
  }
  /// The bytes of the whole.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_of_all_; }
  /// Receives all that is left, which is not looked at. Throws if the sender failed.
  void end() {
    std::byte* const memory = memory_.data();
    if (!started_ && !ended_) take_start();
    while (!ended_)
      if (next_piece::is_run(next_))
        move_part(memory);
      else
        take_piece(memory);
    if (failed_) tell_remote_failure(from_);
  }

 private:
  void take_start() {
    start_of_stream start{};
    ended_ = true;
    move_(&start, sizeof start);
    started_ = true;
    size_of_all_ = start.size;
    left_ = start.size - sizes_.first;
    next_ = start.next;
    ended_ = start.size == next_piece::failed;
    failed_ = ended_;
  }
  void start() {
    if (ended_) refuse_end();
    take_start();
    if (failed_) tell_remote_failure(from_);
    if (left_ > next_piece::failed - sizes_.first)
      refuse_bytes("a stream that is shorter than its first piece");
  }
  void take_piece(std::byte* to) {
    ended_ = true;
    move_(to, piece_header::message_of(left_, sizes_.others));
    piece_header header{};
    header.get(to);
    next_ = header.next;
    size_ = header.size;
    ended_ = next_ == next_piece::last || next_ == next_piece::failed;
    failed_ = next_ == next_piece::failed;
    take_from_left(size_);
  }
  // The header is received in front of the bytes; then what is needed goes there.
  [[nodiscard]] view more_of_piece(view needed, bool kept) {
    if (ended_) refuse_end();
    std::byte* const memory = window(needed, needed.size + sizes_.others, kept);
    take_piece(memory + needed.size);
    if (failed_) tell_remote_failure(from_);
    if (size_ > sizes_.others - piece_header::room)
      refuse_bytes("a piece that is longer than its message");
    require_right();
    if (needed.size != 0) std::memmove(memory + piece_header::room, memory, needed.size);
    return {memory + piece_header::room, needed.size + size_};
  }
  // Of the run that is next.
  [[nodiscard]] std::size_t part() const noexcept {
    return next_ < sizes_.others ? static_cast<std::size_t>(next_) : sizes_.others;
  }
  void move_part(std::byte* to) {
    ended_ = true;
    move_(to, part());
    ended_ = false;
    const std::size_t size = part();
    next_ -= size;
    take_from_left(size);
  }
  std::size_t take_part(std::byte* to) {
    const std::size_t size = part();
    move_part(to);
    require_right();
    return size;
  }
  void take_from_left(std::uint64_t size) noexcept {
    if (size > left_) too_many_ = true;
    left_ = too_many_ ? 0 : left_ - size;
  }
  void require_right() const {
    if (too_many_) refuse_bytes("more bytes arrived than were told");
  }
  [[noreturn]] void refuse_end() const {
    if (failed_) tell_remote_failure(from_);
    refuse_bytes("fewer bytes arrived than the type takes");
  }

  Move move_;
  int from_;
  bytes& memory_;
  piece_sizes sizes_;
  std::uint64_t size_of_all_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t next_ = next_piece::more;
  std::uint32_t size_ = 0;
  bool started_ = false;
  bool ended_ = false;
  bool failed_ = false;
  bool too_many_ = false;
};

/// Encodes a value into `window`, behind room for a header; what exceeds the first piece is sent while it is
/// encoded. Returns the bytes of all pieces, or 0 if there is one, which is not sent.
template <class Codec, class Value, class Move, class First>
std::uint64_t send_in_pieces(const Codec& codec, const Value& value, bytes& window,
                             piece_sizes sizes, long_runs* left_out, Move move, First first) {
  piece_sender<Value, Move, First> sender(value, window, sizes, move, first);
  if constexpr (requires { codec.mark_bytes(); }) sender.set_before(codec.mark_bytes());
  kept_failure failure;
  failure.attempt([&] { sender.end(codec.encode(window, sender, value, left_out)); });
  if (failure.any()) failure.attempt([&] { sender.fail(); });
  failure.rethrow();
  return sender.size();
}

}  // namespace mpiglot::detail
